"""The behaviour of compile backends, each case under a patch of dynconf, and `list_backends`."""

import json
import sys

import pytest

import dynconf
from dynconf.checks.requirements import GROUP, missing_for

torch = pytest.importorskip("torch")
nn = pytest.importorskip("torch.nn", reason="needs all of torch")

from torch._dynamo.backends import registry  # noqa: E402

pytestmark = [
    pytest.mark.real_torch,
    pytest.mark.filterwarnings("ignore:Failed to initialize NumPy"),
]
under_patch = dynconf.patch(verify_correctness=True, recompile_limit=63)
under_plain_patch = dynconf.patch(recompile_limit=63)
"""For what torch itself cannot do under verify_correctness: a wrong answer, and explaining."""


@pytest.fixture(autouse=True)
def registry_as_before():
    """Forget what a test compiled and registered."""
    torch._dynamo.list_backends()  # registers torch's own
    before = dict(registry._BACKENDS), dict(registry._COMPILER_FNS)
    torch._dynamo.reset()
    yield
    torch._dynamo.reset()
    for table, content in zip((registry._BACKENDS, registry._COMPILER_FNS), before, strict=True):
        table.clear()
        table.update(content)


def in_force():
    """Tell whether the flags of the patch are in force."""
    config = torch._dynamo.config
    return config.verify_correctness is True and config.recompile_limit == 63


def quotients(a, bc, d):
    """Compute with nested inputs and a plain number."""
    b, c = bc
    return a / d - b / c


QUOTIENT_INPUTS = torch.full((2,), 1.0), (torch.full((2,), 2.0), torch.full((2,), 3.0)), 4


@under_patch
def test_a_backend_sees_example_inputs_while_it_compiles():
    """What the graph gives for the example inputs has the size, strides and dtype of the result."""
    seen = []

    def backend(graph, example_inputs):
        assert in_force()
        seen.extend(graph(*example_inputs))
        return graph.forward

    result = torch.compile(quotients, backend=backend, fullgraph=True)(*QUOTIENT_INPUTS)
    expected = quotients(*QUOTIENT_INPUTS)
    assert torch.equal(result, expected)
    assert (seen[0].size(), seen[0].stride(), seen[0].dtype) == (
        expected.size(), expected.stride(), expected.dtype,
    )  # fmt: skip


@under_patch
def test_a_backend_sees_the_real_inputs_when_it_runs():
    """The callable that a backend returns gets the call's own inputs."""
    seen = []

    def backend(graph, example_inputs):
        def run(*inputs):
            result = graph.forward(*inputs)
            seen.extend(result)
            return result

        return run

    result = torch.compile(quotients, backend=backend, fullgraph=True)(*QUOTIENT_INPUTS)
    assert torch.equal(result, quotients(*QUOTIENT_INPUTS))
    assert torch.equal(seen[-1], result)


@under_patch
def test_a_backend_is_registered_by_decorator():
    """A decorated function is a backend by its name, is listed with its tags, and is tried."""
    calls = []

    @torch._dynamo.register_backend(tags=("debug",))
    def from_a_decorator(graph, example_inputs):
        calls.append(in_force())
        return graph.forward

    assert torch.equal(torch.compile(torch.relu, backend="from_a_decorator")(-torch.ones(3)), torch.zeros(3))
    assert calls == [True]
    (backend,) = dynconf.list_backends(["from_a_decorator"], attempt=True)
    assert (backend.tags, backend.available, backend.result) == (("debug",), True, "ok")


@pytest.fixture
def announced(tmp_path, monkeypatch):
    """Install a distribution that announces two backends, of which one has no module."""
    (tmp_path / "announcing.py").write_text(
        "calls = []\n\n"
        "def compiler(graph, example_inputs):\n"
        "    calls.append(graph)\n"
        "    return graph.forward\n"
    )
    facts = tmp_path / "announcing-1.0.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: announcing\nVersion: 1.0\n")
    (facts / "entry_points.txt").write_text(
        f"[{GROUP}]\nannounced = announcing:compiler\nhollow = announced_nowhere:compiler\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("_discover_entrypoint_backends", "_lazy_import"):
        getattr(registry, name).cache_clear()
    yield
    sys.modules.pop("announcing", None)
    for name in ("_discover_entrypoint_backends", "_lazy_import"):
        getattr(registry, name).cache_clear()


@under_patch
def test_a_backend_is_found_by_entry_point(announced):
    """An announced backend is listed without being imported, and loaded by its name when it is used."""
    (backend,) = dynconf.list_backends(["announced"])
    assert backend.available
    assert "announcing" not in sys.modules
    torch.compile(torch.relu, backend="announced")(torch.ones(3))
    assert len(sys.modules["announcing"].calls) == 1
    assert dynconf.list_backends(["announced"], attempt=True)[0].result == "ok"


@under_patch
def test_an_announced_backend_without_its_package_is_not_available(announced):
    """The missing package is named, and a try is skipped with that reason."""
    (backend,) = dynconf.list_backends(["hollow"], attempt=True)
    assert (backend.available, backend.result) == (False, "skipped")
    assert "announced_nowhere" in backend.missing


@under_patch
def test_a_backend_is_made_of_a_compiler_by_aot_autograd():
    """aot_autograd gives the compiler the graphs of forward and backward."""
    from functorch.compile import make_boxed_func
    from torch._dynamo.backends.common import aot_autograd

    compiled = []

    def compiler(graph, example_inputs):
        compiled.append(in_force())
        return make_boxed_func(graph.forward)

    x = torch.randn(3, 3, requires_grad=True)
    torch.compile(torch.sin, backend=aot_autograd(fw_compiler=compiler))(x).sum().backward()
    assert compiled == [True, True]
    assert torch.allclose(x.grad, x.cos())


@under_patch
def test_a_backend_falls_back_to_the_next_by_look_up():
    """A backend can try others by name: one that does not exist, one that fails, then one that works."""
    tried = []

    @torch._dynamo.register_backend
    def always_fails(graph, example_inputs):
        raise RuntimeError("not today")

    def first_that_works(graph, example_inputs):
        for name in ("no_such_backend", "always_fails", "aot_eager"):
            tried.append(name)
            try:
                return torch._dynamo.lookup_backend(name)(graph, example_inputs)
            except (torch._dynamo.exc.InvalidBackend, RuntimeError):
                tried.append("failed")
        return graph.forward

    assert torch.equal(torch.compile(torch.relu, backend=first_that_works)(-torch.ones(3)), torch.zeros(3))
    assert tried == ["no_such_backend", "failed", "always_fails", "failed", "aot_eager"]


@under_patch
def test_in_place_arithmetic_promotes_no_dtype_under_aot_eager():
    """A float32 that a float64 is added to in place stays float32, and has the plain value."""

    def accumulate(a, b):
        x = torch.cos(a)
        x += b
        return torch.sin(x)

    a, b = torch.randn(10), torch.randn(10, dtype=torch.float64)
    result, expected = torch.compile(accumulate, backend="aot_eager")(a, b), accumulate(a, b)
    assert result.dtype == expected.dtype == torch.float32
    assert torch.allclose(result, expected)


@under_plain_patch
def test_the_explaining_backend_counts_graphs_breaks_and_operations():
    """Three functions, one inside the other around a graph break, make as many graphs as breaks and one."""
    from torch._dynamo.backends.debugging import ExplainWithBackend

    def inner(x):
        x = torch.sin(x)
        torch._dynamo.graph_break()
        return torch.sin(x)

    def middle(x):
        return torch.cos(inner(torch.cos(x)))

    def outer(x):
        return torch.tan(middle(torch.tan(x)))

    explaining = ExplainWithBackend("eager")
    x = torch.randn(5)
    assert torch.allclose(torch.compile(outer, backend=explaining)(x), outer(x))
    explained = explaining.output()
    assert explained.op_count == 6
    assert explained.graph_break_count == explained.graph_count - 1
    assert explained.graph_count == 6
    for heading in ("Graph Count", "Graph Break Count", "Op Count", "Break Reasons"):
        assert heading in str(explained)


# -- list_backends ------------------------------------------------------------------------------------------


@under_patch
def test_every_registered_backend_is_listed_with_torchs_tags():
    """Names are torch's, debug and experimental ones too; excluding these gives its short list."""
    everything = {each.name: each for each in dynconf.list_backends()}
    assert set(everything) == set(torch._dynamo.list_backends(exclude_tags=None))
    assert "debug" in everything["eager"].tags
    short = dynconf.list_backends(exclude_tags=("debug", "experimental"))
    assert [each.name for each in short] == torch._dynamo.list_backends()
    assert "eager" in torch._dynamo.list_backends(exclude_tags=[])


@under_patch
def test_a_backend_whose_package_is_missing_is_not_available():
    """The backends that torch has for packages that are not installed say which."""
    found = {each.name: each for each in dynconf.list_backends(["tvm", "openxla", "inductor", "eager"])}
    assert "tvm" in found["tvm"].missing
    assert "torch_xla" in found["openxla"].missing
    assert found["eager"].available
    assert [each.available for each in found.values()] == [not each.missing for each in found.values()]


@under_patch
def test_what_a_backend_imports_is_what_it_needs():
    """Imports in its code and in functions of its module count, relative ones and torch's do not."""

    def needs_more(graph, inputs):
        import not_there.at_all  # noqa: F401
        import torch.fx  # noqa: F401

        def later():
            from also_not_there import thing  # noqa: F401

        return later

    assert missing_for("needs_more", needs_more) == "needs also_not_there, not_there, not installed"


@under_plain_patch
def test_a_try_tells_right_from_wrong():
    """A backend that gives another answer is wrong, one that raises has failed, and both say why."""

    @torch._dynamo.register_backend
    def off_by_a_lot(graph, example_inputs):
        return lambda *inputs: [each + 1 for each in graph(*inputs)]

    @torch._dynamo.register_backend
    def falls_over(graph, example_inputs):
        raise RuntimeError("it fell over")

    wrong, failed, right = dynconf.list_backends(["off_by_a_lot", "falls_over", "aot_eager"], attempt=True)
    assert (wrong.result, failed.result, right.result) == ("wrong", "failed", "ok")
    assert "not close" in wrong.message
    assert "it fell over" in failed.message


@under_patch
def test_options_are_passed_through():
    """A backend gets the options of the try as torch.compile passes them."""
    got = []

    @torch._dynamo.register_backend
    def takes_options(graph, example_inputs, *, options=None):
        got.append(options)
        return graph.forward

    assert dynconf.list_backends(["takes_options"], attempt=True, options={"level": 3})[0].result == "ok"
    assert got == [{"level": 3}]


@under_patch
def test_a_try_leaves_the_process_as_it_was(capsys):
    """Seeds, config and the caller's compiled code are as before, and nothing is printed on stdout."""
    graphs = []

    def counting(graph, inputs):
        graphs.append(graph)
        return graph.forward

    mine = torch.compile(torch.sin, backend=counting)
    mine(torch.ones(3))
    before = torch.get_rng_state().tolist(), dynconf.snapshot()
    dynconf.list_backends(["eager", "pre_dispatch_eager", "aot_eager"], attempt=True)
    assert (torch.get_rng_state().tolist(), dynconf.snapshot()) == before
    mine(torch.ones(3))
    assert len(graphs) == 1
    assert capsys.readouterr().out == ""


def test_an_unknown_backend_is_refused_with_the_nearest_name():
    """A misspelt name is an error that names the backend that was meant."""
    with pytest.raises(dynconf.InvalidValueError, match="did you mean 'inductor'"):
        dynconf.list_backends(["inducter"])


def test_a_backend_is_json():
    """Each backend has name, tags, available and result as JSON data."""
    (backend,) = dynconf.list_backends(["eager"])
    data = json.loads(json.dumps(backend.as_json()))
    assert data["name"] == "eager"
    assert data["available"] is True
    assert data["result"] is None
