"""`verify` on real torch: what it finds sound, what it finds broken, and what it leaves behind."""

import json
import os

import pytest

import dynconf

torch = pytest.importorskip("torch")
pytest.importorskip("torch.nn", reason="needs all of torch")

from torch._dynamo.backends import registry  # noqa: E402

pytestmark = [
    pytest.mark.real_torch,
    pytest.mark.filterwarnings("ignore:Failed to initialize NumPy"),
]


@pytest.fixture(scope="module")
def whole():
    """Return the report of everything on the CPU, what was told on the way, and the state around it."""
    graphs = []

    def counting(graph, inputs):
        graphs.append(graph)
        return graph.forward

    mine = torch.compile(torch.sin, backend=counting)
    mine(torch.ones(3))
    before = state()
    told = []
    report = dynconf.verify(
        devices=["cpu"],
        started=lambda title: told.append(("started", title)),
        finished=lambda finding: told.append(("finished", finding.facts["title"])),
    )
    after = state()
    mine(torch.ones(3))
    return {"report": report, "told": told, "before": before, "after": after, "graphs": len(graphs)}


def state():
    """Return what a check may change, as data."""
    return {
        "config": dynconf.snapshot(),
        "random": torch.get_rng_state().tolist(),
        "variables": {name: text for name, text in os.environ.items() if not name.startswith("PYTEST")},
        "counters": {name: dict(counts) for name, counts in torch._dynamo.utils.counters.items()},
    }


def by_title(report):
    """Return the findings by the title of their step."""
    return {finding.facts["title"]: finding for finding in report.findings}


@pytest.fixture
def backend():
    """Return a function that registers a backend for one test."""
    torch._dynamo.list_backends()  # registers torch's own
    before = dict(registry._BACKENDS), dict(registry._COMPILER_FNS)
    yield lambda compiler: torch._dynamo.register_backend(compiler).__name__
    for table, content in zip((registry._BACKENDS, registry._COMPILER_FNS), before, strict=True):
        table.clear()
        table.update(content)


def test_this_machine_passes(whole):
    """Python, torch, the compiler, three backends on the CPU and the config pass; the report is ok."""
    assert whole["report"].ok
    findings = by_title(whole["report"])
    for title in ("Python", "torch", "C++ compiler", "eager on cpu", "aot_eager on cpu", "inductor on cpu"):
        assert findings[title].facts["status"] == "passed", findings[title].message
    assert torch.__version__ in findings["torch"].message
    assert findings["inductor on cpu"].facts["backend"] == "inductor"


def test_what_is_skipped_says_why(whole):
    """A build of torch without CUDA or ROCm skips what belongs to them, with that reason."""
    findings = by_title(whole["report"])
    for title, built_for in (("CUDA", torch.version.cuda), ("ROCm", torch.version.hip)):
        if built_for is None:
            assert findings[title].facts["status"] == "skipped"
            assert f"torch is built without {title}" in findings[title].message


def test_each_step_is_announced_and_then_told(whole):
    """Progress is told while it runs: each title before the step, its finding after it."""
    titles = [finding.facts["title"] for finding in whole["report"].findings]
    assert whole["told"] == [(when, title) for title in titles for when in ("started", "finished")]


def test_the_process_is_as_before(whole):
    """Config, seeds, variables, counters and the caller's compiled code are what they were."""
    assert whole["after"] == whole["before"]
    assert whole["graphs"] == 1


def test_the_report_is_json(whole):
    """Every finding is JSON data, with title and status."""
    data = json.loads(json.dumps(whole["report"].as_json()))
    assert all({"code", "level", "title", "status", "required"} <= set(each) for each in data["findings"])


def test_a_backend_that_fails_is_told_with_its_last_lines(backend):
    """What broke, the useful lines of it and what to try are there, torch's wrapping is not."""

    def breaks_down(graph, inputs):
        raise RuntimeError("compiling\n" + "\n".join(f"line {number}" for number in range(40)))

    report = dynconf.verify(devices=["cpu"], backends=[backend(breaks_down)])
    assert not report.ok
    finding = by_title(report)["breaks_down on cpu"]
    assert (finding.level, finding.facts["status"]) == ("error", "failed")
    assert "RuntimeError: compiling" in finding.message
    assert "line 39" in finding.message
    assert "line 3\n" not in finding.message
    assert "Set TORCHDYNAMO_VERBOSE" not in finding.message
    assert "Traceback" not in finding.message
    assert "Traceback" in finding.facts["traceback"]
    assert finding.facts["advice"]


def test_a_wrong_result_is_a_failure(backend):
    """A backend that computes something else fails, and the message says what differs."""

    def off_by_one(graph, inputs):
        return lambda *args: [each + 1 for each in graph(*args)]

    finding = by_title(dynconf.verify(devices=["cpu"], backends=[backend(off_by_one)]))["off_by_one on cpu"]
    assert finding.level == "error"
    assert "another result" in finding.message


def test_errors_are_not_suppressed_by_the_callers_config(backend):
    """A caller who has Dynamo suppress errors is still told of them."""

    def fails_quietly(graph, inputs):
        raise RuntimeError("quiet")

    with dynconf.patch(suppress_errors=True):
        report = dynconf.verify(devices=["cpu"], backends=[backend(fails_quietly)])
        assert torch._dynamo.config.suppress_errors is True
    assert not report.ok


def test_a_dynamo_that_is_switched_off_is_a_failure(monkeypatch):
    """Where TORCHDYNAMO_DISABLE keeps Dynamo from compiling, plain PyTorch does not pass for it."""
    monkeypatch.setenv("TORCHDYNAMO_DISABLE", "1")
    finding = by_title(dynconf.verify(devices=["cpu"], backends=["eager"]))["eager on cpu"]
    assert finding.level == "error"
    assert "compiled nothing" in finding.message
    assert "TORCHDYNAMO_DISABLE" in finding.message


def test_the_environment_is_checked(monkeypatch):
    """A variable that dynconf refuses fails; one that only looks wrong does not."""
    monkeypatch.setenv("TORCHDYNAMO_VERBOSE", "abc")
    finding = by_title(dynconf.verify(devices=["cpu"], backends=["eager"]))["config environment"]
    assert (finding.level, finding.facts["status"]) == ("error", "failed")
    assert "TORCHDYNAMO_VERBOSE" in finding.message
    monkeypatch.setenv("TORCHDYNAMO_VERBOSE", "true")
    report = dynconf.verify(devices=["cpu"], backends=["eager"])
    assert report.ok
    assert by_title(report)["config environment"].facts["status"] == "failed"


def test_a_device_that_is_not_there_fails():
    """Asking for a device by name makes it required."""
    report = dynconf.verify(devices=["mtia:7"], backends=["eager"])
    assert not report.ok
    assert "there is no mtia:7 here" in by_title(report)["eager on mtia:7"].message


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"devices": ["toaster"]}, "there is no device 'toaster'"),
        ({"backends": ["inducter"]}, "did you mean 'inductor'"),
    ],
)
def test_a_misspelt_device_or_backend_is_refused(options, words):
    """What is no device or backend at all is an error, before anything runs."""
    with pytest.raises(dynconf.InvalidValueError, match=words):
        dynconf.verify(**options)
