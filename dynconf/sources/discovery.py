"""The settings file that counts: one that is named, else the nearest of the two that a search is for."""
# The search is part of every installation, and pathlib would be most of its cost.

import os
import shlex
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from dynconf.catalogue.flags.types import WORDS
from dynconf.errors import EnvironmentWarning, InvalidValueError, StateFileError
from dynconf.provenance import Origin
from dynconf.sources.candidate import Skipped, own_table, settings_in
from dynconf.sources.files import Document, open_document, parse
from dynconf.sources.ownership import is_the_users

NAMES = ("dynconf.toml", "pyproject.toml")

_OTHER_NAMES = ("dynconf.json", "dynconf.yaml", "dynconf.yml", ".dynconf.toml")
"""Names that look like settings files, but are never searched for."""

CONFIG_VARIABLE = "DYNCONF_CONFIG"
TRUST_VARIABLE = "DYNCONF_TRUST"
AUDIT_VARIABLE = "DYNCONF_AUDIT_FILE"
REPORT_VARIABLE = "DYNCONF_REPORT"

OWN_VARIABLES = {
    CONFIG_VARIABLE: "Names the settings file, in place of the search for one, or holds settings as JSON.",
    TRUST_VARIABLE: "With 1, files that are named may set every flag, as with --trust.",
    "DYNCONF_LOG": "With info, logs one record when the first settings are put in force.",
    "DYNCONF_SHOW": "Has processes print their flags; set by `dynconf run --show`.",
    AUDIT_VARIABLE: "Where processes write their audits; set by `dynconf run --audit-file`.",
    REPORT_VARIABLE: "Where the ranks of a job write their reports; set by `dynconf run --report`.",
}
"""dynconf's own variables."""

INHERITED = "inherited"
"""The entry by which JSON in DYNCONF_CONFIG says that a process handed it on to those that it started.

Its ``origins`` are those of the values, and its ``file`` is the one that the process found, whether it
counted or not; None if the user had named another one, so that nobody is to search. Such JSON ranks above the
file that a process finds for itself, instead of replacing it.
"""


@dataclass(frozen=True, slots=True)
class Found:
    """The result of a search.

    Attributes:
        document: The settings that count, if there are any.
        skipped: The files that it skipped, nearest first.
        inherited: The settings that the process inherits, which rank above those.
    """

    document: Document | None = None
    skipped: tuple[Skipped, ...] = ()
    inherited: Document | None = None

    @property
    def warnings(self) -> tuple[EnvironmentWarning, ...]:
        """The warnings about skipped files that may hold settings."""
        return tuple(each.warning for each in self.skipped if each.may_matter)


def find_settings(
    environ: Mapping[str, str], config: str | Path | Document | None = None, *, trust: bool = False
) -> Found:
    """Find the settings that count: *config*, else those of ``DYNCONF_CONFIG``, else the nearest file.

    Settings that the process inherits come in addition.

    JSON in the variable is trusted, as torch's own variables are; a file that is named only with *trust*, and
    one that is found because nobody else can have changed it.

    Raises:
        DynconfError: The file cannot be read.
    """
    named = environ.get(CONFIG_VARIABLE, "").strip()
    own = inherited = None
    if named.startswith("{") and (config is None or INHERITED in named):
        own, inherited = _in_variable(named)
    if config is not None:
        found = Found(named_document(config, environ, trust=trust))
    elif own is not None and inherited is None:
        found = Found(own)
    elif named and own is None:
        found = Found(_document_in_variable(named, environ, trust=trust))
    else:
        found = Found() if _is_alone(inherited) else find_upwards()
    if own is None or inherited is None:
        return found
    file = inherited.get("file") if isinstance(inherited, dict) else None
    if config is None and found.document is not None and found.document.name == file:
        # It was there for the process that handed its settings on: they have it already, or overrule it.
        found = replace(found, document=None)
    return replace(found, inherited=own)


def searches(environ: Mapping[str, str]) -> bool:
    """Tell whether a process looks for a settings file: not if the variable has others, or a parent had."""
    named = environ.get(CONFIG_VARIABLE, "").strip()
    if not named.startswith("{"):
        return not named
    _, inherited = _in_variable(named)
    return inherited is not None and not _is_alone(inherited)


def _is_alone(inherited: object) -> bool:
    """Tell whether no file is searched for beside what a process inherits."""
    return isinstance(inherited, dict) and inherited.get("file", "") is None


def inherited_document(text: str) -> Document:
    """Return the settings that a process handed on, in the form that ``DYNCONF_CONFIG`` has then."""
    return _in_variable(text)[0]


def _in_variable(text: str) -> tuple[Document, Any]:
    """Return the settings in the variable itself, and what it says of them if a process handed them on."""
    document = parse(text, CONFIG_VARIABLE, "json")
    inherited = document.data.pop(INHERITED, None)
    pairs = inherited.get("origins") if isinstance(inherited, dict) else None
    found = pairs.items() if isinstance(pairs, dict) else ()
    origins = {name: origin for name, data in found if (origin := Origin.from_json(data))}
    return replace(document, trusted=True, origins=origins), inherited


def named_document(
    path: str | Path | Document, environ: Mapping[str, str], *, trust: bool = False
) -> Document:
    """Return the settings in a file that is named; those of a pyproject.toml are in our table.

    It may have come from anybody, so it is trusted only if that, or ``DYNCONF_TRUST``, is asked for, or if
    the search from here finds it as well.

    Raises:
        StateFileError: The file cannot be read.
        InvalidValueError: The variable is neither true nor false.
    """
    document: Document | Skipped = path if isinstance(path, Document) else open_document(path)
    if isinstance(document, Document) and os.path.basename(document.name) == "pyproject.toml":
        document = own_table(document)
    if isinstance(document, Skipped):
        command = f"dynconf init --pyproject -o {shlex.quote(document.path)}"
        raise StateFileError(f"{path} has no table [tool.dynconf]: `{command}` adds one")
    return replace(document, trusted=trust or trusts_named_files(environ) or _is_found(document))


def _is_found(named: Document) -> bool:
    """Tell whether the search from here finds that file, which nobody but the user can have changed then."""
    if os.path.basename(named.name) in NAMES:
        with suppress(StateFileError, OSError):
            found = find_upwards().document
            return found is not None and found.data == named.data and os.path.samefile(found.name, named.name)
    return False


def _document_in_variable(name: str, environ: Mapping[str, str], *, trust: bool) -> Document:
    """Return the settings in the file that the variable names, which is read when a program starts."""
    try:
        return named_document(name, environ, trust=trust)
    except StateFileError as error:
        # Only what a parser says has a place.
        if error.place is None or Path(name).suffix in ("", ".json", ".toml"):
            raise
        advice = "scripts, reports and the like are read by --config, dynconf.load and `dynconf dump --from`"
        raise StateFileError(f"{error}; {advice}", place=error.place) from None


def trusts_named_files(environ: Mapping[str, str]) -> bool:
    """Tell whether ``DYNCONF_TRUST`` has files that are named trusted."""
    text = environ.get(TRUST_VARIABLE, "").strip()
    if text and text.lower() not in WORDS:
        raise InvalidValueError(f"{TRUST_VARIABLE}={text!r} is neither true nor false: expected 1 or 0")
    return bool(text) and WORDS[text.lower()]


def find_upwards(start: str | Path = "", *, check: bool = False) -> Found:
    """Find the settings closest to *start*, or to the working directory: there or in a parent folder.

    In a folder ``dynconf.toml`` comes first.

    With *check*, find the closest options of `dynconf check` instead: they may be in another file.

    The search ends at the root of a repository, at the home folder, and where another file system begins. A
    repository of somebody else does not end it.

    Raises:
        StateFileError: A file that counts cannot be read.
    """
    try:
        start = os.path.abspath(start)
    except OSError:
        # Programs run all the same in a folder that has been removed.
        return Found(None, (Skipped("the working directory", "it no longer exists"),))
    skipped: list[Skipped] = []
    for folder in _searched(start):
        ours, project = (settings_in(os.path.join(folder, name), check=check) for name in NAMES)
        if isinstance(ours, Document):
            if isinstance(project, Document):
                reason = "the dynconf.toml beside it counts instead of its table [tool.dynconf]"
                skipped.append(Skipped(project.name, reason))
            return Found(ours, tuple(skipped))
        skipped += [each for each in (ours, project) if isinstance(each, Skipped)]
        if isinstance(project, Document):
            return Found(project, tuple(skipped))
    return Found(None, tuple(skipped))


def _searched(folder: str) -> Iterator[str]:
    """Yield the folders of a search, the nearest first."""
    home = _status(os.path.expanduser("~"))
    device = None
    while (status := _status(folder)) and status.st_dev == (device or status.st_dev):
        device = status.st_dev
        yield folder
        parent = os.path.dirname(folder)
        is_home = home is not None and os.path.samestat(home, status)
        repository = _status(os.path.join(folder, ".git"), follow_links=False)
        # That of somebody else does not end the search: whoever can put one there could otherwise end it.
        if parent == folder or is_home or (repository and is_the_users(repository)):
            return
        folder = parent


def hidden_settings(
    environ: Mapping[str, str], config: str | Path | Document | None = None
) -> Iterator[Skipped]:
    """Yield the settings files that one that is named, or a nearer one, hides: they are not merged.

    If nothing is found, yield those with another name than the search expects. That may be intended, so only
    `dynconf dump` and `check` mention them, and no program is warned.
    """
    nearest = None
    with suppress(StateFileError):
        nearest = find_upwards().document
    named = (
        config.name if isinstance(config, Document) else config or environ.get(CONFIG_VARIABLE, "").strip()
    )
    above: Iterable[str] = ()
    if nearest and not named:
        above = list(_searched(os.path.dirname(nearest.name)))[1:]
    elif nearest and os.path.exists(named) and not os.path.samefile(named, nearest.name):
        yield Skipped(nearest.name, f"{named} is named, and the two are not merged")
    elif not named:
        with suppress(OSError):  # the working directory may be gone
            others = [os.path.join(each, name) for each in _searched(os.getcwd()) for name in _OTHER_NAMES]
            reason = f"the search is for {' and '.join(NAMES)}"
            yield from (Skipped(path, reason) for path in others if os.path.isfile(path))
    for path in (os.path.join(folder, name) for folder in above for name in NAMES):
        with suppress(StateFileError):  # of a file that does not count, mistakes do not matter
            if nearest and isinstance(settings_in(path), Document):
                yield Skipped(path, f"{nearest.name} is nearer, and the two are not merged")


def _status(path: str, *, follow_links: bool = True) -> os.stat_result | None:
    try:
        return os.stat(path, follow_symlinks=follow_links)
    except OSError:  # a parent folder that may not be searched has no settings for us
        return None
