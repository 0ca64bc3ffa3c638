"""The origins of the values of a model."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from dynconf.origin import Origin
from dynconf.release import Release
from dynconf.settings.names import fields_in, model_at, paths


class Provenance(dict[str, Origin]):
    """The origins of the fields of a model that were set, those of models in it left out."""

    def __init__(self, origins: Mapping[str, Origin] = MappingProxyType({}), release: Release | None = None):
        super().__init__(origins)
        self.release = release  # for which the values were checked; None if they were not

    def __eq__(self, other: object) -> bool:
        # It is a private attribute, and pydantic compares those: where a value is from must not count.
        return isinstance(other, Provenance)

    __hash__ = None  # type: ignore[assignment]


class OriginsView(Mapping[str, Origin]):
    """Where the value of each field came from, by dotted name; an old name is found, too."""

    def __init__(self, model: Any) -> None:
        self._model = model

    def __getitem__(self, name: str) -> Origin:
        path = paths(type(self._model)).get(name)
        if not path or model_at(type(self._model), path):
            raise KeyError(name)
        model = self._model
        for part in path[:-1]:
            model = vars(model)[part]
        found: Origin = model._origin_of(path[-1])
        return found

    def __iter__(self) -> Iterator[str]:
        model = type(self._model)
        return (".".join(path) for path, _ in fields_in(model) if not model_at(model, path))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __repr__(self) -> str:
        return f"Origins({dict(self)!r})"

    def _ipython_key_completions_(self) -> list[str]:
        return list(self)
