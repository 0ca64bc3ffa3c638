"""Every command with every option, and every example of its help, is run."""

import json
import shlex
from pathlib import Path

import click
import pytest

from dynconf.cli import COMMANDS, group
from dynconf.release import Release

AUDIT = (
    '{"count": 3, "flag": "verbose", "before": false, "after": true, "how": "assignment", "by_torch": false,'
    ' "kind": "assignment", "file": "train.py", "line": 7, "rank": 0, "pid": 4711}\n'
)
TRACE = (
    'V1 1 x.py:1] {"artifact": {"name": "fx_graph_cache_miss", "encoding": "json"}}\n'
    '\t{"components": ["[1] gm: f"]}\n'
)
FILES = {
    "train.py": "",
    "src/train.py": "",
    "Dockerfile": "",
    "repro.py": "torch._dynamo.config.verbose = True\n",
    "first/trace.log": TRACE,
    "second/trace.log": TRACE.replace("[1]", "[2]"),
    "old/cache_key_factors.json": '{"code_hash": "1"}',
    "new/cache_key_factors.json": '{"code_hash": "2"}',
    "dynconf.toml": "recompile_limit = 32\n",
    "a.toml": "verbose = true\n",
    "before.json": '{"dynconf": 1, "torch": "2.13.0", "flags": {"verbose": {"value": true}}}',
    "after.json": '{"dynconf": 1, "torch": "2.13.0", "flags": {"verbose": {"value": false}}}',
    "audit.0.4711.jsonl": AUDIT,
    "audit.1.4712.jsonl": AUDIT.replace('"rank": 0', '"rank": 1'),
    "model.py": "import torch\n\ndef make():\n    return torch.nn.Linear(3, 2), (torch.randn(4, 3),)\n",
}

WITHOUT_TORCH = [
    (
        "dump --changed --all --topic --format json --torch 2.13 -s verbose=1 --config a.toml --missing skip",
        0,
    ),
    ("dump -a -f toml -t 2.6 --trust", 0),
    ("explain -f json verbose DC005 TORCHDYNAMO_VERBOSE", 0),
    ("explain --format text --torch 2.13", 0),
    ("check --torch 2.9 --config a.toml --format github --trust --threads torch", 0),
    ("check --torch 2.6 -t 2.13 --select DC3 --ignore DC301 --statistics --format json .", 0),
    ("check --from 2.12 -f json", 0),
    ("check --fix -t 2.13 .", 0),
    ("check --diff .", 0),
    ("init --all --force --torch 2.6 --output new.toml", 0),
    ("init --pyproject -a -t 2.13 -o pyproject.toml", 0),
    ("diff before.json after.json --torch 2.13 --missing skip --format json --trust", 1),
    ("dump -o x.json --all --ignore verbose --torch 2.13 --set repro_level=3 --config a.toml", 0),
    ("dump --output w.json --from repro.py", 0),
    ("diff --torch 2.8 --torch 2.13 --what variables", 1),
    ("report -s verbose=1 --config a.toml --missing skip --trust --full -f json", 0),
    ("report -o report.md", 0),
    ("why-miss first second --trust -f json", 1),
    ("dump --format fish --torch 2.13 -s repro_level=3 --config a.toml --missing warn --trust", 0),
    ("init --schema --output schema.json", 0),
    ("bisect before.json after.json --fail-on 1 --timeout 60 --hang skip --trust -- false", 1),
    ("bisect before.json after.json --share-caches --jobs 2 --resume search.json -o x.json -- true", 1),
    ("bisect --drop a.toml --fail-if 'x > 1' --repeat 2 --format text -- echo x=2", 1),
    ("bisect --defaults 2.13 -- true", 2 if Release.at_hand().minor == (2, 13) else 1),
    ("report audit.0.4711.jsonl audit.1.4712.jsonl --all --format json", 0),
]
"""Command lines, with their exit codes."""

WITH_TORCH = [
    ("dump verbose --live", 0),
    ("diff before.json -l", 1),
    ("dump -o y.json -l --pins", 0),
    ("report -l", 0),
    ("dump -o z.json --defaults 2.8", 0),
    ("verify -d cpu -b eager --verbose -f json", 0),
    ("verify --list -f json", 0),
    ("verify --try -b eager", 0),
    ("compare model.py:make --base eager --control aot_eager --set-base verbose=1 --all -f json", 0),
    (
        "compare model.py:make --control eager --set-control verbose=1 -n 1 --precision dtype --no-optimizer",
        0,
    ),
]


def command(name: str) -> click.Command:
    """Return the command of that name."""
    found = group.get_command(click.Context(group), name)
    assert found
    return found


@pytest.fixture(autouse=True)
def _files(tmp_path: Path) -> None:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)


MARKS = (pytest.mark.real_torch, pytest.mark.filterwarnings("ignore"))


@pytest.mark.parametrize(
    ("words", "code"),
    [*WITHOUT_TORCH, *(pytest.param(*each, marks=MARKS) for each in WITH_TORCH)],
    ids=lambda each: str(each)[:50],
)
def test_a_command_line(run_cli, words: str, code: int) -> None:
    """It ends as expected, and what it prints is what its format says."""
    done = run_cli(*shlex.split(words))
    assert done.code == code, done.err
    if " json" in words:
        json.loads(done.out)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_is_used(name: str) -> None:
    """By the command lines above, by any of its names; those of `run` in its own tests."""
    if name == "run":
        tests = (
            Path(__file__).parent / each
            for each in ("test_run.py", "test_report.py", "../tools/run/test_show.py")
        )
        used = set(shlex.split("".join(each.read_text() for each in tests).replace("'", "")))
        used = {word.strip('",') for word in used}
    else:
        lines = [line for line, _ in (*WITHOUT_TORCH, *WITH_TORCH) if line.split()[0] == name]
        assert lines
        used = {word for line in lines for word in shlex.split(line)}
    declared = [
        {*each.opts, *each.secondary_opts}
        for each in command(name).params
        if each.param_type_name == "option"
    ]
    unused = [names for names in declared if not used & names]
    assert unused == []


@pytest.mark.parametrize(
    "example", [each for name in COMMANDS for each in command(name).examples], ids=lambda each: each[:60]
)
def test_the_examples_are_well_formed(run_cli, example: str) -> None:
    """Those that need neither a program nor torch run; of the others the words are at least accepted."""
    words = shlex.split(example.removeprefix('eval "$(').removesuffix(')"').partition(" | ")[0])
    if (
        words[0] != "dynconf"
        or words[1] in ("run", "verify", "compare", "bisect")
        or {"--live", "--threads"} & {*words}
    ):
        words = words[words.index("dynconf") :]
        assert command(words[1]).make_context(words[1], words[2:]).params
        return
    if words[1] == "init":
        Path("dynconf.toml").unlink()
    done = run_cli(*words[1:])
    assert done.code in (0, 1), done.err
