"""Print what is new in the torch that is installed, since the newest release of the catalogue, as Markdown.

CI runs it with a nightly build. News is no failure: the next release of dynconf has to know it, and this one
works with flags that it does not know (`UncataloguedFlagWarning`).
"""

import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import version

from dynconf.catalogue.flags.types import is_same_value, short_repr
from dynconf.catalogue.modules import MODULES, catalogue
from dynconf.release import RELEASES, Release


def news(module: str, release: Release) -> Iterator[str]:
    """Yield a line for each name that is new or gone, and each default that is another one."""
    known = catalogue(module)
    try:
        entries = import_module(known.module)._config
    except ImportError:
        yield f"`{known.module}` is gone"
        return
    settings = known.at(release).settings
    names = {each.qualified.removeprefix(f"{module}."): each for each in settings.values()}
    aliases = {name for name, entry in entries.items() if entry.alias is not None}
    for name in sorted(names.keys() - entries.keys()):
        yield f"`{module}.{name}` is gone"
    # torch takes an import of its modules for a flag.
    for name in sorted(entries.keys() - names.keys() - aliases - {"TYPE_CHECKING"}):
        yield f"`{module}.{name}` is new: `{short_repr(entries[name].default)}`"
    for name in sorted(names.keys() & entries.keys()):
        setting, default = names[name], entries[name].default
        if not setting.is_computed and not is_same_value(setting.default_value(), default):
            was, now = short_repr(setting.default_value()), short_repr(default)
            yield f"the default of `{module}.{name}`: `{was}` -> `{now}`"


def main() -> None:
    """Print a list for all modules; a release in place of the newest can be given."""
    release = Release.named(sys.argv[1] if sys.argv[1:] else RELEASES[-1])
    found = [line for module in MODULES for line in news(module, release)]
    print(f"## torch {version('torch')} since {release.version}: {len(found)} differences\n")
    print("\n".join(f"- {line}" for line in found))


if __name__ == "__main__":
    main()
