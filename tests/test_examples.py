"""The examples work as they claim, those for frameworks with the real library."""

import ast
import importlib.util
import re
import warnings
from pathlib import Path

import pytest
from spelling import spelled

import dynconf
from dynconf.provenance import Origin

EXAMPLES = Path(__file__).parents[1] / "examples"
FILE = EXAMPLES / "frameworks.py"


def example(name):
    """Return an example as a module."""
    file = EXAMPLES / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name, file)
    module = importlib.util.module_from_spec(spec)
    exec(compile(spelled(file.read_text(encoding="utf-8")), file, "exec"), vars(module))  # noqa: S102
    return module


@pytest.fixture(scope="module")
def frameworks():
    """The example, as a module."""
    return example("frameworks")


def test_pydantic_settings(frameworks):
    """Options of the program; its own defaults are below."""
    settings = frameworks.with_pydantic_settings(["--dynamo.recompile_limit", "64"])
    assert settings.recompile_limit == 64
    assert frameworks.App().dynamo.origins["suppress_errors"].name == "Ours"


def test_all_modules(frameworks, monkeypatch):
    """Options and variables reach flags in groups."""
    monkeypatch.setenv("TRAINER_COMPILE__INDUCTOR__TRITON__CUDAGRAPHS", "1")
    settings = frameworks.with_all_modules(["--compile.dynamo.recompile_limit", "64"])
    assert settings.dynamo.recompile_limit == 64
    origin = settings.origins["inductor.triton.cudagraphs"]
    assert (origin.kind, origin.name) == ("source", "Trainer")


def test_argparse(frameworks):
    """Each option is the origin of its flag."""
    settings = frameworks.with_argparse(["--dynamo", "recompile_limit=64", "--dynamo", "verbose=yes"])
    assert (settings.recompile_limit, settings.verbose) == (64, True)
    assert settings.origins["verbose"] == Origin("option", "--verbose", "yes")


def test_jsonargparse(frameworks):
    """Only values in the configuration count as set."""
    pytest.importorskip("jsonargparse")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        settings = frameworks.with_jsonargparse(["--dynamo.recompile_limit", "64", "--dynamo.verbose=true"])
    assert settings.model_fields_set == {"recompile_limit", "verbose"}
    assert settings.origins["recompile_limit"].file == str(FILE)


def test_omegaconf(frameworks):
    """Interpolations are resolved, and its lists are sets where a flag wants one."""
    pytest.importorskip("omegaconf")
    flags = "{recompile_limit: '${limit}', reorderable_logging_functions: ['builtins:print']}"
    text = f"limit: 64\ndynamo: {flags}\n"
    settings = frameworks.with_omegaconf(text)
    assert (settings.recompile_limit, settings.reorderable_logging_functions) == (64, {print})
    assert settings.origins["recompile_limit"] == Origin("file", file="config.yaml")


def test_hydra(frameworks):
    """Its ``instantiate`` makes settings of data, or calls the class; the line is the program's."""
    pytest.importorskip("hydra")
    text = "dynamo: {_target_: dynconf.DynamoSettings.from_data, data: {recompile_limit: 64}, origin: a.yaml}"
    assert frameworks.with_hydra(text).origins["recompile_limit"] == Origin("file", file="a.yaml")
    settings = frameworks.with_hydra("dynamo: {_target_: dynconf.DynamoSettings, recompile_limit: 64}")
    assert (settings.recompile_limit, settings.origins["recompile_limit"].file) == (64, str(FILE))


def test_a_json_variable(frameworks, monkeypatch):
    """The variable is the origin."""
    monkeypatch.setenv("RUN_DYNAMO", '{"recompile_limit": 64}')
    settings = frameworks.with_a_json_variable("RUN_DYNAMO")
    assert settings.origins["recompile_limit"] == Origin("file", file="RUN_DYNAMO")


@pytest.mark.real_torch
def test_the_whole_example_runs(frameworks, capsys):
    """Every way ends in the same value."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        frameworks.main()
    out = capsys.readouterr().out
    assert out.count(" recompile_limit=64 ") + out.count("needs") == 6


@pytest.mark.real_torch
@pytest.mark.filterwarnings("ignore::DeprecationWarning:torch")  # torch's own, while it imports what compiles
def test_inductor(capsys):
    """Options reach the backward, a patch around the forward does not: with real compilations.

    The docstring of such a patch says so.
    """
    with dynconf.patch({"inductor.cpp.vec_isa_ok": False}):  # trying them out takes ten compilations
        example("inductor").main()
    rows = [line.rsplit(maxsplit=2) for line in capsys.readouterr().out.splitlines()[1:]]
    assert rows == [
        ["with options", "7", "7"],
        ["with a patch around the forward", "7", "64"],
        ["with a patch around both", "7", "7"],
        ["with a mode", "7", "7"],
    ]
    assert "backward" in dynconf.inductor.patch.__doc__


def test_a_librarys_author(capsys):
    """The user's variable and assignment beat the library's defaults, and unsupported names are refused."""
    example("library_author").main()
    lines = capsys.readouterr().out.splitlines()
    shown = [line.split()[-2:] for line in lines if not line.startswith(("the user", "refused"))]
    assert shown[1:] == [["128", "defaults"], ["16", "assignment"], ["128", "defaults"], ["8", "default"]]
    assert "verbose=False" in lines[2]
    assert "did you mean 'suppress_errors'" in lines[5]


@pytest.mark.real_torch
@pytest.mark.filterwarnings("ignore::DeprecationWarning:torch")
def test_auditing(capsys):
    """Each change has its line, in the library and in the program."""
    example("auditing").main()
    rows = [re.split("  +", line) for line in capsys.readouterr().out.splitlines()]
    assert [(flag, change, place.partition(":")[0]) for flag, change, place in rows] == [
        ("recompile_limit", "8 -> 128", "auditing.py"),
        ("verbose", "False -> True -> False (6 writes)", "auditing.py"),
    ]


@pytest.mark.real_torch
@pytest.mark.filterwarnings("ignore::DeprecationWarning:torch")
def test_bisection(capsys):
    """The one flag at fault is found."""
    example("bisection").main()
    assert "at fault: assume_static_by_default\n" in capsys.readouterr().out


def test_a_bug_report(capsys):
    """What the report says is loaded from it."""
    example("bug_report").main()
    out = capsys.readouterr().out
    assert "loaded from it: {'recompile_limit': 64, 'inductor.max_fusion_size': 32}\n" in out
    assert out.endswith("recompile_limit=64\n")


def test_why_miss(capsys):
    """The flag that changes nothing comes first."""
    example("why_miss").main()
    assert [line.split(":")[0] for line in capsys.readouterr().out.splitlines()] == [
        "inductor.verbose_progress",
        "inductor.max_fusion_size",
    ]


@pytest.mark.real_torch
def test_the_pytest_project(warm):
    """Its tests pass, with the plugin that comes with dynconf."""
    # pytest would execute torch._inductor.test_operators for its asserts, and torch minds a second time.
    options = ("-q", "--assert=plain", "-p", "no:cacheprovider")
    done = warm.run("-m", "pytest", *options, str(EXAMPLES / "pytest_project"))
    assert "4 passed" in done.stdout, done.stdout + done.stderr


def test_each_example_says_what_it_shows():
    """Its first sentence ends on the first line, and the next lines say how to run it."""
    programs = [path for path in EXAMPLES.rglob("*.py") if "__pycache__" not in path.parts]
    assert len(programs) > 8
    for path in programs:
        first, _, rest = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))).partition("\n\n")
        assert first.endswith("."), path
        assert re.search(r"^Run", rest, re.MULTILINE), path
