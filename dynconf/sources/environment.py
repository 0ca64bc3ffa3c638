"""The environment, as dynconf reads it: strictly, and in the same way for every flag.

A flag can be set by the variables that torch itself reads for it in the release, and by the uniform
``TORCHDYNAMO_<FLAG>`` of any of its names; torch's own win. An empty variable counts as not set.
"""

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dynconf.catalogue import names
from dynconf.catalogue.catalogue import Setting
from dynconf.catalogue.flags.flag import qualified
from dynconf.catalogue.flags.types import Mismatch
from dynconf.catalogue.flags.variable import IMPORT_ERRORS, VARIABLE_RULES
from dynconf.catalogue.modules import MODULES, modules_set_by
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
    *,
    forced: bool | None = None,
) -> Reading:
    """Read the environment; the origins of values that torch forces say so.

    Flags of other modules than *modules* are passed over; only the catalogues of modules that a variable sets
    are loaded. Values are made by *convert*, of the setting, the text, and the rule of the variable. The
    variables may be those of a *file*. With *forced*, only values that torch forces are read, or only others.
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
        set_by_own.add(setting)
        if forced not in (None, is_forced):
            continue
        origin = Origin.of_variable("forced" if is_forced else "env", strongest.name, raw, file)
        read = functools.partial(convert, rule=strongest.rule)
        is_copy = strongest.name in effective
        builder.put(setting, setting.name, origin, raw, read, may_be_inert=is_copy)
    for view in views if not forced else ():
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
