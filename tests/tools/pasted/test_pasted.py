"""Tests of reading texts that people and tools paste."""

import json
import sys
import time
import warnings
from contextlib import suppress
from pathlib import Path

import pytest

import dynconf
from dynconf.errors import EnvironmentWarning
from dynconf.release import Release, minor
from dynconf.store.snapshot import Snapshot
from dynconf.tools.pasted.pasted import read_side

SCRIPT = """\
import os
import torch
import torch._inductor.config
torch._dynamo.config.assume_static_by_default = False
torch._dynamo.config.automatic_dynamic_shapes = False
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.cache_size_limit = 64
torch._dynamo.config.specialize_int = True
torch._inductor.config.epilogue_fusion = False
torch._inductor.config.coordinate_descent_tuning = True
torch._inductor.config.triton.cudagraphs = True
torch._inductor.config.triton.unique_kernel_names = False
torch._inductor.config.max_autotune = True
torch._inductor.config.benchmark_kernel = True
torch._inductor.config.fallback_random = True
torch._inductor.config.comprehensive_padding = False
torch._functorch.config.functionalize_rng_ops = True
torch._functorch.config.recompute_views = True
torch._functorch.config.cse = False
torch._functorch.config.debug_assert = True
raise SystemExit("this must never run")
"""

FLAGS = {"inductor.epilogue_fusion": False, "inductor.triton.cudagraphs": True}
TEXT = "torch._inductor.config.epilogue_fusion = False\ntorch._inductor.config.triton.cudagraphs = True\n"


def read(path: str, *, trust: bool = False) -> Snapshot:
    """Return the flags that a pasted text sets, as ``dynconf diff`` reads it."""
    return Snapshot(read_side(path, Release.at_hand(), warnings.warn, trust=trust))


def test_a_reproduction_script_gives_every_assignment() -> None:
    """Seventeen assignments are seventeen settings, each with its line; nothing of the script runs.

    Those of flags that the release lacks are named.
    """
    Path("repro.py").write_text(SCRIPT)
    with warnings.catch_warnings(record=True) as lacking:
        warnings.simplefilter("always")
        found = read("repro.py")
    assert len(found) + len(lacking) == 17
    assert ["recompute_views" in str(each.message) for each in lacking] == [True] * (
        Release.at_hand().minor < minor("2.5")
    )
    assert found["recompile_limit"] == 64
    assert str(found.origins["inductor.max_autotune"]) == "repro.py:13 (inductor.max_autotune)"


YAML = """\
compile:
  - mode: null
    options:  # of torch.compile
      epilogue_fusion: false
      triton.cudagraphs: on
services:
  web: {options: {retries: 3}}
"""


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pasted.txt", TEXT),
        ("pasted.txt", f"I set this:\n\n```python\n{TEXT}```\nand it is wrong.\n"),
        ("pasted.txt", f"I set (this:\n{TEXT}and it is wrong.\n"),
        ("train.yaml", YAML),
        ("train.yml", "options: {epilogue_fusion: no, triton.cudagraphs: yes}"),
        ("comment.md", f"My configuration:\n```yaml\n{YAML}```\n"),
        ("comment.txt", f"# copied\n---\n{YAML}"),
    ],
    ids=["assignments", "in a comment", "in prose", "yaml", "a line", "yaml in a comment", "copied yaml"],
)
def test_text_around_settings(name: str, text: str) -> None:
    """Assignments need no imports; options of torch.compile may be nested in YAML; all have their lines."""
    Path(name).write_text(text)
    found = read(name)
    assert dict(found) == FLAGS
    line = text[: text.index("epilogue")].count("\n") + 1
    assert found.origins["inductor.epilogue_fusion"].line == line


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("run.log", "step 3/10]\ntorch._dynamo.config.recompile_limit = 64\n"),
        ("ok.py", "# see [1]]\nimport torch\ntorch._dynamo.config.recompile_limit = 64\n"),
        ("a.yaml", "# {]}\noptions: {max_autotune: on}\n"),
    ],
)
def test_brackets_and_quotes_around_settings_are_no_json(run_cli, name: str, text: str) -> None:
    """Only the entries themselves have lines, whatever else the text contains."""
    Path(name).write_text(text)
    for words in (["dump", "--config", name], ["dump", "-o", "x.json", "--from", name], ["diff", name, name]):
        assert run_cli(*words).code == 0


def test_json_beside_settings_may_be_anything() -> None:
    """A comment has a log or an answer of a server as well; a report in it counts all the same."""
    script = "```python\ntorch._dynamo.config.verbose = True\n```\n"
    for other in ('{"loss": 3, "ok": true}', '{"loss": 3,\n ...'):
        Path("comment.md").write_text(f"It fails:\n```json\n{other}\n```\nwith\n{script}")
        assert dict(read("comment.md")) == {"verbose": True}
    with dynconf.patch(verify_correctness=True):
        Path("comment.md").write_text(f"{script}{dynconf.report()}")
    assert dict(read("comment.md")) == {"verify_correctness": True}
    Path("comment.md").write_text('```\n{"verbos": true}\n```\n')
    with pytest.raises(dynconf.StateFileError, match="did you mean 'verbose'"):
        read("comment.md")


def test_an_unreadable_value_is_named_by_its_line() -> None:
    """The other settings are read."""
    Path("repro.py").write_text(f"{TEXT}n = input()\ntorch._dynamo.config.recompile_limit = n\n")
    with pytest.warns(EnvironmentWarning, match=r"repro\.py:4: dynamo\.recompile_limit"):
        assert dict(read("repro.py")) == FLAGS


def test_variables_and_options_of_a_program() -> None:
    """Options of torch.compile are settings, as in YAML; of variables, those that it sets are named."""
    Path("train.py").write_text(
        "import os, torch\nprint(os.environ['HOME'], os.environ.get('TORCHDYNAMO_VERBOSE'))\n"
        "os.environ['TORCHINDUCTOR_MAX_AUTOTUNE'] = '1'\n"
        "torch.compile(f, options={'epilogue_fusion': False})\n"
    )
    with pytest.warns(
        EnvironmentWarning, match=r"train\.py:3: TORCHINDUCTOR_MAX_AUTOTUNE .* variable"
    ) as told:
        assert dict(read("train.py")) == {"inductor.epilogue_fusion": False}
    assert len(told) == 1


def test_the_last_assignment_counts() -> None:
    """Under whichever of its names a flag is assigned."""
    names = {"cache_size_limit": 1, "recompile_limit": 2}
    lines = [f"torch._dynamo.config.{name} = {value}\n" for name, value in names.items()]
    Path("repro.py").write_text("".join(lines))
    assert dict(read("repro.py")) == {"recompile_limit": 2}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("options: {max_autotune: on, epilog_fusion: 1}", "did you mean 'inductor.epilogue_fusion'"),
        ("options: {max_autotun: on, epilogue_fusio: 1}", "did you mean 'inductor.epilogue_fusion'"),
        ("options: {retries: 3}", "there is no inductor flag 'retries'"),
        ("options: &a [*a, {options: *a}]", "has no settings"),
        ("options:\n  max_autotune: [", "not valid YAML: .* at line 2"),
        ("[" * 20_000, "nested too deeply"),
        ("a: 1\n" * 100_000, "too long"),
        ("a: 1\noptions:\n  max_autotune: on \x1b\n", "not valid YAML: .* line 3"),
        ("options: {}\n\0", "not valid YAML: .* line 2"),
        ('options:\n  max_autotune: "\\UFFFFFFFF"\n', "not valid YAML: .* line 2"),
        (f"%YAML {'1' * 5000}.1\n---\noptions:\n  max_autotune: on\n", "not valid YAML: .* line 1"),
    ],
    ids=lambda text: text[:30],
)
def test_yaml_that_cannot_be_read(text: str, words: str) -> None:
    """Misspelt names, aliases and bad syntax are errors, with the line; so is what its parser gives up on."""
    Path("b.yaml").write_text(text)
    with pytest.raises(dynconf.StateFileError, match=f"(?s)b.yaml.*{words}|{words}.*b.yaml"):
        read("b.yaml")


@pytest.mark.parametrize(
    "value",
    [
        *("{a: 1}", "!!x y", '!!int ""', '!!bool "zz"', '!!timestamp "zz"'),
        pytest.param(f"1{':00' * 4000}.5", id="a long number"),
    ],
)
def test_a_value_of_yaml_that_is_no_literal(value: str) -> None:
    """It is left out, and named by its line; of two values of one name the last counts."""
    Path("a.yaml").write_text(
        f"options:\n  max_autotune: off\n  max_autotune: on\n  cpp.threads: 3\n  epilogue_fusion: {value}\n"
    )
    with pytest.warns(EnvironmentWarning, match="epilogue_fusion is not set to a literal") as warned:
        assert dict(read("a.yaml")) == {"inductor.cpp.threads": 3, "inductor.max_autotune": True}
    assert [each.message.place for each in warned] == [("a.yaml", 5)]


def test_yaml_without_pyyaml(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error names the package to install."""
    monkeypatch.setitem(sys.modules, "yaml", None)
    Path("a.yaml").write_text(YAML)
    with pytest.raises(dynconf.StateFileError, match=r"a\.yaml is YAML.*pip install pyyaml"):
        read("a.yaml")


def test_components_of_a_key() -> None:
    """From the JSON of a cache miss come the settings that are not the default."""
    components = [
        "[abc] gm: <lambda>()",
        "[abc] inductor_config[epilogue_fusion]: False",
        "[abc] inductor_config[max_autotune]: False",
        "[abc] inductor_config[post_grad_custom_pre_pass]: <object at 0x1>",
    ]
    Path("fx_graph_cache_miss_0.json").write_text(json.dumps({"key": "f", "components": components}))
    assert dict(read("fx_graph_cache_miss_0.json")) == {"inductor.epilogue_fusion": False}


def test_all_values_of_a_module() -> None:
    """JSON of tlparse has the whole of a module as JSON."""
    data = {"TYPE_CHECKING": False, "_save_config_ignore": [], "cse": False, "recompute_views": False}
    Path("config.json").write_text(json.dumps(data))
    assert dict(read("config.json")) == {"functorch.cse": False}


@pytest.mark.parametrize("name", ["repro.py", "comment.md", "train.yaml", "report.md"])
def test_config_reads_them(run_cli, name: str) -> None:
    """Every command with --config takes them, with their lines; test_hostile.py has trust."""
    if name == "report.md":
        options = [word for flag, value in FLAGS.items() for word in ("--set", f"{flag}={value}")]
        Path(name).write_text(run_cli("report", *options).out)
    else:
        Path(name).write_text(YAML if name == "train.yaml" else TEXT)
    done = run_cli("dump", "--changed", "-a", "-f", "json", "--config", name)
    flags = json.loads(done.out)["flags"]
    assert {flag: each["value"] for flag, each in flags.items()} == FLAGS
    assert name in str(flags["inductor.epilogue_fusion"]["origin"]["file"])
    assert f"in the environment, {name}" in run_cli("check", "--config", name).out


def test_config_says_what_is_left_out(run_cli) -> None:
    """A value that only running the script would tell; a file that is not there, and one that is nothing."""
    Path("repro.py").write_text(f"{TEXT}torch._dynamo.config.recompile_limit = n\n")
    shown = run_cli("dump", "--config", "repro.py")
    assert "repro.py:3: dynamo.recompile_limit is not set to a literal" in shown.err
    for name, text, said in (
        ("none.py", None, ""),
        ("broken.py", "import torch\nx = (\n", " is not a program"),
        (
            "half.md",
            "### Environment\n\n| | |\n",
            " has no settings in a block of code, such as the part 'As a file'",
        ),
        ("blocks.md", "Hello\n```python\nx = 1\n```\n", " has no settings in a block of code, such as"),
    ):
        if text is not None:
            Path(name).write_text(text)
        for words in (["--config", name], ["-o", "x.json", "--from", name]):
            assert f"{name}{said}" in run_cli("dump", *words).refused()


def test_a_variable_names_settings_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is read when a program starts; the error says which commands read other texts."""
    Path("report.md").write_text("### Environment\n\n| | |\n")
    monkeypatch.setenv("DYNCONF_CONFIG", "report.md")
    with pytest.raises(
        dynconf.StateFileError, match=r"report\.md is not valid TOML.*--config, dynconf\.load"
    ):
        dynconf.install()


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("```a\n" * 200_000, id="fences"),
        pytest.param("torch." + "config." * 140_000, id="name"),
        pytest.param("(" * 1_000_000, id="brackets"),
        pytest.param("torch._dynamo.config.x" + "\u0301\u0316" * 240_000 + " = 1", id="accents"),
        pytest.param("options:\n" + "- &a [*a, {a: b}]\n" * 5_000, id="yaml"),
        pytest.param("(\n" + "torch.config.a = b\n" * 50_000, id="lines"),
        pytest.param("import torch\n" + ("f" + "()" * 400 + "\n") * 100, id="calls"),
        pytest.param("import torch\nd = {}\n" + "d[1]=1\n" * 50_000, id="items"),
        pytest.param(
            "import torch\nd = {" + "'cse': 0," * 10_000 + "}\n" + "torch.compile(m, options=d)\n" * 10_000,
            id="options",
        ),
    ],
)
@pytest.mark.filterwarnings("ignore")
def test_hostile_texts_take_no_time(text: str) -> None:
    """Whatever is pasted, reading it ends soon."""
    Path("pasted.txt").write_text(text)
    started = time.process_time()
    with suppress(dynconf.StateFileError):
        read("pasted.txt")
    assert time.process_time() - started < 20
