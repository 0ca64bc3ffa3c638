"""`verify` on real torch: passing and failing steps, and the process afterwards."""

import sys

import pytest

import dynconf

torch = pytest.importorskip("torch")
pytest.importorskip("torch._inductor.codecache", reason="needs all of torch")

pytestmark = pytest.mark.real_torch


@pytest.fixture(scope="module")
def full_run(graph_counter, process_state):
    """Check everything on the CPU once; return the report, the progress, and the state around it."""
    graphs = graph_counter()
    compiled = torch.compile(torch.sin, backend=graphs)
    compiled(torch.ones(3))
    before = process_state()
    progress = []
    with dynconf.patch({"inductor.cpp.vec_isa_ok": False}):  # trying them out takes ten compilations
        report = dynconf.verify(
            devices=["cpu"],
            started=lambda title: progress.append(("started", title)),
            finished=lambda finding: progress.append(("finished", finding.facts["title"])),
        )
    after = process_state()
    compiled(torch.ones(3))
    return {"report": report, "progress": progress, "before": before, "after": after, "graphs": graphs.count}


def by_title(report):
    """Return the findings by the title of their step."""
    return {finding.facts["title"]: finding for finding in report.findings}


def verify_one(backend):
    """Check one backend on the CPU; return the report and the finding on the backend."""
    report = dynconf.verify(devices=["cpu"], backends=[backend])
    return report, by_title(report)[f"{backend} on cpu"]


def test_this_machine_passes(full_run):
    """Python, torch, the C++ compiler, three backends on the CPU and the config pass; the report is ok."""
    report = full_run["report"]
    findings = by_title(report)
    for title in ("Python", "torch", "C++ compiler", "eager on cpu", "aot_eager on cpu", "inductor on cpu",
                  "config module", "config environment"):  # fmt: skip
        assert findings[title].facts["status"] == "passed", findings[title].message
    assert report.ok
    assert report.summary.startswith("All required checks passed")
    assert torch.__version__ in findings["torch"].message
    assert findings["inductor on cpu"].facts["backend"] == "inductor"


def test_a_skipped_step_says_why(full_run):
    """A torch built without CUDA or ROCm skips the steps on these, and says so."""
    findings = by_title(full_run["report"])
    for title, built_for in (("CUDA", torch.version.cuda), ("ROCm", torch.version.hip)):
        if built_for is None:
            assert findings[title].facts["status"] == "skipped"
            assert f"torch is built without {title}" in findings[title].message
            assert title in full_run["report"].summary


def test_progress_is_reported_step_by_step(full_run):
    """The title of each step comes before it runs, its finding right after."""
    titles = [finding.facts["title"] for finding in full_run["report"].findings]
    assert full_run["progress"] == [(event, title) for title in titles for event in ("started", "finished")]


def test_the_process_is_restored(full_run):
    """Config, random numbers, variables, counters and the caller's compiled code are as before."""
    assert full_run["after"] == full_run["before"]
    assert full_run["graphs"] == 1


def test_a_failing_backend_is_reported_with_the_key_lines_of_its_error(register):
    """The finding has the failure, its reason and a remedy, without torch's own wrapping."""

    def breaks_down(graph, inputs):
        raise RuntimeError("compiling\n" + "\n".join(f"line {number}" for number in range(40)))

    report, finding = verify_one(register(breaks_down))
    assert not report.ok
    assert "Failed: breaks_down on cpu" in report.summary
    assert (finding.level, finding.facts["status"]) == ("error", "failed")
    assert "RuntimeError: compiling" in finding.message
    assert "line 39" in finding.message
    for left_out in ("line 3\n", "Set TORCHDYNAMO_VERBOSE", "Traceback"):
        assert left_out not in finding.message
    assert "Traceback" in finding.facts["traceback"]
    assert finding.facts["advice"]


def test_a_wrong_result_is_a_failure(register):
    """A backend that computes something else fails."""

    def off_by_one(graph, inputs):
        return lambda *args: [each + 1 for each in graph(*args)]

    _, finding = verify_one(register(off_by_one))
    assert finding.level == "error"
    assert "gives a different result from plain PyTorch" in finding.message


def test_errors_are_reported_even_if_the_caller_suppresses_them(register):
    """A caller's suppress_errors does not hide a backend that fails, and stays set."""

    def fails_quietly(graph, inputs):
        raise RuntimeError("quiet")

    with dynconf.patch(suppress_errors=True):
        report, _ = verify_one(register(fails_quietly))
        assert torch._dynamo.config.suppress_errors is True
    assert not report.ok


def test_a_disabled_dynamo_is_a_failure(monkeypatch):
    """If TORCHDYNAMO_DISABLE keeps Dynamo from compiling, plain PyTorch does not pass for compiled code."""
    monkeypatch.setenv("TORCHDYNAMO_DISABLE", "1")
    _, finding = verify_one("eager")
    assert finding.level == "error"
    assert "compiled nothing" in finding.message
    assert "TORCHDYNAMO_DISABLE" in finding.message


def test_the_environment_is_checked(monkeypatch):
    """A variable that dynconf refuses is an error; one that only looks wrong leaves the report ok."""
    monkeypatch.setenv("TORCHDYNAMO_VERBOSE", "abc")
    finding = by_title(verify_one("eager")[0])["config environment"]
    assert (finding.level, finding.facts["status"]) == ("error", "failed")
    assert "TORCHDYNAMO_VERBOSE" in finding.message
    monkeypatch.setenv("TORCHDYNAMO_VERBOSE", "true")
    report, _ = verify_one("eager")
    assert report.ok
    assert by_title(report)["config environment"].facts["status"] == "failed"


def test_an_absent_device_fails_if_it_was_requested():
    """Naming a device makes it required."""
    report = dynconf.verify(devices=["mtia:7"], backends=["eager"])
    assert not report.ok
    assert "this machine has no mtia:7" in by_title(report)["eager on mtia:7"].message


def test_the_cpu_may_have_a_number():
    """As torch.device takes it."""
    assert "eager on cpu" in by_title(dynconf.verify(devices=["cpu:0", "cpu"], backends=["eager"]))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"devices": ["toaster"]}, "there is no device 'toaster'"),
        ({"backends": ["inducter"]}, "did you mean 'inductor'"),
    ],
)
def test_a_misspelt_device_or_backend_is_refused(options, message):
    """A name that is not a device or backend at all is an error, before anything runs."""
    started = []
    with pytest.raises(dynconf.InvalidValueError, match=message):
        dynconf.verify(**options, started=started.append)
    assert not started


def test_without_torch_the_report_says_why(monkeypatch):
    """And names the variables that may be the reason, such as a log file that cannot be opened."""
    monkeypatch.setitem(sys.modules, "torch._dynamo", None)
    monkeypatch.setitem(sys.modules, "torch", None)
    report = dynconf.verify()
    assert [finding.code for finding in report.findings] == ["python", "torch", "config-environment"]
    assert not report.ok
    assert "cannot be imported" in report.findings[1].message
    monkeypatch.setenv("TORCH_LOGS_OUT", "/no/such/dir/f")
    assert "TORCH_LOGS_OUT='/no/such/dir/f'" in dynconf.verify().findings[-1].message


def test_a_torch_whose_dynamo_cannot_be_imported_fails(monkeypatch):
    """Although torch itself can be imported."""
    monkeypatch.setitem(sys.modules, "torch._dynamo", None)
    report = dynconf.verify()
    codes = ["python", "torch", "dynamo", "config-environment"]
    assert [finding.code for finding in report.findings] == codes
    assert report.summary == "Failed: Dynamo."
    assert "ModuleNotFoundError" in report.findings[2].message
