"""The versions that `verify` looks at, on made-up machines."""

import email.message
import importlib.metadata
import subprocess

import pytest

import dynconf
from dynconf.tools.doctor import steps, toolchain

torch = pytest.importorskip("torch")
pytest.importorskip("torch.nn", reason="needs all of torch")

pytestmark = pytest.mark.real_torch


def finding(title, *, triton_needed=True):
    """Run all steps; return the finding of the one of that title."""
    run = steps.Steps()
    toolchain.check_python_and_torch(run)
    toolchain.check_toolchain(run, compiler_needed=True, triton_needed=triton_needed)
    return next(each for each in run.report().findings if each.facts["title"] == title)


@pytest.fixture
def cuda(monkeypatch):
    """Pretend that torch is built for CUDA 12.8; return a function that sets the driver's version."""
    monkeypatch.setattr(torch.version, "cuda", "12.8")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    return lambda number: monkeypatch.setattr(
        torch._C, "_cuda_getDriverVersion", lambda: number, raising=False
    )


@pytest.fixture
def pretend_metadata(monkeypatch):
    """Return a function that sets a field in the metadata of torch's distribution."""

    def pretend(field, *values):
        message = email.message.Message()
        for value in values:
            message[field] = value
        monkeypatch.setattr(importlib.metadata, "metadata", lambda _: message)

    return pretend


def test_a_build_for_cuda_without_a_device_says_why(cuda, monkeypatch):
    """The step is skipped, with the reason that torch gives when it looks for a device."""

    def init():
        raise RuntimeError("no driver today")

    monkeypatch.setattr(torch.cuda, "init", init)
    found = finding("CUDA").facts
    assert found["status"] == "skipped"
    assert found["found"] == "torch is built for 12.8 but finds no device: RuntimeError: no driver today"


@pytest.mark.parametrize(
    ("number", "status", "found"),
    [
        (0, "skipped", "none found"),
        (11080, "failed", "supports CUDA 11.8; torch needs 12.0"),
        (12020, "passed", "supports CUDA 12.2; torch needs 12.0"),
    ],
)
def test_the_driver_has_to_support_the_major_version(cuda, number, status, found):
    """An older minor version of CUDA is enough."""
    cuda(number)
    facts = finding("CUDA driver").facts
    assert (facts["status"], facts["found"]) == (status, found)


@pytest.mark.parametrize(
    ("printed", "status", "found"),
    [
        ("Cuda compilation tools, release 12.1, V12.1.66", "passed", "12.1; torch is built for 12.8"),
        ("Cuda compilation tools, release 11.8, V11.8.89", "failed", "11.8; torch is built for 12.8"),
        ("I am a teapot", "skipped", "does not print its version"),
    ],
)
def test_the_toolkit_needs_the_same_major_version(cuda, monkeypatch, printed, status, found):
    """It is not required: only extensions need it."""
    from torch.utils import cpp_extension

    monkeypatch.setattr(cpp_extension, "CUDA_HOME", "/nowhere")
    monkeypatch.setattr(
        subprocess, "run", lambda command, **_: subprocess.CompletedProcess(command, 0, printed, "")
    )
    toolkit = finding("CUDA toolkit")
    assert (toolkit.facts["status"], toolkit.level) == (status, "note")
    assert found in toolkit.facts["found"]


def test_a_toolkit_that_cannot_be_run_is_skipped(cuda, monkeypatch):
    """A folder without the program is no failure."""
    from torch.utils import cpp_extension

    monkeypatch.setattr(cpp_extension, "CUDA_HOME", "/nowhere")
    assert "cannot run /nowhere/bin/nvcc" in finding("CUDA toolkit").facts["found"]

    def hangs(command, **_):
        raise subprocess.TimeoutExpired(command, 30)

    monkeypatch.setattr(subprocess, "run", hangs)
    assert finding("CUDA toolkit").facts["status"] == "skipped"


def test_a_compiler_may_print_in_any_encoding(tmp_path):
    """One that works is not missed because of a copyright sign."""
    compiler = tmp_path / "g++-of-a-test"
    compiler.write_bytes(b"#!/bin/sh\nprintf 'g++ 1.0 \xa9\\n'\n")
    compiler.chmod(0o755)
    with dynconf.patch(inductor={"cpp.cxx": (None, str(compiler))}):
        assert "g++ 1.0" in toolchain.cpp_compiler(needed=True)


def test_a_python_that_torch_does_not_support_fails(pretend_metadata):
    """The bound is the one in torch's own metadata."""
    pretend_metadata("Requires-Python", ">=3.99")
    assert "torch needs >=3.99" in finding("Python").message
    assert finding("Python").level == "error"


def test_a_torch_that_is_too_old_fails(monkeypatch):
    """The oldest release in the catalogue is the oldest one supported."""
    monkeypatch.setattr(torch, "__version__", "2.3.1")
    assert finding("torch").level == "error"
    assert "2.3.1; dynconf needs 2.4 or newer" in finding("torch").message


def test_a_missing_triton_fails_only_if_it_is_needed(monkeypatch, pretend_metadata):
    """The advice is to install the version that torch's own metadata asks for."""
    from torch.utils import _triton

    monkeypatch.setattr(_triton, "has_triton_package", lambda: False)
    pretend_metadata("Requires-Dist", "sympy", "triton==3.4.0 ; linux")
    needed = finding("Triton")
    assert (needed.level, needed.facts["advice"]) == ("error", "install triton==3.4.0")
    assert finding("Triton", triton_needed=False).facts["status"] == "skipped"


@pytest.mark.real_torch
def test_a_build_without_support_for_the_device_is_named(monkeypatch, tmp_path):
    """A CPU build on a machine with a device gets the right remedy; without one there is nothing to say."""
    from torch import version

    monkeypatch.setattr(version, "cuda", None)
    monkeypatch.setattr(toolchain, "_DEVICE_FILES", {"CUDA": (str(tmp_path),)})
    assert "install the build of torch for CUDA" in toolchain.build_advice("CUDA")
    with pytest.raises(steps.Failed) as caught:
        toolchain._gpus("CUDA")
    assert not caught.value.required
    assert "built without CUDA, but there is a device" in str(caught.value)
    monkeypatch.setattr(toolchain, "_DEVICE_FILES", {"CUDA": (str(tmp_path / "none"),)})
    assert toolchain.build_advice("CUDA") == ""
    monkeypatch.setattr(version, "cuda", "12.8")
    assert toolchain.build_advice("CUDA") == ""
