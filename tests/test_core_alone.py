"""The core stands alone: it knows neither the tools nor the command line."""

import re
from pathlib import Path

import pytest
from warm import Warm

import dynconf

PACKAGE = Path(dynconf.__file__).parent
TABLE = {"__init__.py", "__init__.pyi", "__main__.py", "distributed.py"}
"""The table of public names, one of them by itself, and what starts the command line."""


def test_no_line_of_the_core_names_a_tool():
    """Neither an import, immediate or deferred, nor a string; the generator writes the table."""
    others = {"tools", "cli", "_codegen"}
    named = re.compile(r"dynconf[./](?:tools|cli)\b")
    found = [
        path.relative_to(PACKAGE)
        for path in PACKAGE.rglob("*.py*")
        if path.suffix in {".py", ".pyi"}
        and path.relative_to(PACKAGE).parts[0] not in others | TABLE
        and named.search(path.read_text(encoding="utf-8"))
    ]
    assert found == []


PROGRAM = """
import sys, warnings
from importlib.abc import MetaPathFinder

class Refuse(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name.startswith(("dynconf.tools", "dynconf.cli")):
            raise ImportError(f"the core imports {name}")

warnings.simplefilter("error")
sys.meta_path.insert(0, Refuse())
import torch._dynamo.config as config
from dynconf.catalogue.ddp import resolve_optimize_ddp
from dynconf.live.ddp import install_ddp_resolver
from dynconf.live.defaults import defaults
from dynconf.live.hold import hold
from dynconf.live.install import reset
from dynconf.live.origin import origin
from dynconf.live.patch import patch
from dynconf.live.threads import propagate
from dynconf.namespace import inductor, install
from dynconf.settings import CompileFlags, DynamoFlags, DynamoSettings, InductorSettings
from dynconf.store.diff import diff
from dynconf.store.fingerprint import fingerprint
from dynconf.store.saving import load, save
from dynconf.store.snapshot import snapshot

with patch(verify_correctness=True, inductor={"max_autotune": True}):
    assert config.verify_correctness and origin("verify_correctness").kind == "patch"
    assert propagate(lambda: config.verify_correctness)() is True

@patch(verify_correctness=True)
def body():
    return config.verify_correctness

assert body() is True
before = snapshot()
with install(verbose=True), hold(repro_level=3), defaults(recompile_limit=64):
    assert (config.verbose, config.repro_level, config.recompile_limit) == (True, 3, 64)
    config.accumulated_recompile_limit = 128
    save("state.json")
    assert diff(before, snapshot())
    assert len(fingerprint()) == 64
assert load("state.json")["verbose"] is True
reset()
with load("state.json").patch(), inductor.patch(max_autotune=True):
    pass
DynamoFlags(verbose=True).patch()
CompileFlags(dynamo={"verbose": True})
DynamoSettings(verbose=True).install().uninstall()
InductorSettings(triton={"cudagraphs": True})
assert inductor.options("max-autotune")["max_autotune"] is True
assert resolve_optimize_ddp(True).value == "ddp_optimizer"
install_ddp_resolver()
assert not {each for each in sys.modules if each.startswith(("dynconf.tools", "dynconf.cli"))}
"""


@pytest.mark.real_torch
def test_the_core_works_with_tools_and_command_line_forbidden(warm: Warm) -> None:
    """Patches, installations, holds, defaults, options, states and models need neither."""
    done = warm.run("-c", PROGRAM)
    assert done.returncode == 0, done.stderr
