"""Flags that nothing in a release reads: what counts as a reader in a wheel that was made up."""

import zipfile
from pathlib import Path

import pytest

from dynconf._codegen.readers import unread

READERS = [
    ("plain", "x = config.plain"),
    ("nested.deep", "from torch._inductor import config as cfg\nx = cfg.nested.deep"),
    ("nested.deep", "nested = config.nested\nx = nested.deep"),
    ("imported", "from torch._dynamo.config import imported"),
    ("looked_up", "x = getattr(config, 'looked_up')"),
    ("looked_up", "for name in ('looked_up', 'other'):\n    setattr(self, name, getattr(config, name))"),
    ("cpu_backend", "x = getattr(config, f'{device}_backend')"),
    ("cpu_backend", "x = getattr(config, device + '_backend')"),
]
NO_READERS = [
    ("plain", "config.plain = 1"),
    ("plain", "with config.patch(plain=1): pass"),
    ("plain", "with config.patch({'plain': 1}): pass"),
    ("plain", "torch.compile(f, options={'plain': 1})"),
    ("plain", "plain = 1\nprint(plain)"),
    ("plain", "# config.plain"),
    ("plain", "x = getattr(config, name)"),
    ("plain", "x = config.plainer"),
    ("decomposed", "from . import decomposed"),
]


@pytest.fixture
def without_reader(tmp_path: Path):
    """Return a function that returns the flags without a reader in a wheel that has these files."""

    def find(files: dict[str, str | bytes], **modules: object) -> dict[str, list[str]]:
        path = tmp_path / "torch.whl"
        with zipfile.ZipFile(path, "w") as wheel:
            for name, content in files.items():
                wheel.writestr(f"torch/{name}", content)
        return unread(path, modules)

    return find


@pytest.mark.parametrize(("flag", "source"), READERS)
def test_a_reader_is_found(without_reader, flag: str, source: str) -> None:
    """By whatever name the file calls the config module, and however it spells the name of the flag."""
    assert without_reader({"a.py": source}, inductor={flag: {}}) == {"inductor": []}


@pytest.mark.parametrize(("flag", "source"), NO_READERS)
def test_an_assignment_is_no_reader(without_reader, flag: str, source: str) -> None:
    """Nor is a patch, an option, a comment, another thing of that name, or a lookup of any flag."""
    assert without_reader({"a.py": source}, inductor={flag: {}}) == {"inductor": [flag]}


def test_an_alias_is_read_for_its_flag(without_reader) -> None:
    """In its own module or another one; the alias is in no list."""
    files = {"a.py": "x = config.old, config.moved"}
    dynamo = {"new": {}, "old": {"alias": "new"}, "left": {}}
    inductor = {"there": {}, "moved": {"alias": "torch.compiler.config.there"}}
    compiler = {"there": {}}
    found = without_reader(files, dynamo=dynamo, inductor=inductor, compiler=compiler)
    assert found == {"dynamo": ["left"], "inductor": ["there"], "compiler": []}


def test_the_config_module_reads_its_flags_in_functions(without_reader) -> None:
    """Elsewhere it reads them while it is imported, before anybody could assign them, or only names them."""
    source = """
early = True
late = False
derived = early
ignored = ["early"]
def mode():
    return late
"""
    flags = {"early": {}, "late": {}}
    assert without_reader({"_dynamo/config.py": source}, dynamo=flags) == {"dynamo": ["early"]}


def test_readers_that_are_not_python(without_reader) -> None:
    """C++ asks for an attribute by a text, which is in the library; a template has the bare name."""
    files = {
        "lib/libtorch_python.dylib": b"\1\2asked_by_cpp\0\3not_whole_x\0",
        "kernels/mm.py.jinja": "{{ config.in_template }}",
    }
    flags = {"asked_by_cpp": {}, "in_template": {}, "not_whole": {}}
    assert without_reader(files, inductor=flags) == {"inductor": ["not_whole"]}
