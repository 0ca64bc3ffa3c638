"""The versions that `verify` looks at, on made-up machines."""

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


@pytest.mark.parametrize("has_device", [False, True])
def test_a_build_for_cuda_without_a_device_says_why(monkeypatch, tmp_path, has_device):
    """With the reason that torch gives when it looks for a device: a warning, where Linux shows one."""

    def init():
        raise RuntimeError("the driver is too old")

    monkeypatch.setattr(torch.version, "cuda", "12.8")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(torch.cuda, "init", init)
    file = tmp_path if has_device else tmp_path / "none"
    monkeypatch.setattr(toolchain, "_DEVICE_FILES", {"CUDA": (str(file),), "ROCm": ()})
    found = finding("CUDA")
    assert (found.facts["status"], found.level) == ("failed" if has_device else "skipped", "note")
    reason = "torch is built for 12.8 but finds no device: RuntimeError: the driver is too old"
    assert found.facts["found"] == reason


def test_a_compiler_may_print_in_any_encoding(tmp_path):
    """One that works is not missed because of a copyright sign."""
    compiler = tmp_path / "g++-of-a-test"
    compiler.write_bytes(b"#!/bin/sh\nprintf 'g++ 1.0 \xa9\\n'\n")
    compiler.chmod(0o755)
    with dynconf.patch(inductor={"cpp.cxx": (None, str(compiler))}):
        assert "g++ 1.0" in toolchain.cpp_compiler(needed=True)


def test_a_torch_that_is_too_old_fails(monkeypatch):
    """The oldest release in the catalogue is the oldest one supported."""
    monkeypatch.setattr(torch, "__version__", "2.3.1")
    assert finding("torch").level == "error"
    assert "2.3.1; dynconf needs 2.4 or newer" in finding("torch").message


def test_a_missing_triton_fails_only_if_it_is_needed(monkeypatch):
    """With advice."""
    from torch.utils import _triton

    monkeypatch.setattr(_triton, "has_triton_package", lambda: False)
    needed = finding("Triton")
    assert (needed.level, needed.facts["advice"]) == ("error", "install the triton that matches this torch")
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
