"""The environment: dynconf's one strict reading, and what bare torch would make of the same text."""

import pytest
from conftest import fresh_config

from dynconf.catalogue import FLAGS
from dynconf.catalogue.names import settings_of
from dynconf.errors import ConflictError, EnvironmentWarning, InertFlagWarning, InvalidValueError
from dynconf.provenance import Origin
from dynconf.sources.env import (
    TorchReading,
    read_environment,
    torch_disagrees,
    torch_reading,
    torch_value,
    variables_of,
)
from dynconf.values import same
from dynconf.versions import RELEASES, asked, at_hand, minor

AT = asked("2.13.0")
FORCED = "TORCH_DYNAMO_AUTOMATIC_DYNAMIC_LOCAL_PGO"
TEXTS = ("0", "1", "true", "false", "2", "abc", "", " 1", "-3")


def test_an_empty_environment_sets_nothing():
    """Neither a value nor a mistake nor a note comes of it."""
    for layer in read_environment({}, AT):
        assert (layer.values, layer.origins, layer.errors, layer.notes) == ({}, {}, (), ())


@pytest.mark.parametrize(
    ("variable", "raw", "flag", "value"),
    [
        ("TORCHDYNAMO_VERBOSE", "true", "verbose", True),
        ("TORCHDYNAMO_SUPPRESS_ERRORS", "0", "suppress_errors", False),
        ("TORCH_COMPILE_DISABLE", "ON", "disable", True),
        ("TORCHDYNAMO_RECOMPILE_LIMIT", " 64 ", "recompile_limit", 64),
        ("TORCHDYNAMO_CACHE_SIZE_LIMIT", "64", "recompile_limit", 64),
        ("TORCHDYNAMO_OPTIMIZE_DDP", "python_reducer", "optimize_ddp", "python_reducer"),
        ("TORCHDYNAMO_AUTOMATIC_DYNAMIC_REMOTE_PGO", "none", "automatic_dynamic_remote_pgo", None),
    ],
)
def test_a_variable_sets_its_flag(variable, raw, flag, value):
    """Torch's own, the uniform one, and the uniform one of an old name; the origin holds the raw text."""
    ordinary, forced = read_environment({variable: raw}, AT)
    assert ordinary.values == {flag: value}
    assert ordinary.origins == {flag: Origin("env", variable, raw)}
    assert not ordinary.errors
    assert not forced.values


@pytest.mark.parametrize("release", RELEASES)
def test_every_public_flag_has_its_uniform_variable_in_every_release_that_has_it(release):
    """One meaning across releases: the newest name's variable works where the flag had another name."""
    at = asked(release)
    for flag in settings_of(at.minor):
        if flag.public:
            newest = FLAGS[flag.renamed] if flag.renamed else flag
            for name in {flag.uniform_variable, newest.uniform_variable}:
                ordinary, forced = read_environment({name: "no such value, 1:"}, at)
                assert [*ordinary.errors, *ordinary.values, *forced.errors], name


def test_torchs_own_variable_beats_the_uniform_one():
    """Where both are set, the uniform one is not even read."""
    environ = {"TORCH_COMPILE_DISABLE": "0", "TORCHDYNAMO_DISABLE": "1"}
    ordinary, _ = read_environment(environ, AT)
    assert ordinary.values == {"disable": False}
    assert ordinary.origins["disable"].name == "TORCH_COMPILE_DISABLE"
    ordinary, _ = read_environment({**environ, "TORCHDYNAMO_DISABLE": "nonsense"}, AT)
    assert not ordinary.errors


@pytest.mark.parametrize("raw", ["", " ", "\t"])
def test_an_empty_variable_is_not_set(raw):
    """That holds for own, uniform and forced variables; the uniform one then counts."""
    for variable in ("TORCH_COMPILE_DISABLE", "TORCHDYNAMO_RECOMPILE_LIMIT", FORCED):
        ordinary, forced = read_environment({variable: raw}, AT)
        assert (ordinary.values, forced.values) == ({}, {})
    ordinary, _ = read_environment({"TORCH_COMPILE_DISABLE": raw, "TORCHDYNAMO_DISABLE": "1"}, AT)
    assert ordinary.values == {"disable": True}


def test_a_forced_variable_has_a_layer_of_its_own():
    """From torch 2.7 on it beats every assignment; before, it is a variable like the others."""
    ordinary, forced = read_environment({FORCED: "off"}, AT)
    assert ordinary.values == {}
    assert forced.values == {"automatic_dynamic_local_pgo": False}
    assert forced.origins == {"automatic_dynamic_local_pgo": Origin("forced", FORCED, "off")}
    ordinary, forced = read_environment({FORCED: "off"}, asked("2.6"))
    assert ordinary.values == {"automatic_dynamic_local_pgo": False}
    assert forced.values == {}


def test_two_names_of_a_flag_with_two_values_are_a_conflict():
    """Equal values are none."""
    environ = {"TORCHDYNAMO_RECOMPILE_LIMIT": "8", "TORCHDYNAMO_CACHE_SIZE_LIMIT": "9"}
    ordinary, _ = read_environment(environ, AT)
    (error,) = ordinary.errors
    assert isinstance(error, ConflictError)
    for part in ("recompile_limit is set twice", *environ, "8", "9"):
        assert part in str(error)
    ordinary, _ = read_environment(dict.fromkeys(environ, "9"), AT)
    assert ordinary.values == {"recompile_limit": 9}
    assert not ordinary.errors


def test_a_flag_that_does_nothing_any_more_gives_a_note():
    """The note says since the release at hand, and what there is instead."""
    ordinary, _ = read_environment({"TORCHDYNAMO_DYNAMIC_SHAPES": "1"}, AT)
    (note,) = ordinary.notes
    assert isinstance(note, InertFlagWarning)
    assert str(note).startswith("dynamic_shapes (from environment TORCHDYNAMO_DYNAMIC_SHAPES=1) does nothing")
    assert "assume_static_by_default" in str(note)


def test_a_variable_of_a_flag_that_the_release_lacks_gives_a_note():
    """Scripts share environments between releases: it is said, and is no error."""
    ordinary, _ = read_environment({"TORCHDYNAMO_ENABLE_TRACE_LOAD_BUILD_CLASS": "1"}, asked("2.6"))
    (note,) = ordinary.notes
    assert isinstance(note, EnvironmentWarning)
    assert "is not in torch 2.6.0 yet: it came with torch 2.13" in str(note)
    assert str(note).endswith("skipped")
    assert not ordinary.errors
    assert not ordinary.values


def test_a_variable_that_no_flag_has_is_no_mistake():
    """Other parts of torch share the prefix."""
    for layer in read_environment({"TORCHDYNAMO_NO_SUCH_FLAG": "1", "TORCH_LOGS": "+dynamo"}, AT):
        assert (layer.values, layer.errors, layer.notes) == ({}, (), ())


def test_internal_flags_have_no_uniform_variable():
    """Torch's own plumbing is not set from the environment by dynconf."""
    ordinary, _ = read_environment({"TORCHDYNAMO__SAVE_CONFIG_IGNORE": "a", "TORCHDYNAMO_BASE_DIR": "/"}, AT)
    assert (ordinary.values, ordinary.errors) == ({}, ())


def test_all_mistakes_are_in_the_layer():
    """Reading does not stop at the first; each error says variable, raw text and what was expected."""
    environ = {
        "TORCHDYNAMO_REPRO_LEVEL": "high",
        "TORCHDYNAMO_VERBOSE": "maybe",
        "TORCHDYNAMO_RECOMPILE_LIMIT": "none",
    }
    ordinary, _ = read_environment(environ, AT)
    assert all(isinstance(error, InvalidValueError) for error in ordinary.errors)
    where, problem = zip(*(str(error).split(" is not valid: ") for error in ordinary.errors), strict=True)
    assert sorted(where) == [
        "recompile_limit: 'none' (from environment TORCHDYNAMO_RECOMPILE_LIMIT=none)",
        "repro_level: 'high' (from environment TORCHDYNAMO_REPRO_LEVEL=high)",
        "verbose: 'maybe' (from environment TORCHDYNAMO_VERBOSE=maybe)",
    ]
    assert sorted(problem) == [
        "expected True or False",
        "expected a whole number from 1 to 4",
        "expected a whole number, 0 or more; None is no value of this flag",
    ]


def test_variables_follow_the_spelling_of_the_release():
    """A setting's own variables are those of the name that the release uses."""
    assert [each.name for each in variables_of("enable_cpp_guard_manager", (2, 5))] == [
        "TORCHDYNAMO_CPP_GUARD_MANAGER"
    ]
    assert variables_of("enable_cpp_guard_manager", (2, 6)) == ()
    assert variables_of("no_such_flag", (2, 6)) == ()


def live_reading(name: str, variable: str, raw: str) -> TorchReading:
    """Return what the installed module makes of the text."""
    try:
        with fresh_config({variable: raw}) as config:
            return TorchReading(getattr(config, name), variable=variable)
    except ValueError as problem:
        return TorchReading(error=f"ValueError: {problem}", variable=variable)


@pytest.mark.filterwarnings("ignore::FutureWarning")
@pytest.mark.parametrize("raw", TEXTS)
def test_torchs_reading_is_what_the_installed_torch_reads(raw):
    """For every variable of every flag, errors included, the real module makes of the text what we say."""
    pytest.importorskip("torch._dynamo.config")
    release = at_hand().minor
    wrong = []
    for flag in settings_of(release):
        for variable in flag.variables_in(release):
            ours = torch_reading(flag, release, {variable.name: raw})
            torchs = live_reading(flag.name, variable.name, raw)
            if ours.error != torchs.error or not same(ours.value, torchs.value):
                wrong.append(f"{flag.name}: {variable.name}={raw!r} is {torchs} to torch, {ours} to us")
    assert wrong == []


@pytest.mark.parametrize(
    ("rule", "raw", "default", "value"),
    [
        ("equals_one", "true", False, False),
        ("truthy", "0", False, True),
        ("truthy", "", True, False),
        ("integer", " 3 ", 2, 3),
        ("integer_or_none", "0", 1000, None),
        ("integer_or_none", "5", 1000, 5),
        ("tristate", "abc", None, None),
        ("tristate", "0", None, False),
        ("default", "1", False, True),
        ("force", "false", True, "false"),
        ("debug_dir", "/x", None, "/x/torch_compile_debug"),
        ("text", "0", False, "0"),
    ],
)
def test_each_rule(rule, raw, default, value):
    """What torch makes of a text, rule by rule."""
    assert same(torch_value(rule, raw, default), value)


def test_torchs_error_is_told():
    """A text that stops the import of torch is an error of the reading, not of ours."""
    reading = torch_reading(FLAGS["repro_level"], (2, 13), {"TORCHDYNAMO_REPRO_LEVEL": "high"})
    assert reading.error.startswith("ValueError: invalid literal for int()")
    assert torch_disagrees(FLAGS["repro_level"], reading, 2)


@pytest.mark.parametrize(
    ("flag", "environ", "value", "disagrees"),
    [
        ("suppress_errors", {"TORCHDYNAMO_SUPPRESS_ERRORS": "0"}, False, True),
        ("suppress_errors", {"TORCHDYNAMO_SUPPRESS_ERRORS": "1"}, True, False),
        ("verbose", {"TORCHDYNAMO_VERBOSE": "true"}, True, True),
        ("verbose", {}, False, False),
        ("recompile_limit", {"TORCHDYNAMO_RECOMPILE_LIMIT": "64"}, 64, True),
        ("cprofile", {"TORCH_COMPILE_CPROFILE": "1"}, True, False),
        ("cprofile", {"TORCH_COMPILE_CPROFILE": "0"}, False, True),
        ("automatic_dynamic_local_pgo", {FORCED: "false"}, False, True),
        ("dynamo_profiler", {"TORCH_COMPILE_DYNAMO_PROFILER": "0"}, False, True),
    ],
)
def test_disagreement_counts_what_torch_would_do(flag, environ, value, disagrees):
    """A text where a bool belongs counts by its truth, as torch uses it."""
    reading = torch_reading(FLAGS[flag], (2, 13), environ)
    assert torch_disagrees(FLAGS[flag], reading, value) is disagrees


def test_a_release_is_read_by_its_own_rules():
    """`disable` took any text up to torch 2.7, and only 1 from 2.8 on."""
    environ = {"TORCH_COMPILE_DISABLE": "0"}
    assert torch_reading(FLAGS["disable"], minor("2.7"), environ).value == "0"
    assert torch_reading(FLAGS["disable"], minor("2.8"), environ).value is False
