"""The environment: as dynconf reads it, strictly and alike for every flag, and as bare torch would.

A flag can be set by the variables that torch itself reads for it in the release, and by the uniform
``TORCHDYNAMO_<FLAG>`` of any of its names; torch's own win. An empty variable counts as not set.
"""

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dynconf.catalogue import names
from dynconf.catalogue.catalogue import Setting
from dynconf.catalogue.flags.flag import qualified
from dynconf.catalogue.flags.types import Mismatch, is_same_value
from dynconf.catalogue.flags.variable import IMPORT_ERRORS, VARIABLE_RULES, Variable
from dynconf.catalogue.modules import MODULES, catalogue, modules_set_by
from dynconf.provenance import Origin
from dynconf.release import Release
from dynconf.sources.reading import Reading, ReadingBuilder


def plain_value(setting: Setting, raw: str, rule: str = "text") -> Any:
    """Return the value that a non-empty text of a variable means: the one reading for all flags.

    If the rule makes another value than the text itself, such as the folder below a path, so does dynconf.
    """
    reading = VARIABLE_RULES[rule]
    if not reading.transforms:
        return setting.type.parse(raw)
    try:
        return setting.type.check(reading.read(raw.strip(), setting.default_value()))
    except IMPORT_ERRORS as problem:
        raise Mismatch(str(problem)) from problem


def read_environment(
    environ: Mapping[str, str],
    release: Release,
    modules: Sequence[str] = MODULES,
    convert: Callable[..., Any] = plain_value,
    file: str | None = None,
) -> Reading:
    """Read the environment; the origins of values that torch forces say so.

    Flags of other modules than *modules* are passed over; only the catalogues of modules that a variable sets
    are loaded. Values are made by *convert*, of the setting, the text, and the rule of the variable. The
    variables may be those of a *file*.
    """
    builder = ReadingBuilder(release, missing="warn")
    # Iterating over os.environ decodes it, name by name: once is enough.
    present = frozenset(environ)
    views = names.module_views(release, modules_set_by(present))
    own = {name for view in views for name in present & view.followers.keys()}
    followers = [pair for view in views for name in sorted(own) for pair in view.followers.get(name, ())]
    # A variable may set copies of a flag as well: that torch does not read those is no mistake of the user.
    effective = {variable.name for setting, variable in followers if not setting.inert}
    set_by_own: set[Setting] = set()
    for setting in dict.fromkeys(setting for setting, _ in followers):
        strongest = next((each for each in setting.variables if environ.get(each.name, "").strip()), None)
        if strongest is None or not setting.public or not _is_wanted(setting, modules):
            continue
        # torch reads no file, so that it forces nothing there.
        raw, is_forced = environ[strongest.name], strongest.rule == "force" and file is None
        origin = Origin.of_variable("forced" if is_forced else "env", strongest.name, raw, file)
        read = functools.partial(convert, rule=strongest.rule)
        is_copy = strongest.name in effective
        builder.put(setting, setting.name, origin, raw, read, may_be_inert=is_copy)
        set_by_own.add(setting)
    for view in views:
        uniform = view.catalogue.uniform_variables
        for name in sorted((present - own) & uniform.keys()):
            raw, flag = environ[name], qualified(view.catalogue.name, uniform[name])
            found = view.uniform_variables.get(name) or names.find(flag, release)
            is_wanted = view.catalogue.name in modules if found is None else _is_wanted(found, modules)
            if not raw.strip() or not is_wanted or found in set_by_own:
                continue
            origin = Origin.of_variable("env", name, raw, file)
            if found is None:
                builder.add_absent(flag, origin)
            else:
                builder.put(found, flag, origin, raw, convert)
    return builder.done()


def _is_wanted(setting: Setting, modules: Sequence[str]) -> bool:
    """Tell whether the flag is in one of the modules, in this release or in the newest."""
    return setting.module in modules or names.newest_module(setting) in modules


@dataclass(frozen=True, slots=True)
class TorchReading:
    """The value of a flag in bare torch, or the error with which its import ends, as Python prints it."""

    value: Any = None
    error: str = ""

    def as_json(self, setting: Setting) -> dict[str, Any]:
        """Return ``torch_error`` or ``torch_reads``, as a JSON object."""
        return (
            {"torch_error": self.error} if self.error else {"torch_reads": setting.type.show_data(self.value)}
        )


def torch_reading(setting: Setting, environ: Mapping[str, str]) -> TorchReading:
    """Return the value that bare torch would give the flag in that environment."""
    default = setting.default_value()
    for variable in setting.variables:
        if variable.name in environ:
            raw = environ[variable.name]
            error = _import_error(setting, variable, raw)
            value = None if error else variable.torch_value(raw, default)
            return TorchReading(value, error)
    return TorchReading(default)


def _import_error(setting: Setting, variable: Variable, raw: str) -> str:
    """Return the error that ends the import of the config module, due to any flag that the variable sets."""
    view = catalogue(setting.module).at(setting.release)
    for follower, each in view.followers.get(variable.name, [(setting, variable)]):
        try:
            each.torch_value(raw, follower.default_value())
        except IMPORT_ERRORS as problem:
            return f"{type(problem).__name__}: {problem}"
    return ""


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
