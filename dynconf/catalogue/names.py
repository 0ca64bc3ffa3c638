"""Names of flags across config modules and releases, and the settings that they mean.

A name may be bare (``verbose``, a flag of the module that is asked) or have a module in front
(``functorch.donated_buffer``), be old or new, and the flag may have moved to another module since. All of
that is decided here, where a name enters; everything else works with the `Setting`.
"""

import copyreg
import functools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from dynconf.catalogue._generated.index import MOVED
from dynconf.catalogue.catalogue import Setting, View, moved
from dynconf.catalogue.flags.flag import BARE_MODULE, Flag, qualified
from dynconf.catalogue.flags.types import PlainData, short_repr
from dynconf.catalogue.flags.variable import Variable
from dynconf.catalogue.modules import MODULES, catalogue, module_path, modules_set_by
from dynconf.catalogue.modules.modes import KEYWORDS, OF_TORCH_COMPILE, is_argument
from dynconf.errors import UnknownFlagError
from dynconf.provenance import Origin
from dynconf.release import Release
from dynconf.text import nearest

_ALIKE = 0.8
"""How similar, from 0 to 1, a flag of another module must be to be suggested.

It is then suggested rather than a flag of the module itself that is less similar.
"""


def module_views(release: Release, modules: Sequence[str] = MODULES) -> tuple[View, ...]:
    """Return the views of the modules at that release."""
    return tuple(catalogue(module).at(release) for module in modules)


def followers_of(variable: str, release: Release) -> list[tuple[Setting, Variable]]:
    """Return the settings that a variable of torch sets in that release, and how torch reads it for each."""
    views = module_views(release, modules_set_by({variable}))
    return [each for view in views for each in view.followers.get(variable, ())]


def exact(name: object) -> str:
    """Return the text of a name: of a member of an enum of texts, ``str`` returns another one.

    A key of a mapping that is no text, such as YAML makes of ``on``, is the name of no flag.
    """
    return str.__str__(name) if isinstance(name, str) else str(name)


def split(name: str, module: str = BARE_MODULE) -> tuple[str, str]:
    """Return the module that a name belongs to, *module* if it is a bare one, and the bare name."""
    if not isinstance(name, str):
        return module, str(name)
    first, dot, rest = name.partition(".")
    return (first, rest) if dot and first in MODULES else (module, name)


def without_path(name: str) -> str:
    """Return the name of a flag without the path of torch's module, such as ``torch._inductor.config``."""
    paths = {f"{module_path(each)}.": each for each in MODULES}
    path = next(filter(name.startswith, paths), "")
    return qualified(paths[path], name.removeprefix(path)) if path else name


def newest_name(name: str, module: str = BARE_MODULE) -> str:
    """Return the newest name of the flag that *name* means; an unknown name stays as it is."""
    module, bare = split(name, module)
    return moved(f"{module}.{catalogue(module).canonical(bare)}").removeprefix(f"{BARE_MODULE}.")


def newest_module(setting: Setting) -> str:
    """Return the module that a setting is in today, whatever its own release has."""
    return split(setting.newest)[0]


def name_in(module: str, setting: Setting) -> str:
    """Return the newest name of a setting as *module* says it: bare if the setting belongs to that."""
    its_module, bare = split(setting.newest)
    return bare if its_module == module else f"{its_module}.{bare}"


def in_order(settings: Iterable[Setting], module: str = BARE_MODULE) -> list[Setting]:
    """Return settings sorted by newest name, those of the module first."""
    return sorted(settings, key=lambda each: (newest_module(each) != module, each.newest))


def modules_with(name: str, module: str = BARE_MODULE) -> set[str]:
    """Return the modules in which a flag is in any release."""
    full = ".".join(split(name, module))
    return {split(each)[0] for each in (full, moved(full), *_former_names(full))}


def _former_names(full: str) -> list[str]:
    """Return the names, in other modules, under which a flag came from there."""
    return [old for old, new in MOVED.items() if new == full]


def with_former_modules(modules: Sequence[str]) -> tuple[str, ...]:
    """Return these modules and those from which flags moved to them."""
    former = {split(old)[0] for old, new in MOVED.items() if split(new)[0] in modules}
    return (*modules, *sorted(former - {*modules}))


def find(name: str, release: Release, module: str = BARE_MODULE) -> Setting | None:
    """Return the setting that a name, old or new, means in that release, a bare one in *module*.

    A flag that moved to another module is found by either of its names in every release.
    """
    module, bare = split(name, module)
    found = catalogue(module).at(release).get(bare)
    if found is None and bare in catalogue(module).flags:
        for record in records_of(newest_record(bare, module)):
            found = found or catalogue(record.module).at(release).get(record.name)
    return found


def setting(name: str, release: Release, module: str = BARE_MODULE) -> Setting:
    """Return the setting that `find` finds; raise `UnknownFlagError`, which says why, if there is none."""
    found = find(name, release, module)
    if found is None:
        raise UnknownFlagError(why_unknown(name, release, module), flag=name)
    return found


def newest_record(name: str, module: str = BARE_MODULE) -> Flag:
    """Return the newest record of a flag, in whichever module it is now; raise KeyError if there is none."""
    module, bare = split(name, module)
    known = catalogue(module)
    flag = known.flags[known.canonical(bare)]
    return newest_record(flag.renamed_to) if flag.renamed_to else flag


def records_of(flag: Flag) -> list[Flag]:
    """Return the records of every name that a flag has had, newest first, those in other modules last."""
    known = catalogue(flag.module)
    names = known.names_of(flag.name)
    moved_here = [FLAGS[old] for name in names for old in _former_names(f"{flag.module}.{name}")]
    return [known.flags[name] for name in names] + [each for old in moved_here for each in records_of(old)]


@functools.cache
def names_of(setting: Setting) -> tuple[str, ...]:
    """Return every name that a setting has had, newest first, with the module in front if not dynamo's."""
    if not setting.is_catalogued:
        return (setting.newest,)
    return tuple(record.qualified for record in records_of(newest_record(setting.newest)))


def why_unknown(name: str, release: Release, module: str = BARE_MODULE, origin: Origin | None = None) -> str:
    """Say why that release has no flag *name*, and where a flag of another module lives.

    The advice is in the form of the place where the name is written, its *origin*: by default, a program.
    """
    module, bare = split(name, module)
    if (short := without_path(bare)) != bare:
        if find(short, release):
            return f"there is no flag {short_repr(bare)}: did you mean {short!r}?"
        return why_unknown(short, release)
    known, place = catalogue(module), _Place.of(origin, module, bare)
    if why := known.at(release).why_absent(bare) or _why_elsewhere(bare, release, place):
        return why
    homes = (each for each in map(catalogue, MODULES) if bare in each.flags)  # in another release
    if module == BARE_MODULE and (home := next(homes, None)):
        return home.at(release).why_absent(bare)
    problem = f"there is no {known.noun} {short_repr(bare)}"
    for other in (module, *MODULES):
        of_groups = [each for each in catalogue(other).at(release).names if each.endswith(f".{bare}")]
        near = of_groups[0] if len(of_groups) == 1 else catalogue(other).nearest(bare, alike=_ALIKE)
        if near:
            return f"{problem}: did you mean {place.name_of(other, near)}?"
    if module == BARE_MODULE and (near := nearest(bare, MODULES, cutoff=_ALIKE)):
        if place.tables is None:
            return f"there is no flag or config module {short_repr(bare)}: did you mean {near!r}?"
        return f"there is no table [{origin and origin.name}]: did you mean [{place.tables}{near}]?"
    if near := known.nearest(bare):
        return f"{problem}: did you mean {place.name_of(module, near)}?"
    return f"{problem}; `dynconf explain WORD` searches the flags, and `dynconf --help` has the rest"


def _why_elsewhere(bare: str, release: Release, place: "_Place") -> str:
    """Return how to write the name of a module, flag, group, torch.compile argument, or variable; or ""."""
    _, bare = split(bare)  # in a table such as [dynamo.inductor], the name of another module is in front
    if bare in MODULES:
        return f"{bare!r} is a config module: {place.form_of_flags(bare, '', release)}"
    for module in MODULES:
        if catalogue(module).at(release).get(bare):
            article = "an" if module == "inductor" else "a"
            argument = f", or torch.compile({bare}=...)" if is_argument(bare, release) else ""
            return f"{bare} is {article} {module} flag: {place.form_of_flag(module, bare)}{argument}"
        if bare in catalogue(module).groups:
            return f"{bare!r} is a group of {module} flags: {place.form_of_flags(module, bare, release)}"
    if bare == "torch":  # what begins a table or a dotted key of a file
        return "there is no flag 'torch': write inductor.max_autotune for torch._inductor.config.max_autotune"
    if bare in KEYWORDS:
        flags = "; `dynconf explain mode` lists the flags of each" if bare == "mode" else ""
        return (
            f"{bare!r} is not a flag but an argument of torch.compile: torch.compile(..., {bare}=...){flags}"
        )
    if bare in OF_TORCH_COMPILE:
        option = f"torch.compile(..., options={{{bare!r}: ...}}), since torch {OF_TORCH_COMPILE[bare][1]}"
        return f"{bare!r} is not a flag but an option of torch.compile: {option}"
    for view in module_views(release):
        followers = (setting for setting, _ in view.followers.get(bare, ()))
        if found := next(followers, None) or view.uniform_variables.get(bare):
            return f"{bare} is not a flag but the variable of one: {found.newest!r}"
    return ""


class _Place(NamedTuple):
    """Where a name is written: in a file, as an option, or in a program, which has neither.

    Attributes:
        tables: How the headers of tables begin in the file, such as ``tool.dynconf.``.
        is_in_table: Whether the name is in the table of a module.
        is_option: Whether it is an option.
    """

    tables: str | None = None
    is_in_table: bool = False
    is_option: bool = False

    @classmethod
    def of(cls, origin: Origin | None, module: str, bare: str) -> "_Place":
        """Return the place with that origin, where the name means *bare* in the module."""
        key = (origin and origin.kind == "file" and origin.name) or ""
        if key.endswith(bare):
            above = key.removesuffix(bare)
            tables = above.removesuffix(f"{module}.")
            return cls(tables, above != tables)
        # Names in a list, such as `hold`, are full names, as those of options are.
        return cls(is_option=origin is not None and origin.kind in ("file", "option"))

    def name_of(self, module: str, bare: str) -> str:
        """Return a flag as a suggestion in place of the name."""
        return f"{bare} in [{self.tables}{module}]" if self.is_in_table else repr(qualified(module, bare))

    def form_of_flag(self, module: str, bare: str) -> str:
        """Return how to give a flag of a module here."""
        if self.tables is not None:
            full, table = f"{module}.{bare}", f"{bare} in [{self.tables}{module}]"
            if not self.is_in_table:
                return f"write {full}, or {table}"
            top = f"in [{self.tables[:-1]}]" if self.tables else "above all tables"
            return f"write {table}, or {full} {top}"
        if self.is_option:
            return f"give it as {module}.{bare}"
        given = f"{bare}=..." if bare.isidentifier() else f"{{{bare!r}: ...}}"
        return f"dynconf.{module}.patch({given}), or '{module}.{bare}' by its full name"

    def form_of_flags(self, module: str, group: str, release: Release) -> str:
        """Return how to give the flags of a module here, or of a group of it."""
        if self.tables is not None:
            return f"give its flags in [{self.tables}{module}{group and f'.{group}'}]"
        settings = catalogue(module).at(release).settings.values()
        usable = (each for each in settings if each.public and not each.inert)
        example = next((each for each in usable if each.name.startswith(group and f"{group}.")), None)
        return f"give its flags{f', such as {example.qualified!r}' if example else ''}"


def is_known(name: str, module: str = BARE_MODULE) -> bool:
    """Tell whether any release, even before torch 2.4, has had a flag of that name."""
    module, bare = split(name, module)
    known = catalogue(module)
    return bare in known.flags or bare in known.removed


def _setting_of(module: str, key: str, release: Release) -> Setting:
    return catalogue(module).at(release).settings[key]


def _reduced(setting: Setting) -> tuple[Any, ...]:
    # There is one object for each setting, and states are keyed by it: a copy would be found nowhere.
    if catalogue(setting.module).at(setting.release).settings.get(setting.key) is setting:
        return _setting_of, (setting.module, setting.key, setting.release)
    return Setting, (setting.flag, setting.key, setting.release)


copyreg.pickle(Setting, _reduced)  # also for `copy.copy` and `copy.deepcopy`


class FlagTable(Mapping[str, Flag]):
    """Every flag of one module by torch's own name, old names included.

    Flags of other modules are found by their qualified names.
    """

    def __init__(self, module: str) -> None:
        self._module = module

    def __getitem__(self, name: str) -> Flag:
        module, bare = split(exact(name), self._module)
        flags = catalogue(module).flags
        if bare not in flags:
            raise KeyError(why_unknown(exact(name), Release.at_hand(), self._module))
        return flags[bare]

    def __contains__(self, name: object) -> bool:  # without the search for the message of a KeyError
        module, bare = split(exact(name), self._module)
        return bare in catalogue(module).flags

    def __iter__(self) -> Iterator[str]:
        return iter(catalogue(self._module).flags)

    def __len__(self) -> int:
        return len(catalogue(self._module).flags)

    def _ipython_key_completions_(self) -> list[str]:
        return list(self)

    def __repr__(self) -> str:
        return f"<flags of {catalogue(self._module).module}: {len(self)}>"


FLAGS: Mapping[str, Flag] = FlagTable(BARE_MODULE)
"""Every flag of ``torch._dynamo.config``."""


def show_data(name: str, value: object) -> Any:
    """Return *value* of the flag of that full name as JSON data for display.

    An object that cannot be found again by name is shown as text.
    """
    flag = FLAGS.get(name)
    return (PlainData() if flag is None else flag.type).show_data(value)
