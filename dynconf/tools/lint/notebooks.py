"""The code of notebooks: cells that share their names, with lines for IPython and for a shell in them.

A cell is read as Python if it is Python. Otherwise the lines of IPython are taken out::

    %env TORCHDYNAMO_VERBOSE=1          a variable
    !export TORCHDYNAMO_VERBOSE=1       another, as the rest of a cell under %%bash
    files = !ls                         files = None
"""

import ast
import json
import re
from typing import NamedTuple

from dynconf.tools.lint.python import PythonReader
from dynconf.tools.lint.sites import Problem, Site, unreadable
from dynconf.tools.lint.texts import variable_sites

_AROUND = ("time", "timeit", "capture", "prun")
"""Magics that run the rest as a cell, which may have a magic of its own."""

_CELL_MAGIC = re.compile(rf"(?:\s*%%(?:{'|'.join(_AROUND)})\b.*\n)*\s*%%(\w+).*")
_OF_PYTHON = frozenset({*_AROUND, "python", "python3"})
_OF_SHELL = frozenset({"bash", "sh", "script"})

_LINE = re.compile(r"^([ \t]*)(?:[%!?].*|[\w.]+\?{1,2}[ \t]*)$", re.MULTILINE)
_RESULT = re.compile(r"^([ \t]*\w[\w, ]*=[ \t]*)[%!].*$", re.MULTILINE)
_SHELL_LINE = re.compile(r"[ \t]*(?:%|!)(?P<env>(?:set_)?env\b)?(?P<rest>.*)")


class Cell(NamedTuple):
    """A cell, as Python and as shell with as many lines each; *error* is why its Python cannot be read."""

    code: str
    python: str
    shell: str
    error: SyntaxError | None = None


def read_notebook(content: bytes) -> tuple[bytes, tuple[tuple[int, int], ...], list[Site], list[Problem]]:
    """Return the code of a notebook, the first line and the number of each cell, the sites and the remarks.

    The cells are read together, because names of one are used in the next; nothing is written into them.

    Raises:
        ValueError: It is no JSON.
    """
    data = json.loads(content.decode())
    listed = data.get("cells") if isinstance(data, dict) else None
    cells: list[Cell] = []
    starts: list[tuple[int, int]] = []
    line = 1
    for number, each in enumerate(listed if isinstance(listed, list) else [], 1):
        if isinstance(each, dict) and each.get("cell_type") == "code":
            source = each.get("source", "")
            cells.append(_cell("".join(map(str, source)) if isinstance(source, list) else str(source)))
            starts.append((line, number))
            line += cells[-1].code.count("\n") + 1
    code, python, shell = ("\n".join(str(each[at]) for each in cells).encode() for at in range(3))
    reader = PythonReader(python)
    sites = [each._replace(fit="") for each in (*variable_sites(shell, ""), *reader.sites)]
    errors = (unreadable(each.error, at) for each, (at, _) in zip(cells, starts) if each.error)
    return code, tuple(starts), sites, [*reader.remarks, *errors]


def _cell(code: str) -> Cell:
    code = re.sub(r"\r\n|\r", "\n", code)
    blank = "\n" * code.count("\n")
    if _error_in(code) is None:
        return Cell(code, code, blank)
    magic = _CELL_MAGIC.match(code)
    body = "\n" * magic[0].count("\n") + code[magic.end() :] if magic else code
    if magic and magic[1] in _OF_SHELL:
        return Cell(code, blank, body)
    if magic and magic[1] not in _OF_PYTHON:
        return Cell(code, blank, blank)
    python = _LINE.sub(r"\1pass", _RESULT.sub(r"\1None", body))
    error = _error_in(python)
    return Cell(code, blank if error else python, _shell_lines(code), error)


def _shell_lines(code: str) -> str:
    """Return the lines of a cell that are for a shell or set a variable, in the place of the others."""
    found = map(_SHELL_LINE.fullmatch, code.split("\n"))
    return "\n".join(
        "" if each is None else f"{'ENV' if each['env'] else '  '}{each['rest']}" for each in found
    )


def _error_in(code: str) -> SyntaxError | None:
    try:
        ast.parse(code)
    except SyntaxError as error:
        return error
    return None
