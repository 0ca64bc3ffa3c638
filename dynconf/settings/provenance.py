"""How a value and its place of origin travel through pydantic, and what a model keeps of that.

pydantic validates a dict of plain values, so a source has no room to say where a value is from. Sources of
dynconf therefore return leaves of their own::

    {"recompile_limit": SourceValue("64", Origin("env", "TORCHDYNAMO_RECOMPILE_LIMIT", "64"))}

pydantic-settings merges these dicts as any others. The validator around every model (`dynconf.settings.
model`) takes the leaves apart before anything else sees them: plain values go on to pydantic, with the
validators and constraints of subclasses, and the origins are kept beside the result. What all values of a
call share, such as its line, is the context of the validation: a `Call`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from dynconf.errors import DynconfError
from dynconf.origin import DEFAULT, Caller, Origin
from dynconf.release import Release

Origins = dict[str, Any]
"""The origin of each field that has one; for a field with further flags, a dict of the same kind."""

HIDDEN = "_dynconf"
"""The key under which sources of dynconf return a dict of what concerns the call, not a field."""


class SourceValue:
    """A value as a source has it, with its origin.

    It is neither a tuple nor a dataclass: pydantic-settings would dump those as it merges.
    """

    __slots__ = ("origin", "value")

    def __init__(self, value: Any, origin: Origin) -> None:
        self.value = value
        self.origin = origin

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SourceValue):
            return NotImplemented
        return (self.value, self.origin) == (other.value, other.origin)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"SourceValue({self.value!r}, {self.origin!r})"


class SourceStates:
    """What each source of one construction returned, by the name of the source, highest first.

    pydantic-settings shows it to every source; merging would copy it if it were a dict here.
    """

    __slots__ = ("by_source",)

    def __init__(self, by_source: Mapping[str, Mapping[str, Any]]) -> None:
        self.by_source = by_source


class Call(dict[str, Any]):
    """What the values of one call share: the context in which pydantic validates them.

    Validators of subclasses see it as ``info.context``: ``{"trust": True}``.

    Attributes:
        caller: The line that calls.
        origin: Where values come from that no source has marked.
        release: The release that they are for.
        reads: The config modules whose sources it has read.
        missing: How to treat defaults of a class that the release lacks.
        errors: The mistakes that were found before validation.
        states: What each source returned, if sources were read.
    """

    def __init__(
        self,
        caller: Caller,
        origin: Origin,
        release: Release,
        *,
        trust: bool = True,
        reads: frozenset[str] = frozenset(),
        missing: str = "warn",
        errors: tuple[DynconfError, ...] = (),
        states: Mapping[str, Mapping[str, Any]] | None = None,
    ) -> None:
        super().__init__(trust=trust)
        self.caller = caller
        self.origin = origin
        self.release = release
        self.reads = reads
        self.missing = missing
        self.errors = errors
        self.states = states or {}

    def origin_of(self, path: tuple[str, ...]) -> Origin:
        """Return the origin of a value that no source has marked, by the keys that lead to it."""
        for name, state in self.states.items():
            value = _value_at(state, path)
            if value is None:
                continue
            if name == "CliSettingsSource":
                return Origin("option", f"--{'.'.join(path)}", str(value))
            return self.origin if name == "InitSettingsSource" else Origin("source", name)
        return self.origin


def _value_at(state: Any, path: tuple[str, ...]) -> Any:
    for key in path:
        state = state.get(key) if isinstance(state, Mapping) else None
    return state


@dataclass(frozen=True, eq=False)
class Provenance:
    """Where the values of a model are from, and for which release they were checked.

    Attributes:
        release: The release; None for the one at hand.
        origins: The origins of the fields that were set, those in groups left out.
    """

    release: Release | None
    origins: Mapping[str, Origin]

    def __eq__(self, other: object) -> bool:
        # It is a private attribute, and pydantic compares those: where a value is from must not count.
        return isinstance(other, Provenance)

    __hash__ = None  # type: ignore[assignment]


UNKNOWN = Provenance(None, {})
"""That of a model which was made without validation."""


class OriginsView(Mapping[str, Origin]):
    """Where the value of each field came from, by dotted name; an old name is found, too."""

    __slots__ = ("_model",)

    def __init__(self, model: Any) -> None:
        self._model = model

    def __getitem__(self, name: str) -> Origin:
        path = type(self._model)._path_of(name) if isinstance(name, str) else None
        if path is None:
            raise KeyError(name)
        model = self._model
        for part in path[:-1]:
            model = vars(model)[part]
        if path[-1] in type(model)._inner_models:
            raise KeyError(name)
        return model._origin_of(path[-1])  # type: ignore[no-any-return]

    def __iter__(self) -> Iterator[str]:
        return _names(type(self._model))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __repr__(self) -> str:
        return f"Origins({ {name: each for name, each in self.items() if each is not DEFAULT}!r})"

    def _ipython_key_completions_(self) -> list[str]:
        return list(self)


def _names(model: Any) -> Iterator[str]:
    for name in model.model_fields:
        inner = model._inner_models.get(name)
        if inner is None:
            yield name
        else:
            yield from (f"{name}.{each}" for each in _names(inner))
