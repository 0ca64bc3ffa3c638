"""Reading a release: the rules by which it reads variables, from small sources made up for each."""

import json
import subprocess
import zipfile
from pathlib import Path

import pytest

from dynconf._codegen import upstream
from dynconf._codegen.stub import PARTS

FIXTURES = Path(__file__).parents[1] / "data" / "upstream"

CONFIG = '''
"""A config module as a release might have it."""
import os
import sys
from typing import Optional, TYPE_CHECKING

from torch.utils._config_module import Config, install_config_module

log_level = 3
verbose = os.environ.get("VERBOSE_VARIABLE", "0") == "1"
where = os.path.join(os.getcwd(), "inside")
torch_folder = os.path.dirname(os.path.dirname(os.path.dirname(__file__)))
words: set[str] = {"b", "a"}
maybe: Optional[bool] = None
old: int = Config(alias="torch._dynamo.config.log_level")
_NOT_A_FLAG = object
install_config_module(sys.modules[__name__])
'''

CONFIG_MODULE = """
import types


class Entry:
    def __init__(self, default=None, alias=None, deprecated=False):
        self.default, self.alias, self.deprecated = default, alias, deprecated


def Config(default=None, alias=None, deprecated=False):
    return Entry(default, alias, deprecated)


def install_config_module(module):
    plain = (bool, int, str, set, type(None), Entry)
    found = {k: v for k, v in vars(module).items() if not k.startswith("__") and isinstance(v, plain)}
    entries = {k: v if isinstance(v, Entry) else Entry(v) for k, v in found.items()}
    for name, entry in entries.items():
        setattr(module, name, entry.default)
    module._config = entries
    module._compile_ignored_keys = {"verbose"}
"""


@pytest.mark.parametrize(
    ("expression", "variables"),
    [
        ('os.environ.get("X", "0") == "1"', {"X": "equals_one"}),
        ('os.environ.get("X") == "1"', {"X": "equals_one"}),
        ('bool(os.environ.get("X", False))', {"X": "truthy"}),
        ('os.environ.get("X", False)', {"X": "text"}),
        ('os.environ.get("X")', {"X": "text"}),
        ('int(os.environ.get("X", 2))', {"X": "integer"}),
        ('int(os.environ.get("X", "1000")) or None', {"X": "integer_or_none"}),
        ('get_tristate_env("X")', {"X": "tristate"}),
        ('Config(default=True, env_name_default="X")', {"X": "default"}),
        ('Config(default=True, env_name_force="X")', {"X": "force"}),
        (
            'Config(default=1, env_name_force=["X", "Y"], env_name_default="Z")',
            {"X": "force", "Y": "force", "Z": "default"},
        ),
        ('Config(alias="torch._dynamo.config.x")', None),
        ("default_debug_dir_root()", {"TORCH_COMPILE_DEBUG_DIR": "debug_dir"}),
        ('os.environ.get("X", "0" if is_fbcode() else "1") == "1"', {"X": "equals_one"}),
        ("True", None),
        ('{"a": 1}', None),
    ],
)
def test_the_rule_is_read_from_the_source(expression, variables):
    """Each way in which torch reads a variable, and flags that read none."""
    facts = upstream._read_source(f"flag = {expression}\n")
    assert facts["flag"].get("variables") == variables


def test_annotations_are_read_from_the_source():
    """As the source spells them."""
    facts = upstream._read_source(
        "a: int = 1\nb = 2\nc: Optional[str] = None\nd: int\nx.y = 3\nfor e in []: pass\n"
    )
    assert facts == {"a": {"annotation": "int"}, "b": {}, "c": {"annotation": "Optional[str]"}}


def test_defaults_of_the_interpreter_are_marked():
    """They are not the same on every machine that makes a fixture."""
    facts = upstream._read_source('a = sysconfig.get_config_var("Py_GIL_DISABLED") != 1\n')
    assert facts == {"a": {"depends_on": "interpreter"}}


@pytest.fixture
def release(tmp_path) -> Path:
    """The sources of a release that nobody made."""
    for part, text in zip(PARTS, (CONFIG, CONFIG_MODULE, ""), strict=True):
        path = tmp_path / "cache" / "2.99.0" / part
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "cache" / "2.99.0"


def test_a_release_is_read_from_what_runs_and_what_is_written(release, monkeypatch):
    """Values from the running module, in a clean environment; annotations and variables from its text."""
    monkeypatch.setenv("VERBOSE_VARIABLE", "1")
    facts = upstream.read("2.99.0", release)
    assert facts == {
        "torch": "2.99.0",
        "flags": {
            "log_level": {"default": 3, "compile_ignored": False},
            "maybe": {"default": None, "compile_ignored": False, "annotation": "Optional[bool]"},
            "old": {"default": None, "compile_ignored": False, "alias": "log_level", "annotation": "int"},
            "torch_folder": {"default": "<torch>", "compile_ignored": False},
            "verbose": {
                "default": False,
                "compile_ignored": True,
                "variables": {"VERBOSE_VARIABLE": "equals_one"},
            },
            "where": {"default": "<cwd>/inside", "compile_ignored": False},
            "words": {"default": ["a", "b"], "compile_ignored": False, "annotation": "set[str]"},
        },
    }
    assert list(facts["flags"]) == sorted(facts["flags"])


def test_what_is_in_the_cache_is_not_fetched(release, monkeypatch):
    """The second call needs no network."""
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: pytest.fail("pip was called"))
    assert upstream.fetch("2.99.0", release.parent) == release


def test_fetching_takes_only_the_parts_that_are_needed(tmp_path, monkeypatch):
    """Of a wheel three files are kept; pip is asked for that very release, without its dependencies."""
    asked = []

    def pip(command, **_):
        asked.append(command)
        folder = Path(command[command.index("--dest") + 1])
        with zipfile.ZipFile(folder / "torch-2.99.0-any.whl", "w") as wheel:
            for part in (*PARTS, "torch/__init__.py", "torch/lib/big.so"):
                wheel.writestr(part, f"# {part}")

    monkeypatch.setattr(subprocess, "run", pip)
    folder = upstream.fetch("2.99.0", tmp_path)
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert files == set(PARTS)
    (command,) = asked
    assert command[-1] == "torch==2.99.0"
    assert "--no-deps" in command


@pytest.mark.parametrize("fixture", sorted(FIXTURES.glob("*.json")), ids=lambda path: path.stem)
def test_a_cached_release_still_gives_its_fixture(fixture):
    """Where the sources are at hand, reading them again gives the committed bytes."""
    folder = Path(__file__).parents[2] / ".cache" / "torch" / fixture.stem
    if not all((folder / part).is_file() for part in PARTS):
        pytest.skip("its sources were not fetched here; `make compat` does")
    facts = upstream.read(fixture.stem, folder)
    assert json.dumps(facts, indent=1) + "\n" == fixture.read_text(encoding="utf-8")
