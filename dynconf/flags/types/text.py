"""Text: any, a path, or one of a few words."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dynconf.flags.types.exact import exact_path, exact_text
from dynconf.flags.types.value_type import Mismatch, ValueType
from dynconf.spelling import nearest

if TYPE_CHECKING:
    from pydantic_core import CoreSchema


@dataclass(frozen=True, slots=True)
class Text(ValueType):
    """Any text."""

    plural = "strings"
    ANNOTATION = "str"
    EXPECTED = "a string"

    def check(self, value: object) -> str:
        return exact_text(value)

    def value_schema(self) -> "CoreSchema":
        return {"type": "str"}


@dataclass(frozen=True, slots=True)
class PathText(ValueType):
    """A path of the file system, kept as text; ``os.PathLike`` is accepted too."""

    EXPECTED = "a path"
    ANNOTATION = "str | os.PathLike[str]"

    def check(self, value: object) -> str:
        path = exact_path(value)
        if not path:
            raise Mismatch
        return path

    def value_schema(self) -> "CoreSchema":
        return {"type": "str", "min_length": 1}


@dataclass(frozen=True, slots=True)
class Choice(ValueType):
    """One of a few words."""

    options: tuple[str, ...]

    @property
    def expected(self) -> str:
        return "one of " + ", ".join(map(repr, self.options))

    @property
    def annotation(self) -> str:
        return f"Literal[{', '.join(map(repr, self.options))}]"

    @property
    def choices(self) -> tuple[str, ...]:
        return self.options

    def check(self, value: object) -> str:
        word = exact_text(value)
        if word in self.options:
            return word
        near = nearest(word, self.options)
        raise Mismatch(f"did you mean {near!r}?" if near else "")

    def value_schema(self) -> "CoreSchema":
        return {"type": "literal", "expected": list(self.options)}
