"""The file of a search, from which an interrupted one goes on."""

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, get_args

from dynconf.errors import StateFileError
from dynconf.sources.files import read_bytes
from dynconf.sources.gather import gather
from dynconf.state import State
from dynconf.store.writing import write
from dynconf.tools.bisect.command import Command
from dynconf.tools.bisect.space import Space
from dynconf.tools.bisect.trials import Trial, Verdict
from dynconf.tools.pasted.pasted import json_object
from dynconf.tools.run.children import environment_to_follow
from dynconf.tools.run.program import working_directory

_FORMAT = 1

_LARGEST = 2**26
"""How many bytes the file may have."""


def subject_of(space: Space, command: Command, repeat: int) -> dict[str, Any]:
    """Return all that dynconf knows of what decides about the verdicts of a search, as JSON data."""
    return {
        "bisect": _FORMAT,
        "torch": space.good.release.version,
        "folder": working_directory(),
        "command": list(command.words),
        "failure": asdict(command.failure),
        "timeout": command.timeout,
        "caches": "shared" if command.share_caches else "own",
        "repeat": repeat,
        "differences": list(space.differences),
        "good state": _as_followed(space.state(())),
        "bad state": _as_followed(space.state(space.differences)),
    }


def _as_followed(state: State) -> dict[str, Any]:
    """Return all that a trial in that state has: flags that it leaves alone are set by variables, too."""
    environ, _ = environment_to_follow(state, os.environ)
    followed = gather(state.release, environ=environ, check=False)
    return {
        "flags": {each.newest: each.type.show_data(value) for each, (value, _) in followed.state.items()},
        "hold": sorted(each.newest for each in followed.holds),
    }


def write_trials(path: Path, subject: Mapping[str, Any], trials: Iterable[Trial]) -> None:
    """Write the trials of a search so far."""
    write(path, json.dumps({**subject, "trials": [asdict(each) for each in trials]}, indent=1) + "\n")


def resumed(path: Path, subject: Mapping[str, Any]) -> list[Trial]:
    """Return the trials that a file has, and write them: an error of that is one before the first trial.

    The file of another search is a `StateFileError`, too.
    """
    if not os.path.exists(path):
        write_trials(path, subject, ())
    data = json_object(read_bytes(str(path), most=_LARGEST)) or {}
    if "bisect" not in data:
        raise StateFileError(
            f"{path} is not the file of a search: --resume takes a new file, or one that it wrote"
        )
    other = [key for key, value in json.loads(json.dumps(subject)).items() if data.get(key) != value]
    if other:
        raise StateFileError(f"{path} is the file of another search: it has another {' and '.join(other)}")
    try:
        known = [_trial(each, subject["differences"]) for each in data["trials"]]
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError):
        raise StateFileError(f"{path} is damaged: a trial in it is not valid") from None
    write_trials(path, subject, known)
    return known


def _trial(data: dict[str, Any], names: Iterable[str]) -> Trial:
    verdict: Verdict = data["verdict"]
    flags, note = tuple(data["flags"]), data["note"]
    if verdict not in get_args(Verdict) or not {*flags} <= {*names} or not isinstance(note, str):
        raise ValueError
    return Trial(flags, verdict, tuple(map(float, data["numbers"])), note, data["agreed"] is True)
