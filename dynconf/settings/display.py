"""What people see of settings: the text, the table in a notebook, the origins, and completion of names."""

from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from dynconf.flags.types import shown
from dynconf.origin import DEFAULT, Origin
from dynconf.tables import html_table

if TYPE_CHECKING:
    from dynconf.settings.tree import Tree


class Origins(Mapping[str, Origin]):
    """Where the value of each field came from; an old name is found, too."""

    __slots__ = ("_settings",)

    def __init__(self, settings: "Tree") -> None:
        self._settings = settings

    def __getitem__(self, name: str) -> Origin:
        settings = self._settings
        found = settings._origins.get(name)
        if found is not None:
            return found
        newest = settings._newest(name) if isinstance(name, str) else name
        if newest not in self._names():
            raise KeyError(name)
        node, field = settings._node(newest)
        node._notice_changes(field)
        return node._origins.get(field, DEFAULT)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names())

    def __len__(self) -> int:
        return len(self._names())

    def _names(self) -> Collection[str]:
        """Return the flags, and the fields that are neither flags nor models of them."""
        plan, fields = self._settings._plan, type(self._settings).model_fields
        return plan.names if self._settings._inner else fields

    def __repr__(self) -> str:
        return f"Origins({dict(self)!r})"

    def _ipython_key_completions_(self) -> list[str]:
        return list(self)


class Displayed:
    """How a settings model shows itself: what is set, and how many defaults there are besides."""

    if TYPE_CHECKING:

        def _shown(self) -> dict[str, Any]: ...

    def __repr__(self) -> str:
        parts, rest = _parts(self)  # type: ignore[arg-type]
        listed = [*(f"{name}={shown(value)}" for name, (value, _) in parts.items()), _count(rest)]
        return f"{type(self).__name__}({', '.join(filter(None, listed))})"

    def __str__(self) -> str:
        return repr(self)

    def __repr_args__(self) -> Iterator[tuple[str, Any]]:
        """Yield what is set: for rich, devtools and the like, which ask pydantic's models for it."""
        parts, _ = _parts(self)  # type: ignore[arg-type]
        yield from ((name, value) for name, (value, _) in parts.items())

    def _repr_html_(self) -> str:
        parts, rest = _parts(self)  # type: ignore[arg-type]
        rows = [(name, shown(value), str(origin)) for name, (value, origin) in parts.items()]
        return html_table(type(self).__name__, rows, _count(rest))


def _parts(settings: "Tree") -> tuple[dict[str, tuple[Any, Origin]], int]:
    """Return what is set and the fields that are not flags, with origins, and the number of defaults."""
    flags = settings.flags_set()
    others = {
        name: (vars(settings)[name], settings.origins[name])
        for name in type(settings).model_fields
        if name not in settings._plan.settings and name not in settings._inner and name in vars(settings)
    }
    return {**others, **flags}, len(settings._plan.settings) - len(flags)


def _count(rest: int) -> str:
    return f"{rest} default{'s' if rest != 1 else ''}" if rest else ""
