"""The environment of children: which settings it carries, and with which origins."""

import ast
import json
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from warm import Warm, cold

import dynconf
from dynconf.catalogue.names import module_views
from dynconf.errors import DynconfError, EnvironmentWarning
from dynconf.release import Release
from dynconf.sources.calls import read_options
from dynconf.sources.gather import gather
from dynconf.state import State
from dynconf.tools.run.children import child_environment, environment_to_follow

AT = Release.named("2.13")


@pytest.mark.real_torch
def test_a_child_finds_what_is_in_force() -> None:
    """Of every module that is loaded; what cannot be written is named, and the rest is handed on."""
    in_force = {"recompile_limit": 64, "functorch": {"cse": False}}
    a_lambda = dynconf.patch(reorderable_logging_functions={lambda: None})
    warned = pytest.warns(EnvironmentWarning, match="reorderable_logging_functions is not passed on")
    with dynconf.patch(in_force), a_lambda, warned:
        environ = dynconf.child_env({"HOME": "/home"})
    assert environ["HOME"] == "/home"
    assert json.loads(environ["DYNCONF_CONFIG"]) == in_force


def test_what_no_variable_can_hold_is_named(tmp_path: Path) -> None:
    """Linux would start no process with it at all."""
    names = [f"module:name{number}" for number in range(20_000)]
    (tmp_path / "big.json").write_text(json.dumps({"reorderable_logging_functions": names, "verbose": True}))
    reading = gather(AT, environ={}, config=tmp_path / "big.json", trust=True)
    environ, lost = child_environment(reading.state, {})
    assert json.loads(environ["DYNCONF_CONFIG"]) == {"verbose": True}
    assert [setting.name for setting in lost] == ["reorderable_logging_functions"]
    assert cold("-c", "pass", **environ).returncode == 0


def test_nothing_set_leaves_the_environment_alone() -> None:
    """It is a copy all the same."""
    environ = {"HOME": "/home"}
    assert dynconf.child_env(environ) == environ
    assert dynconf.child_env(environ) is not environ


def test_without_torch_it_is_what_would_be_installed() -> None:
    """Here, whatever the other environment says; mistakes are errors, and torch is not imported."""
    program = (
        "import os, sys, dynconf\n"
        "environ = dynconf.child_env({'TORCHDYNAMO_REPRO_LEVEL': '3', 'TORCHDYNAMO_VERBOSE': '1'})\n"
        "print(environ, 'torch' in sys.modules)\n"
        "os.environ['TORCHDYNAMO_REPRO_LEVEL'] = 'x'\n"
        "try:\n    dynconf.child_env({})\n"
        "except dynconf.InvalidValueError:\n    print('refused')\n"
    )
    done = cold("-c", program, TORCHDYNAMO_REPRO_LEVEL="4")
    expected = {"TORCHDYNAMO_VERBOSE": "1", "DYNCONF_CONFIG": '{"repro_level": 4}'}
    assert done.stdout == f"{expected} False\nrefused\n", done.stderr


WAITING = """
import json, os, sys, dynconf
def show():
    print(json.loads(dynconf.child_env({})["DYNCONF_CONFIG"]), "torch" in sys.modules)
show()
import torch._dynamo.config
torch._dynamo.config.repro_level = 1
show()
"""


@pytest.mark.real_torch
@pytest.mark.parametrize("options", [[], ["--no-children"]], ids=["", "--no-children"])
def test_under_run_settings_that_wait_for_torch_are_handed_on(options: list[str], warm: Warm) -> None:
    """Also those of a config module that the program has not imported, beside those that are in force."""
    words = ["-s", "repro_level=4", "-s", "functorch.cse=0", "-c", WAITING]
    done = warm.run("-m", "dynconf", "run", *options, *words, TORCHDYNAMO_VERBOSE="1")
    others = {"verbose": True, "functorch": {"cse": False}}
    lines = [line.rsplit(" ", 1) for line in done.stdout.splitlines()]
    assert [(ast.literal_eval(found), has_torch) for found, has_torch in lines] == [
        ({"repro_level": 4, **others}, "False"),
        ({"repro_level": 1, **others}, "True"),
    ], done.stderr


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
        environ, lost = child_environment(wanted.state, others)
        found = gather(AT, environ=environ)
    except DynconfError:
        return
    for setting, (value, _) in wanted.state.items():
        if setting not in lost and found.state.origin(setting).kind != "forced":
            assert found.state.value(setting) == value, setting


def test_origins_travel_with_the_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A child names the file and line of its parent, wherever it runs itself."""
    (tmp_path / "ours").mkdir()
    (tmp_path / "theirs").mkdir()
    (tmp_path / "ours" / "settings.toml").write_text("verbose = true\n[inductor]\ntriton.cudagraphs = true\n")
    monkeypatch.chdir(tmp_path / "ours")
    environ, lost = environment_to_follow(gather(AT, environ={}, config="settings.toml").state, {})
    assert lost == []
    monkeypatch.chdir(tmp_path / "theirs")
    (tmp_path / "theirs" / "dynconf.toml").write_text("verbose = false\nrepro_level = 4\n")
    state = gather(AT, environ=environ).state
    file = str(tmp_path / "ours" / "settings.toml")
    found = {each.newest: (value, origin.file, origin.line) for each, (value, origin) in state.items()}
    assert found == {
        "verbose": (True, file, 1),
        "inductor.triton.cudagraphs": (True, file, 3),
        "repro_level": (4, str(tmp_path / "theirs" / "dynconf.toml"), 2),
    }


def test_a_variable_of_the_child_ranks_above_what_it_inherits() -> None:
    """So does what its program or its command line sets."""
    state = gather(AT, environ={"TORCHDYNAMO_VERBOSE": "1"}).state
    environ, _ = environment_to_follow(state, {})
    found = gather(AT, environ={**environ, "TORCHDYNAMO_VERBOSE": "0"}).state
    assert {each.newest: value for each, (value, _) in found.items()} == {"verbose": False}
    options = read_options(["verbose=0"], AT)
    assert [value for value, _ in gather(AT, options, environ=environ).state.values()] == [False]


def test_the_file_of_the_parent_is_read_once(tmp_path: Path) -> None:
    """A child beside it reads no flag from it that the parent passed over for a file that was named."""
    (tmp_path / "dynconf.toml").write_text("verbose = true\n")
    (tmp_path / "named.toml").write_text("repro_level = 4\n")
    environ, _ = environment_to_follow(gather(AT, environ={}, config="named.toml").state, {})
    assert [each.newest for each in gather(AT, environ=environ).state] == ["repro_level"]


def test_a_long_text_does_not_travel_as_an_origin() -> None:
    """With its value left out for its length, it would still be one variable too long for Linux."""
    names = ",".join(f"module:name{number}" for number in range(20_000))
    environ = {"TORCHDYNAMO_REORDERABLE_LOGGING_FUNCTIONS": names, "TORCHDYNAMO_VERBOSE": "1"}
    handed_on, lost = environment_to_follow(gather(AT, environ=environ).state, {})
    assert [setting.name for setting in lost] == ["reorderable_logging_functions"]
    assert len(handed_on["DYNCONF_CONFIG"]) < 1000


def test_folders_of_the_path_stay_behind_ours() -> None:
    """Once, however many programs under `dynconf run` start each other."""
    state = gather(AT, environ={"TORCHDYNAMO_VERBOSE": "1"}).state
    once, _ = environment_to_follow(state, {"PYTHONPATH": os.pathsep.join(["/a", "/b"])})
    twice, _ = environment_to_follow(state, once)
    first, *others = twice["PYTHONPATH"].split(os.pathsep)
    assert [path.name for path in Path(first).glob("*.py")] == ["sitecustomize.py"]
    assert others == ["/a", "/b"]


@pytest.mark.parametrize("path", [None, "", ":", ":/a", "/a:", "/a::/b", "/a:/a"])
def test_an_empty_entry_of_the_path_stays_the_working_directory(path: str | None, tmp_path: Path) -> None:
    """For Python an entry without text is that folder, but an empty variable is none."""
    state = gather(AT, environ={"TORCHDYNAMO_VERBOSE": "1"}).state
    before = {each: text for each, text in os.environ.items() if each != "PYTHONPATH"}
    before |= {} if path is None else {"PYTHONPATH": path.replace("/", f"{tmp_path}/")}
    after, _ = environment_to_follow(state, before)
    again, _ = environment_to_follow(state, after)
    program = "import sys; print(sys.path)"
    found = [cold("-c", program, environ=each).stdout for each in (before, after, again)]
    assert found == found[:1] * 3
    assert found[0]


def test_where_nothing_is_set_children_follow_files_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """But not one that was passed over for a file that sets nothing; `{}` still keeps them from all."""
    nothing = State(AT)
    follower, _ = environment_to_follow(nothing, {})
    assert follower.keys() == {"PYTHONPATH"}
    (tmp_path / "dynconf.toml").write_text("verbose = true\n")
    assert gather(AT, environ=follower).state
    beside, _ = environment_to_follow(nothing, {})
    assert not gather(AT, environ=beside).state
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "dynconf.toml").write_text("repro_level = 4\n")
    monkeypatch.chdir(tmp_path / "project")
    assert [each.newest for each in gather(AT, environ=beside).state] == ["repro_level"]
    without_files, _ = environment_to_follow(nothing, {"DYNCONF_CONFIG": "{}"})
    assert not gather(AT, environ=without_files).state


BAD = [True, [], {}, {"origins": 3}, {"origins": {"verbose": 3}}, {"origins": {"verbose": {"kind": "spell"}}}]
BAD += [{"origins": {"verbose": {"kind": "file", "line": "3"}}}, {"file": 3}]


@pytest.mark.parametrize("inherited", BAD, ids=str)
def test_anything_may_stand_for_origins(inherited: object) -> None:
    """The variable is then the place of its values."""
    environ = {"DYNCONF_CONFIG": json.dumps({"verbose": True, "inherited": inherited})}
    ((value, origin),) = gather(AT, environ=environ).state.values()
    assert (value, origin.file) == (True, "DYNCONF_CONFIG")
