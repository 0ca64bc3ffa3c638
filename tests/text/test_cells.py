"""Cells of a notebook: names of their lines, and errors in them."""

import io
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout

import pytest

import dynconf
from dynconf.text import place_text

Run = Callable[[str], str]


@pytest.fixture
def run() -> Iterator[Run]:
    """Run cells as IPython does, and return what each prints."""
    pytest.importorskip("IPython")
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell.instance(colors="nocolor")

    def run_cell(text: str) -> str:
        with redirect_stdout(io.StringIO()) as printed, redirect_stderr(printed):
            shell.run_cell(text, store_history=True)
        return printed.getvalue()

    run_cell("import dynconf")
    yield run_cell
    InteractiveShell.clear_instance()


def test_a_line_of_a_file() -> None:
    """It is FILE:LINE, in a notebook or not."""
    assert place_text("/x/program.py", 3) == "/x/program.py:3"
    assert place_text("/x/program.py", None) == "/x/program.py"


def test_a_cell_is_named_as_a_cell(run: Run) -> None:
    """Origins have the number of the cell, not the name of the file that IPython makes up."""
    printed = run("with dynconf.patch(verbose=True):\n    print(dynconf.origin('verbose'))")
    assert printed == "patch at cell 2, line 1\n"
    text = "with dynconf.patch(verbose=True):\n    print(dynconf.snapshot().only_set()._repr_html_())"
    assert "<td>patch at cell 3, line 1</td>" in run(text)


def test_a_cell_may_change_what_another_has_set(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A notebook has one author; a setting from elsewhere is overruled aloud, by the name of the cell."""
    run("%load_ext dynconf")
    dynconf.audit()  # from then on, it is told who overrules what
    try:
        printed = run("%dynconf verbose=true\nprint(dynconf.origin('verbose'))")
        assert printed == "install at cell 3, line 1\n"
        assert run("import torch._dynamo.config as config\nconfig.verbose = False") == ""
        monkeypatch.setenv("TORCHDYNAMO_REPRO_LEVEL", "4")
        run("dynconf.install()")
        assert "OverruledWarning: repro_level: cell 6, line 1 assigns 3" in run("config.repro_level = 3")
    finally:
        dynconf.reset()


@pytest.mark.parametrize(
    "call",
    ["dynconf.patch(verbos=True)", "dynconf.install(verbos=True)", "dynconf.dynamo.patch(verbos=True)"],
)
def test_a_misspelt_flag_is_an_error_of_two_lines(run: Run, call: str) -> None:
    """It has the message and the line, and nothing of dynconf's own code."""
    message, line = run(f"x = 1\n{call}").splitlines()
    assert message.startswith("UnknownFlagError: there is no flag 'verbos': did you mean 'verbose'?")
    assert line == f"  cell 2, line 2: {call}"


def test_the_lines_that_led_to_an_error_are_shown(run: Run) -> None:
    """Those of the program."""
    cell = "def options():\n    return dynconf.inductor.options(max_autotun=True)\noptions()"
    assert run(cell).splitlines()[1:] == [
        "  cell 2, line 3: options()",
        "  cell 2, line 2: return dynconf.inductor.options(max_autotun=True)",
    ]


@pytest.mark.parametrize("model", ["DynamoSettings", "DynamoFlags", "CompileSettings"])
def test_a_misspelt_flag_of_a_model(run: Run, model: str) -> None:
    """The message comes with the cell and the constructor, as from any model, and with no code below it."""
    printed = run(f"dynconf.{model}(verbos=True)")
    assert "did you mean 'verbose'?" in printed
    assert len(printed.splitlines()) < 15
    assert [
        line.partition(" in ")[2].partition("(")[0] for line in printed.splitlines() if "File " in line
    ] in (
        ["Settings.__init__"],
        ["FlagModel.__init__"],
    )


def test_errors_elsewhere_are_as_ever() -> None:
    """A traceback has all lines."""
    with pytest.raises(dynconf.UnknownFlagError) as caught:
        dynconf.patch(verbos=True)
    assert len(caught.traceback) > 1
