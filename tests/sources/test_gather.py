"""All sources together: their order, their mistakes in one error, and what it costs."""

from pathlib import Path

import pytest
from states import origins_of, values_of

from dynconf import at_least
from dynconf.errors import (
    ConflictError,
    ConflictWarning,
    ForcedFlagWarning,
    InvalidValueError,
    StateFileError,
)
from dynconf.provenance import Origin
from dynconf.release import Release
from dynconf.sources.calls import read_keywords, read_options
from dynconf.sources.gather import gather
from dynconf.sources.reading import merge

AT = Release.named("2.13.0")
CALL = Origin("keyword", file="a.py", line=1)
FORCED = "TORCH_DYNAMO_AUTOMATIC_DYNAMIC_LOCAL_PGO"


def test_the_order_of_all_sources():
    """Default < file < environment < the call < what torch forces; of variables, torch's own first."""
    text = "recompile_limit = 1\nrepro_level = 1\ndisable = false\nallow_rnn = true\n"
    Path("dynconf.toml").write_text(f"{text}automatic_dynamic_local_pgo = true\n")
    environ = {"TORCHDYNAMO_RECOMPILE_LIMIT": "2", "TORCHDYNAMO_REPRO_LEVEL": "2"}
    environ |= {"TORCH_COMPILE_DISABLE": "1", "TORCHDYNAMO_DISABLE": "0", FORCED: "0"}
    given = read_keywords({"recompile_limit": 3, "automatic_dynamic_local_pgo": True}, AT, CALL)
    whole = gather(AT, given, environ=environ)
    kinds = {name: origin.kind for name, origin in origins_of(whole).items()}
    assert {name: (value, kinds[name]) for name, value in values_of(whole).items()} == {
        "allow_rnn": (True, "file"),
        "repro_level": (2, "env"),
        "disable": (True, "env"),
        "recompile_limit": (3, "keyword"),
        "automatic_dynamic_local_pgo": (False, "forced"),
    }
    (note,) = whole.warnings
    assert isinstance(note, ForcedFlagWarning)
    assert f"{FORCED}=0, which beats every other setting" in str(note)


def test_all_mistakes_of_all_sources_are_one_error():
    """File, environment and call: one line each, and none left for the next try."""
    Path("dynconf.toml").write_text("verbos = true\nrepro_level = 9\n")
    environ = {"TORCHDYNAMO_VERBOSE": "maybe", FORCED: "perhaps"}
    with pytest.raises(InvalidValueError) as refused:
        gather(AT, read_keywords({"recompile_limit": -1}, AT, CALL), environ=environ).checked()
    lines = str(refused.value).splitlines()
    assert len(lines) == len(refused.value.errors) == 5
    places = ("verbos", "dynconf.toml:2", "TORCHDYNAMO_VERBOSE=maybe", "a.py:1", f"{FORCED}=perhaps")
    assert all(any(part in line for line in lines) for part in places)


def test_a_file_that_cannot_be_read_is_reported_with_the_other_mistakes():
    """It does not hide what else is wrong."""
    with pytest.raises(InvalidValueError) as refused:
        gather(AT, environ={"TORCHDYNAMO_VERBOSE": "maybe"}, config="no_such.toml").checked()
    assert [type(error) for error in refused.value.errors] == [StateFileError, InvalidValueError]


def test_the_environment_of_the_process_counts_if_none_is_given(monkeypatch):
    """`environ` is for callers that ask about a different one."""
    monkeypatch.setenv("TORCHDYNAMO_VERBOSE", "1")
    assert values_of(gather(AT)) == {"verbose": True}
    assert not gather(AT, environ={}).state


def test_rules_are_checked_on_values_from_all_sources():
    """A value that contradicts another, or a default, is refused or noted with the origins of both."""
    environ = {"TORCHDYNAMO_SUPPRESS_ERRORS": "1"}
    with pytest.raises(ConflictError, match=r"DC001.*environment TORCHDYNAMO_SUPPRESS_ERRORS=1.*a\.py:1"):
        gather(AT, read_keywords({"fail_on_recompile_limit_hit": True}, AT, CALL), environ=environ).checked()
    (note,) = gather(AT, read_keywords({"error_on_recompile": True}, AT, CALL), environ=environ).warnings
    assert isinstance(note, ConflictWarning)
    (note,) = gather(AT, read_keywords({"recompile_limit": 10**6}, AT, CALL), environ={}).warnings
    assert "=1000000 (keyword at a.py:1) with accumulated_recompile_limit=256 (default)" in str(note)


def test_internal_flags_are_refused_as_settings():
    """Wherever they come from; a saved state may show one that nobody had set."""
    given = read_keywords({"base_dir": "/x"}, AT, CALL)
    with pytest.raises(InvalidValueError, match=r"base_dir \(from keyword at a\.py:1\) is internal to torch"):
        gather(AT, given, environ={}).checked()
    Path("dynconf.toml").write_text('base_dir = "/x"')
    with pytest.raises(InvalidValueError, match=r"base_dir \(from .*dynconf\.toml:1.*is internal to torch"):
        gather(AT, environ={}).checked()
    state = '{"dynconf": 1, "flags": {"verbose": {"value": true}, "base_dir": {"value": "/x"%s}}}'
    Path("state.json").write_text(state % ', "origin": {"kind": "default"}')
    assert values_of(gather(AT, environ={}, config="state.json")) == {"verbose": True}
    Path("state.json").write_text(state % "")
    with pytest.raises(InvalidValueError, match=r"base_dir: '/x' \(from state.json:1 .*internal to torch"):
        gather(AT, environ={}, config="state.json").checked()
    known = gather(AT, environ={}, config="state.json", trust=True)
    assert values_of(known) == {"verbose": True, "base_dir": "/x"}


def test_only_the_modules_that_are_asked_for_are_read():
    """From files and from the environment."""
    Path("dynconf.toml").write_text("verbose = true\nfunctorch.donated_buffer = false")
    environ = {"TORCHDYNAMO_DISABLE": "1", "TORCHFUNCTORCH_DONATED_BUFFER": "1"}
    both = {"verbose": True, "disable": True, "functorch.donated_buffer": True}
    assert values_of(gather(AT, environ=environ)) == both
    del both["functorch.donated_buffer"]
    assert values_of(gather(AT, environ=environ, modules=("dynamo",))) == both


INHERITED = {
    "DYNCONF_CONFIG": '{"automatic_dynamic_local_pgo": true, "recompile_limit": 8, "repro_level": 3,'
    ' "hold": ["automatic_dynamic_local_pgo", "recompile_limit"], "inherited": {}}'
}


def test_a_value_that_another_process_holds_stays():
    """Whatever sets it; of the others, the strongest counts. Each loss is named."""
    Path("dynconf.toml").write_text("recompile_limit = 1\n")
    environ = {**INHERITED, "TORCHDYNAMO_RECOMPILE_LIMIT": "2", "TORCHDYNAMO_REPRO_LEVEL": "2"}
    whole = gather(AT, read_keywords({"recompile_limit": 3}, AT, CALL), environ=environ)
    values, origins = values_of(whole), origins_of(whole)
    assert (values["recompile_limit"], values["repro_level"]) == (8, 2)
    assert origins["recompile_limit"].held
    assert not origins["repro_level"].held
    assert all(isinstance(each, ForcedFlagWarning) for each in whole.warnings)
    assert [str(each).partition(":")[2].partition(" (")[0] for each in whole.warnings] == [" 2", " 3"]


def test_the_same_value_is_no_loss():
    """Nor is a lower limit; a hold without a value, which may have been too long, holds the strongest."""
    given = read_keywords({"recompile_limit": at_least(4)}, AT, CALL)
    whole = gather(AT, given, environ={**INHERITED, "TORCHDYNAMO_RECOMPILE_LIMIT": "8"})
    assert (values_of(whole)["recompile_limit"], whole.warnings) == (8, ())
    handed_on = {"DYNCONF_CONFIG": '{"hold": ["recompile_limit"], "inherited": {}}'}
    given = read_keywords({"recompile_limit": 3}, AT, CALL)
    whole = gather(AT, given, environ={**handed_on, "TORCHDYNAMO_RECOMPILE_LIMIT": "2"})
    assert (values_of(whole)["recompile_limit"], whole.warnings) == (3, ())


def test_a_limit_that_yields_to_a_higher_one_is_not_its_origin():
    """The source that decides the value is; over torch's default alone, the call is."""
    environ = {"TORCHDYNAMO_RECOMPILE_LIMIT": "128"}
    for limit, value, kind in ((64, 128, "env"), (128, 128, "keyword"), (256, 256, "keyword")):
        given = read_keywords({"recompile_limit": at_least(limit)}, AT, CALL)
        whole = gather(AT, given, environ=environ)
        assert (values_of(whole)["recompile_limit"], origins_of(whole)["recompile_limit"].kind) == (
            value,
            kind,
        )
    whole = gather(AT, read_keywords({"recompile_limit": at_least(4)}, AT, CALL), environ={})
    assert (values_of(whole)["recompile_limit"], origins_of(whole)["recompile_limit"].kind) == (8, "keyword")


def test_the_first_hold_counts():
    """That of the process which started this one."""
    for hold in ("recompile_limit=5", "recompile_limit"):
        whole = merge((gather(AT, environ=INHERITED), read_options((hold,), AT, "--hold")))
        assert values_of(whole)["recompile_limit"] == 8
        assert len(whole.warnings) == ("=" in hold)


def test_what_torch_forces_beats_what_another_process_holds():
    """As it beats every hold."""
    whole = gather(AT, environ={**INHERITED, FORCED: "0"})
    assert values_of(whole)["automatic_dynamic_local_pgo"] is False
    (warning,) = whole.warnings
    assert "True" in str(warning)
    assert f"{FORCED}=0, which beats every other setting" in str(warning)
