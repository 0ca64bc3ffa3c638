"""The environment: as dynconf reads it, strictly and alike for every flag, and as bare torch would.

A flag can be set by the variables that torch itself reads for it in the release, and by the uniform
``TORCHDYNAMO_<FLAG>`` of any of its names; torch's own win. An empty variable counts as not set.
"""

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dynconf.catalogue import Setting, View
from dynconf.flags.types import Mismatch, same
from dynconf.flags.variable import READINGS, ReadingRule, Variable
from dynconf.origin import Origin
from dynconf.sources.layer import Layer, LayerBuilder


def read_environment(environ: Mapping[str, str], views: Sequence[View]) -> tuple[Layer, Layer]:
    """Return what the environment sets and, separately, what torch forces from there.

    Args:
        environ: The environment.
        views: What the release has of each module; all of one release.
    """
    release = views[0].release
    ordinary, forced = LayerBuilder(release, missing="warn"), LayerBuilder(release)
    # Iterating over os.environ decodes it, name by name: once is enough.
    present = frozenset(environ)
    for view in views:
        set_by_own: set[Setting] = set()
        for name in sorted(present & view.variables.keys()):
            setting, _ = view.variables[name]
            if setting.public and setting not in set_by_own and _add_own(setting, environ, ordinary, forced):
                set_by_own.add(setting)
        for name in sorted(present & view.uniform_variables.keys()):
            setting, flag = view.uniform_variables[name]
            raw = environ[name]
            if setting not in set_by_own and raw.strip():
                read = functools.partial(plain_value, rule="text", raw=raw)
                ordinary.put(setting, flag, Origin("env", name, raw), read, raw)
        absent = _absent_variables(view)
        for name in sorted(present & absent.keys()):
            raw = environ[name]
            if raw.strip():
                ordinary.note_absent(absent[name], Origin("env", name, raw), view.catalogue.name)
    return ordinary.done(), forced.done()


def _add_own(
    setting: Setting, environ: Mapping[str, str], ordinary: LayerBuilder, forced: LayerBuilder
) -> bool:
    """Add a setting from the strongest of torch's own variables, and tell whether one of them is set."""
    for variable in setting.variables:
        raw = environ.get(variable.name, "")
        if raw.strip():
            is_forced = variable.rule == "force"
            origin = Origin("forced" if is_forced else "env", variable.name, raw)
            read = functools.partial(plain_value, rule=variable.rule, raw=raw)
            (forced if is_forced else ordinary).put(setting, setting.name, origin, read, raw)
            return True
    return False


@functools.lru_cache(maxsize=32)
def _absent_variables(view: View) -> Mapping[str, str]:
    """Return the uniform variables of public flags that the release does not have, with the flags."""
    flags = view.catalogue.flags
    return {
        flags[name].uniform_variable: name
        for newest, names in view.catalogue.families.items()
        if newest not in view.settings and flags[newest].public
        for name in names
    }


def plain_value(setting: Setting, rule: ReadingRule, raw: str) -> Any:
    """Return what dynconf makes of the text of a variable that is not empty: the one reading for all flags.

    If the rule makes another value than the text itself, such as the folder below a path, so does dynconf.

    Raises:
        Mismatch: The text does not mean a value of the flag.
    """
    value = setting.type.parse(raw)
    return READINGS[rule].read(value, None) if rule == "debug_dir" and isinstance(value, str) else value


@dataclass(frozen=True, slots=True)
class TorchReading:
    """What bare torch makes of the environment for one flag: a value, or an error while it is imported.

    Attributes:
        value: The value, if there is no error.
        error: The error, as Python would print it; empty if there is none.
        variable: The variable that was read, if one is set.
    """

    value: Any = None
    error: str = ""
    variable: str | None = None


def torch_reading(setting: Setting, environ: Mapping[str, str]) -> TorchReading:
    """Return the value that bare torch would give the flag in that environment."""
    default = setting.default_value()
    for variable in setting.variables:
        if variable.name in environ:
            raw = environ[variable.name]
            try:
                return TorchReading(variable.torch_value(raw, default), variable=variable.name)
            except ValueError as problem:
                return TorchReading(error=f"ValueError: {problem}", variable=variable.name)
    return TorchReading(default)


def torch_disagrees(setting: Setting, reading: TorchReading, value: object) -> bool:
    """Tell whether bare torch would take the flag for something other than *value*.

    Text in place of a bool counts by its truth: that is how torch uses it.
    """
    return bool(reading.error) or not same(setting.type.truth(reading.value), value)


def text_for(setting: Setting, variable: Variable, wanted: object) -> str | None:
    """Return a text of torch's own variable that torch and dynconf both read as *wanted*, if there is one."""
    try:
        texts = ("1", "0", setting.type.to_text(wanted))
    except Mismatch:
        return None
    return next((text for text in texts if _both_read(setting, variable, text, wanted)), None)


def _both_read(setting: Setting, variable: Variable, text: str, wanted: object) -> bool:
    try:
        by_torch = variable.torch_value(text, setting.default_value())
        by_dynconf = plain_value(setting, variable.rule, text)
    except (ValueError, Mismatch):
        return False
    return same(by_dynconf, wanted) and not torch_disagrees(setting, TorchReading(by_torch), wanted)
