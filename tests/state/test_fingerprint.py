"""Tests of `dynconf.state.fingerprint`."""

import logging
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import values

from dynconf.catalogue.names import canonical, settings_of
from dynconf.errors import InvalidValueError
from dynconf.provenance import Origin
from dynconf.sources.layer import Layer
from dynconf.state.fingerprint import fingerprint_of
from dynconf.state.ignore import NOTHING
from dynconf.state.snapshot import Snapshot, effective
from dynconf.state.store import read_state, saved_document, text_of, write
from dynconf.values import same
from dynconf.versions import RELEASES, asked

AT = asked("2.13")
SETTINGS = [flag for flag in settings_of(AT.minor) if flag.public]
RELEVANT = [flag for flag in SETTINGS if not flag.compile_ignored_in(AT.minor) and not flag.host]
ROOT = Path(__file__).parents[2]


def state_of(at: Any = AT, **flags: object) -> Snapshot:
    """Return a state in which these flags are set."""
    return effective(at, Layer(dict(flags), dict.fromkeys(flags, Origin("assignment"))))


@given(data=st.data())
def test_different_relevant_states_differ(data: st.DataObject) -> None:
    """Two values of a flag that matters to compiled code have two fingerprints, equal values one."""
    flag = data.draw(st.sampled_from(RELEVANT))
    first, second = data.draw(values(flag.type)), data.draw(values(flag.type))
    prints = [fingerprint_of(state_of(**{canonical(flag.name): value})) for value in (first, second)]
    assert (prints[0] == prints[1]) is same(_settled(first), _settled(second))


def _settled(value: object) -> object:
    return float(value) if isinstance(value, float) else value


@given(data=st.data())
def test_irrelevant_flags_do_not_count(data: st.DataObject) -> None:
    """Flags that need no recompilation, and flags tied to the machine, leave the fingerprint as it is."""
    flag = data.draw(st.sampled_from([flag for flag in SETTINGS if flag not in RELEVANT]))
    value = data.draw(values(flag.type))
    assert fingerprint_of(state_of(**{canonical(flag.name): value})) == fingerprint_of(state_of())


@given(data=st.data())
def test_a_saved_state_has_the_fingerprint_of_its_origin(data: st.DataObject) -> None:
    """A file of what was set is the same state, so it has the same fingerprint."""
    flag = data.draw(st.sampled_from(RELEVANT))
    state = state_of(**{canonical(flag.name): data.draw(values(flag.type))})
    write("state.json", text_of(saved_document(state, NOTHING)))
    assert fingerprint_of(read_state("state.json", AT)[0]) == fingerprint_of(state)


def test_the_order_of_setting_does_not_count() -> None:
    """The same values, set in another order, are the same state."""
    first = state_of(specialize_int=True, recompile_limit=3)
    second = state_of(recompile_limit=3, specialize_int=True)
    assert fingerprint_of(first) == fingerprint_of(second)


def test_setting_a_default_changes_nothing() -> None:
    """A flag set to its default compiles like one that nobody set."""
    assert fingerprint_of(state_of(recompile_limit=8)) == fingerprint_of(state_of())


def test_the_release_counts() -> None:
    """Two releases never share compiled code, so each has a fingerprint of its own."""
    assert len({fingerprint_of(state_of(asked(release))) for release in RELEASES}) == len(RELEASES)
    patch = replace(state_of(), torch="2.13.1")
    assert fingerprint_of(patch) != fingerprint_of(state_of())


def test_defaults_worked_out_from_the_machine_do_not_count() -> None:
    """A default that torch computes, such as the threshold of the garbage collector, is equal everywhere."""
    at = asked("2.15")
    assert "gc_gen2_threshold_during_compile" in state_of(at).values
    assert fingerprint_of(state_of(at)) == fingerprint_of(Snapshot(at.version, {}, {}))


def test_in_place_changes_count() -> None:
    """A set that was added to in place is another state."""
    state = state_of(ignore_logging_functions=set())
    before = fingerprint_of(state)
    state.values["ignore_logging_functions"].add(print)
    assert fingerprint_of(state) != before


def test_text_that_torch_left_counts_by_its_truth() -> None:
    """TORCH_COMPILE_DISABLE=1 leaves '1' in torch 2.7, which is True to it."""
    at = asked("2.7")
    assert fingerprint_of(state_of(at, disable="1")) == fingerprint_of(state_of(at, disable=True))


def test_what_another_process_could_not_repeat_is_refused() -> None:
    """A lambda has no name that means the same elsewhere; the error names the flag."""
    with pytest.raises(InvalidValueError, match=r"ignore_logging_functions.*lambda"):
        fingerprint_of(state_of(ignore_logging_functions={lambda: 1}))
    with pytest.raises(InvalidValueError, match="_custom_ops_profile"):
        fingerprint_of(state_of(_custom_ops_profile=object()))


def test_flags_newer_than_the_catalogue_count_when_set() -> None:
    """A flag that only the live torch knows is part of the state once somebody set it."""
    there = Snapshot("2.99.0", {"flag_of_tomorrow": 1}, {"flag_of_tomorrow": Origin("assignment")})
    other = Snapshot("2.99.0", {"flag_of_tomorrow": 2}, {"flag_of_tomorrow": Origin("assignment")})
    rest = Snapshot("2.99.0", {"flag_of_tomorrow": 1}, {"flag_of_tomorrow": Origin("default")})
    assert len({fingerprint_of(each) for each in (there, other, rest)}) == 3
    assert fingerprint_of(rest) == fingerprint_of(Snapshot("2.99.0", {}, {}))


PROGRAM = """
import logging
from dynconf.provenance import Origin
from dynconf.state.fingerprint import fingerprint_of
from dynconf.state.snapshot import Snapshot
functions = {print, logging.info, logging.debug, logging.error, logging.warning}
print(fingerprint_of(Snapshot("2.13.0", {"ignore_logging_functions": functions},
                              {"ignore_logging_functions": Origin("assignment")})))
"""


def test_equal_in_every_process() -> None:
    """The seed of hashes, which orders sets, does not reach the fingerprint."""
    found = {
        subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
            text=True,
        ).stdout.strip()
        for seed in ("1", "2", "3")
    }
    functions = {print, logging.info, logging.debug, logging.error, logging.warning}
    assert found == {fingerprint_of(state_of(ignore_logging_functions=functions))}


def test_every_flag_of_every_release_has_a_place() -> None:
    """The defaults of each release have a fingerprint: nothing in them is without a stable form."""
    for release in RELEASES:
        assert len(fingerprint_of(state_of(asked(release)))) == 64
