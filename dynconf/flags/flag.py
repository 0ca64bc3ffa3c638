"""The record by which a flag is declared, once; everything else about the flag is derived from it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from dynconf.catalogue.value_types import ListOf, Mapping, SetOf, ValueType
from dynconf.versions import Minor, minor

Status = Literal["active", "deprecated", "no-op", "testing", "internal"]

Rule = Literal[
    "equals_one",  # the text "1" is True, any other text False
    "truthy",  # any text but the empty one is True
    "text",  # the text itself
    "integer",  # int(text); a ValueError while torch is imported where that fails
    "integer_or_none",  # int(text), and 0 is None
    "tristate",  # "1" True, "0" False, anything else as if unset
    "default",  # Config(env_name_default=...): "1" True, "0" False, else the text; assignments beat it
    "force",  # Config(env_name_force=...): read the same way, but it beats assignments
    "debug_dir",  # the folder torch_compile_debug below the path
]
"""How torch turns the text of a variable into a value."""


@dataclass(frozen=True, slots=True)
class Variable:
    """An environment variable that torch itself reads for a flag, from release *since* to *until*."""

    name: str
    rule: Rule
    since: str = "2.4"
    until: str = ""

    def read_by(self, release: Minor) -> bool:
        """Tell whether that release reads the variable."""
        return _within(release, self.since, self.until)


@dataclass(frozen=True, slots=True)
class ByRelease:
    """A fact that changed: what held first, then ``(release, fact)`` for each change, oldest first."""

    first: Any
    changes: tuple[tuple[str, Any], ...]

    def at(self, release: Minor) -> Any:
        """Return what holds in that release."""
        fact = self.first
        for since, changed in self.changes:
            if minor(since) <= release:
                fact = changed
        return fact


def by_release(first: object, **changes: object) -> ByRelease:
    """Return a fact that was *first* and then changed; ``v2_6=False`` is the change in torch 2.6."""
    return ByRelease(first, tuple((name[1:].replace("_", "."), fact) for name, fact in changes.items()))


@dataclass(frozen=True, slots=True)
class Computed:
    """A default that torch works out from the machine or the interpreter while it is imported."""

    from_what: str
    compute: Callable[[], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Flag:
    """One flag of ``torch._dynamo.config``.

    Attributes:
        name: torch's own name.
        type: What values it takes.
        default: Its default, a `Computed` one where it depends on the machine, or `ByRelease`.
        summary: One line: what the flag does when it is set.
        details: A paragraph, where the summary leaves something out that a user needs.
        since: First release that has it (2.4 also stands for anything older).
        until: Last release that has it; empty while it lives.
        variables: What torch itself reads from the environment for it.
        compile_ignored: True where torch leaves it out of its hash: a change needs no recompilation.
        status: What it is good for; ``no-op`` flags are kept by torch but do nothing.
        deprecated: Release from which torch itself warns when the flag is used.
        renamed: The newer name of the same setting.
        alias_since: Release from which torch forwards this old name to the newer one by itself.
        instead: Advice for whoever still uses it: the name of a flag, or a clause that says what to do.
        host: Tied to one machine: never saved, never fingerprinted.
        torch_saves: False where torch's own ``save_config`` leaves it out.
        topic: The topic module that declares it.
    """

    name: str
    type: ValueType
    default: Any
    summary: str
    details: str = ""
    since: str = "2.4"
    until: str = ""
    variables: tuple[Variable, ...] = ()
    compile_ignored: bool | ByRelease = False
    status: Status | ByRelease = "active"
    deprecated: str = ""
    renamed: str = ""
    alias_since: str = ""
    instead: str = ""
    host: bool = False
    torch_saves: bool = True
    topic: str = ""

    def exists_in(self, release: Minor) -> bool:
        """Tell whether that release has the flag, be it only as an alias."""
        return _within(release, self.since, self.until)

    def is_alias_in(self, release: Minor) -> bool:
        """Tell whether that release forwards the name to the newer one."""
        return bool(self.alias_since) and minor(self.alias_since) <= release

    def default_in(self, release: Minor) -> Any:
        """Return the default in that release, as a fresh object that the caller may change."""
        default = fact_in(self.default, release)
        if isinstance(default, Computed):
            return default.compute()
        return _fresh(self.type, default)

    def status_in(self, release: Minor) -> Status:
        """Return what the flag is good for in that release."""
        status: Status = fact_in(self.status, release)
        return status

    def compile_ignored_in(self, release: Minor) -> bool:
        """Tell whether a change of the flag leaves compiled code valid in that release."""
        return bool(fact_in(self.compile_ignored, release))

    def variables_in(self, release: Minor) -> tuple[Variable, ...]:
        """Return the variables that the release itself reads for the flag, the strongest first."""
        return tuple(variable for variable in self.variables if variable.read_by(release))

    @property
    def public(self) -> bool:
        """Whether users are meant to set the flag: everything but torch's own plumbing."""
        return self.status != "internal"

    @property
    def uniform_variable(self) -> str:
        """The variable by which dynconf sets the flag in every release."""
        return f"TORCHDYNAMO_{self.name.upper()}"


def fact_in(fact: Any, release: Minor) -> Any:
    """Return what *fact* says for that release: itself, where it never changed."""
    return fact.at(release) if isinstance(fact, ByRelease) else fact


def _fresh(type_: ValueType, default: Any) -> Any:
    if isinstance(type_, SetOf):
        return set(default)
    if isinstance(type_, ListOf):
        return list(default)
    return dict(default) if isinstance(type_, Mapping) else default


def _within(release: Minor, since: str, until: str) -> bool:
    return minor(since) <= release and (not until or release <= minor(until))
