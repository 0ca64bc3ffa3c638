"""`list_backends` on real torch: the list, missing requirements, and attempts to compile."""

import sys

import pytest

import dynconf
from dynconf.tools.doctor.backends import ENTRY_POINTS

torch = pytest.importorskip("torch")
pytest.importorskip("torch.nn", reason="needs all of torch")

pytestmark = pytest.mark.real_torch

under_patch = dynconf.patch(verify_correctness=True, recompile_limit=63)
"""Flags that a caller may have in force; not for wrong results, which torch itself rejects then."""


def try_one(name, **options):
    """Try one backend."""
    (backend,) = dynconf.list_backends([name], attempt=True, **options)
    return backend


@under_patch
def test_every_registered_backend_is_listed_with_its_tags():
    """Names are torch's, debug and experimental ones included; without these it is torch's short list."""
    everything = {each.name: each for each in dynconf.list_backends()}
    assert set(everything) == set(torch._dynamo.list_backends(exclude_tags=None))
    assert "debug" in everything["eager"].tags
    short = dynconf.list_backends(exclude_tags=("debug", "experimental"))
    assert [each.name for each in short] == torch._dynamo.list_backends()


@under_patch
def test_a_backend_without_its_package_is_not_available():
    """The backends of torch for packages that are not installed name the package."""
    found = {each.name: each for each in dynconf.list_backends(["tvm", "openxla", "inductor", "eager"])}
    assert "tvm" in found["tvm"].missing
    assert "torch_xla" in found["openxla"].missing
    assert found["eager"].available
    assert [each.available for each in found.values()] == [not each.missing for each in found.values()]


@under_patch
def test_a_registered_backend_is_listed_with_its_tags_and_tried(registry):
    """A backend that a program registers is like torch's own."""

    @torch._dynamo.register_backend(tags=("debug",))
    def from_a_decorator(graph, inputs):
        return graph.forward

    backend = try_one("from_a_decorator")
    assert (backend.tags, backend.available, backend.result) == (("debug",), True, "ok")


@pytest.fixture
def announced(registry, tmp_path, monkeypatch):
    """Install a distribution that announces two backends, one of which has no module."""
    (tmp_path / "announcing.py").write_text(
        "calls = []\n\ndef compiler(graph, inputs):\n    calls.append(graph)\n    return graph.forward\n"
    )
    metadata = tmp_path / "announcing-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: announcing\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(
        f"[{ENTRY_POINTS}]\nannounced = announcing:compiler\nhollow = announced_nowhere:compiler\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    caches = [
        vars(registry)[name]
        for name in ("_discover_entrypoint_backends", "_lazy_import")
        if name in vars(registry)
    ]
    for cache in caches:
        cache.cache_clear()
    yield
    sys.modules.pop("announcing", None)
    for cache in caches:
        cache.cache_clear()


@under_patch
def test_an_announced_backend_is_listed_without_importing_it(announced):
    """It is loaded by name when it is first used."""
    (backend,) = dynconf.list_backends(["announced"])
    assert backend.available
    assert "announcing" not in sys.modules
    torch.compile(torch.relu, backend="announced")(torch.ones(3))
    assert len(sys.modules["announcing"].calls) == 1
    assert try_one("announced").result == "ok"


@under_patch
def test_an_announced_backend_without_its_package_is_skipped(announced):
    """The missing package is named."""
    backend = try_one("hollow")
    assert (backend.available, backend.result) == (False, "skipped")
    assert "announced_nowhere" in backend.missing


def test_a_try_tells_right_from_wrong(register):
    """A backend with another answer is wrong, one that raises has failed, and both say why."""

    def off_by_one(graph, inputs):
        return lambda *args: [each + 1 for each in graph(*args)]

    def falls_over(graph, inputs):
        raise RuntimeError("it fell over")

    names = [register(off_by_one), register(falls_over), "aot_eager"]
    wrong, failed, right = dynconf.list_backends(names, attempt=True)
    assert (wrong.result, failed.result, right.result) == ("wrong", "failed", "ok")
    assert "not close" in wrong.message
    assert "it fell over" in failed.message


@under_patch
def test_options_reach_the_backend(register):
    """A backend gets the options as torch.compile passes them."""
    received = []

    def takes_options(graph, inputs, *, options=None):
        received.append(options)
        return graph.forward

    assert try_one(register(takes_options), options={"level": 3}).result == "ok"
    assert received == [{"level": 3}]


@under_patch
def test_a_try_restores_the_process(graph_counter, capsys):
    """Random numbers, config and the caller's compiled code are as before; stdout stays empty."""
    graphs = graph_counter()
    compiled = torch.compile(torch.sin, backend=graphs)
    compiled(torch.ones(3))
    before = torch.get_rng_state().tolist(), dynconf.snapshot()
    dynconf.list_backends(["eager", "pre_dispatch_eager", "aot_eager"], attempt=True)
    assert (torch.get_rng_state().tolist(), dynconf.snapshot()) == before
    compiled(torch.ones(3))
    assert graphs.count == 1
    assert capsys.readouterr().out == ""


def test_a_disabled_dynamo_tries_nothing(monkeypatch):
    """Plain PyTorch does not pass for compiled code."""
    monkeypatch.setenv("TORCHDYNAMO_DISABLE", "1")
    backend = try_one("eager")
    assert backend.result == "failed"
    assert "TORCHDYNAMO_DISABLE" in backend.message
