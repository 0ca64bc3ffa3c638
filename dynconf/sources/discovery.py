"""The settings file that counts: one that is named, else the nearest ``dynconf.toml`` or ``pyproject.toml``.

A discovered file was not chosen by the user, so one that somebody else could have put there is skipped. In
a shared ``/tmp`` anybody can leave a ``dynconf.toml``, and a program that is started there would obey it.
"""
# The search is part of every installation, and pathlib would be most of its cost.
# ruff: noqa: PTH100, PTH109, PTH111, PTH114, PTH116, PTH118, PTH119, PTH120

import os
import re
import stat
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from dynconf.errors import EnvironmentWarning, StateFileError
from dynconf.escaping import printable
from dynconf.sources.files import Document, document_of, open_document, parse, read_bytes, table_of_flags
from dynconf.sources.ownership import writable_by_others
from dynconf.writing import linked_paths

_NAMES = ("dynconf.toml", "pyproject.toml")

CONFIG_VARIABLE = "DYNCONF_CONFIG"
"""Names a settings file, or holds JSON itself."""

# Anybody's file above the working directory is searched for it, so it must not take long on any text: no two
# repetitions in it can match the same characters.
_MENTION = re.compile(rb"""^[ \t\[]*["']?tool["']?[ \t]*\.[ \t]*["']?dynconf""", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file that the search found and skipped.

    Attributes:
        path: The file.
        reason: Why not.
        may_matter: Whether it may hold settings, which then have no effect.
    """

    path: str
    reason: str
    may_matter: bool = True

    def __str__(self) -> str:
        return f"{self.path} is skipped: {self.reason}"

    @property
    def warning(self) -> EnvironmentWarning:
        """The warning for the user."""
        advice = f"if its settings are meant, name it in {CONFIG_VARIABLE} or with --config"
        return EnvironmentWarning(f"{self}; {advice}", place=(self.path, None))


@dataclass(frozen=True, slots=True)
class Found:
    """The result of a search.

    Attributes:
        document: The settings that count, if there are any.
        skipped: The files that it skipped, nearest first.
        trusted: Whether the user has placed the settings in the environment.
    """

    document: Document | None = None
    skipped: tuple[Skipped, ...] = ()
    trusted: bool = False

    @property
    def warnings(self) -> tuple[EnvironmentWarning, ...]:
        """The warnings about skipped files that may hold settings."""
        return tuple(each.warning for each in self.skipped if each.may_matter)


def find_settings(environ: Mapping[str, str], config: str | Path | None = None) -> Found:
    """Find the settings that count: *config*, else those of ``DYNCONF_CONFIG``, else the nearest file.

    Raises:
        StateFileError: The file cannot be read, or there is no working directory to search from.
    """
    if config is not None:
        return Found(_named(config))
    named = environ.get(CONFIG_VARIABLE, "").strip()
    if named.startswith("{"):
        return Found(parse(named, CONFIG_VARIABLE, "json"), trusted=True)
    if named:
        return Found(_named(named))
    try:
        start = os.getcwd()
    except OSError:
        raise StateFileError(
            "the working directory no longer exists, so there is nowhere to search for settings;"
            f" change to a folder that exists, or name a file in {CONFIG_VARIABLE}"
        ) from None
    return find_upwards(start)


def _named(path: str | Path) -> Document:
    """Return the settings in a file that the user has named; those of a pyproject.toml are in our table."""
    document = open_document(path)
    if os.path.basename(path) != "pyproject.toml":
        return document
    table = _own_table(document)
    if isinstance(table, Skipped):
        raise StateFileError(f"{path} has no table [tool.dynconf]: `dynconf init --pyproject` adds one")
    return table


def find_upwards(start: str | Path) -> Found:
    """Find the settings closest to *start*: in that folder or a parent, ``dynconf.toml`` first.

    The search ends at the root of a repository, at the home folder, and where another file system begins.

    Raises:
        StateFileError: A file that counts cannot be read.
    """
    folder = os.path.abspath(start)
    home = _status(os.path.expanduser("~"))
    skipped: list[Skipped] = []
    device = None
    while (status := _status(folder)) and status.st_dev == (device or status.st_dev):
        device = status.st_dev
        ours, project = (_candidate(os.path.join(folder, name)) for name in _NAMES)
        if isinstance(ours, Document):
            if isinstance(project, Document):
                reason = "the dynconf.toml beside it counts, and not its table [tool.dynconf]"
                skipped.append(Skipped(project.name, reason))
            return Found(ours, tuple(skipped))
        skipped += [each for each in (ours, project) if isinstance(each, Skipped)]
        if isinstance(project, Document):
            return Found(project, tuple(skipped))
        parent = os.path.dirname(folder)
        is_home = home is not None and os.path.samestat(home, status)
        if parent == folder or is_home or os.path.lexists(os.path.join(folder, ".git")):
            break
        folder = parent
    return Found(None, tuple(skipped))


def _status(path: str) -> os.stat_result | None:
    try:
        return os.stat(path)
    except OSError:  # a parent folder that may not be searched has no settings for us
        return None


def _candidate(path: str) -> Document | Skipped | None:
    """Return the settings in a file, or why they do not count; None if there is no such file."""
    status, is_ours = _status(path), path.endswith("dynconf.toml")
    if status is None:
        return Skipped(path, "it is a link that leads nowhere") if is_ours and os.path.islink(path) else None
    if not stat.S_ISREG(status.st_mode):
        return Skipped(path, "it is not a regular file")
    reason = _risk_of_folders(path) or writable_by_others(status, "it")
    try:
        content, status = read_bytes(path)
    except StateFileError as problem:
        if is_ours and not reason:
            raise
        return Skipped(path, reason or _reason_of(path, problem))
    has_table = is_ours or _MENTION.search(content) is not None
    reason = reason or writable_by_others(status, "it")
    if reason:
        return Skipped(path, reason, has_table)
    try:
        document = document_of(content, path)
    except StateFileError as problem:
        if has_table:
            raise
        return Skipped(path, _reason_of(path, problem))
    return document if is_ours else _own_table(document)


def _reason_of(path: str, problem: StateFileError) -> str:
    return str(problem).replace(printable(path), "it", 1)


def _risk_of_folders(path: str) -> str:
    """Return why somebody else could have put the file there, or a link on the way to it; empty if not."""
    try:
        for each in linked_paths(path):
            status = _status(os.path.dirname(each))
            if status is None:
                return "its folder cannot be read"
            if reason := writable_by_others(status, "its folder"):
                return reason
    except OSError:
        return "it is a link that leads nowhere"
    return ""


def _own_table(project: Document) -> Document | Skipped:
    """Return the ``[tool.dynconf]`` table of a ``pyproject.toml``, if it has one."""
    tool = project.data.get("tool")
    if not isinstance(tool, dict) or "dynconf" not in tool:
        return Skipped(project.name, "it has no table [tool.dynconf]", may_matter=False)
    return replace(project, table="tool.dynconf", data=table_of_flags(tool["dynconf"], project.name))
