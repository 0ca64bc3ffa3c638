"""The base of the value types: reading, checking and writing values, and the schema that pydantic gets.

A value comes as a Python object (`check`), as the text of a variable (`parse`) or as data of JSON and TOML
(`from_data`), and all three must work before pydantic is imported. So pydantic's own rules cannot be the
rules, and rules written twice would drift apart. Instead a core schema wraps these three around one of
pydantic's schemas, `value_schema`, which says the same as far as pydantic can say it:

    value -> parse, check or from_data -> value_schema -> result
                 | refused
                 `-> value_schema: converts as pydantic's lax mode does, or raises pydantic's error -> check

For `OrNone(Int(0))`: "none" is None, "5" and 5.0 are 5; -1 is pydantic's ``greater_than_equal``, "x" its
``int_parsing``, and 2**70 our "it has more than 64 bits".
"""

import json
import re
from abc import ABC, abstractmethod
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, cast

from dynconf.catalogue.flags.types.any_value import is_same_value, short_repr
from dynconf.errors import InvalidValueError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pydantic_core import CoreSchema
    from pydantic_core.core_schema import ValidationInfo, ValidatorFunctionWrapHandler

WORDS = {
    **dict.fromkeys(("1", "true", "yes", "on", "t", "y"), True),
    **dict.fromkeys(("0", "false", "no", "off", "f", "n"), False),
}
"""How true and false may be written in variables and options, in any case."""

LARGEST = 2**63 - 1
"""The largest number that every program that reads a file can represent."""

UNWRITABLE = re.compile("[\0\ud800-\udfff]")
"""Characters that no file or variable can contain."""


Schema = dict[str, Any]
"""One of pydantic-core's schemas, which are dicts: writing one down needs no import of pydantic."""


class AtLeast(int):
    """A whole number that gives way to a higher one; made by `dynconf.at_least`."""

    def __repr__(self) -> str:
        return f"at_least({int(self)})"

    def over(self, below: object) -> "AtLeast":
        """Return the number to set where *below* is in force: the higher of the two."""
        return AtLeast(below) if type(below) in (int, AtLeast) and below > self else self  # type: ignore[operator, call-overload]


class Mismatch(Exception):
    """The type does not accept the value; the text, if any, adds a reason to `ValueType.expected`."""


@dataclass(frozen=True)
class ValueType(ABC):
    """The values that a flag accepts, and everything that is done with them.

    Subclasses are small frozen records, and nest: ``OrNone(Choice(...))``. One without own fields needs
    no decorator, which takes a while. Python values are strict: a bool is not an int, and text is never read
    as anything else. Text (variables, options) and data (JSON, TOML) are each read in one way for all flags.
    A value, text or data that the type does not accept, or a value that has no such form, is a `Mismatch`.
    """

    __slots__ = ()

    EXPECTED: ClassVar[str]
    ANNOTATION: ClassVar[str]
    PLURAL: ClassVar[str] = ""
    """`expected`, `annotation` and `plural`; ``{0.of}`` in them stands for the field of that name."""

    @property
    def plural(self) -> str:
        """The noun for several values, where there is a short one."""
        return self.PLURAL.format(self)

    @property
    def expected(self) -> str:
        """The values that the type accepts, as a clause that follows "expected"."""
        return self.EXPECTED.format(self)

    @property
    def annotation(self) -> str:
        """The Python annotation, as generated files spell it."""
        return self.ANNOTATION.format(self)

    @property
    def mutable(self) -> bool:
        """Whether values can be changed in place."""
        return self.value_schema()["type"] in ("dict", "list", "set")

    @property
    def choices(self) -> tuple[str, ...]:
        """The words among its values, if they are few."""
        return ()

    @property
    def takes_none(self) -> bool:
        """Whether None is a value, for which text and TOML have the word ``none``."""
        try:
            return self.from_data(None) is None
        except Mismatch:
            return False

    @property
    def names_objects(self) -> bool:
        """Whether a value that was read may contain a `Named` in place of an object."""
        return False

    @abstractmethod
    def check(self, value: object) -> Any:
        """Return a Python value as the flag stores it; a copy where it could be changed in place."""

    def check_argument(self, name: str, value: object) -> Any:
        """Return the argument *name* of a function, checked; raise `InvalidValueError` if it is refused."""
        try:
            return self.check(value)
        except Mismatch as problem:
            why = f"{name}: {short_repr(value)} is not valid: expected {self.expected_instead(problem)}"
            raise InvalidValueError(why) from None

    def expected_instead(self, problem: Mismatch) -> str:
        """Return `expected` for a value that was refused, with the reason if there is more to say."""
        return f"{self.expected}; {problem}" if str(problem) else self.expected

    @abstractmethod
    def value_schema(self) -> Schema:
        """Return pydantic's schema of a value that has been read, for its errors and its JSON Schema.

        It may accept more than the type does, such as values that pydantic's lax mode converts.
        """

    def core_schema(self, *, is_item: bool = False) -> "CoreSchema":
        """Return the schema by which pydantic reads, checks and writes a value.

        In an item of a container, a text means itself where it can.
        """
        values = self.value_schema()

        def wrapping(*, strict: bool) -> Schema:
            function = {"type": "with-info", "function": self._validator(strict=strict, is_item=is_item)}
            return {"type": "function-wrap", "function": function, "schema": values}

        schema = {
            "type": "lax-or-strict",
            "lax_schema": wrapping(strict=False),
            "strict_schema": wrapping(strict=True),
            "serialization": {"type": "function-plain", "function": self.to_data, "when_used": "json"},
        }
        return cast("CoreSchema", schema)

    def _validator(self, *, strict: bool, is_item: bool) -> "Callable[..., Any]":
        def validate(value: Any, handler: "ValidatorFunctionWrapHandler", info: "ValidationInfo") -> Any:
            mode: str = info.mode
            readings: list[Callable[[Any], Any]] = [self.check]
            if issubclass(type(value), str) and (not strict or mode == "string"):
                readings = [self.check, self._read_text] if is_item else [self._read_text]
            elif (
                mode == "json" and type(value) in _JSON_TYPES
            ):  # a default that is validated may be an object
                readings = [lambda data: self.check(self.from_data(data))]
            problem = Mismatch()
            for read in readings:
                try:
                    found = read(value)
                except Mismatch as mismatch:
                    problem = mismatch
                else:
                    refined = handler(found)  # pydantic makes a plain number of an `AtLeast`
                    return AtLeast(refined) if type(found) is AtLeast else refined
            return self._convert(value, handler, problem, strict=strict)

        return validate

    def _read_text(self, value: str) -> Any:
        text = str.__str__(value)
        read = self.check(self.parse(text))
        if type(read) is str and read == text.strip():
            # Words lose the blanks around them as in a variable; any other text keeps them, as in any model.
            with suppress(Mismatch):
                return self.check(text)
        return read

    def _convert(
        self, value: Any, handler: "ValidatorFunctionWrapHandler", problem: Mismatch, *, strict: bool
    ) -> Any:
        """Have pydantic convert a value that the type itself refuses, or say in its own words why not."""
        from pydantic_core import PydanticCustomError, ValidationError

        if issubclass(type(value), (set, frozenset)):
            value = set().union(value)  # pydantic-core panics at a set whose own __iter__ raises
        try:
            converted = handler(value)
            # pydantic spells numbers in more ways; any other text is for the type alone to read.
            is_read = not issubclass(type(value), str) or type(converted) in (int, float)
            if is_read and not strict:
                return self.check(converted)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            if not str(problem) or first["loc"]:
                raise
            hinted: Any = f"{first['msg']}; {problem}"
            kind: Any = first["type"]
            raise PydanticCustomError(kind, hinted, first.get("ctx")) from None
        except Mismatch as mismatch:
            problem = mismatch
        context = {"expected": self.expected_instead(problem)}
        raise PydanticCustomError("flag_value", "Input should be {expected}", context)

    def parse(self, text: str) -> Any:
        """Return the value that *text* means; names of objects stay unresolved: reading runs nothing."""
        word = text.strip()
        if word.lower() == "none" and word not in self.choices:
            if self.takes_none:
                return None
            raise Mismatch("the flag does not accept None")
        return self._checked(self.parse_word(word))

    def parse_word(self, text: str) -> Any:
        """Return the value that trimmed text means, unchecked; the text is not the word for None."""
        return text

    def from_data(self, data: object) -> Any:
        """Return the value that *data*, read from JSON or TOML, represents."""
        return self._checked(data)

    def to_data(self, value: Any) -> Any:
        """Return *value* as JSON and TOML contain it; the inverse of `from_data`."""
        return value

    def to_text(self, value: Any) -> str:
        """Return the text that `parse` reads as *value*."""
        text = _text_of(self.to_data(value))
        if not text.strip() or not is_same_value(self.parse(text), self.by_name(value)):
            raise Mismatch(f"no text means {short_repr(value)}")
        return text

    def by_name(self, value: Any) -> Any:
        """Return *value* with objects replaced by their names, as `parse` gives it."""
        return self.from_data(self.to_data(value)) if self.names_objects else value

    def show_data(self, value: Any) -> Any:
        """Return *value* as data for display; as short text if it has no form in JSON."""
        try:
            return self.to_data(value)
        except Mismatch:
            return sorted(map(short_repr, value)) if type(value) in (set, frozenset) else short_repr(value)

    def truth(self, value: Any) -> Any:
        """Return the meaning of a live value: True or False where torch stored text instead of a bool."""
        return value

    def _checked(self, value: Any) -> Any:
        return value if self.names_objects else self.check(value)


def _text_of(data: Any) -> str:
    if isinstance(data, dict) or data == [] or (isinstance(data, list) and isinstance(data[0], dict)):
        return json.dumps(data, sort_keys=True)  # an empty text would count as unset
    if isinstance(data, list):
        return ",".join(map(_text_of, data))
    if data is None:
        return "none"
    return str(int(data) if isinstance(data, bool) else data)


def parts_of(text: str) -> "Iterator[Any]":
    """Yield the lists and dicts in JSON, and the words beside them: commas join repeated options."""
    decode, at = json.JSONDecoder().raw_decode, 0
    while match := _PART.search(text, at):
        part, at = match[0].strip(), match.end()
        if part[0] in "[{(":  # no word: `dump` shows lists as Python writes them, and they get copied
            with suppress(ValueError, RecursionError):
                part, at = decode(text, match.start())
            if isinstance(part, str) or not _END.match(text, at):
                raise Mismatch('text in brackets is read as JSON, such as ["a"] or {"a": 1}')
        yield part


_PART = re.compile(r"[^\s,][^,]*")
_END = re.compile(r"\s*(,|\Z)")

_JSON_TYPES = (dict, list, str, int, float, bool, type(None))


def in_json(schema: Schema) -> Schema:
    """Have pydantic describe values by this JSON Schema, where the one it derives would say less."""
    return {"metadata": {"pydantic_js_functions": [lambda _schema, _handler: dict(schema)]}}
