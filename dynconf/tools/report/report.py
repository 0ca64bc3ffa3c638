"""The report for an issue: "send me your configuration", answered in one piece.

It has everything in which two installations differ that behave differently: versions and platform, the
settings with their origins and those that they overrule, torch's variables, and the numerics switches
that are not flags. Its Markdown ends with the state as JSON, so that the maintainer who gets it can load it::

    dynconf report -o report.md           the user
    dynconf diff report.md --live         the maintainer

Variables that the catalogue does not know are never read: some hold secrets. Folders of the user are
shortened, and passwords in URLs left out, because reports are published.
"""

import getpass
import os
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dynconf.catalogue._generated.index import FOREIGN, VARIABLES
from dynconf.catalogue.catalogue import Setting
from dynconf.catalogue.names import find
from dynconf.errors import InvalidValueError
from dynconf.live.binding import unknown_storage
from dynconf.release import Release, installed_version
from dynconf.store.saving import document, stored, write_document
from dynconf.store.snapshot import live_state
from dynconf.store.writing import write
from dynconf.text import escaped, html_table, json_text, printable
from dynconf.tools.lint.environment import changed_findings
from dynconf.tools.report.machine import numerics, platform_facts
from dynconf.tools.report.outcome import Outcome, outcome
from dynconf.tools.report.start_log import facts_of
from dynconf.version import __version__

_CREDENTIALS = re.compile(r"(?<=://)[^\s/]*@")
"""The user and the password in a URL, such as that of a remote cache."""

_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")

_LATE = " (no effect: it was set after torch had read it)"

_KNOWN = frozenset(FOREIGN).union(*VARIABLES.values())


@dataclass(frozen=True, slots=True)
class ConfigReport:
    """The configuration of a process, for people to send around.

    Attributes:
        outcome: The settings, and those that they overrule.
        environment: Versions and platform, by the names of ``torch.utils.collect_env``.
        variables: torch's variables that are set; others are never read.
        late: Those among them that were set after torch had read them, and do nothing.
        numerics: The switches that change numbers but are not flags; empty if torch is not loaded.
        fingerprint: That of the settings; None if a value, such as a lambda, allows none.
        folders: The user's folders, with the text that stands for each.
    """

    outcome: Outcome
    environment: Mapping[str, str]
    variables: Mapping[str, str]
    numerics: Mapping[str, Any]
    fingerprint: str | None
    late: frozenset[str] = frozenset()
    folders: tuple[tuple[str, str], ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return it as a saved state, which `load` and `diff` read, with the rest under ``report``."""
        state, unwritten = self.outcome.state, self._unwritten()
        overruled = {
            setting.newest: [
                {"value": setting.text(each.value), "origin": str(each.origin)} for each in losers
            ]
            for setting, losers in self.outcome.overruled.items()
        }
        rest = {
            "dynconf": __version__,
            "environment": dict(self.environment),
            "fingerprint": self.fingerprint,
            "overruled": overruled,
            "unwritten": {each.newest: text for each, text in unwritten.items()},
            "variables": dict(self.variables),
            "late": sorted(self.late),
            "numerics": dict(self.numerics),
        }
        whole = document(state.without(unwritten)) | {"report": rest}
        return {key: self._shortened(each) for key, each in whole.items()}

    def _unwritten(self) -> dict[Setting, str]:
        """Return the values that no file can hold, such as a lambda, as texts that are alike in two runs."""
        found = {}
        for each, (value, _) in self.outcome.state.items():
            try:
                stored(each, value)
            except InvalidValueError:
                found[each] = _ADDRESS.sub("", each.text(value))
        return found

    def __str__(self) -> str:
        """Return it as Markdown."""
        parts = []
        for title, headers, rows in self._tables():
            lines = [headers, ["---"] * len(headers), *(map(_cell, row) for row in rows)]
            table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
            parts.append(f"### {title}\n\n{table if rows else 'none'}\n")
        text = escaped(json_text(self.as_json(), indent=2, ensure_ascii=False), "json")
        state = f"<details><summary>As a file</summary>\n\n```json\n{text}\n```\n\n</details>\n"
        return "\n".join([*parts, state])

    def _repr_html_(self) -> str:
        return "".join(html_table(title, rows, headers=headers) for title, headers, rows in self._tables())

    def _tables(self) -> Iterator[tuple[str, list[str], list[tuple[str, ...]]]]:
        """Yield the title, the headers and the rows of each table."""
        state, fingerprint = self.outcome.state, self.fingerprint
        if fingerprint is None:
            lambdas = ", ".join(each.newest for each in self._unwritten())
            fingerprint = f"none: {lambdas} cannot be compared with another process"
        facts = [*self.environment.items(), ("fingerprint", fingerprint)]
        settings = [(each.newest, each.text(value), str(origin)) for each, (value, origin) in state.items()]
        losers = [
            (setting.newest, setting.text(each.value), str(each.origin), str(state.origin(setting)))
            for setting, found in self.outcome.overruled.items()
            for each in found
        ]
        variables = [
            (name, f"{text}{_LATE if name in self.late else ''}") for name, text in self.variables.items()
        ]
        switches = [(name, str(each)) for name, each in self.numerics.items()]
        tables: list[tuple[str, list[str], Sequence[tuple[str, ...]]]] = [
            ("Environment", ["", ""], facts),
            ("Settings", ["flag", "value", "origin"], settings),
            ("Overruled", ["flag", "value", "origin", "by"], losers),
            ("Variables", ["variable", "value"], variables),
            ("Numerics", ["switch", "value"], switches or [("all", "not read: torch is not loaded")]),
        ]
        for title, headers, rows in tables:
            yield title, headers, [tuple(map(printable, self._shortened(row))) for row in rows]

    def _shortened(self, data: Any) -> Any:
        """Return data with short names for the user's folders and without passwords, in all texts."""
        match data:
            case str():
                data = _CREDENTIALS.sub("***@", data)
                for folder, short in self.folders:
                    # At the end of a name only: /home/ann is not the beginning of /home/anna.
                    data = re.sub(rf"(?<![\w./-]){re.escape(folder)}(?![\w.-])", short, data)
                return data
            case dict():
                return {key: self._shortened(each) for key, each in data.items()}
            case list() | tuple():
                return type(data)(map(self._shortened, data))
            case _:
                return data

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it to a file: as JSON if the name ends in ``.json``, else as Markdown; ``-`` is stdout.

        Raises:
            StateFileError: It cannot be written.
        """
        if os.fspath(path).endswith(".json"):
            write_document(path, self.as_json())
        else:
            write(path, str(self))


def report(*, full: bool = False) -> ConfigReport:
    """Return a report of the configuration in force in this thread or task, for an issue.

    Printed, it is Markdown. An override that equals torch's default is in it if dynconf saw the program
    assign it: torch's own patches leave such overrides behind.

    Args:
        full: Whether to show the user's home folder and the working directory as they are.

    Example:
        >>> import dynconf
        >>> with dynconf.patch(recompile_limit=64):
        ...     dynconf.report().save("report.json")
        >>> dict(dynconf.load("report.json"))
        {'recompile_limit': 64}
    """
    live_state()  # imports torch
    return report_of(outcome(), full=full)


def report_of(found: Outcome, *, full: bool = False) -> ConfigReport:
    """Return the report of a process in which these settings are in force; torch is not imported."""
    level = unknown_storage()
    variables = {name: os.environ[name] for name in sorted(_KNOWN & os.environ.keys())}
    at = Release.at_hand()
    torch = getattr(sys.modules.get("torch"), "__version__", "") or installed_version() or at.version
    cxx = find("inductor.cpp.cxx", at)
    return ConfigReport(
        outcome=found,
        environment={
            "PyTorch version": str(torch),
            **platform_facts(found.state.value(cxx) if cxx else ()),
            "dynconf version": __version__,
            **({"Config modules are": level} if level else {}),
        },
        late=frozenset(each.variable or "" for each in changed_findings(os.environ)),
        variables={name: text for name, text in variables.items() if not _is_torchs_cache(text)},
        numerics=numerics() if "torch" in sys.modules else {},
        fingerprint=facts_of(found.state)["fingerprint"],
        folders=() if full else _folders(),
    )


def _folders() -> tuple[tuple[str, str], ...]:
    found = []
    with suppress(OSError, RuntimeError):
        found.append((str(Path.cwd()), "."))
    with suppress(OSError, RuntimeError):
        found += [(str(Path.home()), "~"), (str(Path.home().resolve()), "~")]  # it may be a link
    if cache := _torchs_cache():
        found.append((cache, os.path.join(os.path.dirname(cache), "torchinductor_USER")))
    # The longer first, of which the other may be the beginning.
    return tuple(sorted((each for each in found if len(each[0]) > 1), key=lambda each: -len(each[0])))


def _torchs_cache() -> str:
    """Return the folder that torch caches in by default, with the user's name; empty if nobody has one."""
    with suppress(OSError, KeyError):
        return os.path.join(tempfile.gettempdir(), f"torchinductor_{getpass.getuser()}")
    return ""


def _is_torchs_cache(folder: str) -> bool:
    """Tell whether it is that folder, or the one in it for a device: torch puts them into the environment."""
    cache = _torchs_cache()
    return bool(cache) and (folder == cache or os.path.dirname(folder) == os.path.join(cache, "triton"))


def _cell(text: str) -> str:
    """Return the Markdown that shows a text as it is."""
    shown = text.replace("&", "&amp;").replace("<", "&lt;")
    return re.sub(r"([\\`*_|\[\]~])", r"\\\1", shown)
