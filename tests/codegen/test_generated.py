"""Generated files: clean, stable to the byte, and checked with a diff."""

import ast
import functools
import sys

import pytest

from dynconf._codegen import __main__ as command
from dynconf._codegen import generated
from dynconf._codegen.generated import BANNER, GENERATED, ROOT, differences, tidy
from dynconf.catalogue.modules import MODULES


@pytest.fixture(scope="module", autouse=True)
def _tidy_once():
    """Run ruff once for each text; these tests would run it two hundred times."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(generated, "tidy", functools.cache(tidy))
        yield


@pytest.fixture
def elsewhere(tmp_path):
    """A folder that has a place for each generated file."""
    for path in GENERATED:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
    return tmp_path


def test_a_stale_file_is_shown_as_a_diff(elsewhere):
    """With its path, its content and the expected one; a missing file is all new."""
    stale, missing = "dynconf/catalogue/keywords.pyi", "dynconf/__init__.pyi"
    for path in GENERATED.keys() - {missing}:
        text = (ROOT / path).read_text(encoding="utf-8")
        text = text.replace("    verbose: bool\n", "    verbose: int\n") if path == stale else text
        (elsewhere / path).write_text(text, encoding="utf-8")
    found = {path: diff for diff in differences(elsewhere) for path in (stale, missing) if path in diff}
    assert found[stale].startswith(f"--- {stale}\n+++ {stale} (regenerated)\n")
    assert "\n-    verbose: int\n+    verbose: bool\n" in found[stale]
    assert "+__version__: str\n" in found[missing]


@pytest.mark.parametrize("path", GENERATED)
def test_generated_files_say_so(path):
    """The banner is the first line, and in a module the docstring follows it."""
    text = (ROOT / path).read_text(encoding="utf-8")
    assert text.startswith(BANNER)
    assert path.endswith(".pyi") or ast.get_docstring(ast.parse(text))


def test_generated_code_has_no_unused_imports_and_is_left_on_its_lines():
    """Imports are sorted; a record stays one line, however long it is."""
    record = f"x = ast.parse, re.compile, ({'1, ' * 100})\n"
    text = "import re\nimport os\nimport ast\n\n"
    assert tidy("a.py", text + record) == "import ast\nimport re\n\n" + record


def test_a_record_is_one_line():
    """The facts of each flag are found, and compared, in one line."""
    for module in MODULES:
        text = (ROOT / f"dynconf/catalogue/modules/{module}/_derived.py").read_text(encoding="utf-8")
        names = [line.split("'")[1] for line in text.splitlines() if line.startswith("    Flag(name=")]
        assert names == sorted(names)
        assert text.count("Flag(name=") == len(names) > 5


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
    assert "+++ dynconf/catalogue/keywords.pyi (regenerated)" in done.out
    assert "run `python -m dynconf._codegen`" in done.err
    assert not any((elsewhere / path).exists() for path in GENERATED)


def test_writing_twice_gives_the_same_bytes(monkeypatch, elsewhere):
    """Without arguments it writes all files, and the bytes that are committed."""
    monkeypatch.setattr(generated.write, "__defaults__", (elsewhere,))
    for _ in range(2):
        assert run(monkeypatch) == 0
        for path in GENERATED:
            assert (elsewhere / path).read_bytes() == (ROOT / path).read_bytes(), path
