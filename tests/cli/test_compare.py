"""Tests of ``dynconf compare``: the factory, the table, JSON, exit codes."""

import json
import sys

import pytest

pytest.importorskip("torch.nn", reason="needs all of torch")

pytestmark = [
    pytest.mark.real_torch,
    pytest.mark.filterwarnings("ignore:Failed to initialize NumPy"),
]
MODELS = """
import torch

class Off(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 2)

    def forward(self, x):
        y = self.linear(x)
        return y * 1.01 if torch.compiler.is_compiling() else y

def sound():
    print("made")
    return torch.nn.Linear(4, 2), (torch.ones(3, 4),)

def off():
    return Off(), (torch.ones(3, 4),)
"""
QUICK = ("--control", "aot_eager", "--iterations", "2")


@pytest.fixture(autouse=True)
def models(tmp_path):
    """Write a module of models into the working directory.

    It stays imported: Dynamo up to torch 2.6 cannot compile code of another module by the same name.
    """
    (tmp_path / "models_of_a_test.py").write_text(MODELS)
    path = list(sys.path)
    yield
    assert not {"", str(tmp_path)} & set(sys.path).difference(path)


def test_a_sound_model_exits_0(run_cli):
    """What its factory prints is not on stdout; --all shows the tensors without a difference, too."""
    done = run_cli("compare", "models_of_a_test:sound", *QUICK)
    assert done.code == 0, done.err
    assert done.out == "eager against aot_eager, 2 iterations: no differences\n"
    assert "made" in done.err
    shown = run_cli("compare", "models_of_a_test:sound", *QUICK, "--all", "--no-optimizer").out
    assert ("gradient" in shown, "optimizer" in shown) == (True, False)


def test_a_difference_exits_1_with_kind_and_name(run_cli):
    """A compiled path that is off by one percent exits 1; forward and gradient are named in the table."""
    done = run_cli("compare", "models_of_a_test:off", *QUICK)
    assert done.code == 1
    rows = [line.split()[:2] for line in done.out.splitlines()]
    assert ["forward", "output"] in rows
    assert ["gradient", "linear.weight"] in rows
    assert ["parameter", "linear.weight"] not in rows
    done = run_cli("compare", "models_of_a_test:off", *QUICK, "--format", "json")
    data = json.loads(done.out)
    assert (done.code, data["ok"]) == (1, False)
    assert {"forward", "gradient"} <= {each["kind"] for each in data["differences"]}


def test_flags_are_set_for_each_side(run_cli):
    """--set-base and --set-control hold while their side runs: here the control side is switched off."""
    done = run_cli("compare", "models_of_a_test:off", *QUICK, "--set-control", "disable=true")
    assert done.code == 0
    assert "compiled no graph" in done.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("models_of_a_test:sound", "--set-base", "verbos=1"), "(from option --set-base verbos=1)"),
        (
            ("models_of_a_test:sound", "--set-control", "verbose"),
            "--set-control 'verbose': expected FLAG=VALUE",
        ),
        (("models_of_a_test:sound", "--precision", "fine"), "expected a number, 0 or more, or dtype"),
        (("no_such_module:make", "--precision", "nan"), "--precision 'nan': expected a number, 0 or more"),
        (("no_such_module:make", "--iterations", "0"), "'--iterations': 0 is not in the range"),
    ],
)
def test_wrong_input_exits_2_without_a_traceback(run_cli, arguments, words):
    """What cannot be used is told on stderr, with exit 2 and nothing on stdout."""
    said = run_cli("compare", *arguments).refused()
    assert words in said
    assert "Traceback" not in said
