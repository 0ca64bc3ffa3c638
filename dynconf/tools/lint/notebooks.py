"""The code of notebooks: cells that share their names, with lines for IPython and for a shell in them.

A cell is read as Python if it is Python. Otherwise the lines of IPython are taken out::

    %env TORCHDYNAMO_VERBOSE=1          a variable
    !export TORCHDYNAMO_VERBOSE=1       another, as the rest of a cell under %%bash
    files = !ls                         files = None
"""

import ast
import json
import re

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


def read_notebook(content: bytes) -> tuple[bytes, tuple[tuple[int, int], ...], list[Site], list[Problem]]:
    """Return the code of a notebook, the first line and the number of each cell, the sites and the remarks.

    The cells are read together, because names of one are used in the next; nothing is written into them.

    Raises:
        ValueError: It is no JSON.
    """
    data = json.loads(content.decode())
    listed = data.get("cells") if isinstance(data, dict) else None
    cells: list[tuple[str, str, str]] = []
    starts: list[tuple[int, int]] = []
    errors: list[Problem] = []
    line = 1
    for number, each in enumerate(listed if isinstance(listed, list) else [], 1):
        if isinstance(each, dict) and each.get("cell_type") == "code":
            source = each.get("source", "")
            code = "".join(map(str, source)) if isinstance(source, list) else str(source)
            code = re.sub(r"\r\n|\r", "\n", code)
            error = _error_in(code)
            python, shell = _parts(code) if error else (code, _blank(code))
            if error and (error := _error_in(python)):
                errors.append(unreadable(error, line))
                python = _blank(code)
            cells.append((code, python, shell))
            starts.append((line, number))
            line += code.count("\n") + 1
    code_of_all, python_of_all, shell_of_all = (
        "\n".join(each[at] for each in cells).encode() for at in range(3)
    )
    reader = PythonReader(python_of_all)
    sites = [each._replace(fit="") for each in (*variable_sites(shell_of_all, ".ipynb"), *reader.sites)]
    return code_of_all, tuple(starts), sites, [*reader.remarks, *errors]


def _parts(code: str) -> tuple[str, str]:
    """Return what Python and what a shell runs of a cell that is not all Python, with as many lines each."""
    magic = _CELL_MAGIC.match(code)
    body = _blank(magic[0]) + code[magic.end() :] if magic else code
    if magic and magic[1] not in _OF_PYTHON:
        return _blank(code), body if magic[1] in _OF_SHELL else _blank(code)
    found = map(_SHELL_LINE.fullmatch, code.split("\n"))
    lines = ("" if each is None else f"{'ENV' if each['env'] else '  '}{each['rest']}" for each in found)
    return _LINE.sub(r"\1pass", _RESULT.sub(r"\1None", body)), "\n".join(lines)


def _blank(text: str) -> str:
    return "\n" * text.count("\n")


def _error_in(code: str) -> SyntaxError | None:
    try:
        ast.parse(code)
    except SyntaxError as error:
        return error
    return None
