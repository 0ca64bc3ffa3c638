"""Generated files: clean, stable to the byte, and checked with a diff."""

import ast
import sys

import pytest

from dynconf._codegen import __main__ as command
from dynconf._codegen import generated
from dynconf._codegen.annotations import annotation
from dynconf._codegen.generated import BANNER, GENERATED, ROOT, differences, formatted, write
from dynconf.catalogue import FLAGS
from dynconf.catalogue.value_types import (
    Bool,
    BoolOr,
    Choice,
    Float,
    Int,
    ListOf,
    Mapping,
    Opaque,
    Optional,
    Path,
    Reference,
    SetOf,
    Text,
)


@pytest.fixture
def elsewhere(tmp_path):
    """A folder that has a place for each generated file."""
    for path in GENERATED:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
    return tmp_path


def test_the_committed_files_are_what_the_catalogue_says():
    """As ``python -m dynconf._codegen --check``."""
    assert list(differences()) == []


def test_writing_twice_gives_the_same_bytes(elsewhere):
    """And the bytes that are committed."""
    write(elsewhere)
    first = {path: (elsewhere / path).read_bytes() for path in GENERATED}
    write(elsewhere)
    assert {path: (elsewhere / path).read_bytes() for path in GENERATED} == first
    assert {path: (ROOT / path).read_bytes() for path in GENERATED} == first
    assert list(differences(elsewhere)) == []


def test_a_stale_file_is_shown_as_a_diff(elsewhere):
    """With its path, what stands there and what would; a missing file is all new."""
    write(elsewhere)
    path = "dynconf/model/_generated/keywords.py"
    stale = (elsewhere / path).read_text().replace("    verbose: bool\n", "    verbose: int\n")
    (elsewhere / path).write_text(stale)
    (diff,) = differences(elsewhere)
    assert diff.startswith(f"--- {path}\n+++ {path} (anew)\n")
    assert "\n-    verbose: int\n+    verbose: bool\n" in diff
    (elsewhere / path).unlink()
    (diff,) = differences(elsewhere)
    assert "+    verbose: bool\n" in diff


@pytest.mark.parametrize("path", GENERATED)
def test_generated_files_say_so(path):
    """The banner is the first line, and the docstring follows it."""
    text = (ROOT / path).read_text(encoding="utf-8")
    comment = BANNER.rstrip("\n")
    assert comment in text.splitlines()[0] or comment in text
    if path.endswith(".py"):
        assert text.startswith(BANNER)
        assert ast.get_docstring(ast.parse(text))


def test_what_is_no_python_is_left_as_it_is():
    """Formatting is for Python files."""
    assert formatted("a.md", "x  =  1\n") == "x  =  1\n"
    assert formatted("a.py", "x  =  1\n") == "x = 1\n"


@pytest.mark.parametrize(
    ("type_", "spelled"),
    [
        (Bool(), "bool"),
        (Int(0), "int"),
        (Float(), "float"),
        (Text(), "str"),
        (Path(), "str"),
        (Choice(("a", "b")), "Literal['a', 'b']"),
        (Optional(Bool()), "bool | None"),
        (BoolOr(Choice(("a",))), "bool | Literal['a']"),
        (SetOf(Reference("callable")), "set[Callable[..., Any]]"),
        (SetOf(Reference("class")), "set[type[Any]]"),
        (ListOf(Text()), "list[str]"),
        (Mapping(), "dict[str, Any]"),
        (Opaque(), "Any"),
    ],
)
def test_annotations_are_python(type_, spelled):
    """Each type has the annotation that users would write."""
    assert annotation(type_) == spelled
    ast.parse(spelled, mode="eval")


def test_every_flag_has_an_annotation():
    """No type of the catalogue was forgotten."""
    assert all(annotation(flag.type) for flag in FLAGS.values())


def run(monkeypatch, *words):
    """Run the generator in this process."""
    monkeypatch.setattr(sys, "argv", ["python -m dynconf._codegen", *words])
    return command.main()


def test_the_check_answers_by_its_exit_code(monkeypatch, capsys, elsewhere):
    """0 and nothing where all is well; 1, the diff and the command to run where not."""
    assert run(monkeypatch, "--check") == 0
    assert capsys.readouterr().out == ""
    monkeypatch.setattr(generated.differences, "__defaults__", (elsewhere,))
    assert run(monkeypatch, "--check") == 1
    done = capsys.readouterr()
    assert "+++ dynconf/model/_generated/keywords.py (anew)" in done.out
    assert "run `python -m dynconf._codegen`" in done.err
    assert not any((elsewhere / path).exists() for path in GENERATED)


def test_without_a_word_it_writes(monkeypatch, elsewhere):
    """All generated files."""
    monkeypatch.setattr(generated.write, "__defaults__", (elsewhere,))
    assert run(monkeypatch) == 0
    assert all((elsewhere / path).is_file() for path in GENERATED)


def test_upstream_writes_a_fixture_for_each_release(monkeypatch, capsys, tmp_path):
    """One command for each new release: its facts, under its number."""
    monkeypatch.setattr(command, "FIXTURES", tmp_path)
    monkeypatch.setattr(generated, "ROOT", tmp_path)
    monkeypatch.setattr(command.upstream, "fetch", lambda release, cache: tmp_path / release)
    monkeypatch.setattr(command.upstream, "read", lambda release, _: {"torch": release, "flags": {"a": {}}})
    assert run(monkeypatch, "upstream", "2.16.0", "2.17.0") == 0
    assert (tmp_path / "2.16.0.json").read_text() == '{\n "torch": "2.16.0",\n "flags": {\n  "a": {}\n }\n}\n'
    assert capsys.readouterr().out == "2.16.0.json: 1 flags\n2.17.0.json: 1 flags\n"
