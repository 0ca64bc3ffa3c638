"""A value or None."""

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from dynconf.flags.types.alternative import Alternative
from dynconf.flags.types.opaque import Opaque
from dynconf.flags.types.value_type import ValueType

if TYPE_CHECKING:
    from pydantic_core import CoreSchema

_AS_IT_IS = Opaque()


@dataclass(frozen=True, slots=True)
class OrNone(Alternative):
    """What *of* accepts, or None."""

    EXPECTED = "{}, or None"
    ANNOTATION = "{} | None"
    words = MappingProxyType({"none": None})

    def type_of(self, value: object) -> ValueType:
        return _AS_IT_IS if value is None else self.of

    def value_schema(self) -> "CoreSchema":
        return {"type": "nullable", "schema": self.of.value_schema()}

    def truth(self, value: Any) -> Any:
        return self.of.truth(value)
