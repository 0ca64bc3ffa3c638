"""Values for chosen graphs: torch's ``graph_id_filter`` grammar."""

import re
from dataclasses import dataclass
from typing import Literal

from dynconf.flags.types.any_value import shown
from dynconf.flags.types.exact import exact_text
from dynconf.flags.types.text import Text
from dynconf.flags.types.value_type import Mismatch

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
                raise Mismatch(f"{shown(rule)} has no value")
            for each in (part.strip() for part in filters.split(",")):
                if not _FILTER.fullmatch(each):
                    raise Mismatch(f"{shown(each)} does not select a graph")
            if self.of == "settings":
                for pair in assigned.split(","):
                    if not _SETTING.fullmatch(pair):
                        raise Mismatch(f"{shown(pair.strip())} is not of the form key=value")
        return text
