"""Which catalogues are loaded: those of modules that something sets, or that are asked for."""

import json
import os
from pathlib import Path

import pytest
from warm import cold

from dynconf.catalogue.modules import MODULES, catalogue, module_path, modules_set_by

LOADED = """
import json, runpy, sys
sys.argv = ["dynconf", *sys.argv[1:]]
try:
    runpy.run_module("dynconf", run_name="__main__")
except SystemExit:
    pass
modules = [name.removeprefix("dynconf.catalogue.modules.") for name in sys.modules]
print(json.dumps([name for name in modules if name in %r]), file=sys.stderr)
print(json.dumps("torch" in sys.modules), file=sys.stderr)
"""


def loaded(*words: str, **environ: str) -> set[str]:
    """Return the catalogues that a command loads in a process of its own."""
    kept = {name: text for name, text in os.environ.items() if not name.startswith(("TORCH", "CXX"))}
    done = cold("-c", LOADED % (MODULES,), *words, environ=kept, **environ)
    *_, modules, torch = done.stderr.splitlines()
    assert json.loads(torch) is False
    return set(json.loads(modules))


@pytest.mark.parametrize(
    "words",
    [
        ("dump",),
        ("dump", "verbose"),
        ("dump", "--changed", "--format", "json"),
        ("check",),
        ("explain", "verbose"),
    ],
)
def test_work_on_dynamo_loads_only_dynamo(words: tuple[str, ...]) -> None:
    """Variables of other parts of torch, and of other programs, make no difference."""
    others = {"TORCH_HOME": "/x", "PYTORCH_CUDA_ALLOC_CONF": "x", "TORCH_LOGS": "+dynamo", "CC": "gcc"}
    assert loaded(*words, TORCHDYNAMO_VERBOSE="1", **others) == {"dynamo"}


def test_setting_a_flag_loads_its_module() -> None:
    """A variable, an option, a file."""
    assert "inductor" in loaded("dump", TORCHINDUCTOR_MAX_AUTOTUNE="1")
    assert "inductor" in loaded("check", TORCHINDUCTOR_TRITON_CUDAGRAPHS="1")
    assert "fx" in loaded("dump", "--set", "fx.print_data_dependent_graph_breaks=1")
    Path("dynconf.toml").write_text("[inductor]\nmax_autotune = true")
    assert "inductor" in loaded("dump")


def test_a_requested_module_is_loaded() -> None:
    """A glob may mean any module; the name of a flag means one."""
    assert loaded("dump", "*limit*") == set(MODULES)
    assert "functorch" not in loaded("dump", "inductor.max_autotune")


def test_a_variable_belongs_to_the_modules_whose_flags_it_sets() -> None:
    """Those that torch reads, and dynconf's; in the order of the modules."""
    assert modules_set_by(frozenset()) == ()
    assert modules_set_by({"HOME", "TORCHINDUCTOR_NO_SUCH_FLAG"}) == ()
    assert modules_set_by({"TORCHINDUCTOR_MAX_AUTOTUNE", "TORCHDYNAMO_VERBOSE"}) == ("dynamo", "inductor")
    assert modules_set_by({"TORCHINDUCTOR_FORCE_DISABLE_CACHES"}) == ("inductor", "compiler")
    assert modules_set_by({"TORCHINDUCTOR_FORCE_DISABLE_CACHES"}, ("compiler", "fx")) == ("compiler",)


def test_the_index_agrees_with_the_catalogues() -> None:
    """The module in torch, and every variable of its public flags."""
    for module in MODULES:
        known = catalogue(module)
        assert module_path(module) == known.module
        for flag in known.flags.values():
            uniform = [flag.uniform_variable] * known.flags[known.canonical(flag.name)].public
            for name in (*uniform, *(each.name for each in flag.variables)):
                assert module in modules_set_by({name}), name
