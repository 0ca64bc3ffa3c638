"""Values that torch itself fills in."""

from dataclasses import dataclass
from typing import Any

from dynconf.catalogue.flags.types.any_value import copy_containers, short_repr
from dynconf.catalogue.flags.types.value_type import Mismatch, Schema, ValueType, in_json


@dataclass(frozen=True, slots=True)
class Opaque(ValueType):
    """Anything: a flag that torch fills in by itself, with no form that a user could write."""

    EXPECTED = "a value that torch itself fills in"
    ANNOTATION = "Any"

    def check(self, value: object) -> Any:
        return value

    def value_schema(self) -> Schema:
        return {"type": "any", **in_json({"enum": [None, {}, []]})}

    def parse_word(self, text: str) -> Any:
        if text in ("{}", "[]"):  # how a command line writes the default, as `to_data` does
            return self.check([] if text == "[]" else {})
        raise Mismatch(f"{short_repr(text)} has no meaning: values of this flag have no written form")

    def from_data(self, data: object) -> Any:
        return self.check(self.to_data(data))

    def to_data(self, value: Any) -> Any:
        if value is None or (type(value) in (dict, list) and not value):
            return copy_containers(value)
        raise Mismatch(f"{short_repr(value)} has no written form")


@dataclass(frozen=True, slots=True)
class InstanceOf(Opaque):
    """An object of a class of torch, whose full name is *of*; checking imports nothing."""

    of: str

    @property
    def expected(self) -> str:
        return f"an instance of {self.of}"

    def value_schema(self) -> Schema:
        return {"type": "any", **in_json({"not": {}})}  # no data means such an object

    def check(self, value: object) -> Any:
        classes = {f"{base.__module__}.{base.__qualname__}" for base in type(value).__mro__}
        if self.of in classes:
            return value
        is_class = issubclass(type(value), type)
        raise Mismatch("did you mean an instance of the class?" if is_class else "")
