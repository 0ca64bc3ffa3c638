"""Which settings file counts: one that is named, else the nearest ``dynconf.toml`` or ``pyproject.toml``."""
# The search is part of every installation, and pathlib would be most of its cost.
# ruff: noqa: PTH109, PTH116, PTH118, PTH120

import os
import stat
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from dynconf.errors import StateFileError
from dynconf.sources.files import Document, open_document, parse, table_of_flags

CONFIG_VARIABLE = "DYNCONF_CONFIG"
"""Names a settings file, or holds JSON itself."""


def chosen(
    environ: Mapping[str, str], config: str | Path | None = None, start: str | Path | None = None
) -> Document | None:
    """Return the settings file that counts: *config*, else what ``DYNCONF_CONFIG`` says, else the nearest.

    Args:
        environ: The environment.
        config: A file that the caller names.
        start: The folder to search from; the working directory if None.

    Raises:
        StateFileError: The file cannot be read, or there is no working directory to search from.
    """
    if config is not None:
        return open_document(config)
    named = environ.get(CONFIG_VARIABLE, "").strip()
    if named.startswith("{"):
        return parse(named, CONFIG_VARIABLE, "json")
    if named:
        return open_document(named)
    if start is None:
        try:
            start = os.getcwd()
        except FileNotFoundError:
            raise StateFileError(
                "the working directory no longer exists, so there is nowhere to search for settings;"
                f" change to a folder that exists, or name a file in {CONFIG_VARIABLE}"
            ) from None
    return find(start)


def find(start: str | Path) -> Document | None:
    """Return the settings closest to *start*: in that folder or a parent, ``dynconf.toml`` first.

    Raises:
        StateFileError: A file that was found cannot be read.
    """
    folder = os.fspath(start)
    while True:
        own = os.path.join(folder, "dynconf.toml")
        if _is_file(own):
            return open_document(own)
        shared = os.path.join(folder, "pyproject.toml")
        if _is_file(shared):
            document = _table_of_ours(open_document(shared))
            if document is not None:
                return document
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above


def _table_of_ours(project: Document) -> Document | None:
    """Return the ``[tool.dynconf]`` table of a ``pyproject.toml``, if it has one."""
    tool = project.data.get("tool")
    if not isinstance(tool, dict) or "dynconf" not in tool:
        return None
    return replace(project, table="tool.dynconf", data=table_of_flags(tool["dynconf"], project.name))


def _is_file(path: str) -> bool:
    try:
        return stat.S_ISREG(os.stat(path).st_mode)
    except OSError:  # a parent folder that may not be searched has no settings for us
        return False
