"""The values that a program gets without dynconf, where they differ from dynconf's."""

import os
from collections.abc import Mapping

from dynconf.catalogue.catalogue import Setting
from dynconf.catalogue.modules import MODULES, modules_set_by
from dynconf.catalogue.names import module_views
from dynconf.sources.environment import TorchReading, torch_disagrees, torch_reading
from dynconf.state import State


def bare_torch_values(state: State, environ: Mapping[str, str] | None = None) -> dict[Setting, TorchReading]:
    """Return the values that a bare ``python script.py`` gets, where they differ from the state's.

    Example:
        >>> from dynconf.release import Release
        >>> environ = {"TORCHDYNAMO_SUPPRESS_ERRORS": "0", "TORCHDYNAMO_REPRO_LEVEL": "4"}
        >>> for setting, reading in bare_torch_values(State(Release.named("2.13")), environ).items():
        ...     print(setting.newest, reading.value)
        suppress_errors True
        repro_level 4
    """
    environ = os.environ if environ is None else environ
    present, there = frozenset(environ), frozenset(state)
    found = {}
    modules = {*modules_set_by(present), *(setting.module for setting in there)}
    for view in module_views(state.release, [module for module in MODULES if module in modules]):
        followers = {pair[0] for name in present & view.followers.keys() for pair in view.followers[name]}
        for setting in [each for each in view.settings.values() if each in there or each in followers]:
            reading = torch_reading(setting, environ)
            if torch_disagrees(setting, reading, state.value(setting)):
                found[setting] = reading
    return found
