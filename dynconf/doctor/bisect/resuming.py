"""The file of a search, from which an interrupted one goes on."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, get_args

from dynconf.doctor.bisect.search import Verdict
from dynconf.doctor.bisect.space import Space
from dynconf.doctor.bisect.trials import Trial
from dynconf.errors import StateFileError
from dynconf.writing import write

_FORMAT = 1


def subject_of(space: Space, command: Iterable[str], failure: str, repeat: int) -> dict[str, Any]:
    """Return all that decides about the verdicts of a search, as JSON data."""
    return {
        "bisect": _FORMAT,
        "torch": space.good.release.version,
        "command": list(command),
        "failure": failure,
        "repeat": repeat,
        "differences": {
            name: [each.setting.type.show_data(side.value) for side in (each.good, each.bad)]
            for name, each in space.differences.items()
        },
    }


def write_trials(path: Path, subject: Mapping[str, Any], trials: Iterable[Trial]) -> None:
    """Write the trials of a search so far."""
    write(path, json.dumps({**subject, "trials": [each.as_json() for each in trials]}, indent=1) + "\n")


def read_trials(path: Path, subject: Mapping[str, Any]) -> list[Trial]:
    """Return the trials that a file has; none if there is no file yet.

    Raises:
        StateFileError: It cannot be read, or is the file of another search.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return []
    except (OSError, ValueError, RecursionError) as problem:
        raise StateFileError(f"{path} cannot be read: {problem}") from None
    if not isinstance(data, dict) or "bisect" not in data:
        raise StateFileError(
            f"{path} is not the file of a search: --resume names a new file, or one of its own"
        )
    other = [key for key, value in json.loads(json.dumps(subject)).items() if data.get(key) != value]
    if other:
        raise StateFileError(f"{path} is the file of another search: it has another {' and '.join(other)}")
    try:
        return [_trial(each, subject["differences"]) for each in data["trials"]]
    except (AttributeError, KeyError, TypeError, ValueError):
        raise StateFileError(f"{path} is damaged: a trial in it is none") from None


def _trial(data: dict[str, Any], names: Iterable[str]) -> Trial:
    verdict: Verdict = data["verdict"]
    flags, note = tuple(data["flags"]), data["note"]
    if verdict not in get_args(Verdict) or not {*flags} <= {*names} or not isinstance(note, str):
        raise ValueError
    return Trial(flags, verdict, tuple(map(float, data["numbers"])), note, data["agreed"] is True)
