"""Tests of `dynconf.run`: the environment of children; ``tests/cli/test_run.py`` has those of programs."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import dynconf
from dynconf.errors import DynconfError, EnvironmentWarning, InvalidValueError
from dynconf.names import module_views
from dynconf.release import Release
from dynconf.run import Program, child_environment
from dynconf.sources.gather import gather

AT = Release.named("2.13")


@pytest.mark.real_torch
def test_a_child_finds_what_is_in_force() -> None:
    """Patches, installations and assignments, of every module that is loaded."""
    with dynconf.patch(recompile_limit=64, functorch={"cse": False}):
        environ = dynconf.child_env({"HOME": "/home"})
    assert environ["HOME"] == "/home"
    assert json.loads(environ["DYNCONF_CONFIG"]) == {
        "recompile_limit": 64,
        "functorch": {"cse": False},
    }


def test_what_cannot_be_written_is_named() -> None:
    """The rest is handed on."""
    with (
        dynconf.patch(recompile_limit=64, reorderable_logging_functions={lambda: None}),
        pytest.warns(EnvironmentWarning, match="reorderable_logging_functions is not handed on"),
    ):
        environ = dynconf.child_env({})
    assert json.loads(environ["DYNCONF_CONFIG"]) == {"recompile_limit": 64}


def test_what_no_variable_can_hold_is_named(tmp_path: Path) -> None:
    """Linux would start no process with it at all."""
    names = [f"module:name{number}" for number in range(20_000)]
    (tmp_path / "big.json").write_text(json.dumps({"reorderable_logging_functions": names, "verbose": True}))
    reading = gather(AT, environ={}, config=tmp_path / "big.json", trust=True)
    environ, lost = child_environment(reading.state.bare_values(), AT, {})
    assert json.loads(environ["DYNCONF_CONFIG"]) == {"verbose": True}
    assert [setting.name for setting in lost] == ["reorderable_logging_functions"]
    subprocess.run([sys.executable, "-c", "pass"], env={**os.environ, **environ}, check=True)


def test_nothing_set_leaves_the_environment_alone() -> None:
    """It is a copy all the same."""
    environ = {"HOME": "/home"}
    assert dynconf.child_env(environ) == environ
    assert dynconf.child_env(environ) is not environ


def test_without_torch_it_is_what_would_be_installed() -> None:
    """Mistakes are errors, and torch is not imported."""
    program = (
        "import sys, dynconf\n"
        "environ = dynconf.child_env({'TORCHDYNAMO_REPRO_LEVEL': '4'})\n"
        "print(environ['DYNCONF_CONFIG'], 'torch' in sys.modules)\n"
        "try:\n    dynconf.child_env({'TORCHDYNAMO_REPRO_LEVEL': 'x'})\n"
        "except dynconf.InvalidValueError:\n    print('refused')\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stdout == '{"repro_level": 4} False\nrefused\n', done.stderr


VARIABLES = [name for view in module_views(AT) for name in (*view.followers, *view.uniform_variables)]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
@given(
    st.dictionaries(st.sampled_from(VARIABLES), st.sampled_from(["0", "1", "2", "3", ""]), max_size=4),
    st.dictionaries(st.sampled_from(VARIABLES), st.sampled_from(["0", "1", "2", "3"]), max_size=3),
)
def test_the_child_reads_what_it_was_handed(ours: dict[str, str], others: dict[str, str]) -> None:
    """Whatever else its environment says, unless torch ranks that above everything."""
    try:
        wanted = gather(AT, environ=ours)
        environ, lost = child_environment(wanted.state.bare_values(), AT, others)
        found = gather(AT, environ=environ)
    except DynconfError:
        return
    for setting, value in wanted.state.bare_values().items():
        if setting not in lost and found.state.origin(setting).kind != "forced":
            assert found.state.value(setting) == value, setting


@pytest.mark.parametrize("words", [[], ["-m"], ["-c"], ["--what"], ["no_such_file.py"], ["-x", "a.py"]])
def test_what_names_no_program_is_refused(words: list[str]) -> None:
    """Before anything is changed."""
    with pytest.raises(InvalidValueError):
        Program.named(words)
