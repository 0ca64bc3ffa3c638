"""The line that each entry of a settings file begins on, found in one pass over its text.

An error should name the line of a value, and parsers of TOML and JSON do not report it. The texts scanned
by this module have been accepted by such a parser, so a scanner only has to distinguish statements, strings,
comments and brackets. Before that, `parsing_work` refuses texts that would keep a parser busy for minutes.
"""

import json
import re
import sys
from collections.abc import Iterable
from typing import Literal

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

Lines = dict[str, "tuple[int, Lines]"]
"""For each key: the line that first mentions it, counted from 1, and the same for the keys below it."""

# No pattern can match a text in two ways, so none ever backtracks far: time is linear in the text.
_BASIC, _LITERAL = r'"[^"\\\n]*(?:\\.[^"\\\n]*)*"', r"'[^'\n]*'"
_LONG_BASIC = r'"""[^"\\]*(?:(?:\\.|"{1,2}(?!"))[^"\\]*)*"{3,5}'
_LONG_LITERAL = r"'''[^']*(?:'{1,2}(?!')[^']*)*'{3,5}"
_STRING = f"{_LONG_BASIC}|{_LONG_LITERAL}|{_BASIC}|{_LITERAL}"
_PART = rf"(?:[\w-]+|{_BASIC}|{_LITERAL})"

_STATEMENT = re.compile(
    r"[ \t\r\n]*(?:#[^\n]*\n[ \t\r\n]*)*"  # blank lines, comments, and the rest of the line before
    r"(?P<table>\[\[?[ \t]*)?"
    rf"(?P<key>{_PART}(?:[ \t]*\.[ \t]*{_PART})*)[ \t]*"
    rf"(?:=[ \t]*(?:{_STRING}|(?P<bracket>[\[{{])|[^\n#]*)|\]\]?)",
    re.DOTALL,
)
_KEY_PART = re.compile(_PART, re.DOTALL)
_TOML_BRACKET = re.compile(rf"(?P<opening>[\[{{])|(?P<closing>[\]}}])|{_STRING}|#[^\n]*", re.DOTALL)
_JSON_TOKEN = re.compile(
    r'(?P<string>"[^"\\]*(?:\\.[^"\\]*)*")(?P<colon>\s*:)?|(?P<opening>[\[{])|(?P<closing>[\]}])'
)


MOST_WORK = 50_000
"""The highest `parsing_work` of a file: parsers manage it at once, and no settings file reaches it."""

_DOTS_OF_A_VALUE = 4
"""A key with four dots makes as much work as a value, and one with eight dots as much as four values."""


def parsing_work(text: str, syntax: Literal["toml", "json"]) -> int:
    """Return how much work a text makes for its parser and its readers; roughly, how many values it has.

    It is judged from the text alone, before a parser spends minutes or gigabytes on it. Parsers of TOML take
    time that grows with the square of the length of a dotted key, which ends with its line at the latest.
    """
    if syntax == "json":
        return text.count(",") + text.count(":")
    values = text.count(",") + text.count("=") + text.count("\n")
    if values > MOST_WORK:
        return values
    return values + sum((line.count(".") // _DOTS_OF_A_VALUE) ** 2 for line in text.split("\n"))


def line_of(lines: Lines, path: Iterable[str]) -> int | None:
    """Return the line of the entry with that path, or of the statement that contains it."""
    line = None
    for key in path:
        if key not in lines:
            break
        line, lines = lines[key]
    return line


def toml_lines(text: str) -> Lines:
    """Return where the statements of valid TOML begin.

    Keys inside inline tables are not looked for; those of an array of tables are taken as of one table.
    """
    root: Lines = {}
    table = root
    line, counted, end = 1, 0, 0
    while statement := _STATEMENT.match(text, end):
        start, end = statement.start("key"), statement.end()
        line += text.count("\n", counted, start)
        counted = start
        found = root if statement["table"] else table
        for part in _KEY_PART.findall(statement["key"]):
            key = tomllib.loads(f"key = {part}")["key"] if part[0] in "\"'" else part
            _, found = found.setdefault(key, (line, {}))
        if statement["table"]:
            table = found
        elif statement["bracket"]:
            end = _after_brackets(text, end)
    return root


def _after_brackets(text: str, start: int) -> int:
    """Return where the array or inline table ends whose opening bracket stands right before *start*."""
    depth = 1
    for token in _TOML_BRACKET.finditer(text, start):
        if token["opening"]:
            depth += 1
        elif token["closing"]:
            depth -= 1
            if not depth:
                return token.end()
    return len(text)


def json_lines(text: str) -> Lines:
    """Return where the keys of a valid JSON text stand; keys inside arrays have no path, so are left out."""
    root: Lines = {}
    table: Lines = {}
    value = root
    outer: list[Lines] = []
    line, counted = 1, 0
    for token in _JSON_TOKEN.finditer(text):
        if token["colon"]:
            line += text.count("\n", counted, token.start())
            counted = token.start()
            key = token["string"]
            value = {}
            table[json.loads(key) if "\\" in key else key[1:-1]] = (line, value)
        elif token["opening"]:
            outer.append(table)
            table, value = value, {}
        elif token["closing"]:
            table, value = outer.pop(), {}
    return root
