"""Tests of explaining why a graph was not in the cache."""

import json
import os
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from warm import Warm

import dynconf
from dynconf.errors import StateFileError
from dynconf.release import Release
from dynconf.tools.pasted.pasted import read_side

PROGRAM = """
import os, sys, torch, torch._inductor.compile_fx, torch._inductor.config as config
torch._logging._internal.LOG_TRACE_HANDLER = None
torch._logging._init_logs()  # as `import torch` does, with the variables of this process
for folder, *words in map(str.split, sys.argv[1:]):
    os.mkdir("trace")
    if not os.fork():  # each with caches of its own in memory
        for word in words:
            setattr(config, word, not getattr(config, word))
        torch.compile(lambda x: x @ x)(torch.ones(8, 8))  # which takes no compiler of C++
        os._exit(0)
    assert os.wait()[1] == 0
    os.rename("trace", folder)
"""


def trace(warm: Warm, *runs: str) -> None:
    """Compile a graph in a process for each run, "FOLDER [FLAG...]", with those flags inverted."""
    environ = {
        "TORCH_TRACE": "trace",
        "TORCHINDUCTOR_CACHE_DIR": str(Path("cache").absolute()),
        "TORCHINDUCTOR_FX_GRAPH_CACHE": "1",  # off by default in torch 2.4
    }
    done = warm.run("-c", PROGRAM, *runs, **environ)
    assert done.returncode == 0, done.stderr


def write_trace(folder: str, *keys: list[str]) -> None:
    """Write a trace as torch does, with a key for each graph."""
    lines = []
    for components in keys:
        artifact = '{"artifact": {"name": "fx_graph_cache_miss", "encoding": "json"}, "frame_id": 0}'
        lines += [
            f"V1123 01:01:30 10610 torch/x.py:1] {artifact}",
            "\t" + json.dumps({"components": components}),
        ]
    Path(folder).mkdir()
    (Path(folder) / "dedicated_log_torch_trace_x.log").write_text("\n".join([*lines, "V1123 {"]))


def test_real_runs(warm: Warm) -> None:
    """One that found its graph in both caches differs in no flag from the one that put it there.

    One that differs in a flag ends in one line; flags of functorch are not compared where one of the runs
    recorded none.
    """
    trace(warm, "warm", "hit", "missed verbose_progress")
    assert str(dynconf.why_miss("warm", "hit")) == "no part of the keys differs"
    line = "inductor.verbose_progress: False -> True: in the key, changes nothing: set it to the same value"
    assert str(dynconf.why_miss("warm", "missed")) == line
    assert [each.name for each in dynconf.why_miss("hit", "missed")] == ["inductor.verbose_progress"]


def test_long_texts_with_one_beginning() -> None:
    """Of two graphs, the place is shown where they begin to differ."""
    write_trace("a", [f"[1] gm: {'x' * 500} cos()"])
    write_trace("b", [f"[2] gm: {'x' * 500} sin()"])
    (found,) = dynconf.why_miss("a", "b")
    assert "x cos()'" in str(found)
    assert "x sin()'" in str(found)
    assert len(str(found)) < 200
    assert found.before.endswith("cos()")


def test_the_order() -> None:
    """Flags that change nothing come first, then other flags, then what is no flag; no address counts."""
    fusion, progress = "inductor_config[epilogue_fusion]", "[4] inductor_config[verbose_progress]: True"
    address = "fx_kwargs[get_decomp_fn]: <function f at 0x"  # the hash of a part decides, not its text
    write_trace("a", ["[1] gm: f", f"[2] {fusion}: True", "[3] torch_version: x", f"[5] {address}1>"])
    write_trace(
        "b", ["[x] gm: g", f"[y] {fusion}: False", "[z] torch_version: y", progress, f"[5] {address}2>"]
    )
    names = ["inductor.verbose_progress", "inductor.epilogue_fusion", "torch_version", "gm"]
    assert [each.name for each in dynconf.why_miss("a", "b")] == names


def test_graphs_are_paired_by_their_code() -> None:
    """A further graph before the others changes nothing about these; a difference in many graphs is one."""
    flag = "inductor_config[epilogue_fusion]"
    write_trace("a", *([f"[{number}] gm: f", f"[t] {flag}: True"] for number in range(3)))
    write_trace("b", ["[9] gm: f"], *([f"[{number}] gm: f", f"[f] {flag}: False"] for number in range(3)))
    found = dynconf.why_miss("a", "b")
    assert [(each.name, each.graphs) for each in found] == [("inductor.epilogue_fusion", 3), ("graphs", 1)]


def test_equal_graphs_are_paired_in_their_order() -> None:
    """The first with the first, wherever others stand between them; what is left over is paired in order."""

    def run(folder: str, graphs: str, values: str) -> None:
        write_trace(
            folder,
            *([f"[{graph}] gm: f", f"[{value}] size: {value}"] for graph, value in zip(graphs, values)),
        )

    run("a", "112x", "ABCD")
    run("b", "2y131", "CXAEB")
    found = {(each.name, each.before, each.after) for each in dynconf.why_miss("a", "b")}
    assert found == {("size", "D", "X"), ("gm", "f", "f"), ("graphs", 4, 5)}


def test_many_graphs_take_no_time() -> None:
    """Thousands that all differ are compared as soon as they are read."""
    for folder in "ab":
        write_trace(folder, *([f"[{folder}{number}] gm: f", "[1] size: 1"] for number in range(4000)))
    started = time.process_time()
    assert len(dynconf.why_miss("a", "b")) == 4000
    assert time.process_time() - started < 5


def test_factors_of_vllm() -> None:
    """Its tables are compared leaf by leaf, and a hash only where nothing else differs."""
    factors: dict[str, Any] = {"env": {"VLLM_USE_V1": "1"}, "config": {"dtype": "bf16"}, "config_hash": "a"}
    factors["code"] = {"model.py": "x = 1"}
    Path("a.json").write_text(json.dumps({**factors, "code_hash": "x"}))
    factors["config"] = {"dtype": "fp16"}
    Path("b.json").write_text(json.dumps({**factors, "config_hash": "b", "code_hash": "y"}))
    found = dynconf.why_miss("a.json", "b.json")
    assert [(each.name, each.before, each.after) for each in found] == [
        ("config.dtype", "bf16", "fp16"),
        ("code_hash", "x", "y"),
    ]
    for name in ("a", "b"):  # as in vLLM's cache
        Path(name, "rank_0_0", "backbone").mkdir(parents=True)
        Path(f"{name}.json").rename(Path(name, "rank_0_0", "backbone", "cache_key_factors.json"))
    assert dynconf.why_miss("a", "b") == found


def test_diff_of_factors_names_the_command() -> None:
    """They have no flags."""
    Path("a.json").write_text('{"env": {}, "code_hash": "x"}')
    with pytest.raises(
        StateFileError, match=r"^a.json has vLLM's cache keys, and no flags: `dynconf why-miss`"
    ):
        read_side("a.json", Release.at_hand(), print)


def test_deep_factors() -> None:
    """They are compared, or refused where Python's own parser gives up: nothing else ends the comparison."""
    for depth in (500, 2000, 5000, 100_000):
        Path("a.json").write_text(f'{{"code_hash": {"[" * depth}1{"]" * depth}}}')
        Path("b.json").write_text('{"code_hash": 1}')
        with suppress(dynconf.DynconfError):
            assert len(dynconf.why_miss("a.json", "b.json")) == 2


def test_a_large_graph() -> None:
    """The text of a graph may be longer than any settings file."""
    for name, value in (("a.json", "True"), ("b.json", "False")):
        components = [f"[1] gm: {'x' * 2**21}", f"[{value}] inductor_config[epilogue_fusion]: {value}"]
        Path(name).write_text(json.dumps({"components": components}))
    assert [each.name for each in dynconf.why_miss("a.json", "b.json")] == ["inductor.epilogue_fusion"]


def test_logs_that_cannot_be_those_of_torch() -> None:
    """A pipe is not waited for, a log without end is refused, and many short lines take no time."""
    write_trace("a", ["[1] gm: f"])
    os.mkfifo("a/pipe.log")
    assert not dynconf.why_miss("a", "a")
    with pytest.raises(dynconf.StateFileError, match=r"pipe\.log has no cache keys"):
        dynconf.why_miss("a/pipe.log", "a")
    with Path("a/long.log").open("wb") as file:
        file.truncate(2**40)
    with pytest.raises(dynconf.StateFileError, match="a has more than 2 GiB of logs: name one of them"):
        dynconf.why_miss("a", "a")
    line = b'V {"artifact": {"name": "fx_graph_cache_miss", "encoding": "json"}}\n'
    Path("a/long.log").write_bytes(line + b"\t\n" * 2**20)
    started = time.process_time()
    assert not dynconf.why_miss("a", "a")
    assert time.process_time() - started < 5


def test_states() -> None:
    """With states, the origins are known."""
    with dynconf.patch(inductor={"epilogue_fusion": False}):
        after = dynconf.snapshot()
    (found,) = dynconf.why_miss({}, after)
    assert (found.name, found.verdict) == ("inductor.epilogue_fusion", "changes compiled code")
    assert "(patch at" in str(found)


def test_states_of_two_releases() -> None:
    """A flag that only one of them has is None on the other side, whatever its type."""
    old, new = (dynconf.default_state(each) for each in ("2.4", "2.15"))
    found = {each.name: each for each in dynconf.why_miss(old, new)}
    assert json.loads(json.dumps([each.as_json() for each in found.values()]))
    added = found["inductor.cutlass.cutlass_enabled_ops"]
    assert (added.before, added.after) == (None, new[added.name])


def test_a_folder_without_keys() -> None:
    """The error says how torch writes them; a trace and a state cannot be compared."""
    Path("a").mkdir()
    with pytest.raises(dynconf.StateFileError, match="TORCH_TRACE"):
        dynconf.why_miss("a", "a")
    write_trace("b", ["[1] gm: f"])
    with pytest.raises(dynconf.InvalidValueError, match="one kind"):
        dynconf.why_miss("b", {})


@pytest.mark.parametrize("name", ["none", "none.log", "none.json", "none.toml", "no\0ne"])
def test_a_file_that_is_not_there(name: str) -> None:
    """The error says so, and not that it is of another kind."""
    write_trace("a", ["[1] gm: f"])
    with pytest.raises(dynconf.StateFileError, match=r"cannot be read: (No such file|.*embedded null)"):
        dynconf.why_miss("a", name)


def test_parts_of_the_fingerprint() -> None:
    """They are equal exactly if the fingerprint is."""
    parts = dynconf.fingerprint({"inductor.epilogue_fusion": False, "verbose": True}, explain=True)
    assert parts["flags"] == {"inductor.epilogue_fusion": False}


def test_the_command(run_cli) -> None:
    """It exits with 1 if the keys differ."""
    write_trace("a", ["[1] inductor_config[epilogue_fusion]: True"])
    write_trace("b", ["[2] inductor_config[epilogue_fusion]: False"])
    done = run_cli("why-miss", "a", "b")
    assert (done.code, done.out) == (1, "inductor.epilogue_fusion: True -> False: changes compiled code\n")
    assert run_cli("why-miss", "a", "a").code == 0
    data = json.loads(run_cli("why-miss", "a", "b", "--format", "json").out)
    assert data["differences"][0]["after"] is False


@pytest.mark.parametrize("value", ["('g++',)", "3", "{1: 2}", "{'a', 'b'}"])
def test_a_flag_that_one_key_lacks_or_has_in_another_form(run_cli, value: str) -> None:
    """Whatever a key says of a flag is shown, as JSON too."""
    write_trace("a", [f"[1] inductor_config[cpp.cxx]: {value}"])
    write_trace("b", ["[2] gm: f"])
    found = json.loads(run_cli("why-miss", "a", "b", "-f", "json").out)["differences"]
    assert found[0]["name"] == "inductor.cpp.cxx"
    assert found[0]["before"] is not None
    assert found[0]["after"] is None


def test_numbers_that_json_does_not_have(run_cli) -> None:
    """Python writes them into files of factors; the result is JSON for other languages, too."""
    Path("a.json").write_text('{"code_hash": NaN, "env": [Infinity]}')
    Path("b.json").write_text('{"code_hash": 1.5, "env": [-Infinity]}')
    done = run_cli("why-miss", "a.json", "b.json", "-f", "json")
    found = json.loads(done.out, parse_constant=pytest.fail)["differences"]
    assert {each["name"]: (each["before"], each["after"]) for each in found} == {
        "code_hash": ("nan", 1.5),
        "env.0": ("inf", "-inf"),
    }


def test_what_is_left_out_is_a_line_of_the_command(run_cli) -> None:
    """Not a Python warning, which would name a line of click."""
    Path("repro.py").write_text("import torch\ntorch._functorch.config.donated_buffer = not True\n")
    done = run_cli("why-miss", "repro.py", "repro.py")
    assert (done.code, done.out) == (0, "no part of the keys differs\n")
    line = "dynconf: warning: repro.py:2: functorch.donated_buffer is not set to a literal; left out"
    assert set(done.err.splitlines()) == {line}
