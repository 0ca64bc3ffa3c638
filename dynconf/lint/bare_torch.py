"""The values that a program gets without dynconf, where they differ from dynconf's."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dynconf.catalogue import Setting
from dynconf.modules import MODULES, modules_set_by
from dynconf.names import module_views
from dynconf.sources.environment import TorchReading, torch_disagrees, torch_reading
from dynconf.state import State


@dataclass(frozen=True, slots=True)
class BareTorchValue:
    """The value of a flag, or the error of the import, in a bare ``python script.py``.

    *needs_install* tells whether dynconf has another value only in programs that install it.
    """

    setting: Setting
    reading: TorchReading
    needs_install: bool

    def __str__(self) -> str:
        value, error = self.reading.value, self.reading.error
        reads = f"bare torch reads {self.setting.text(value)}"
        bare = f"bare torch: {error}" if error else reads
        return f"only with dynconf.install() or dynconf run; {bare}" if self.needs_install else bare

    def as_json(self) -> dict[str, Any]:
        """Return ``torch_error`` or ``torch_reads``, as a JSON object."""
        return self.reading.as_json(self.setting)


def bare_torch_values(state: State, environ: Mapping[str, str] | None = None) -> dict[str, BareTorchValue]:
    """Return the values of bare torch that differ from the state's, by the newest name of the flag.

    Example:
        >>> from dynconf.release import Release
        >>> environ = {"TORCHDYNAMO_SUPPRESS_ERRORS": "0", "TORCHDYNAMO_REPRO_LEVEL": "4"}
        >>> for name, value in bare_torch_values(State(Release.named("2.13")), environ).items():
        ...     print(name, value, sep=": ")
        suppress_errors: bare torch reads True
        repro_level: bare torch reads 4
    """
    environ = os.environ if environ is None else environ
    present = frozenset(environ)
    found = {}
    modules = {*modules_set_by(present), *(setting.module for setting in state)}
    for view in module_views(state.release, [module for module in MODULES if module in modules]):
        followers = {pair[0] for name in present & view.followers.keys() for pair in view.followers[name]}
        for setting in [each for each in view.settings.values() if each in state or each in followers]:
            reading = torch_reading(setting, environ)
            if torch_disagrees(setting, reading, state.value(setting)):
                found[setting.newest] = BareTorchValue(setting, reading, setting in state)
    return found
