"""The log record with the first settings of a process."""

import json
import logging
from collections.abc import Iterator

import pytest
from warm import Warm

import dynconf
from dynconf.errors import EnvironmentWarning
from dynconf.tools.report import start_log

JSON_LOG = """
import json, logging
class Json(logging.Handler):
    def emit(self, record):
        print(json.dumps(record.settings))
logging.getLogger("dynconf").addHandler(Json())
logging.getLogger("dynconf").setLevel("INFO")
import dynconf
dynconf.install(recompile_limit=64)
dynconf.install(recompile_limit=65)
print(dynconf.fingerprint({"recompile_limit": 64}))
"""


@pytest.fixture(autouse=True)
def _nothing_is_logged_yet(monkeypatch):
    monkeypatch.setattr(start_log, "_logged", set())
    logger = logging.getLogger("dynconf")
    before = logger.level, logger.handlers[:]
    yield
    logger.setLevel(before[0])
    logger.handlers[:] = before[1]


@pytest.fixture
def records() -> Iterator[list[logging.LogRecord]]:
    """Return the records that reach the root logger's handlers."""
    found: list[logging.LogRecord] = []
    handler = logging.Handler()
    handler.emit = found.append  # type: ignore[method-assign]
    logging.getLogger().addHandler(handler)
    yield found
    logging.getLogger().removeHandler(handler)


def test_a_program_that_configures_the_logger_gets_one_record(warm: Warm):
    """With rank, fingerprint and settings, in words and as data."""
    done = warm.run("-c", JSON_LOG, RANK="3")
    record, fingerprint = done.stdout.splitlines()
    facts = json.loads(record)
    limit = facts["flags"].pop("recompile_limit")
    del facts["pid"]
    assert facts == {"rank": "3", "torch": dynconf.snapshot().torch, "fingerprint": fingerprint, "flags": {}}
    assert (limit["value"], limit["origin"]["kind"]) == (64, "keyword")


def test_a_variable_asks_for_it_under_run(warm: Warm):
    """Before the program starts, on stderr, whether it imports torch or not."""
    words = ("-m", "dynconf", "run", "--set", "recompile_limit=64", "-c", "print('program')")
    done = warm.run(*words, DYNCONF_LOG="info", RANK="1")
    assert done.stderr.startswith("dynconf: INFO: rank 1, pid ")
    assert done.stderr.endswith("set: recompile_limit=64 (option --set recompile_limit=64)\n")
    assert warm.run(*words, DYNCONF_LOG="error").stderr == ""
    assert warm.run(*words).stderr == ""


def test_nobody_who_has_not_asked_hears_of_it(records):
    """The level of the root logger, which is WARNING, keeps it away."""
    with dynconf.install(recompile_limit=64):
        assert records == []


def test_a_level_that_does_not_exist_is_a_warning(monkeypatch):
    """It names those that do."""
    monkeypatch.setenv("DYNCONF_LOG", "loud")
    with pytest.warns(EnvironmentWarning, match="DYNCONF_LOG=loud: .* expected debug, info"):
        dynconf.install(recompile_limit=64)


def test_a_value_without_a_fingerprint_is_logged_all_the_same(records):
    """A lambda has none that another process could reproduce."""
    logging.getLogger("dynconf").setLevel(logging.INFO)
    with dynconf.install(inductor={"joint_custom_pre_pass": lambda graph: None}):
        (record,) = records
    logging.getLogger("dynconf").setLevel(logging.NOTSET)
    assert "fingerprint None" in record.getMessage()
