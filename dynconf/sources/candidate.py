"""One file that a search looks at: the settings in it, or why they do not count.

A discovered file was not chosen by the user, so one that somebody else could have put there is skipped. In
a shared ``/tmp`` anybody can leave a ``dynconf.toml``, and a program that is started there would obey it.
"""
# The search is part of every installation, and pathlib would be most of its cost.

import os
import re
import stat
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

from dynconf.errors import EnvironmentWarning, StateFileError
from dynconf.sources.files import Document, ReplacedError, document_of, read_bytes, table_of_flags
from dynconf.sources.ownership import trusted_status
from dynconf.text import printable

_MAX_TRIES = 20
"""How often the check of a file is repeated if it was replaced before it was opened."""

CHECK = "check"
"""The table with the options of `dynconf check`: a file with nothing else has no settings."""

_MENTION = re.compile(rb"(?<![\w-])dynconf(?![\w-])")
"""What a project's file with settings has in it, in whichever of TOML's forms; torch-dynconf is a package."""


class Skipped(NamedTuple):
    """A file that the search found and skipped.

    Attributes:
        path: The file.
        reason: Why not.
        may_matter: Whether it may hold settings, which then have no effect.
        advice: What to do to have it count.
    """

    path: str
    reason: str
    may_matter: bool = True
    advice: str = "if you want its settings, name the file in DYNCONF_CONFIG or with --config"

    def __str__(self) -> str:
        return f"{self.path} is skipped: {self.reason}"

    @property
    def warning(self) -> EnvironmentWarning:
        """The warning for the user."""
        return EnvironmentWarning(f"{self}; {self.advice}", place=(self.path, None))


def settings_in(path: str, *, check: bool = False) -> Document | Skipped | None:
    """Return the settings in a file, or why they do not count; None if there are none of that kind."""
    try:
        is_ours, is_link = path.endswith("dynconf.toml"), stat.S_ISLNK(os.lstat(path).st_mode)
    except OSError:
        return None
    try:
        content = _trusted_content(path)
    except OSError as problem:
        return Skipped(path, f"it is a link that cannot be followed: {problem.strerror}", may_matter=is_ours)
    except StateFileError as problem:
        if is_ours:
            raise
        return Skipped(path, _reason_of(path, problem))
    if isinstance(content, str):
        return Skipped(path, content, is_ours or is_link or _may_have_settings(path))
    try:
        document = document_of(content, path)
    except StateFileError as problem:
        if is_ours or _MENTION.search(content):
            raise
        return Skipped(path, _reason_of(path, problem))
    document = replace(document, trusted=True)
    found = document if is_ours else own_table(document)
    if isinstance(found, Document) and (CHECK not in found.data if check else found.data.keys() == {CHECK}):
        return None
    return found


def _trusted_content(path: str) -> bytes | str:
    """Return the content of a file that only the user controls, or why somebody else may decide it."""
    for _ in range(_MAX_TRIES):
        judged = trusted_status(path)
        if isinstance(judged, str):
            return judged
        # The user's own `save` replaces files, too.
        with suppress(ReplacedError):
            return read_bytes(path, judged=judged)
    return "it keeps being replaced"


def _may_have_settings(path: str) -> bool:
    """Tell whether a project's file, which does not count, has settings; nothing that it links to is read."""
    try:
        return _MENTION.search(read_bytes(path, follow_links=False)) is not None
    except StateFileError:
        return True


def _reason_of(path: str, problem: StateFileError) -> str:
    return str(problem).replace(printable(path), "it", 1)


def own_table(project: Document) -> Document | Skipped:
    """Return the ``[tool.dynconf]`` table of a ``pyproject.toml``, if it has one."""
    tool = project.data.get("tool")
    if not isinstance(tool, dict) or "dynconf" not in tool:
        advice = "if its table [dynconf] is meant, write [tool.dynconf]"
        return Skipped(project.name, "it has no table [tool.dynconf]", "dynconf" in project.data, advice)
    return replace(project, table="tool.dynconf", data=table_of_flags(tool["dynconf"], project.name))
