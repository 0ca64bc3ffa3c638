"""One log record when the first settings of a process are put in force, for those who ask for it.

``DYNCONF_LOG=info`` asks for it, and so does a program that lets its ``dynconf`` logger through at that
level. Whoever reads the logs of a cluster then finds the settings of every rank, each with its origin.
"""

import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from dynconf.catalogue.names import in_order
from dynconf.errors import EnvironmentWarning, InvalidValueError
from dynconf.live import installing
from dynconf.provenance import Caller, launched_rank
from dynconf.state import State

LOG_VARIABLE = "DYNCONF_LOG"
"""The variable with the level of the log, such as ``info``."""

_logged: set[str] = set()


def log_start(state: State, line: Caller) -> None:
    """Log the settings that are about to be put in force, if a log is wanted and has no such record yet."""
    level = os.environ.get(LOG_VARIABLE, "").strip().lower()
    if _logged or not (level or "logging" in sys.modules):
        return
    import logging

    logger = logging.getLogger("dynconf")
    if level:
        try:
            logger.setLevel(level.upper())
        except ValueError:
            _logged.add(level)
            expected = "debug, info, warning, error or critical"
            line.warn(EnvironmentWarning(f"{LOG_VARIABLE}={level}: no such level: expected {expected}"))
            return
        if not logger.hasHandlers():
            handler = logging.StreamHandler()
            handler.setFormatter(logging.Formatter("%(name)s: %(levelname)s: %(message)s"))
            logger.addHandler(handler)
    if logger.isEnabledFor(logging.INFO):
        if {origin.kind for _, origin in state.values()} == {"hold"}:
            return  # settings are to follow
        _logged.add("info")
        facts = facts_of(state)
        settings = in_order(state)
        listed = (f"{each.newest}={each.text(state.value(each))} ({state.origin(each)})" for each in settings)
        text = ", ".join(listed) or "nothing"
        logger.info("%s, set: %s", in_words(facts), text, extra={"settings": facts})


def facts_of(state: State) -> dict[str, Any]:
    """Return a state as data, with the process that it is of."""
    # Not above: hashlib would be a third of the time that `dynconf run` takes.
    from dynconf.store.fingerprint import hash_of

    fingerprint = None  # a value in it, such as a lambda, allows none
    with suppress(InvalidValueError):
        fingerprint = hash_of(state)
    flags = {
        each.newest: {"value": each.type.show_data(value), "origin": origin.as_json()}
        for each, (value, origin) in state.items()
    }
    return {
        "rank": launched_rank(),
        "pid": os.getpid(),
        "torch": state.release.version,
        "fingerprint": fingerprint,
        "flags": flags,
    }


def in_words(facts: Mapping[str, Any]) -> str:
    """Say of which process such facts are."""
    rank = f"rank {facts['rank']}, " if facts["rank"] else ""
    return f"{rank}pid {facts['pid']}, torch {facts['torch']}, fingerprint {facts['fingerprint']}"


installing.append(log_start)
