"""How a value and its place of origin travel through pydantic, and what a model keeps of that.

pydantic validates a dict of plain values, so a source has no room to say where a value is from. Sources of
dynconf therefore return leaves of their own::

    {"recompile_limit": SourceValue("64", Origin("env", "TORCHDYNAMO_RECOMPILE_LIMIT", "64"))}

pydantic-settings merges these dicts as any others. The validator around every model (`validation`) takes the
leaves apart before anything else sees them: plain values go on to pydantic, with the validators and
constraints of subclasses, and the origins are kept beside the result. What all values of one call share, such
as its line, is in the context of the validation: a `Call`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from dynconf.errors import DynconfError
from dynconf.origin import Caller, Origin
from dynconf.release import Release

Origins = dict[str, Any]
"""The origin of each field that has one; for a field with further flags, a dict of the same kind."""

HIDDEN = "_dynconf"
"""The key under which sources of dynconf return a dict of facts about the call, not about a field."""


@dataclass(frozen=True, slots=True)
class SourceValue:
    """A value as a source has it, with its origin."""

    value: Any
    origin: Origin


@dataclass(slots=True, eq=False)
class Call:
    """What the values of one call share.

    Attributes:
        caller: The line that calls.
        origin: Where values come from that no source has marked.
        release: The release that they are for.
        trust: Whether they may set flags by which a value can make torch run a program and the like.
        reads: The config modules whose sources the call has read.
        missing: How to treat defaults of a class that the release lacks.
        errors: The mistakes that were found before validation.
        states: What each source returned, by the name of the source, highest first.
    """

    caller: Caller
    origin: Origin
    release: Release
    trust: bool = True
    reads: frozenset[str] = frozenset()
    missing: str = "warn"
    errors: tuple[DynconfError, ...] = ()
    states: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def as_context(self) -> dict[str, Any]:
        """Return the context of the validation, which validators of subclasses see, too."""
        return {"trust": self.trust, HIDDEN: self}

    def values_at(self, path: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
        """Yield the sources that have a value there, highest first, each with the value."""
        for name, state in self.states.items():
            value: Any = state
            for key in path:
                value = value.get(key) if isinstance(value, Mapping) else None
            if value is not None:
                yield name, value.value if isinstance(value, SourceValue) else value

    def origin_of(self, path: tuple[str, ...]) -> Origin:
        """Return the origin of a value that no source has marked, by the keys that lead to it."""
        name, value = next(self.values_at(path), ("InitSettingsSource", None))
        if name == "CliSettingsSource":
            return Origin("option", f"--{'.'.join(path)}", str(value))
        return self.origin if name == "InitSettingsSource" else Origin("source", name)


def call_in(context: object) -> Call | None:
    """Return the call in the context of a validation, if it is one of a call."""
    found = context.get(HIDDEN) if isinstance(context, Mapping) else None
    return found if isinstance(found, Call) else None


@dataclass(frozen=True, eq=False)
class Provenance:
    """Where the values of a model are from.

    Attributes:
        release: The release for which they were checked; None for the one at hand.
        origins: The origins of the fields that were set, those in groups left out.
    """

    release: Release | None = None
    origins: Mapping[str, Origin] = field(default_factory=dict)

    def __eq__(self, other: object) -> bool:
        # It is a private attribute, and pydantic compares those: where a value is from must not count.
        return isinstance(other, Provenance)

    __hash__ = None  # type: ignore[assignment]


class OriginsView(Mapping[str, Origin]):
    """Where the value of each field came from, by dotted name; an old name is found, too."""

    def __init__(self, model: Any) -> None:
        self._model = model

    def __getitem__(self, name: str) -> Origin:
        path = type(self._model)._path_of(name) if isinstance(name, str) else None
        model = self._model
        for part in path[:-1] if path else ():
            model = vars(model)[part]
        if not path or path[-1] in model._inner_models:
            raise KeyError(name)
        found: Origin = model._origin_of(path[-1])
        return found

    def __iter__(self) -> Iterator[str]:
        return _names(type(self._model))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __repr__(self) -> str:
        return f"Origins({dict(self)!r})"

    def _ipython_key_completions_(self) -> list[str]:
        return list(self)


def _names(model: Any) -> Iterator[str]:
    for name in model.model_fields:
        inner = model._inner_models.get(name)
        yield from (f"{name}.{each}" for each in _names(inner)) if inner else (name,)
