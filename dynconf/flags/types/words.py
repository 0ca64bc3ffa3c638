"""Words in one text, separated by commas."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dynconf.flags.types.exact import exact_text
from dynconf.flags.types.text import Text
from dynconf.flags.types.value_type import Mismatch, in_json
from dynconf.spelling import nearest

if TYPE_CHECKING:
    from pydantic_core import CoreSchema


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
                near = nearest(word, map(str.lower, self.options))
                raise Mismatch(f"did you mean {near.upper()!r}?" if near else f"there is no {part.strip()!r}")
        return text

    def value_schema(self) -> "CoreSchema":
        word = "|".join("".join(f"[{each}{each.lower()}]" for each in option) for option in self.options)
        word = rf"\s*({word})\s*"  # the regular expressions of JSON Schema cannot ignore case
        return {"type": "str", **in_json({"type": "string", "pattern": f"^{word}(,{word})*$"})}
