"""What a call costs, in functions of dynconf's that it calls: no time, which would differ from run to run."""

import json

import pytest
from spelling import spelled
from warm import Warm

PROGRAM = spelled("""
import contextlib, io, json, os, sys
import dynconf
from dynconf.cli import main
import torch._dynamo.config as config

os.chdir(os.path.abspath(os.sep))  # a search for files goes through each folder above
PACKAGE = os.path.dirname(dynconf.__file__)

def calls_in(work):
    count = 0
    def note(frame, event, _):
        nonlocal count
        code = frame.f_code
        count += event == "call" and code.co_filename.startswith(PACKAGE) and not code.co_name.startswith("<")
    work()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count

def use(manager):
    with manager:
        pass

def dump():
    sys.argv = ["dynconf", "dump", "recompile_limit"]
    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
        main()

found = {"patch": calls_in(lambda: use(dynconf.patch(verify_correctness=True)))}
with dynconf.patch(recompile_limit=64):
    found["save"] = calls_in(lambda: dynconf.save(file))
found["dump"] = calls_in(dump)
found["settings"] = calls_in(lambda: dynconf.InductorSettings(triton={"cudagraphs": True}))
os.environ["TORCHDYNAMO_RECOMPILE_LIMIT"] = "64"
found["install"] = calls_in(lambda: use(dynconf.install()))
print(json.dumps(found))
""")

BOUNDS = {
    "patch": 12,  # made, entered and left
    "save": 300,  # one flag is set; the names that are left out are looked up once
    "dump": 300,  # of one flag: no default of another one is computed
    "settings": 350,  # of seven hundred flags, one is given, in a group
    "install": 120,  # a variable is read, checked, put in force and taken back
}


@pytest.mark.real_torch
def test_no_call_costs_more_than_it_must(warm: Warm, tmp_path):
    """Each is done for the second time."""
    done = warm.run("-c", f"file = {str(tmp_path / 'state.json')!r}\n{PROGRAM}")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found.keys() == BOUNDS.keys()
    assert {name: count for name, count in found.items() if not 0 < count <= BOUNDS[name]} == {}


@pytest.mark.real_torch
def test_a_patch_loads_nothing_that_reads_a_source(warm: Warm):
    """And few other modules of dynconf."""
    program = "import sys, dynconf; dynconf.patch(verify_correctness=True); print(*sys.modules)"
    loaded = [each for each in warm.run("-c", program).stdout.split() if each.partition(".")[0] == "dynconf"]
    assert 0 < len(loaded) <= 75
    assert not any(each.startswith("dynconf.sources") for each in loaded)
