"""All sources together: their order, and their mistakes told at once."""

from pathlib import Path

import pytest

from dynconf.errors import ForcedFlagWarning, InvalidValueError, StateFileError
from dynconf.provenance import Origin
from dynconf.sources.gathering import gather
from dynconf.sources.keywords import read_keywords
from dynconf.sources.layer import Layer
from dynconf.versions import asked

AT = asked("2.13.0")
CALL = Origin("keyword", file="a.py", line=1)
FORCED = "TORCH_DYNAMO_AUTOMATIC_DYNAMIC_LOCAL_PGO"


def test_the_order_of_all_sources():
    """Default < file < environment < the call < what torch forces; of variables, torch's own first."""
    Path("dynconf.toml").write_text(
        "recompile_limit = 1\nrepro_level = 1\ndisable = false\nallow_rnn = true\n"
        "automatic_dynamic_local_pgo = true\n"
    )
    environ = {
        "TORCHDYNAMO_RECOMPILE_LIMIT": "2",
        "TORCHDYNAMO_REPRO_LEVEL": "2",
        "TORCH_COMPILE_DISABLE": "1",
        "TORCHDYNAMO_DISABLE": "0",
        FORCED: "0",
    }
    given = read_keywords({"recompile_limit": 3, "automatic_dynamic_local_pgo": True}, AT, CALL)
    whole = gather(AT, given, environ=environ)
    assert whole.values == {
        "allow_rnn": True,
        "repro_level": 2,
        "disable": True,
        "recompile_limit": 3,
        "automatic_dynamic_local_pgo": False,
    }
    assert {name: origin.kind for name, origin in whole.origins.items()} == {
        "allow_rnn": "file",
        "repro_level": "env",
        "disable": "env",
        "recompile_limit": "keyword",
        "automatic_dynamic_local_pgo": "forced",
    }
    (note,) = whole.notes
    assert isinstance(note, ForcedFlagWarning)
    assert f"{FORCED}=0 beats every other setting" in str(note)


def test_all_mistakes_of_all_sources_are_one_error():
    """File, environment and call: a line for each, none left for the next try."""
    Path("dynconf.toml").write_text("verbos = true\nrepro_level = 9\n")
    environ = {"TORCHDYNAMO_VERBOSE": "maybe", FORCED: "perhaps"}
    with pytest.raises(InvalidValueError) as refused:
        gather(AT, read_keywords({"recompile_limit": -1}, AT, CALL), environ=environ)
    lines = str(refused.value).splitlines()
    assert len(lines) == len(refused.value.errors) == 5
    for part in (
        "verbos",
        "dynconf.toml:2",
        "TORCHDYNAMO_VERBOSE=maybe",
        "a.py:1",
        f"forced by {FORCED}=perhaps",
    ):
        assert any(part in line for line in lines)


def test_a_file_that_cannot_be_read_is_told_with_the_other_mistakes():
    """It does not hide what else is wrong."""
    with pytest.raises(InvalidValueError) as refused:
        gather(AT, Layer(), environ={"TORCHDYNAMO_VERBOSE": "maybe"}, config="no_such.toml")
    assert [type(error) for error in refused.value.errors] == [StateFileError, InvalidValueError]


def test_the_environment_of_the_process_counts_where_none_is_given(monkeypatch):
    """`environ` is for callers that ask about another one."""
    monkeypatch.setenv("TORCHDYNAMO_VERBOSE", "1")
    assert gather(AT, Layer()).values == {"verbose": True}
    assert gather(AT, Layer(), environ={}).values == {}


def test_without_a_working_directory_there_is_an_error_of_our_own(tmp_path, monkeypatch):
    """A folder that was removed under a running program is told as such."""
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    with pytest.raises(StateFileError, match="no working directory any more"):
        gather(AT, Layer(), environ={})
