"""`hold`: what the user holds stays, and each line that would change it is named once."""

import contextlib
import json
import warnings

import pytest
from live_state import (
    LIMIT,
    RawState,
    config,
    default_of,
    dynconf_warnings_ignored,
    limit,
    mocked,
    result_in_thread,
    torch_reads,
    torchs,
)

import dynconf
from dynconf.errors import EnvironmentWarning, ForcedFlagWarning
from dynconf.tools.audit.overruled import overruled_settings

pytestmark = pytest.mark.usefixtures("limit_restored")

DEFAULT = default_of(LIMIT)


def assign(value):
    """Set the limit as a program does."""
    setattr(config(), LIMIT, value)


@contextlib.contextmanager
def loaded(value):
    """Set it as a program that restores its own saved state."""
    config().load_config({LIMIT: value})
    yield


@contextlib.contextmanager
def assigned(value):
    """Set it by an assignment."""
    assign(value)
    yield


WAYS = {
    "assignment": assigned,
    "load_config": loaded,
    "torch's patch": torchs,
    "mock": mocked,
    "dynconf.patch": lambda value: dynconf.patch(recompile_limit=value),
    "dynconf.install": lambda value: dynconf.install(recompile_limit=value),
    "another hold": lambda value: dynconf.hold(recompile_limit=value),
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_nothing_that_is_set_afterwards_has_an_effect(way):
    """And it is said, with the name, both values, and the line that holds."""
    with dynconf.hold(recompile_limit=64), pytest.warns(ForcedFlagWarning) as caught, way(5):
        assert limit() == result_in_thread(limit) == 64
    (one,) = caught
    assert str(one.message).startswith(
        f"recompile_limit: 5 has no effect: it is held at 64 (hold at {__file__}:"
    )
    assert one.filename == __file__


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_the_value_that_is_held_may_be_set(way):
    """Nobody is deceived by that."""
    with dynconf.hold(recompile_limit=64), way(64):
        assert limit() == 64


@pytest.mark.parametrize("way", list(WAYS.values())[:4], ids=list(WAYS)[:4])
def test_each_line_is_named_once(way):
    """A loop sets the flag a thousand times, with other values; another line is another mistake."""
    with dynconf.hold(recompile_limit=64), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        for value in range(3):
            with way(value):
                pass
        with way(5):
            pass
    assert len({each.lineno for each in caught}) == len(caught) == (1 if way in (assigned, loaded) else 2)


@pytest.mark.filterwarnings("always")
def test_a_hold_of_a_file_that_is_installed_is_said_once(tmp_path):
    """The assignment has no effect: it overrules nothing, now or at the end of the process."""
    (tmp_path / "dynconf.toml").write_text('recompile_limit = 64\nhold = ["recompile_limit"]\n')
    with dynconf.install(), warnings.catch_warnings(record=True) as caught:
        assign(5)
        assert overruled_settings() == {}
    assert [each.category for each in caught] == [ForcedFlagWarning]


def test_by_name_at_the_value_in_force():
    """Whatever set that."""
    with dynconf.patch(recompile_limit=5), dynconf.hold("recompile_limit", "inductor.max_autotune"):
        with dynconf_warnings_ignored():
            assign(7)
        assert limit() == 5
        assert dynconf.origin("recompile_limit").kind == "hold"
        assert dynconf.origin("inductor.max_autotune").held


def test_a_reset_does_not_end_it():
    """Only its own handle does."""
    with dynconf.hold(recompile_limit=64):
        dynconf.reset()
        assert limit() == 64


def test_forms_and_mistakes():
    """Names, a mapping, keywords; anything else changes nothing."""
    with dynconf.hold({"recompile_limit": 64, "inductor": {"max_autotune": True}}, verbose=True) as held:
        assert held.changes == {"recompile_limit": 64, "inductor.max_autotune": True, "verbose": True}
    with pytest.raises(dynconf.UnknownFlagError, match="did you mean 'recompile_limit'"):
        dynconf.hold("recompile_limt", verbose=True)
    with pytest.raises(dynconf.InvalidValueError, match="recompile_limit"):
        dynconf.hold(recompile_limit="many", verbose=True)
    with pytest.raises(TypeError, match="expected names"):
        dynconf.hold("recompile_limit", 64)
    with pytest.raises(TypeError, match="expected the name"):
        dynconf.hold()
    assert torch_reads("verbose") is False


def test_at_least_holds_the_higher_one():
    """Of the limit and the value in force."""
    with dynconf.patch(recompile_limit=20):
        with dynconf.hold(recompile_limit=dynconf.at_least(16)):
            assert limit() == 20
        with dynconf.hold(recompile_limit=dynconf.at_least(32)):
            assert limit() == 32


def test_a_library_in_another_thread_is_named_too():
    """Where it runs makes no difference."""
    with dynconf.hold(recompile_limit=64), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result_in_thread(lambda: assign(1))
    assert [each.filename for each in caught] == [__file__]


def test_a_file_holds(tmp_path):
    """For as long as it is installed; the value is that of the strongest source."""
    (tmp_path / "dynconf.toml").write_text(
        'recompile_limit = 16\nhold = ["recompile_limit", "inductor.max_autotune"]\n'
    )
    with dynconf.install() as installed:
        with pytest.warns(ForcedFlagWarning, match=r"5 has no effect: it is held at 16 \(.*toml:1"):
            assign(5)
        assert limit() == 16
        origin = dynconf.origin("recompile_limit")
        assert (origin.kind, origin.line, origin.held) == ("file", 1, True)
        assert str(origin).endswith("dynconf.toml:1 (recompile_limit), held")
        with pytest.warns(ForcedFlagWarning, match="held at False"):
            dynconf.patch(inductor={"max_autotune": True})
    assert not installed.is_installed()
    assert limit() == 5
    with dynconf.install(recompile_limit=32):
        assert limit() == 32
        with dynconf_warnings_ignored(), dynconf.patch(recompile_limit=5):
            assert limit() == 32


def test_a_variable_above_the_file_is_held(tmp_path, monkeypatch):
    """The file says what is held, and the user's variable at what value."""
    (tmp_path / "dynconf.toml").write_text('recompile_limit = 16\nhold = ["recompile_limit"]\n')
    monkeypatch.setenv("TORCHDYNAMO_RECOMPILE_LIMIT", "24")
    with dynconf.install(), dynconf_warnings_ignored(), dynconf.patch(recompile_limit=5):
        assert limit() == 24


def test_a_file_also_holds_against_defaults_without_run(tmp_path):
    """As soon as a library calls `defaults`, for the flags that it names."""
    (tmp_path / "dynconf.toml").write_text('recompile_limit = 16\nhold = ["recompile_limit"]\n')
    with dynconf.defaults(recompile_limit=32), dynconf_warnings_ignored():
        assign(5)
        assert limit() == 16


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ('hold = "recompile_limit"', r"hold: 'recompile_limit' \(from .*toml:1 .*expected a list of names"),
        ("hold = [1]", "expected a list of names"),
        ('hold = ["recompile_limt"]', "did you mean 'recompile_limit'"),
    ],
)
def test_mistakes_in_a_file(tmp_path, entry, message):
    """Named with the file and the line; nothing is in force."""
    (tmp_path / "dynconf.toml").write_text(f"{entry}\n[inductor]\nmax_autotune = true\n")
    with pytest.raises(dynconf.DynconfError, match=message):
        dynconf.install()
    assert torch_reads("inductor.max_autotune") is False


def test_a_flag_without_a_value_whose_default_torch_computes(tmp_path):
    """It cannot be held before torch is there, and that is said."""
    (tmp_path / "dynconf.toml").write_text('hold = ["inductor.compile_threads"]\n')
    with pytest.warns(EnvironmentWarning, match=r"inductor.compile_threads is not held \(from"):
        dynconf.install().uninstall()


def test_children_hold_too(tmp_path):
    """The names go with the settings, under the same key as in a file."""
    with dynconf.hold(recompile_limit=64, inductor={"max_autotune": True}):
        environ = dynconf.child_env({})
    data = json.loads(environ["DYNCONF_CONFIG"])
    assert data == {
        "recompile_limit": 64,
        "inductor": {"max_autotune": True},
        "hold": ["recompile_limit", "inductor.max_autotune"],
    }


@pytest.mark.real_torch
@pytest.mark.filterwarnings("ignore::DeprecationWarning:torch")
def test_compiling_under_a_hold():
    """Torch patches its own flags while it compiles, and for options; it leaves them without an error."""
    import torch

    before = RawState("inductor").raw
    held = {"max_fusion_size": 32, "compile_threads": 1, "epilogue_fusion": True}
    with dynconf.hold(inductor=held):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", dynconf.DynconfWarning)
            other = torch.ones(3, 3)  # multiplying takes no compiler of C++
            compiled = torch.compile(lambda x: x @ other, options={"max_fusion_size": 7})
            compiled(torch.ones(3, 3, requires_grad=True)).sum().backward()
        assert torch_reads("inductor.max_fusion_size") == 32
    told = [each for each in caught if issubclass(each.category, dynconf.DynconfWarning)]
    assert {each.filename for each in told} == {__file__}
    assert "max_fusion_size: 7 has no effect" in str(told[0].message)
    after = RawState("inductor").raw
    assert {name: after[name] for name in held} == {name: before[name] for name in held}
    torch.compiler.reset()
