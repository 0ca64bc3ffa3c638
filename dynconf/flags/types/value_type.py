"""What every value type can do, and what the types share."""

import re
from abc import ABC, abstractmethod
from typing import Any, ClassVar

from dynconf.errors import InvalidValueError
from dynconf.escaping import MAX_QUOTED, printable

WORDS = {
    **dict.fromkeys(("1", "true", "yes", "on", "t", "y"), True),
    **dict.fromkeys(("0", "false", "no", "off", "f", "n"), False),
}
"""How true and false may be written in variables and options, in any case."""

LARGEST = 2**63 - 1
"""The largest number that every program that reads a file can represent."""

UNWRITABLE = re.compile("[\0\ud800-\udfff]")
"""Characters that no file or variable can contain."""


class Mismatch(Exception):
    """The value does not suit the type; the text, if any, adds to what the type expects."""


class ValueType(ABC):
    """What values a flag accepts, and everything that is done with them.

    Subclasses are small frozen records, and nest: ``OrNone(Choice(...))``. Python values are strict: a bool
    is not an int, and text is never read as anything else. Text (variables, options) and data (JSON, TOML)
    are each read in one way for all flags.
    """

    __slots__ = ()

    EXPECTED: ClassVar[str]
    ANNOTATION: ClassVar[str]
    """`expected` and `annotation`, where these are the same for all instances."""

    @property
    def expected(self) -> str:
        """What values the type accepts, as a clause that follows "expected"."""
        return self.EXPECTED

    @property
    def annotation(self) -> str:
        """The Python annotation, as generated files spell it."""
        return self.ANNOTATION

    @property
    def mutable(self) -> bool:
        """Whether values can be changed in place."""
        return False

    @property
    def choices(self) -> tuple[str, ...]:
        """The words among its values, if they are few."""
        return ()

    @property
    def names_objects(self) -> bool:
        """Whether a value that was read may contain a `Named` in place of an object."""
        return False

    @abstractmethod
    def check(self, value: object) -> Any:
        """Return a Python value as the flag stores it; a copy where it could be changed in place.

        Raises:
            Mismatch: The type does not accept it.
        """

    def check_argument(self, name: str, value: object) -> Any:
        """Return the argument *name* of a function, checked.

        Raises:
            InvalidValueError: The type does not accept it.
        """
        try:
            return self.check(value)
        except Mismatch as problem:
            more = f"; {problem}" if str(problem) else ""
            text = f"{name}: {shown(value)} is not valid: expected {self.expected}{more}"
            raise InvalidValueError(text) from None

    @abstractmethod
    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema of a value as files contain it."""

    def parse(self, text: str) -> Any:
        """Return the value that *text* means, from a variable or an option.

        Names of objects stay unresolved: reading runs nothing.

        Raises:
            Mismatch: The text does not mean a value of this type.
        """
        trimmed = text.strip()
        if trimmed.lower() == "none":
            raise Mismatch("the flag does not accept None")
        return self._read(self.parse_word(trimmed))

    def parse_word(self, text: str) -> Any:
        """Return what trimmed text means, unchecked; the text is neither empty nor ``none``.

        Raises:
            Mismatch: It means nothing.
        """
        return text

    def from_data(self, data: object) -> Any:
        """Return the value that *data*, read from JSON or TOML, represents.

        Raises:
            Mismatch: It does not represent a value of this type.
        """
        return self._read(data)

    def to_data(self, value: Any) -> Any:
        """Return *value* as JSON and TOML contain it; the inverse of `from_data`.

        Raises:
            Mismatch: It has no such form.
        """
        return value

    def to_text(self, value: Any) -> str:
        """Return the text that `parse` reads as *value*.

        Raises:
            Mismatch: No text means it.
        """
        text = self.spell(value)
        if not text.strip() or not same(self.parse(text), self.by_name(value)):
            raise Mismatch(f"no text means {shown(value)}")
        return text

    def spell(self, value: Any) -> str:
        """Return *value* as text; `to_text` makes sure that it reads back."""
        return str(value)

    def by_name(self, value: Any) -> Any:
        """Return *value* with objects replaced by their names, as `parse` gives it."""
        return value

    def show_data(self, value: Any) -> Any:
        """Return *value* as data for display; as short text if it has no form in JSON."""
        try:
            return self.to_data(value)
        except Mismatch:
            return sorted(map(shown, value)) if type(value) in (set, frozenset) else shown(value)

    def fresh(self, value: Any) -> Any:
        """Return *value*, or a copy if it could be changed in place."""
        return value

    def truth(self, value: Any) -> Any:
        """Return what a live value means; where torch stored text instead of a bool, True or False."""
        return value

    def _read(self, value: Any) -> Any:
        return value if self.names_objects else self.check(value)


def shown(value: object) -> str:
    """Return *value*, whatever it is, as short text for messages: one line of printable characters."""
    try:
        text = str.__str__(repr(value))
    except Exception:  # noqa: BLE001  a broken __repr__ must not hide the message that it would appear in
        # An integer with thousands of digits raises, too.
        text = f"<int of {value.bit_length()} bits>" if type(value) is int else object.__repr__(value)
    start = printable(text[:MAX_QUOTED])
    return start if len(text) <= MAX_QUOTED and len(start) <= MAX_QUOTED else f"{start[:MAX_QUOTED]}..."


def same(left: object, right: object) -> bool:
    """Tell whether two values are the same to torch; True and 1 are not, in a dict or list either."""
    if left is right:
        return True
    if type(left) is not type(right):
        return False
    try:
        if isinstance(left, dict) and isinstance(right, dict):
            return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
        if isinstance(left, list) and isinstance(right, list):
            return len(left) == len(right) and all(map(same, left, right))
        return bool(left == right)
    except Exception:  # noqa: BLE001  a broken or unusual __eq__, such as that of an array
        return False


def spelled(data: object, value: object) -> str:
    """Return *value* as short text for people: objects are named, and sets sorted.

    Args:
        data: The value as `ValueType.show_data` gives it.
        value: The value itself.
    """
    if isinstance(value, (set, frozenset)) and isinstance(data, list):
        items = sorted(item if isinstance(item, str) else shown(item) for item in data)
        return f"{{{', '.join(items)}}}" if items else "set()"
    return data if isinstance(data, str) and not isinstance(value, str) else shown(value)
