"""The blocks of code in Markdown and reST: each is a program, a script or a file of its own.

A block of Python is read as if torch and os were imported, because it shows what matters. One that is none is
left alone: it may leave something out, or show what is printed.
"""

import re
import textwrap

from dynconf.tools.lint.python import PythonReader
from dynconf.tools.lint.sites import Problem, Site, Span
from dynconf.tools.lint.texts import SUFFIXES, variable_sites

PAGES = (".md", ".mdx", ".qmd", ".rmd", ".rst")

_FENCE = re.compile(r"^[ \t]*(```+|~~~+)([^\n]*)\n?", re.MULTILINE)
_DIRECTIVE = re.compile(
    r"^([ \t]*)\.\. (?:code-block|code|sourcecode)::[ \t]*(\w*)[^\n]*\n(?:[ \t]+:[^\n]*\n)*"
    r"((?:[^\S\n]*\n|\1[ \t][^\n]*(?:\n|\Z))*)",  # the lines that are further in
    re.MULTILINE,
)
_PROMPTS, _WIDTH = (">>>", "..."), len(">>> ")
_WITHOUT_PROMPT = re.compile(r"^(?![ \t]*[$%#>] ).*$", re.MULTILINE)
"""What a terminal shows that nobody has typed."""

_PYTHON = ("python", "python3", "py", "pycon")
_SHOWS_OUTPUT = ("console", "shell-session")
_SUFFIXES = {
    **dict.fromkeys(("shell", *_SHOWS_OUTPUT), ".sh"),
    "docker": ".dockerfile",
    "powershell": ".ps1",
    "json": ".json",
}
"""The suffix of the files that are written in a language, where it is not the name of that."""


def fenced_blocks(text: str) -> list[tuple[str, int, int]]:
    """Return the blocks of code in Markdown: the language of each, and where it begins and ends."""
    found: list[tuple[str, int, int]] = []
    start, fence, language = 0, "", ""
    for line in _FENCE.finditer(text):
        if not fence:
            start, fence = line.end(), line[1]
            language = re.split(r"[^\w-]", line[2].strip().lstrip("{."))[0].lower()
        elif line[1] == fence and not line[2].strip():
            found.append((language, start, line.start()))
            fence = ""
    return found


def report_in(text: str) -> str:
    """Return the JSON of a report in Markdown, on the lines that it is on; empty if there is none."""
    for language, start, end in fenced_blocks(text) if '"report":' in text else ():
        if language == "json" and text.startswith('{\n  "dynconf":', start):
            return "\n" * text.count("\n", 0, start) + text[start:end]
    return ""


def read_page(text: str, suffix: str) -> tuple[list[Site], list[Problem]]:
    """Return the sites and remarks of all blocks of a page."""
    sites: list[Site] = []
    remarks: list[Problem] = []
    line, counted = 0, 0
    blocks = [(each[2].lower(), *each.span(3)) for each in _DIRECTIVE.finditer(text)]
    blocks = fenced_blocks(text) if suffix != ".rst" else blocks
    for number, (language, start, end) in enumerate(blocks, 1):
        line, counted = line + text.count("\n", counted, start), start
        written = text[start:end]
        lines = textwrap.dedent(written).split("\n")
        pairs = zip(written.split("\n"), lines)
        column = next((len(before) - len(after) for before, after in pairs if after), 0)
        if language in _PYTHON and "\n".join(lines).lstrip().startswith(_PROMPTS[0]):
            # Without its output, a session is a program.
            lines = [typed[_WIDTH:] if typed.startswith(_PROMPTS) else "" for typed in lines]
            column += _WIDTH
        found, of_block = _read("\n".join(lines), language)
        first = number * 10**6  # no program has as many blocks of statements
        sites += [
            site._replace(span=_moved(site.span, line, column), block=site.block + first) for site in found
        ]
        remarks += [remark._replace(span=_moved(remark.span, line, column)) for remark in of_block]
    return sites, remarks


def _read(code: str, language: str) -> tuple[list[Site], list[Problem]]:
    if language in _PYTHON:
        try:
            reader = PythonReader(code.encode(), names=("os", "torch"))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return [], []
        return reader.sites, reader.remarks
    if language in _SHOWS_OUTPUT:
        code = _WITHOUT_PROMPT.sub("", code)
    suffix = _SUFFIXES.get(language, f".{language}")
    is_known = suffix in SUFFIXES or language in _SUFFIXES
    return list(variable_sites(code.encode(), suffix)) if is_known else [], []


def _moved(span: Span, lines: int, columns: int) -> Span:
    return Span(span.line + lines, span.column + columns, span.end_line + lines, span.end_column + columns)
