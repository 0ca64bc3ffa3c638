"""A value or None."""

from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from dynconf.flags.types.alternative import Alternative


@dataclass(frozen=True, slots=True)
class OrNone(Alternative):
    """What *of* accepts, or None."""

    words = MappingProxyType({"none": None})

    @property
    def expected(self) -> str:
        return f"{self.of.expected}, or None"

    @property
    def annotation(self) -> str:
        return f"{self.of.annotation} | None"

    def is_own(self, value: object) -> bool:
        return value is None

    def schema(self) -> dict[str, Any]:
        # TOML has no null; there the word "none" stands for it.
        return {"anyOf": [self.of.schema(), {"type": "null"}, {"const": "none"}]}

    def truth(self, value: Any) -> Any:
        return self.of.truth(value)
