"""Checks leave the process as it was, however they end."""

import os
import random

import pytest

import dynconf
from dynconf.tools.doctor.global_state import idle_settings, preserved_process, use_deterministic_algorithms

torch = pytest.importorskip("torch")
nn = pytest.importorskip("torch.nn", reason="needs all of torch")

pytestmark = pytest.mark.real_torch

CUBLAS = "CUBLAS_WORKSPACE_CONFIG"
X = torch.randn(8, 10, generator=torch.Generator().manual_seed(0))


@pytest.fixture(params=[{CUBLAS: ":0:0"}, {}], ids=["with-variable", "without-variable"])
def unusual_state(request, monkeypatch):
    """Put the process into a state that is nobody's default."""
    monkeypatch.delenv(CUBLAS, raising=False)
    for name, text in request.param.items():
        monkeypatch.setenv(name, text)
    torch.use_deterministic_algorithms(True, warn_only=False)
    torch.manual_seed(99)
    random.seed(98)
    try:
        with torch.autograd.set_detect_anomaly(True, check_nan=False), dynconf.patch(recompile_limit=77):
            yield
    finally:
        torch.use_deterministic_algorithms(False)


def test_settings_that_are_not_in_force_are_noted(tmp_path):
    """What a check compiles is compiled without them, unless they are installed."""
    assert list(idle_settings()) == []
    (tmp_path / "dynconf.toml").write_text("recompile_limit = 64\n")
    assert [note.rpartition("dynconf.toml")[2] for note in idle_settings()] == [
        " is in force here only with `dynconf run dynconf ...`"
    ]
    with dynconf.install():
        assert list(idle_settings()) == []


def shuffle():
    """Change all the state there is."""
    torch.manual_seed(5)
    random.seed(5)
    torch.use_deterministic_algorithms(False)
    os.environ[CUBLAS] = "broken"
    os.environ["TORCH_A_NEW_VARIABLE"] = "1"
    torch.autograd.set_detect_anomaly(False)
    torch._dynamo.utils.counters["made up"]["thing"] += 1


class Branch(nn.Module):
    """A linear layer that does something else when it is not compiled."""

    def __init__(self, otherwise):
        super().__init__()
        self.linear = nn.Linear(10, 3)
        self.otherwise = otherwise

    def forward(self, x):
        if not torch.compiler.is_compiling():
            self.otherwise()
        return self.linear(x)


def compare(model):
    """Compare on a backend that compiles fast."""
    return dynconf.compare(model, (X,), control="aot_eager", iterations=2)


@pytest.mark.parametrize("ending", [None, ArithmeticError, KeyboardInterrupt])
def test_the_process_is_restored_after_a_comparison(unusual_state, process_state, ending):
    """Whatever the model does: an exception in it is a difference, and Ctrl-C ends the comparison."""

    def end():
        shuffle()
        if ending:
            raise ending

    model = Branch(end)
    before = process_state()
    if ending is KeyboardInterrupt:
        with pytest.raises(KeyboardInterrupt):
            compare(model)
    else:
        assert compare(model).ok == (ending is None)
    assert process_state() == before


def test_compiled_code_of_the_caller_is_kept(graph_counter):
    """Code of the caller is not compiled again afterwards, even if it is the compared model."""
    graphs = graph_counter()
    model = nn.Linear(10, 3)
    compiled = torch.compile(model, backend=graphs)
    compiled(X)
    assert compare(model).ok
    assert not compare(Branch(lambda: 1 / 0)).ok
    compiled(X)
    assert graphs.count == 1


def test_a_model_whose_graph_breaks_leaves_no_compiled_code():
    """Functions that had to be compiled by themselves lose their compiled code again."""

    class Breaks(nn.Module):
        def forward(self, x):
            x = x + 1
            torch._dynamo.graph_break()
            return x * 2

    result = compare(Breaks())
    assert result.ok
    assert result.graphs["control"] == 2
    assert torch._dynamo.eval_frame._debug_get_cache_entry_list(Breaks.forward.__code__) == []


@pytest.mark.parametrize(("given", "used"), [(None, ":4096:8"), (":16:8", ":16:8"), (":0:0", ":4096:8")])
def test_deterministic_algorithms_need_a_setting_of_cublas(monkeypatch, given, used):
    """The caller's setting is kept if it is deterministic."""
    monkeypatch.delenv(CUBLAS, raising=False)
    if given:
        monkeypatch.setenv(CUBLAS, given)
    with preserved_process():
        use_deterministic_algorithms()
        assert os.environ[CUBLAS] == used
        assert torch.is_deterministic_algorithms_warn_only_enabled()
    assert os.environ.get(CUBLAS) == given
