"""The records of each module compared, in both directions, with the facts of each torch release.

Exact except for defaults that depend on the machine, which `ON_THE_MACHINE` lists: they are `Computed`, and
the facts of a release name the dependency.
"""

import copy
import json
import warnings
from pathlib import Path
from typing import Any

import pytest
from conftest import fresh_config

from dynconf._codegen import upstream
from dynconf._codegen.differences import differences
from dynconf.catalogue import names
from dynconf.catalogue.catalogue import View
from dynconf.catalogue.flags.flag import fact_in
from dynconf.catalogue.flags.types import is_same_value
from dynconf.catalogue.flags.variable import IMPORT_ERRORS
from dynconf.catalogue.modules import MODULES, catalogue
from dynconf.release import RELEASES, Release, minor

FIXTURES = Path(__file__).parents[2] / "data" / "upstream"

_FOR_ROCM = """
    _conv_default_backends _partitioned_scatter_default layout_opt_default layout_optimization
    max_autotune_conv_bwd_input_backends max_autotune_conv_bwd_weight_backends partitioned_scatter_enabled
    triton.num_decompose_k_splits triton.spill_threshold
"""

ON_THE_MACHINE = {
    "dynamo": {
        "_autograd_backward_strict_mode_banned_ops": "the members of torch.Tensor",
        "base_dir": "where torch is installed",
        "debug_dir_root": "the working directory",
        "gc_gen2_threshold_during_compile": "whether the interpreter has a GIL",
        "run_gc_after_compile": "whether the interpreter has a GIL",
    },
    "functorch": {
        "error_on_custom_op_aliasing": "the variable CI",
    },
    "inductor": {
        "compile_threads": "the number of processors, and Windows",
        "cpp.cxx": "macOS has another compiler",
        "cuda.cutlass_dir": "where torch is installed",
        "cutlass.cutlass_dir": "where torch is installed",
        "xpu.cutlass_dir": "where torch is installed, later the working directory",
        "developer_warnings": "whether torch is a nightly",
        "is_nightly_or_source": "whether torch is a nightly",
        **dict.fromkeys(_FOR_ROCM.split(), "whether torch is built for ROCm"),
    },
}
"""The flags whose defaults are not those of the release alone, with the reason."""


def facts_of(release: str) -> dict[str, Any]:
    """Return the facts of a release, by module and flag."""
    facts = json.loads((FIXTURES / f"{release}.json").read_text(encoding="utf-8"))
    assert facts["torch"] == release
    modules: dict[str, Any] = facts["modules"]
    return modules


def told(name: str, view: View) -> dict[str, Any]:
    """Return what the records say of a name in a release, in the form of its facts."""
    flag, at, alias = view.catalogue.flags[name], view.release.minor, view.aliases.get(name)
    found: dict[str, Any] = {"deprecated": bool(flag.deprecated) and minor(flag.deprecated) <= at}
    if alias is not None:
        return found | {"alias": alias}
    known = names.setting(name, view.release, view.catalogue.name)
    return found | {
        "default": None if known.is_computed else known.type.show_data(known.default_value()),
        "variables": [[each.name, each.rule] for each in known.variables],
        "compile_ignored": known.compile_ignored,
        "cache_key_ignored": fact_in(flag.cache_key_ignored, at),
        "implied_by": [list(each) for each in known.implied_by],
    }


@pytest.mark.parametrize("release", RELEASES)
def test_the_records_agree_with_the_release(release: str) -> None:
    """Names, defaults, variables, exclusion from hashes, aliases, deprecations and types agree."""
    for module, facts in facts_of(release).items():
        view = catalogue(module).at(Release.named(release))
        assert {*view.names} == {*facts}
        for name, known in facts.items():
            said = told(name, view)
            theirs = {fact: known.get(fact, type(value)()) for fact, value in said.items()}
            if "variables" in theirs:  # as lists, because the strongest comes first
                theirs["variables"] = [list(each) for each in known.get("variables", {}).items()]
                theirs["default"] = None if "depends_on" in known else known.get("default")
            if "alias" in theirs:
                theirs["alias"] = upstream.shortened(known.get("alias", ""))
            assert is_same_value(said, theirs), (module, name)
        assert differences(module, facts, release) == []


NOBODY = {
    "2.4.1": ["kernel_name_max_ops", "trace.compile_profile", "trace.log_url_for_graph_xform"],
    "2.6.0": ["c_shim_version", "kernel_name_max_ops", "trace.compile_profile"],
    **dict.fromkeys(
        ("2.13.0", "2.15.0"),
        (
            *("worker_log_path", "non_blocking_remote_cache_write", "reorder_prefetch_limit", "cpu_gpu_bw"),
            *("kernel_name_max_ops", "trace.compile_profile", "triton.mix_order_reduction_initial_xblock"),
        ),
    ),
}


@pytest.mark.parametrize("release", NOBODY)
def test_a_flag_that_nothing_reads_is_inert(release: str) -> None:
    """These were looked up by hand in the sources; those that the compiler does read are not inert."""
    view = catalogue("inductor").at(Release.named(release))
    assert [name for name in NOBODY[release] if not view.settings[name].inert] == []
    for name in ("max_autotune", "triton.cudagraphs", "compile_threads", "cpp.cxx", "fallback_random"):
        assert view.settings[name].inert == ""


def test_every_release_has_its_facts_and_the_facts_their_release() -> None:
    """Every entry of `RELEASES` has a fixture, and every fixture an entry."""
    assert {path.stem for path in FIXTURES.iterdir()} == set(RELEASES)


def test_a_module_has_facts_from_its_first_release_on() -> None:
    """No release lost one; comms and compiler came later than the others."""
    first = {module: next(each for each in RELEASES if module in facts_of(each)) for module in MODULES}
    assert first == dict.fromkeys(first, RELEASES[0]) | {"compiler": "2.6.0", "comms": "2.9.1"}
    for module, release in first.items():
        assert all(module in facts_of(each) for each in RELEASES[RELEASES.index(release) :])


def test_defaults_that_depend_on_the_machine_are_listed() -> None:
    """A default that is no fact of the release is `Computed`, and here with its reason; no other one is."""
    for module in MODULES:
        dependent = {
            name
            for release in RELEASES
            for name, facts in facts_of(release).get(module, {}).items()
            if "depends_on" in facts
        }
        assert dependent == set(ON_THE_MACHINE.get(module, {})), module


def test_types_are_compared_with_annotations_in_both_directions() -> None:
    """A word that only one of the two has is a difference, and so is a kind of value."""
    flags = copy.deepcopy(facts_of("2.7.1")["inductor"])
    flags["cpu_backend"]["annotation"] = "Literal['cpp', 'triton', 'halide', 'metal']"
    flags["memory_pool"]["annotation"] = "Literal['none', 'outputs', 'combined']"
    cpu, memory = differences("inductor", flags, "2.7.1")
    ours = ["cpp", "halide", "triton"]
    assert cpu == f"cpu_backend: the words are {sorted([*ours, 'metal'])} in torch, {ours} in dynconf"
    assert memory.startswith("memory_pool: the words are ['combined', 'none', 'outputs'] in torch, ")
    type_ = catalogue("dynamo").flags["optimize_ddp"].type.annotation
    assert differences("dynamo", {"optimize_ddp": {"annotation": "int | None"}}, "2.13.0") == [
        f"optimize_ddp: the annotation is int | None in torch, the type is {type_} in dynconf"
    ]


@pytest.mark.real_torch
def test_the_facts_are_those_of_the_installed_torch() -> None:
    """The sources of the torch at hand, read again, give the facts of its release.

    Reading inductor's takes half a minute: `make compat` does. Its defaults and variables are compared with
    the live module here and in the tests of the lint.
    """
    import torch

    release = next(each for each in RELEASES if minor(each) == Release.at_hand().minor)
    folder = Path(torch.__file__).parents[1]
    modules = upstream.read(release, folder, set(MODULES) - {"inductor"})["modules"]
    assert len(modules) > 1
    known = facts_of(release)
    for flags in (*modules.values(), *known.values()):
        for name, facts in flags.items():
            flags[name] = {fact: each for fact, each in facts.items() if fact not in ("line", "unread")}
    assert modules == {module: known[module] for module in modules}


@pytest.mark.parametrize("module", MODULES)
def test_defaults_are_those_of_the_live_module(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a clean environment the module at hand has the defaults that the catalogue gives or computes."""
    monkeypatch.delenv("CI", raising=False)
    settings = catalogue(module).at(Release.at_hand()).settings.values()
    if not settings:
        pytest.skip("this release does not have the module")
    with fresh_config(module=module) as config, warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # torch's own, about deprecated flags
        live = {setting.name: getattr(config, setting.name) for setting in settings}
    wrong = [each.name for each in settings if not is_same_value(each.default_value(), live[each.name])]
    assert wrong == []


@pytest.mark.parametrize("module", MODULES)
def test_computed_defaults_follow_the_variables_that_torch_follows(
    module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A default that depends on a variable is computed like torch's, whatever the variable holds."""
    release = Release.at_hand()
    version = next(each for each in RELEASES if Release.named(each).minor == release.minor)
    facts = facts_of(version).get(module, {})
    view = catalogue(module).at(release)
    for flag, variable in [
        (name, each) for name, of in facts.items() for each in of.get("depends_on", []) if each.isupper()
    ]:
        for text in ("", "0", "1", "true"):
            monkeypatch.setenv(variable, text)
            with fresh_config({variable: text}, module=module) as config:
                found = view.get(flag).default_value()
                assert is_same_value(found, getattr(config, flag)), (flag, variable, text)
        monkeypatch.delenv(variable)


def test_variables_of_inductor_that_mislead_bare_torch() -> None:
    """In torch 2.13, `true` in 45 variables turns a flag off, and `abc` in 26 ends the import."""
    turned_off, fatal = set(), set()
    for setting in catalogue("inductor").at(Release.named("2.13.0")).settings.values():
        default = setting.default_value()
        for variable in setting.variables:
            try:
                variable.torch_value("abc", default)
            except IMPORT_ERRORS:
                fatal.add(variable.name)
                continue
            if default is True and variable.torch_value("true", default) is False:
                turned_off.add(variable.name)
    assert (len(turned_off), len(fatal)) == (45, 26)
    assert {"TORCHINDUCTOR_WORKER_START", "TORCH_COMPILE_DEBUG"} <= fatal
