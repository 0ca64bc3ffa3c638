"""Text: any, a path, one of a few words, several of them, or rules for graphs."""

import re
from dataclasses import dataclass
from typing import Literal

from dynconf.catalogue.flags.types.any_value import short_repr
from dynconf.catalogue.flags.types.exact import exact_path, exact_text
from dynconf.catalogue.flags.types.value_type import Mismatch, Schema, ValueType, in_json
from dynconf.text import nearest


@dataclass(frozen=True, slots=True)
class Text(ValueType):
    """Any text."""

    plural = "strings"
    ANNOTATION = "str"
    EXPECTED = "a string"

    def check(self, value: object) -> str:
        return exact_text(value)

    def value_schema(self) -> Schema:
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

    def value_schema(self) -> Schema:
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

    def value_schema(self) -> Schema:
        return {"type": "literal", "expected": list(self.options)}


@dataclass(frozen=True, slots=True)
class Words(Text):
    """One or more of a few words, separated by commas, in any case; the text stays as it is."""

    options: tuple[str, ...]

    @property
    def expected(self) -> str:
        return f"any of {', '.join(self.options)}, separated by commas"

    @property
    def choices(self) -> tuple[str, ...]:
        return self.options

    def check(self, value: object) -> str:
        text = exact_text(value)
        for part in text.split(","):
            word = part.strip().upper()
            if word not in self.options:
                near = nearest(word, self.options)
                raise Mismatch(f"did you mean {near!r}?" if near else f"there is no {part.strip()!r}")
        return text

    def value_schema(self) -> Schema:
        word = "|".join("".join(f"[{each}{each.lower()}]" for each in option) for option in self.options)
        word = rf"\s*({word})\s*"  # the regular expressions of JSON Schema cannot ignore case
        return {"type": "str", **in_json({"type": "string", "pattern": f"^{word}(,{word})*$"})}


_FILTER = re.compile(r"(?:>=|<=|>|<)?\d+|\d+-\d+")
_SETTING = re.compile(r"\s*[\w.]+\s*=.*")


@dataclass(frozen=True, slots=True)
class GraphRules(Text):
    """Values for chosen graphs: ``FILTER:VALUE;...``.

    A filter is a comma-separated list of graph numbers, ranges (``10-20``) and comparisons (``>10``); a
    value is the name of a backend, or settings (``key=value,...``).
    """

    of: Literal["backend", "settings"]

    @property
    def expected(self) -> str:
        value = "inductor" if self.of == "backend" else "key=value"
        return f"rules such as '0-5,>=10:{value};<3:{value}'"

    def check(self, value: object) -> str:
        text = exact_text(value)
        for rule in filter(None, (part.strip() for part in text.split(";"))):
            filters, colon, assigned = (part.strip() for part in rule.partition(":"))
            if not colon or not assigned:
                raise Mismatch(f"{short_repr(rule)} has no value")
            for each in (part.strip() for part in filters.split(",")):
                if not _FILTER.fullmatch(each):
                    raise Mismatch(f"{short_repr(each)} does not select a graph")
            if self.of == "settings":
                for pair in assigned.split(","):
                    if not _SETTING.fullmatch(pair):
                        raise Mismatch(f"{short_repr(pair.strip())} is not of the form key=value")
        return text
