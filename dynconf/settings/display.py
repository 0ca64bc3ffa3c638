"""What people see of settings: the text, the table in a notebook, the origins, and completion of names."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from dynconf.flags.types import shown
from dynconf.modules import catalogue
from dynconf.origin import DEFAULT, Origin
from dynconf.tables import html_table

if TYPE_CHECKING:
    from dynconf.settings.held import Held


class Origins(Mapping[str, Origin]):
    """Where the value of each field came from; an old name is found, too."""

    __slots__ = ("_settings",)

    def __init__(self, settings: "Held") -> None:
        self._settings = settings

    def __getitem__(self, name: str) -> Origin:
        settings = self._settings
        found = settings._origins.get(name)
        if found is not None:
            return found
        newest = catalogue(settings._module).canonical(name)
        if newest not in type(settings).model_fields:
            raise KeyError(name)
        settings._notice_changes(newest)
        return settings._origins.get(newest, DEFAULT)

    def __iter__(self) -> Iterator[str]:
        return iter(type(self._settings).model_fields)

    def __len__(self) -> int:
        return len(type(self._settings).model_fields)

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

    def _repr_html_(self) -> str:
        parts, rest = _parts(self)  # type: ignore[arg-type]
        rows = [(name, shown(value), str(origin)) for name, (value, origin) in parts.items()]
        return html_table(type(self).__name__, rows, _count(rest))


def _parts(settings: "Held") -> tuple[dict[str, tuple[Any, Origin]], int]:
    """Return what is set and the fields that are not flags, with origins, and the number of defaults."""
    flags = settings.flags_set()
    others = {
        name: (vars(settings)[name], settings.origins[name])
        for name in type(settings).model_fields
        if name not in settings._plan.settings and name in vars(settings)
    }
    return {**others, **flags}, len(settings._plan.settings) - len(flags)


def _count(rest: int) -> str:
    return f"{rest} default{'s' if rest != 1 else ''}" if rest else ""
