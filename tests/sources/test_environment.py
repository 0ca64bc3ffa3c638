"""The environment: dynconf's one strict reading, and what bare torch would make of the same text."""

import pytest
from states import origins_of, values_of

from dynconf.catalogue import names
from dynconf.errors import EnvironmentWarning, InvalidValueError
from dynconf.provenance import Origin
from dynconf.release import RELEASES, Release
from dynconf.sources import environment
from dynconf.sources.reading import Reading
from dynconf.state import State

AT = Release.named("2.13.0")
GEMM = "max_autotune_gemm_backends"
FORCED = "TORCH_DYNAMO_AUTOMATIC_DYNAMIC_LOCAL_PGO"


def read_environment(environ, release=AT):
    """Read all modules."""
    return environment.read_environment(environ, release)


@pytest.mark.parametrize(
    ("variable", "raw", "flag", "value"),
    [
        ("TORCHDYNAMO_VERBOSE", "true", "verbose", True),
        ("TORCHDYNAMO_SUPPRESS_ERRORS", "0", "suppress_errors", False),
        ("TORCH_COMPILE_DISABLE", "ON", "disable", True),
        ("TORCHDYNAMO_RECOMPILE_LIMIT", " 64 ", "recompile_limit", 64),
        ("TORCHDYNAMO_CACHE_SIZE_LIMIT", "64", "recompile_limit", 64),
        ("TORCHDYNAMO_OPTIMIZE_DDP", "python_reducer", "optimize_ddp", "python_reducer"),
        ("TORCHFUNCTORCH_DONATED_BUFFER", "no", "functorch.donated_buffer", False),
        ("TORCHDYNAMO_AUTOMATIC_DYNAMIC_REMOTE_PGO", "none", "automatic_dynamic_remote_pgo", None),
        ("TORCHINDUCTOR_MAX_AUTOTUNE", "yes", "inductor.max_autotune", True),
        ("TORCHINDUCTOR_TRITON_CUDAGRAPHS", "1", "inductor.triton.cudagraphs", True),
        ("TORCHINDUCTOR_EPILOGUE_FUSION", "true", "inductor.epilogue_fusion", True),
        # Read as torch reads it where that is more than the text says; moved flags are followed.
        ("CXX", "clang++", "inductor.cpp.cxx", (None, "clang++")),
        (f"TORCHINDUCTOR_{GEMM.upper()}", "aten,triton", f"inductor.{GEMM}", "ATEN,TRITON"),
        ("TORCHINDUCTOR_EMULATE_DIVISON_ROUNDING", "1", "inductor.eager_numerics.division_rounding", True),
        ("TORCHCOMPILER_RECOMPILE_LIMIT", "9", "recompile_limit", 9),
    ],
)
def test_a_variable_sets_its_flag(variable, raw, flag, value):
    """Torch's own, the uniform one, and the uniform one of an old name; the origin holds the raw text."""
    reading = read_environment({variable: raw})
    assert values_of(reading) == {flag: value}
    assert origins_of(reading) == {flag: Origin("env", variable, raw)}
    assert not [*reading.errors, *reading.warnings]


@pytest.mark.parametrize("release", RELEASES)
def test_every_public_flag_has_its_uniform_variable_in_every_release_that_has_it(release):
    """One meaning across releases: every name that the flag has ever had works."""
    at = Release.named(release)
    unread = []
    for view in names.module_views(at):
        flags = view.catalogue.flags
        for each in view.settings.values():
            for name in view.catalogue.names_of(each.key) if each.public else ():
                variable = flags[name].uniform_variable
                reading = read_environment({variable: "no such value, 1:"}, at)
                if not [*reading.errors, *reading.state]:
                    unread.append(variable)
    assert unread == []


def test_torchs_own_variable_beats_the_uniform_one():
    """If both are set, the uniform one is not even read."""
    environ = {"TORCH_COMPILE_DISABLE": "0", "TORCHDYNAMO_DISABLE": "1"}
    reading = read_environment(environ)
    assert values_of(reading) == {"disable": False}
    assert origins_of(reading)["disable"].name == "TORCH_COMPILE_DISABLE"
    reading = read_environment({**environ, "TORCHDYNAMO_DISABLE": "nonsense"})
    assert not reading.errors


@pytest.mark.parametrize("raw", ["", " ", "\t"])
def test_an_empty_variable_is_not_set(raw):
    """That is true of torch's own, uniform and forced ones; an empty one does not hide the uniform one."""
    for variable in ("TORCH_COMPILE_DISABLE", "TORCHDYNAMO_RECOMPILE_LIMIT", FORCED):
        assert not read_environment({variable: raw}).state
    reading = read_environment({"TORCH_COMPILE_DISABLE": raw, "TORCHDYNAMO_DISABLE": "1"})
    assert values_of(reading) == {"disable": True}


@pytest.mark.parametrize(("release", "kind"), [("2.13", "forced"), ("2.6", "env")])
def test_the_origin_says_that_torch_forces_a_value(release, kind):
    """From torch 2.7 on the variable beats every assignment; before that, it is one like the others."""
    reading = read_environment({FORCED: "off"}, Release.named(release))
    assert values_of(reading) == {"automatic_dynamic_local_pgo": False}
    assert origins_of(reading) == {"automatic_dynamic_local_pgo": Origin(kind, FORCED, "off")}


def test_a_variable_that_also_sets_a_flag_without_effect_gives_no_warning():
    """The variable has its effect by another flag. One that sets the idle flag alone gives a warning."""
    copy = "inductor.cuda.cutlass_enabled_ops"
    reading = read_environment({"TORCHINDUCTOR_CUTLASS_ENABLED_OPS": "mm"})
    assert values_of(reading)[copy] == "mm"
    assert reading.warnings == ()
    reading = read_environment({"TORCHINDUCTOR_CUDA_CUTLASS_ENABLED_OPS": "mm"})
    assert [note.flag for note in reading.warnings] == [copy]


def test_a_variable_of_a_flag_that_the_release_lacks_gives_a_note():
    """Environments are shared between releases, so it is not an error."""
    reading = read_environment({"TORCHDYNAMO_ENABLE_TRACE_LOAD_BUILD_CLASS": "1"}, Release.named("2.6"))
    (note,) = reading.warnings
    assert isinstance(note, EnvironmentWarning)
    assert "is not in torch 2.6.0 yet: it was added in torch 2.13" in str(note)
    assert str(note).endswith("skipped")
    assert not reading.errors
    assert not reading.state


def test_other_variables_are_left_alone():
    """Other parts of torch share the prefix."""
    for environ in ({}, {"TORCHDYNAMO_NO_SUCH_FLAG": "1", "TORCH_LOGS": "+dynamo"}):
        assert read_environment(environ) == Reading(State(AT))


def test_internal_flags_have_no_uniform_variable():
    """The environment does not set torch's own plumbing, not even by torch's own variable."""
    own = names.setting("_unsafe_skip_fsdp_module_guards", AT).variables[0].name
    environ = {"TORCHDYNAMO__SAVE_CONFIG_IGNORE": "a", "TORCHDYNAMO_BASE_DIR": "/", own: "1"}
    reading = read_environment(environ)
    assert ({**reading.state}, reading.errors, reading.warnings) == ({}, (), ())


def test_all_mistakes_are_in_the_layer():
    """Reading does not stop at the first; each error says variable, raw text and what was expected."""
    environ = {
        "TORCHDYNAMO_REPRO_LEVEL": "high",
        "TORCHDYNAMO_VERBOSE": "maybe",
        "TORCHDYNAMO_RECOMPILE_LIMIT": "none",
    }
    reading = read_environment(environ)
    assert all(isinstance(error, InvalidValueError) for error in reading.errors)
    where, problem = zip(*(str(error).split(" is not valid: ") for error in reading.errors), strict=True)
    assert sorted(where) == [
        "recompile_limit: 'none' (from environment TORCHDYNAMO_RECOMPILE_LIMIT=none)",
        "repro_level: 'high' (from environment TORCHDYNAMO_REPRO_LEVEL=high)",
        "verbose: 'maybe' (from environment TORCHDYNAMO_VERBOSE=maybe)",
    ]
    assert sorted(problem) == [
        "expected True or False",
        "expected a whole number from 1 to 4",
        "expected a whole number, 0 or more; the flag does not accept None",
    ]


def test_torchs_own_variables_are_those_of_the_release():
    """A variable that the release does not read sets nothing; the uniform one does."""
    environ = {"TORCHDYNAMO_CPP_GUARD_MANAGER": "0"}
    reading = read_environment(environ, Release.named("2.5"))
    assert values_of(reading) == {"enable_cpp_guard_manager": False}
    reading = read_environment(environ, Release.named("2.6"))
    assert not reading.state
    reading = read_environment({"TORCHDYNAMO_ENABLE_CPP_GUARD_MANAGER": "0"}, Release.named("2.6"))
    assert values_of(reading) == {"enable_cpp_guard_manager": False}


# Variables of several flags, of flags that moved, and those that torch makes something else of.


OFF_IN_LITE_MODE = """
    allow_buffer_reuse reorder_for_peak_memory triton.reorder_for_reducing_graph_partitions
    use_dce use_joint_graph_passes use_post_grad_passes use_pre_grad_passes
"""


@pytest.mark.parametrize(
    ("variable", "raw", "values"),
    [
        ("TORCHINDUCTOR_PROFILE", "1", {"profile_bandwidth": True, "profile_bandwidth_regex": ""}),
        ("TORCHINDUCTOR_PROFILE", "a.*", {"profile_bandwidth": True, "profile_bandwidth_regex": "a.*"}),
        ("TORCHINDUCTOR_PROFILE", "no", {"profile_bandwidth": False, "profile_bandwidth_regex": "no"}),
        ("TORCH_COMPILE_DEBUG", "1", {"trace.enabled": True, "trace.provenance_tracking_level": 1}),
        (
            "TORCHINDUCTOR_AUTOHEURISTIC_USE",
            "pad_mm",
            {"autoheuristic_use.pad_mm": True, "autoheuristic_use.mixed_mm": None},
        ),
        # The switches that a mode turns off are set as well, not only those that it turns on.
        (
            "TORCHINDUCTOR_LITE_MODE",
            "1",
            {"fallback_by_default": True, "selective_decompose": True}
            | dict.fromkeys(OFF_IN_LITE_MODE.split(), False),
        ),
    ],
)
def test_a_variable_may_set_several_flags(variable, raw, values):
    """Each gets the value that torch makes of it for that flag, as a switch and a text at once."""
    reading = read_environment({variable: raw}, Release.named("2.15.0" if "LITE" in variable else "2.13.0"))
    assert values_of(reading) == {f"inductor.{flag}": value for flag, value in values.items()}


def test_a_text_that_torch_makes_nothing_of_is_an_error():
    """With the reason that torch would give."""
    reading = read_environment({"TORCHINDUCTOR_MAX_AUTOTUNE_GEMM_BACKENDS": "aten,tritn"})
    (error,) = reading.errors
    assert isinstance(error, InvalidValueError)
    assert "did you mean 'TRITON'?" in str(error)


@pytest.mark.parametrize(
    ("release", "flag"),
    [("2.8", "inductor.force_disable_caches"), ("2.13", "compiler.force_disable_caches")],
)
def test_a_variable_whose_flag_moved_sets_it_where_it_is(release, flag):
    """Torch reads the variable in both releases, for the flag of another module."""
    reading = read_environment({"TORCHINDUCTOR_FORCE_DISABLE_CACHES": "1"}, Release.named(release))
    assert [setting.qualified for setting in reading.state] == [flag]
    assert not [*reading.errors, *reading.warnings]


def test_one_module_alone_can_be_read():
    """What a variable sets in another is passed over."""
    environ = {"TORCHINDUCTOR_FORCE_DISABLE_CACHES": "1", "TORCHDYNAMO_VERBOSE": "1"}
    both = {"verbose", "compiler.force_disable_caches"}
    for modules, expected in ((("inductor",), set()), (("compiler", "dynamo"), both)):
        assert set(values_of(environment.read_environment(environ, AT, modules))) == expected
