"""The values that a program gets without dynconf: what bare torch makes of the same variables."""

import os
from collections.abc import Mapping
from typing import Any, NamedTuple

from dynconf.catalogue.catalogue import Setting
from dynconf.catalogue.flags.types import Mismatch, is_same_value
from dynconf.catalogue.flags.variable import IMPORT_ERRORS, Variable
from dynconf.catalogue.modules import MODULES, catalogue, modules_set_by
from dynconf.catalogue.names import module_views
from dynconf.sources.environment import plain_value
from dynconf.state import State


class TorchReading(NamedTuple):
    """The value of a flag in bare torch, or the error with which its import ends, as Python prints it."""

    value: Any = None
    error: str = ""

    def as_json(self, setting: Setting) -> dict[str, Any]:
        """Return ``torch_error`` or ``torch_reads``, as a JSON object."""
        if self.error:
            return {"torch_error": self.error}
        return {"torch_reads": setting.type.show_data(self.value)}

    def mark(self, setting: Setting) -> str:
        """Return the same in words."""
        return f"bare torch: {self.error}" if self.error else f"bare torch reads {setting.text(self.value)}"


def torch_reading(setting: Setting, environ: Mapping[str, str]) -> TorchReading:
    """Return the value that bare torch would give the flag in that environment."""
    default = setting.default_value()
    for variable in setting.variables:
        if variable.name in environ:
            raw, view = environ[variable.name], catalogue(setting.module).at(setting.release)
            try:
                # Any flag that the variable sets may end the import of the config module.
                for follower, each in view.followers.get(variable.name, ()):
                    each.torch_value(raw, follower.default_value())
                return TorchReading(variable.torch_value(raw, default))
            except IMPORT_ERRORS as problem:
                return TorchReading(error=f"{type(problem).__name__}: {problem}")
    return TorchReading(default)


def torch_disagrees(setting: Setting, reading: TorchReading, value: object) -> bool:
    """Tell whether bare torch would take the flag for something other than *value*.

    Text in place of a bool counts by its truth: that is how torch uses it.
    """
    return bool(reading.error) or not is_same_value(setting.type.truth(reading.value), value)


def text_for(setting: Setting, variable: Variable, wanted: object) -> str | None:
    """Return a text of torch's own variable that torch and dynconf both read as *wanted*, if there is one."""
    try:
        texts = ("1", "0", setting.type.to_text(wanted))
    except Mismatch:
        return None
    for text in texts:
        try:
            by_torch = variable.torch_value(text, setting.default_value())
            by_dynconf = plain_value(setting, text, variable.rule)
        except (*IMPORT_ERRORS, Mismatch):
            continue
        if is_same_value(by_dynconf, wanted) and not torch_disagrees(setting, TorchReading(by_torch), wanted):
            return text
    return None


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
