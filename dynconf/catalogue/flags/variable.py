"""The environment variables that torch reads, and the rule by which it reads each.

torch has no common parser: every config module converts its variables in its own way, so that ``0`` may mean
False, True or the text "0". The rules reproduce that, to tell users where torch reads a text differently than
they meant it; ``tests/tools/lint/test_variables.py`` compares them with the real modules.
"""

import os
from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass
from functools import partial
from typing import Any, Literal, NamedTuple

from dynconf.catalogue.flags.types import Bool, ValueType
from dynconf.release import Minor, within

IMPORT_ERRORS = (ValueError, AssertionError)
"""The exceptions with which importing torch refuses the text of a variable."""


class VariableRule(NamedTuple):
    """One of the rules by which torch turns the text of a variable into a value.

    Attributes:
        read: The conversion of a text, given the flag's default; raises one of `IMPORT_ERRORS` as torch does.
        transforms: Whether the value differs from a plain reading of the text, as where torch appends a
            folder to a path. Then dynconf applies the rule, too.
    """

    description: str
    read: Callable[[str, Any], Any]
    transforms: bool = False


_FAILS = "anything else makes the import of torch fail"
_BIT = {"1": True, "0": False}


def _bit_or_text(raw: str, _: object) -> bool | str:
    return _BIT.get(raw, raw)


def _integer_or_all(raw: str, _: object) -> int | None:
    return None if raw.lower() in ("none", "all") else int(raw)


def _start_method(*methods: str) -> VariableRule:
    def read(raw: str, _: object) -> str:
        if raw not in methods:
            raise AssertionError(f"Invalid start method: {raw}")
        return raw

    return VariableRule(f"{', '.join(methods[:-1])} or {methods[-1]}; {_FAILS}", read)


def _tlx_mode(raw: str, _: object) -> str | None:
    modes = {"off": None, "allow": "allow", "force": "force", "default": None}
    if raw not in modes:
        raise ValueError(f"TORCHINDUCTOR_TLX_MODE={raw!r} is not one of {tuple(modes)}")
    return modes[raw]


_transforming = partial(VariableRule, transforms=True)


def _lists(word: str) -> VariableRule:
    # Without the word, torch's value is False or None, whichever the default is.
    return _transforming(
        f"True if the words, separated by commas, include {word}",
        lambda raw, default: True if word in raw.split(",") else (False if default is False else None),
    )


VARIABLE_RULES = {
    "equals_one": VariableRule("exactly 1 is True, any other text is False", lambda raw, _: raw == "1"),
    "not_zero": VariableRule("exactly 0 is False, any other text is True", lambda raw, _: raw != "0"),
    "not_one": _transforming("exactly 1 is False, any other text is True", lambda raw, _: raw != "1"),
    "truthy": VariableRule(
        "any text is True, even 0 and false; an empty one is False", lambda raw, _: bool(raw)
    ),
    "text": VariableRule("the text as it is", lambda raw, _: raw),
    "text_unless_one": _transforming(
        "the text as it is, but nothing for 1", lambda raw, _: "" if raw == "1" else raw
    ),
    "integer": VariableRule(f"a whole number; {_FAILS}", lambda raw, _: int(raw)),
    "integer_or_none": VariableRule(
        f"a whole number, 0 meaning None; {_FAILS}",
        lambda raw, default: None if default is None else int(raw) or None,
    ),
    "tristate": VariableRule("1 is True, 0 is False, anything else counts as unset", _BIT.get),
    "default": VariableRule(
        "1 is True, 0 is False, any other text stays text; assignments override it", _bit_or_text
    ),
    "force": VariableRule(
        "1 is True, 0 is False, any other text stays text; it overrides every assignment", _bit_or_text
    ),
    "debug_dir": _transforming(
        "a path, to which torch_compile_debug is appended",
        lambda raw, _: os.path.join(raw, "torch_compile_debug"),
    ),
    "float": VariableRule(f"a number; {_FAILS}", lambda raw, _: float(raw)),
    "upper": _transforming("the text in capitals", lambda raw, _: raw.upper()),
    "integers": _transforming(
        f"whole numbers, separated by commas; {_FAILS}",
        lambda raw, _: tuple(int(each) for each in raw.split(",")),
    ),
    "integer_or_all": _transforming(f"a whole number, or none or all for None; {_FAILS}", _integer_or_all),
    "real_path": _transforming(
        "a path, made absolute, with its links followed", lambda raw, _: os.path.realpath(raw)
    ),
    "cxx": _transforming("the compiler to run", lambda raw, _: (None, raw)),
    "lists_mixed_mm": _lists("mixed_mm"),
    "lists_pad_mm": _lists("pad_mm"),
    "start_method": _start_method("subprocess", "fork", "spawn"),
    "start_method_without_spawn": _start_method("subprocess", "fork"),
    "worker_mode": VariableRule(
        "auto, process or thread; anything else counts as process",
        lambda raw, _: raw if raw in ("auto", "process", "thread") else "process",
    ),
    "allow_or_force": _transforming(
        "allow or force; anything else is None", lambda raw, _: raw if raw in ("allow", "force") else None
    ),
    "tlx_mode": _transforming(f"allow or force, or off for None; {_FAILS}", _tlx_mode),
}


@dataclass(frozen=True, slots=True)
class _ReadVariable:
    name: str
    _: KW_ONLY
    since: str = "2.4"
    until: str = ""

    def is_read_in(self, release: Minor) -> bool:
        """Tell whether that release reads the variable."""
        return within(release, self.since, self.until)


@dataclass(frozen=True, slots=True)
class Variable(_ReadVariable):
    """A variable that torch reads for a flag, from *since* to *until*, by one of `VARIABLE_RULES`."""

    rule: str

    def torch_value(self, raw: str, default: object) -> Any:
        """Return the value that torch reads from *raw*; raise one of `IMPORT_ERRORS` as importing it does."""
        return VARIABLE_RULES[self.rule].read(raw, default)


STOPS_IMPORT = "the import of torch fails"
FIRST_COMPILATION = "the first compilation fails"
"""What becomes of a program, where a variable has a text that it is not for."""


class Takes(NamedTuple):
    """The texts that a variable is for.

    Attributes:
        kind: The type of the value, or the path of something that torch makes or writes.
        otherwise: The effect of any other text, as a clause.
        rule: The one of `VARIABLE_RULES` by which it is read.
        empty: The effect of an empty text, where that is a text like any other.
        side_effects: What else a word does, by word.
    """

    kind: ValueType | Literal["file", "folder"]
    otherwise: str = ""
    rule: str = "text"
    empty: str = ""
    side_effects: Mapping[str, str] = {}


SWITCH = Takes(Bool(), rule="equals_one")
"""On at 1, and off at any other text."""


@dataclass(frozen=True, slots=True)
class ForeignVariable(_ReadVariable):
    """A variable that torch reads for something other than a flag, from *since* to *until*.

    Attributes:
        read_by: The module that reads it.
        summary: The effect of setting it, in one line.
        takes: The texts that it is for, unless that is any text.
    """

    read_by: str
    _: KW_ONLY
    summary: str
    takes: Takes | None = None
