"""Tests of ``dynconf dump -o FILE``."""

import json
import os
import pickle
from pathlib import Path
from typing import Any

import pytest

import dynconf
from dynconf.live.binding import bind
from dynconf.live.torch.storage import ABSENT
from dynconf.store.ignore import ignored


def saved(path: str = "out.json") -> dict[str, Any]:
    """Return the values in a saved state."""
    flags = json.loads(Path(path).read_text())["flags"]
    return {name: entry["value"] for name, entry in flags.items()}


def test_what_is_set_is_saved(run_cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file has what environment, files and options set, with the origins; stdout stays empty."""
    Path("dynconf.toml").write_text("recompile_limit = 64\n")
    monkeypatch.setenv("TORCHDYNAMO_VERBOSE", "1")
    done = run_cli("dump", "-o", "out.json", "--set", "specialize_int=1", "--torch", "2.13")
    assert (done.code, done.out) == (0, "")
    assert done.err == "dynconf: note: out.json: 3 flags of torch 2.13.0\n"
    data = json.loads(Path("out.json").read_text())
    assert data["dynconf"] == 1
    assert data["torch"] == "2.13.0"
    assert data["flags"]["verbose"] == {
        "value": True,
        "default": False,
        "origin": {"kind": "env", "name": "TORCHDYNAMO_VERBOSE", "raw": "1"},
    }
    assert saved() == {"recompile_limit": 64, "specialize_int": True, "verbose": True}


def test_what_is_tied_to_the_machine_is_left_out(run_cli) -> None:
    """Paths, testing and internal flags are not saved, nor what --ignore names."""
    options = ["--set", "debug_dir_root=/x", "--set", "repro_level=4", "--set", "verbose=1"]
    assert run_cli("dump", "-o", "out.json", *options).code == 0
    assert saved() == {"verbose": True}
    assert run_cli("dump", "-o", "out.json", *options, "--ignore", "verbose").code == 0
    assert saved() == {}
    assert "did you mean 'verbose'" in run_cli("dump", "-o", "out.json", "--ignore", "verbos").refused()


def test_of_other_modules_what_is_set_is_saved(run_cli) -> None:
    """By full name, from files, options and the live modules; --all has every flag of every module."""
    Path("dynconf.toml").write_text("[functorch]\ncse = false\n")
    assert run_cli("dump", "-o", "out.json").code == 0
    assert saved() == {"functorch.cse": False}
    assert run_cli("dump", "-o", "out.json", "--all").code == 0
    assert saved()["functorch.cse"] is False
    assert saved()["recompile_limit"] == 8
    assert "debug_dir_root" not in saved()
    assert {name.partition(".")[0] for name in saved() if "." in name} >= {"inductor", "functorch", "fx"}
    assert run_cli("dump", "-o", "out.json", "--ignore", "functorch.cse").code == 0
    assert saved() == {}
    with dynconf.patch(verify_correctness=True, functorch={"cse": False}):
        assert run_cli("dump", "-o", "out.json", "--live").code == 0
    assert saved() == {"verify_correctness": True, "functorch.cse": False}


def test_torchs_own_blob(run_cli) -> None:
    """What torch's save_config() wrote is converted: only what differs from the release's defaults is set."""
    flags = {"recompile_limit": 99, "cache_size_limit": 99, "verbose": False, "dynamic_shapes": True}
    flags |= {"debug_dir_root": "/x", "traceable_tensor_subclasses": set(), "TYPE_CHECKING": False}
    Path("blob").write_bytes(pickle.dumps(flags, 2))
    done = run_cli("dump", "-o", "out.json", "--from", "blob", "--torch", "2.13")
    assert done.code == 0
    assert saved() == {"recompile_limit": 99}
    assert done.err.splitlines() == [
        "dynconf: note: TYPE_CHECKING is left out: torch 2.13.0 has no such flag",
        "dynconf: note: out.json: 1 flag of torch 2.13.0",
    ]
    run_cli("dump", "-o", "out.json", "--from", "blob", "--torch", "2.13", "--all")
    assert saved()["verbose"] is False


def test_a_bad_blob_writes_nothing(run_cli) -> None:
    """One with code is refused by name, and no file is written."""
    Path("blob").write_bytes(b"\x80\x02cos\nsystem\nX\x04\x00\x00\x00true\x85R.")
    assert "blob" in run_cli("dump", "-o", "out.json", "--from", "blob", "--torch", "2.13").refused()
    assert not Path("out.json").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["absent/out.json"], "absent/out.json cannot be written"),
        (["out.json", "--from", "absent"], "absent cannot be read"),
        (["out.yaml"], ".yaml is not a known suffix"),
        ([os.devnull], "/dev/null cannot be written: it is not a regular file"),  # a machine needs it
    ],
)
def test_a_file_that_cannot_be_written_or_read(run_cli, words: list[str], said: str) -> None:
    """It is bad input."""
    assert said in run_cli("dump", "-o", *words).refused()


def test_the_defaults_of_a_release(run_cli) -> None:
    """With --defaults the file has every one that is not ignored, of all modules; it is a source itself."""
    assert run_cli("dump", "-o", "out.json", "--defaults", "2.8").code == 0
    state = dynconf.default_state("2.8")
    assert json.loads(Path("out.json").read_text())["torch"] == "2.8.0"
    assert saved()["inductor.graph_partition"] is state["inductor.graph_partition"] is False
    assert set(saved()) == {*state} - ignored(dynconf.ignore.DEFAULT)


def test_pins_of_the_live_modules(run_cli) -> None:
    """With --pins overrides count that equal the default, although nobody saw who made them."""
    if bind().storage.unset is ABSENT:
        pytest.skip("torch 2.4 and 2.5 do not tell them from defaults")
    bind().slot("verify_correctness").store(False)  # as torch's patch does where nothing was ever installed
    assert run_cli("dump", "-o", "out.json", "--live").code == 0
    assert saved() == {}
    assert run_cli("dump", "-o", "out.json", "--live", "--pins").code == 0
    assert saved() == {"verify_correctness": False}


def test_a_pass_that_is_left_out_is_named(run_cli) -> None:
    """On stderr, and as a warning in Python; one that is ignored by name needs none."""
    flag = "inductor.post_grad_custom_post_pass"
    with dynconf.patch({flag: lambda _: None, "verbose": True}):
        done = run_cli("dump", "-o", "out.json", "--live")
        assert f"warning: {flag} is left out: <function" in done.err
        assert saved() == {"verbose": True}
        assert flag not in run_cli("dump", "-o", "out.json", "--live", "--ignore", flag).err
        with pytest.warns(dynconf.DynconfWarning, match=f"{flag} is left out"):
            dynconf.save("out.json")
    with dynconf.patch({flag: print}), pytest.warns(dynconf.DynconfWarning, match="to write its name"):
        dynconf.save("out.json")


def test_flags_of_a_file_that_the_release_lacks(run_cli) -> None:
    """--missing decides about those in the file of --from; by default they are named and left out."""
    Path("a.toml").write_text("recompile_limit = 64\nenable_trace_load_build_class = true\n")
    line = ("dump", "-o", "out.json", "--from", "a.toml", "--torch", "2.6")
    for words, code, is_named in (
        ((), 0, True),
        (("--missing", "skip"), 0, False),
        (("--missing", "error"), 2, True),
    ):
        done = run_cli(*line, *words)
        assert done.code == code
        assert ("enable_trace_load_build_class" in done.err) is is_named


def test_all_flags_beside_those_of_a_file(run_cli) -> None:
    """With --all, as from every other source."""
    Path("a.toml").write_text("recompile_limit = 64\n")
    assert run_cli("dump", "-o", "out.json", "--from", "a.toml", "--all").code == 0
    assert saved()["recompile_limit"] == 64
    assert saved()["verbose"] is saved()["inductor.max_autotune"] is False
