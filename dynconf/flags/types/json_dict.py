"""Dicts with text keys and values that JSON can hold, and lists of such dicts."""

import json
import math
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, ClassVar

from dynconf.flags.types.value_type import LARGEST, UNWRITABLE, Mismatch, ValueType, shown

_DEEPEST = 100


@dataclass(frozen=True, slots=True)
class JsonDict(ValueType):
    """A dict with text keys and JSON values."""

    mutable: ClassVar[bool] = True

    @property
    def expected(self) -> str:
        return "a dict with string keys and JSON values"

    @property
    def annotation(self) -> str:
        return "dict[str, Any]"

    def check(self, value: object) -> dict[str, Any]:
        if isinstance(value, Mapping):
            checked: dict[str, Any] = plain(value)
            return checked
        raise Mismatch

    def schema(self) -> dict[str, Any]:
        return {"type": "object"}

    def parse_word(self, text: str) -> Any:
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            raise Mismatch("it is not JSON") from None

    def spell(self, value: Any) -> str:
        return json.dumps(value, sort_keys=True)

    def fresh(self, value: Any) -> Any:
        return deepcopy(dict(value))


@dataclass(frozen=True, slots=True)
class JsonDicts(ValueType):
    """A list of dicts with text keys and JSON values."""

    mutable: ClassVar[bool] = True

    @property
    def expected(self) -> str:
        return "a list of dicts with string keys and JSON values"

    @property
    def annotation(self) -> str:
        return "list[dict[str, Any]]"

    def check(self, value: object) -> list[dict[str, Any]]:
        if isinstance(value, (list, tuple)):
            return [JsonDict().check(each) for each in value]
        raise Mismatch

    def schema(self) -> dict[str, Any]:
        return {"type": "array", "items": JsonDict().schema()}

    def parse_word(self, text: str) -> Any:
        return JsonDict().parse_word(text)

    def spell(self, value: Any) -> str:
        return json.dumps(value, sort_keys=True)

    def fresh(self, value: Any) -> Any:
        return deepcopy(value)


def plain(value: object, depth: int = 0) -> Any:
    """Return a copy of *value*, which consists of what JSON can hold.

    Raises:
        Mismatch: JSON cannot hold it.
    """
    if depth > _DEEPEST:
        raise Mismatch("it is nested too deeply")
    if isinstance(value, Mapping):
        odd = [key for key in value if not isinstance(key, str) or UNWRITABLE.search(key)]
        if odd:
            raise Mismatch(f"the key {shown(odd[0])} is not text")
        return {key: plain(item, depth + 1) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item, depth + 1) for item in value]
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str) and not UNWRITABLE.search(value):
        return value
    if isinstance(value, int) and abs(value) <= LARGEST:
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    raise Mismatch(f"{shown(value)} cannot be written to a file")
