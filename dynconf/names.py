"""Names of flags across config modules: ``functorch.donated_buffer``; a bare name is dynamo's."""

from collections.abc import Iterator, Mapping, Sequence

from dynconf._generated.index import MOVED
from dynconf.catalogue import Setting, View
from dynconf.errors import UnknownFlagError
from dynconf.flags.flag import Flag, qualified
from dynconf.flags.types import shown
from dynconf.modules import MODULES, catalogue
from dynconf.release import Release

_ALIKE = 0.8
"""How similar, from 0 to 1, a flag of another module must be to be suggested."""

_OF_A_DEVICE = (
    "from torch 2.15 on, only dynconf.inductor.options takes flags of a device, as '<device>.<flag>'"
)


def views(release: Release, modules: Sequence[str] = MODULES) -> tuple[View, ...]:
    """Return what that release has of each of the modules."""
    return tuple(catalogue(module).at(release) for module in modules)


def split(name: str, module: str = "dynamo") -> tuple[str, str]:
    """Return the module that a name belongs to, *module* if it is a bare one, and the bare name."""
    first, dot, rest = name.partition(".")
    return (first, rest) if dot and first in MODULES else (module, name)


_MOVED_TO = {old: new for new, olds in MOVED.items() for old in olds}


def newest_name(setting: Setting) -> str:
    """Return the full name, with the module, that a setting has in the newest release."""
    return moved(f"{setting.module}.{setting.key}")


def homes(full: str) -> set[str]:
    """Return the modules in which a flag is in any release, by its full name, with the module."""
    return {split(each)[0] for each in (full, moved(full), *MOVED.get(full, ()))}


def moved(full: str) -> str:
    """Return the full name that the flag of that full name moved to, if it did; else the name itself."""
    return _MOVED_TO.get(full, full)


def sources_of(modules: Sequence[str]) -> tuple[str, ...]:
    """Return these modules and those from which flags moved to them."""
    came = {split(old)[0] for new, olds in MOVED.items() if split(new)[0] in modules for old in olds}
    return (*modules, *sorted(came - {*modules}))


def find(name: str, release: Release, module: str = "dynamo") -> Setting | None:
    """Return the setting that a name, old or new, means in that release, a bare one in *module*.

    A flag that moved to another module is found by either of its names in every release.
    """
    module, bare = split(name, module)
    found = catalogue(module).at(release).get(bare)
    if found is None and bare in catalogue(module).flags:
        for other, theirs in _elsewhere(module, bare):
            found = found or catalogue(other).at(release).get(theirs)
    return found


def _elsewhere(module: str, name: str) -> tuple[tuple[str, str], ...]:
    """Return the modules that a flag moved to or came from, with its name in each."""
    to = catalogue(module).flags[name].renamed
    gone_to = [split(to)] if to and to not in catalogue(module).flags else []
    return (*gone_to, *map(split, MOVED.get(f"{module}.{name}", ())))


def setting(name: str, release: Release, module: str = "dynamo") -> Setting:
    """Return the setting that `find` finds.

    Raises:
        UnknownFlagError: There is none; the message says why, and where a flag of another module lives.
    """
    found = find(name, release, module)
    if found is None:
        raise UnknownFlagError(why_unknown(name, release, module), flag=name)
    return found


def newest(name: str, module: str = "dynamo") -> Flag:
    """Return the record of the newest name of a flag, which may have moved to another module.

    Raises:
        KeyError: No release has a flag of that name.
    """
    module, bare = split(name, module)
    known = catalogue(module)
    flag = known.flags[known.canonical(bare)]
    return newest(flag.renamed) if flag.renamed else flag


def records_of(flag: Flag) -> list[Flag]:
    """Return the records of every name that a flag has had, newest first, those in other modules last."""
    known = catalogue(flag.module)
    names = known.names_of(flag.name)
    elsewhere = [FLAGS[old] for name in names for old in MOVED.get(f"{flag.module}.{name}", ())]
    return [known.flags[name] for name in names] + [record for old in elsewhere for record in records_of(old)]


def why_unknown(name: str, release: Release, module: str = "dynamo") -> str:
    """Say why that release has no flag *name*, and where a flag of another module lives."""
    module, bare = split(name, module)
    if not is_known(bare, module):
        for other in MODULES:
            if catalogue(other).at(release).get(bare):
                given = f"{bare}=..." if bare.isidentifier() else f"{{{bare!r}: ...}}"
                article = "an" if other == "inductor" else "a"
                return (
                    f"{bare} is {article} {other} flag: dynconf.{other}.patch({given}),"
                    f" or '{other}.{bare}' by its full name"
                )
            if bare in catalogue(other).groups and other != module:
                return f"{bare!r} is a group of {other} flags: give them as '{other}.{bare}'"
        if not catalogue(module).nearest(bare):
            for other in MODULES:
                if near := catalogue(other).nearest(bare, alike=_ALIKE):
                    noun = catalogue(module).noun
                    return f"there is no {noun} {shown(bare)}: did you mean {qualified(other, near)!r}?"
            if [part.isidentifier() for part in bare.split(".")] == [True, True]:
                return f"{catalogue(module).at(release).why_unknown(bare)}; {_OF_A_DEVICE}"
    return catalogue(module).at(release).why_unknown(bare)


def is_known(name: str, module: str = "dynamo") -> bool:
    """Tell whether any release, also one before torch 2.4, has had a flag of that name."""
    module, bare = split(name, module)
    known = catalogue(module)
    return bare in known.flags or bare in known.removed


class FlagTable(Mapping[str, Flag]):
    """Every flag of one module by torch's own name, old names included.

    Flags of other modules are found by their qualified names.
    """

    def __init__(self, module: str) -> None:
        self._module = module

    def __getitem__(self, name: str) -> Flag:
        module, bare = split(str(name), self._module)
        flags = catalogue(module).flags
        if bare not in flags:
            raise KeyError(why_unknown(str(name), Release.at_hand(), self._module))
        return flags[bare]

    def __contains__(self, name: object) -> bool:  # without the search for the message of a KeyError
        module, bare = split(str(name), self._module)
        return bare in catalogue(module).flags

    def __iter__(self) -> Iterator[str]:
        return iter(catalogue(self._module).flags)

    def __len__(self) -> int:
        return len(catalogue(self._module).flags)

    def _ipython_key_completions_(self) -> list[str]:
        return list(self)

    def __repr__(self) -> str:
        return f"<flags of {catalogue(self._module).module}: {len(self)}>"


FLAGS: Mapping[str, Flag] = FlagTable("dynamo")
"""Every flag of ``torch._dynamo.config``."""
