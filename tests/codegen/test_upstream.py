"""Reading a release: the files kept of its wheel, and the facts of a release that was made up."""

import ast
import json
import runpy
import shutil
import subprocess
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from dynconf._codegen import __main__ as command
from dynconf._codegen import upstream
from dynconf.release import RELEASES

FIXTURES = Path(__file__).parents[1] / "data" / "upstream"
ROOT = Path(__file__).parents[2]

DYNAMO = '''
"""A config module as a release might have it."""
import os
import sys
from typing import Optional, TYPE_CHECKING

from torch.utils._config_module import Config, install_config_module

log_level = 3
verbose = os.environ.get("VERBOSE_VARIABLE", "0") == "1"
quiet = not verbose
where = os.path.join(os.getcwd(), "inside")
torch_folder = os.path.dirname(os.path.dirname(os.path.dirname(__file__)))
words: set[str] = {"b", "a"}
maybe: Optional[bool] = None
strict = bool(os.getenv("CI"))
threads = os.cpu_count()
old: int = Config(alias="torch._dynamo.config.log_level")
elsewhere: int = Config(alias="torch._functorch.config.cse")
_NOT_A_FLAG = object


class nested:
    depth: int = 3


install_config_module(sys.modules[__name__])
'''

FUNCTORCH = """
import sys

from torch.utils._config_module import install_config_module

cse = True
callback = len
install_config_module(sys.modules[__name__])
"""

INDUCTOR = """
import sys

from torch.utils._config_module import install_config_module

_private = 1
target = 1


class trace:
    on = 1


install_config_module(sys.modules[__name__])
config = sys.modules[__name__]._config
config["trace.on"] = config["target"]
sys.modules[__name__].__dict__["trace.on"] = 1
sys.modules[__name__]._implications = {"target": (("_private", 2, 3),)}


def save_config_portable(*, ignore_private_configs=True):
    return {"target": 1} if ignore_private_configs else {"target": 1, "_private": 1}
"""

CONFIG_MODULE = """
import inspect
import types


class Entry:
    def __init__(self, default=None, alias=None, deprecated=False):
        self.default, self.alias, self.deprecated = default, alias, deprecated


def Config(default=None, alias=None, deprecated=False):
    return Entry(default, alias, deprecated)


def install_config_module(module):
    plain = (bool, int, str, set, type(None), Entry, types.BuiltinFunctionType)
    found = {k: v for k, v in vars(module).items() if not k.startswith("__") and isinstance(v, plain)}
    nested = vars(module).get("nested")
    found |= {f"nested.{k}": v for k, v in vars(nested).items() if isinstance(v, int)} if nested else {}
    entries = {k: v if isinstance(v, Entry) else Entry(v) for k, v in found.items()}
    for name, entry in entries.items():
        setattr(module, name, entry.default)
    module._config = entries
    module._compile_ignored_keys = {"verbose"}
"""

PARTS = {
    "torch/_dynamo/config.py": DYNAMO,
    "torch/_functorch/config.py": FUNCTORCH,
    "torch/utils/_config_module.py": CONFIG_MODULE,
}


@pytest.fixture
def release(tmp_path: Path) -> Path:
    """The config modules of a release that nobody made."""
    folder = tmp_path / "cache" / "2.99.0"
    for part, text in PARTS.items():
        path = folder / part
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def test_a_release_is_read_from_modules_that_run(release: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Values and variables from the running modules, in a clean environment; the rest from text."""
    monkeypatch.setenv("VERBOSE_VARIABLE", "1")
    monkeypatch.setenv("CI", "1")
    facts = upstream.read("2.99.0", release)
    assert facts == {
        "torch": "2.99.0",
        "modules": {
            "dynamo": {
                "elsewhere": {"line": 19, "alias": "torch._functorch.config.cse", "annotation": "int"},
                "log_level": {"line": 9, "default": 3},
                "maybe": {"line": 15, "default": None, "annotation": "Optional[bool]"},
                "nested.depth": {"line": 24, "default": 3, "annotation": "int"},
                "old": {"line": 18, "alias": "log_level", "annotation": "int"},
                "quiet": {"line": 11, "default": True, "variables": {"VERBOSE_VARIABLE": "not_one"}},
                "strict": {"line": 16, "default": False, "depends_on": ["CI"]},
                "threads": {"line": 17, "depends_on": ["the number of processors"]},
                "torch_folder": {"line": 13, "default": "<torch>", "depends_on": ["torch's folder"]},
                "verbose": {
                    "line": 10,
                    "default": False,
                    "compile_ignored": True,
                    "variables": {"VERBOSE_VARIABLE": "equals_one"},
                },
                "where": {"line": 12, "default": "<cwd>/inside", "depends_on": ["the working directory"]},
                "words": {"line": 14, "default": ["a", "b"], "annotation": "set[str]"},
            },
            "functorch": {
                "callback": {"line": 7, "default": "builtins:len"},
                "cse": {"line": 6, "default": True},
            },
        },
    }
    assert all(list(flags) == sorted(flags) for flags in facts["modules"].values())


def test_a_release_without_a_module_has_no_facts_of_it(release: Path) -> None:
    """A module that came later is left out."""
    (release / "torch/_functorch/config.py").unlink()
    assert list(upstream.read("2.99.0", release)["modules"]) == ["dynamo"]


def test_a_module_that_does_not_run_is_reported(release: Path) -> None:
    """With the error, which names the part that the stand-in lacks."""
    (release / "torch/_dynamo/config.py").write_text("from torch.new_place import something\n")
    with pytest.raises(
        RuntimeError, match=r"(?s)torch 2.99.0 do not run:.*No module named 'torch.new_place'"
    ):
        upstream.read("2.99.0", release)


def test_a_release_in_the_cache_is_not_fetched(release: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second call needs no network."""
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: pytest.fail("pip was called"))
    assert upstream.fetch("2.99.0", release.parent) == release


def test_fetching_keeps_only_config_modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a wheel the config modules are kept; pip is asked for that very release and no dependencies."""
    asked = []
    kept = {
        "torch/_dynamo/config.py",
        "torch/_functorch/config.py",
        "torch/_inductor/config.py",
        "torch/_inductor/config_comms.py",
        "torch/compiler/config.py",
        "torch/fx/experimental/_config.py",
        "torch/utils/_config_module.py",
        "torch/utils/_config_typing.pyi",
    }

    def pip(words: list[str], **_: object) -> None:
        asked.append(words)
        folder = Path(words[words.index("--dest") + 1])
        with zipfile.ZipFile(folder / "torch-2.99.0-any.whl", "w") as wheel:
            for part in (*kept, "torch/__init__.py", "torch/lib/big.so", "torch/_dynamo/reconfig.py"):
                wheel.writestr(part, f"# {part}")

    monkeypatch.setattr(subprocess, "run", pip)
    folder = upstream.fetch("2.99.0", tmp_path / "cache")
    assert {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()} == kept
    (words,) = asked
    assert words[-1] == "torch==2.99.0"
    assert "--no-deps" in words
    assert [path.name for path in (tmp_path / "cache").iterdir()] == ["2.99.0"]


def test_a_download_that_fails_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next call tries again."""

    def pip(words: list[str], **_: object) -> None:
        raise subprocess.CalledProcessError(1, words)

    monkeypatch.setattr(subprocess, "run", pip)
    with pytest.raises(subprocess.CalledProcessError):
        upstream.fetch("2.99.0", tmp_path / "cache")
    assert not list((tmp_path / "cache").iterdir())


@pytest.fixture
def add(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[[str], str]:
    """Return what adds the release that nobody made to copied fixtures, and returns what it prints."""

    @contextmanager
    def wheel_of(version: str, _: Path) -> Iterator[Path]:
        path = tmp_path / f"torch-{version}.whl"
        with zipfile.ZipFile(path, "x") as wheel:  # a second download fails
            wheel.writestr("torch/_dynamo/utils.py", "print(config.verbose, config.old, config.elsewhere)")
            for part, text in PARTS.items():
                wheel.writestr(part, text)
        yield path

    for path in (*(FIXTURES / f"{each}.json" for each in RELEASES[-2:]), command.LIST):
        shutil.copy(path, tmp_path)
    monkeypatch.setattr(upstream, "wheel_of", wheel_of)
    monkeypatch.setattr(command, "CACHE", tmp_path)
    monkeypatch.setattr(command, "FIXTURES", tmp_path)
    monkeypatch.setattr(command, "LIST", tmp_path / "release.py")

    def run(version: str) -> str:
        monkeypatch.setattr("sys.argv", ["codegen", "upstream", version])
        assert command.main() == 0
        return capsys.readouterr().out

    return run


@pytest.fixture
def added(add: Callable[[str], str]) -> str:
    """Add it as 2.99.0."""
    return add("2.99.0")


def test_the_command_reads_a_release_and_enters_it(added: str, tmp_path: Path) -> None:
    """Its facts, from one download of its wheel, and its number at the end of the list."""
    assert added.startswith(f"{tmp_path}/2.99.0.json: 12 flags of dynamo, 2 flags of functorch\n")
    assert runpy.run_path(str(tmp_path / "release.py"))["RELEASES"] == (*RELEASES, "2.99.0")
    written: dict[str, Any] = json.loads((tmp_path / "2.99.0.json").read_text(encoding="utf-8"))
    assert list(written["modules"]) == ["dynamo", "functorch"]


def test_a_later_patch_release_takes_the_place_of_an_earlier_one(
    add: Callable[[str], str], tmp_path: Path
) -> None:
    """The catalogue has one of each minor version."""
    later = f"{RELEASES[-1]}9"
    add(later)
    assert runpy.run_path(str(tmp_path / "release.py"))["RELEASES"] == (*RELEASES[:-1], later)
    assert {path.stem for path in tmp_path.glob("*.json")} == {RELEASES[-2], later}


def test_the_command_finds_the_flags_that_nothing_reads(added: str, tmp_path: Path) -> None:
    """They are facts of the release, as its defaults are; an alias is read for its flag."""
    written: dict[str, Any] = json.loads((tmp_path / "2.99.0.json").read_text(encoding="utf-8"))
    without = ["maybe", "nested.depth", "quiet", "strict", "threads", "torch_folder", "where", "words"]
    assert written["unread"] == {"dynamo": without, "functorch": ["callback"]}


def test_flags_that_inductor_and_comms_leave_out_of_the_cache_key(release: Path) -> None:
    """Those that the release's own function leaves out, private flags counted as the cache counts them."""
    module = release / "torch/_inductor/config.py"
    module.parent.mkdir()
    module.write_text(INDUCTOR)
    flags = upstream.read("2.99.0", release, ["inductor"])["modules"]["inductor"]
    assert flags == {
        "_private": {"default": 1, "line": 6},
        "target": {"default": 1, "line": 7, "implied_by": [["_private", 2, 3]]},
        "trace.on": {"default": 1, "line": 11, "cache_key_ignored": True},
    }


def test_where_and_how_flags_are_declared() -> None:
    """A nested class has the fields of its base, as in torch; of branches, the first one counts."""
    source = """
class a:
    x: int = 1
class b(a):
    y = ''
if y:
    z: bool = True
else:
    z = False
"""
    found = upstream._declarations(ast.parse(source).body)
    assert found == {"a.x": (3, "int"), "b.x": (3, "int"), "b.y": (5, ""), "z": (7, "bool")}


def test_a_fixture_has_a_line_for_each_flag() -> None:
    """So that a difference between two releases can be read as one."""
    modules = {"dynamo": {"a": {"default": 1}, "b": {}}, "fx": {"c": {}}}
    facts = {"torch": "2.99.0", "unread": {"dynamo": ["a"], "fx": []}, "modules": modules}
    text = upstream.as_text(facts)
    assert json.loads(text) == facts
    assert text.splitlines()[8:10] == ['   "a": {"default": 1},', '   "b": {}']


def test_a_release_still_gives_its_facts(request: pytest.FixtureRequest) -> None:
    """Reading its config modules again gives the committed file, in a run for that release: `make compat`.

    The tests of the records read those of the installed torch.
    """
    version = request.config.getoption("--torch-release")
    if version is None:
        pytest.skip("this run is for the installed torch")
    committed = json.loads((FIXTURES / f"{version}.json").read_text(encoding="utf-8"))["modules"]
    assert upstream.read(version, ROOT / ".cache" / "torch" / version)["modules"] == committed
