"""The record that declares a flag. It is the only declaration; everything else is derived from it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Generic, Literal, NamedTuple, TypeVar, cast

from dynconf.catalogue.flags.risk import Risk
from dynconf.catalogue.flags.types import ValueType, copy_containers, is_same_value
from dynconf.catalogue.flags.variable import Variable
from dynconf.provenance import Origin
from dynconf.release import Minor, Release, minor, within

Fact = TypeVar("Fact")

Status = Literal["active", "deprecated", "no-op", "unread", "testing", "internal"]

Effect = Literal["code", "debugging", "nothing"]
"""The effect of another value on compiled code: it may change, get parts for debugging, or stay as it is."""


_IN_CACHE_KEY = {
    "compiler.cache_key_tag": ((2, 13), "its value"),
    "compiler.compile_on_one_rank": ((2, 14), "its value"),
    "functorch.bundled_autograd_cache": ((2, 13), "its value"),
    "inductor.inductor_choices_class": ((2, 12), "its uuid()"),
    "inductor.pre_grad_pass_timing": ((2, 13), "its value"),
    "inductor.trace.provenance_tracking_level": ((2, 13), "its value"),
    "inductor.trace.provenance_tracking_to_timeline": ((2, 14), "its value"),
}
"""Flags that FxGraphHashDetails in torch/_inductor/codecache.py reads by name, from a release on."""

BARE_MODULE = "dynamo"
"""The config module whose flags go by bare names everywhere: most users set no others."""


@dataclass(frozen=True, slots=True)
class ByRelease(Generic[Fact]):
    """A fact that changed: the first one, then ``(release, fact)`` for each change, oldest first."""

    first: Fact
    changes: tuple[tuple[str, Fact], ...]

    def at(self, release: Minor) -> Fact:
        """Return the fact that holds in that release."""
        fact = self.first
        for since, changed in self.changes:
            if minor(since) <= release:
                fact = changed
        return fact


def by_release(first: Any, **changes: Any) -> ByRelease[Any]:
    """Return a fact that was *first* and changed in releases, such as to False in 2.6 by ``v2_6=False``."""
    return ByRelease(first, tuple((name[1:].replace("_", "."), fact) for name, fact in changes.items()))


def fact_in(fact: Fact | ByRelease[Fact], release: Minor) -> Fact:
    """Return the fact that holds in that release: the fact itself if it never changed."""
    return cast("ByRelease[Fact]", fact).at(release) if isinstance(fact, ByRelease) else fact


Implication = tuple[str, Any, Any]
"""Another flag, a value of it, and the value that this flag then has whatever is assigned to it."""


def implied(
    implications: Iterable[Implication], value_of: Callable[[str], Any], module: str
) -> tuple[Any, Origin | None]:
    """Return the value that other flags of a module imply, with its origin; without one, there is none."""
    found = [(flag, value) for flag, when, value in implications if is_same_value(value_of(flag), when)]
    names = ", ".join(qualified(module, flag) for flag, _ in found)
    return (found[-1][1], Origin("implication", names)) if found else (None, None)


@dataclass(frozen=True, slots=True)
class Computed:
    """A default that torch derives from the machine or the interpreter while it is imported."""

    from_what: str
    compute: Callable[[], object]


def default_value(kind: ValueType, default: Any) -> Any:
    """Return a default of a record, in which sets, lists and tuples are data, as a new object."""
    if isinstance(default, Computed):
        return default.compute()
    data = copy_containers(default)
    return kind.from_data(data) if type(data) in (dict, list) else data


@dataclass(frozen=True, slots=True, kw_only=True)
class Flag:
    """One flag of one of torch's config modules.

    Attributes:
        name: torch's own name.
        type: The type of its values: everything that any release accepts.
        type_by_release: The type in each release, where they differ.
        default: As JSON data; `Computed` if it depends on the machine, `ByRelease` if it changed.
        summary: The effect of setting it, in one line; empty until the flag is described.
        details: A paragraph, if users need to know more than the summary says.
        since: First release that has it (2.4 also means anything older).
        until: Last release that has it; empty while it exists.
        variables: The environment variables that torch itself reads for it.
        compile_ignored: Whether torch leaves it out of its hash: a change does not require recompilation.
        cache_key_ignored: Whether torch leaves it out of the key of Inductor's FX graph cache, which consists
            of flags of inductor and comms only.
        status: Whether and for whom it is useful. torch keeps ``no-op`` flags, but they do nothing, as the
            record says; an ``unread`` one has no reader in the release, which the generator found out.
        deprecated: Release from which torch itself warns when the flag is used.
        renamed_to: The newer name of the same setting, with its module in front if it moved to another one.
        alias_since: Release from which torch itself forwards this old name to the newer one.
        replacement: The flag to use in its place, or a clause with other advice.
        same_code: Whether torch generates the same code, to the letter, with all its values: it only changes
            messages, measurements or files.
        machine_dependent: Tied to one machine: never saved, not part of a fingerprint.
        torch_saves: False if torch's own ``save_config`` leaves it out.
        risks: The harm that values from an untrusted source could do.
        implied_by: The flags that override it.
        topic: The heading under which it is described.
        module: The short name of its config module, such as ``dynamo``.
    """

    name: str
    type: ValueType
    default: Any
    type_by_release: ByRelease[ValueType] | None = None
    summary: str = ""
    details: str = ""
    since: str = "2.4"
    until: str = ""
    variables: tuple[Variable, ...] = ()
    compile_ignored: bool | ByRelease[bool] = False
    cache_key_ignored: bool | ByRelease[bool] = False
    status: Status | ByRelease[Status] = "active"
    deprecated: str = ""
    renamed_to: str = ""
    alias_since: str = ""
    replacement: str = ""
    same_code: bool = False
    machine_dependent: bool = False
    torch_saves: bool = True
    risks: tuple[Risk, ...] = ()
    implied_by: tuple[Implication, ...] | ByRelease[tuple[Implication, ...]] = ()
    topic: str = ""
    module: str = BARE_MODULE

    def exists_in(self, release: str | Minor | Release) -> bool:
        """Tell whether that release has the flag, even if only as an alias."""
        return within(_minor_of(release), self.since, self.until)

    def is_alias_in(self, release: str | Minor | Release) -> bool:
        """Tell whether that release forwards the name to the newer one."""
        return bool(self.alias_since) and minor(self.alias_since) <= _minor_of(release)

    def type_in(self, release: str | Minor | Release) -> ValueType:
        """Return the type of its values in that release."""
        return self.type_by_release.at(_minor_of(release)) if self.type_by_release else self.type

    def default_in(self, release: str | Minor | Release) -> Any:
        """Return the default in that release, as a new object that the caller may change."""
        return default_value(self.type, fact_in(self.default, _minor_of(release)))

    def status_in(self, release: str | Minor | Release) -> Status:
        """Return the status of the flag in that release."""
        return fact_in(self.status, _minor_of(release))

    @property
    def described(self) -> bool:
        """Whether the record has a description; otherwise it only has facts from the releases."""
        return bool(self.summary)

    @property
    def public(self) -> bool:
        """Whether users are meant to set the flag: everything but torch's own plumbing."""
        return self.status != "internal"

    @property
    def is_for_debugging(self) -> bool:
        """Whether it is for looking into a compilation: logs, checks, reproducers, profiles."""
        return self.public and self.topic in ("debug", "repro", "profiling")

    @property
    def effect(self) -> Effect:
        """The effect of another value on compiled code, where the flag does anything at all."""
        return "nothing" if self.same_code else "debugging" if self.is_for_debugging else "code"

    @property
    def qualified(self) -> str:
        """The name with that of its module in front; a flag of dynamo goes by its bare name."""
        return qualified(self.module, self.name)

    @property
    def uniform_variable(self) -> str:
        """The variable by which dynconf sets the flag in every release."""
        return f"TORCH{self.module}_{self.name}".upper().replace(".", "_")

    @property
    def description(self) -> str:
        """Summary, details and risks in one paragraph."""
        risks = "; ".join(map(str, self.risks))
        trust = risks and f"It needs trust if it comes from others: {risks}."
        return " ".join(filter(None, (self.summary, self.details, trust)))


class Removed(NamedTuple):
    """A flag that was removed before torch 2.4 and that scripts still set.

    *until* is the last minor release that had it; empty if only torchdynamo, before torch 2.0, had it.
    """

    until: str
    advice: str


def qualified(module: str, name: str) -> str:
    """Return the name of a flag with its module in front; a flag of `BARE_MODULE` goes by its bare name."""
    return name if module == BARE_MODULE else f"{module}.{name}"


def part_in_cache_key(flag: Flag, at: Minor) -> str:
    """Return the part of a flag in the key of Inductor's FX graph cache: see `Setting.in_cache_key`."""
    since, part = _IN_CACHE_KEY.get(flag.qualified, (at, ""))
    if part and at >= since:
        return part
    if flag.module not in ("inductor", "comms"):
        return ""
    if fact_in(flag.cache_key_ignored, at):
        # The same function adds what identifies each custom pass.
        return "its uuid()" if flag.type_in(at).names_objects and "_pass" in flag.name else "nothing"
    # From torch 2.13 on the key is made of values that the config module keeps until a flag is assigned.
    return "the value that was assigned" if flag.type_in(at).mutable and at >= (2, 13) else "its value"


def _minor_of(release: str | Minor | Release) -> Minor:
    if isinstance(release, Release):
        return release.minor
    return minor(release) if isinstance(release, str) else release
