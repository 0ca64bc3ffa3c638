"""Cells of a notebook: IPython compiles each under a file name of its own, which says nothing to people."""

import os
import sys
from types import TracebackType

_OWN = os.path.join(os.path.dirname(__file__), "")  # noqa: PTH118, PTH120  pathlib takes long to import
_SHELLS = tuple(f"{os.sep}{name}{os.sep}" for name in ("IPython", "ipykernel"))


def place_text(file: str, line: int | None) -> str:
    """Return ``cell 3, line 2`` for a line of a cell, and ``file.py:2`` for any other."""
    cell = _cell(file)
    if cell:
        return f"cell {cell}, line {line}" if line else f"cell {cell}"
    return f"{file}:{line}" if line else file


def lines_of_program(trace: TracebackType | None) -> list[str]:
    """Return the lines of a program that a traceback leads through, without those of dynconf and IPython."""
    import traceback  # only errors in a notebook need it

    frames = [each for each in traceback.extract_tb(trace) if not _is_between(each.filename)]
    return [f"  {place_text(each.filename, each.lineno)}: {each.line}" for each in frames]


def _is_between(file: str) -> bool:
    """Tell whether a file is of dynconf, or of the program that runs the cells."""
    return file.startswith(_OWN) or any(folder in file for folder in _SHELLS)


def _cell(file: str) -> str:
    """Return the number of the cell that IPython compiled under that name; "" if it is a file."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    name = getattr(getattr(shell, "compile", None), "format_code_name", None)
    found = name(file) if name else None  # ("Cell", "In[3]")
    return str(found[1]).removeprefix("In[").removesuffix("]") if found else ""
