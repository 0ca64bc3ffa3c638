"""What loads the config modules of torch, after which they read no variable any more.

Tried on 2.13, and read from the imports of the other releases: a module may load another in one release only.
"""

from collections.abc import Container, Iterable

from dynconf.catalogue.modules.dynamo import logs
from dynconf.catalogue.names import followers_of
from dynconf.release import Release, minor
from dynconf.tools.lint.variables import DISABLE_SWITCH

CALL = "torch.compile()"
"""A call of `torch.compile` in place of an import."""

COMPILATION = "torch.compile()()"
"""A call of what it has made, which compiles, likewise."""

_ALL = {CALL: "2.4", "torch._dynamo": "2.4", "torch._functorch.aot_autograd": "2.4", "torch._inductor": "2.8"}

_LOADED_BY = {
    "dynamo": _ALL,
    "functorch": {**_ALL, "torch._functorch.config": "2.4"},
    "inductor": {**_ALL, "torch._inductor": "2.4"},
    "fx": {**_ALL, "torch": "2.7", "torch.fx.experimental._config": "2.4"},
    "compiler": {**_ALL, "torch": "2.9", "torch.compiler.config": "2.6"},
    "comms": {CALL: "2.9", "torch._inductor.config_comms": "2.4"},
    "": {"torch": "2.4"},  # the variables of logs
}
"""The packages that load each config module, and since which release."""

_PACKAGES = sorted({f"{each}." for found in _LOADED_BY.values() for each in found}, key=len, reverse=True)


def package_of(path: str) -> str:
    """Return the package that a module or attribute loads, if it is one that loads config modules, or ""."""
    whole = f"{path}."
    return next((each[:-1] for each in _PACKAGES if whole.startswith(each)), "")


def loaded_too_early(
    name: str, loaded: Iterable[tuple[str, int]], release: Release, assigned: Container[str]
) -> int:
    """Return the line, one of those with packages, that loaded what reads a variable; 0 if none did.

    A program that has *assigned* the flag, too, writes the variable for its children.
    """
    if name == DISABLE_SWITCH.name or (name in logs.BY_SET_LOGS and name in assigned):
        return 0  # what torch reads in each call of torch.compile, and what the program has it read again
    modules = {each.module for each, _ in followers_of(name, release) if each.newest not in assigned}
    since = [_LOADED_BY[each] for each in ([""] if name in logs.AT_IMPORT else modules)]
    lines = [
        min((line for package, line in loaded if _is_at_work(each, package, release)), default=0)
        for each in since
    ]
    return max(lines) if lines and all(lines) else 0


def _is_at_work(since: dict[str, str], package: str, release: Release) -> bool:
    # An import of torch._inductor is one of torch, too.
    names = (each for each, first in since.items() if minor(first) <= release.minor)
    return any(f"{package}.".startswith(f"{each}.") for each in names)
