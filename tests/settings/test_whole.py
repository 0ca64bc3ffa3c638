"""`CompileSettings`: the settings of all config modules as one model of pydantic-settings."""

import copy
import inspect
import pickle
import subprocess
import sys
import warnings
from pathlib import Path

import jsonschema
import pytest
from pydantic import ValidationError
from pydantic_settings import CliApp, SettingsConfigDict

import dynconf
from dynconf import CompileSettings, DynamoSettings, InductorSettings
from dynconf.catalogue.modules import MODULES
from dynconf.errors import InertFlagWarning
from dynconf.provenance import DEFAULT, Origin

GIVEN = {
    "dynamo": {"recompile_limit": 64},
    "inductor": {"max_autotune": True, "triton": {"cudagraphs": True}},
}
NAMES = ["dynamo.recompile_limit", "inductor.max_autotune", "inductor.triton.cudagraphs"]
FORMS = {
    "mappings": GIVEN,
    "settings": {
        "dynamo": DynamoSettings(recompile_limit=64),
        "inductor": InductorSettings(max_autotune=True, triton={"cudagraphs": True}),
    },
    "full names": {"recompile_limit": 64, "inductor.max_autotune": True, "inductor.triton.cudagraphs": True},
}


def set_in(settings):
    """Return the flags that are set, by full name."""
    return [name for name, origin in settings.origins.items() if origin != DEFAULT]


@pytest.mark.parametrize("form", FORMS)
def test_flags_of_all_modules_are_given_in_each_form(form):
    """As mappings, as settings, or by full names, of which bare ones are dynamo's."""
    settings = CompileSettings(**FORMS[form])
    assert type(settings.dynamo) is DynamoSettings
    assert (settings.dynamo.recompile_limit, settings.inductor.triton.cudagraphs) == (64, True)
    assert settings.model_fields_set == {"dynamo", "inductor"}
    assert set_in(settings) == NAMES
    assert settings.model_dump(exclude_unset=True) == GIVEN
    assert repr(settings) == (
        "CompileSettings(dynamo=DynamoSettings(recompile_limit=64),"
        " inductor=InductorSettings(max_autotune=True, triton=Triton(cudagraphs=True)))"
    )


def test_there_is_a_field_for_each_module():
    """In their order; nothing is set without a source."""
    assert tuple(CompileSettings.model_fields) == MODULES
    assert CompileSettings().model_fields_set == set()
    assert set_in(CompileSettings()) == []
    assert inspect.signature(CompileSettings).parameters.keys() >= {*MODULES}


def test_all_sources_are_read_for_all_modules(monkeypatch, here):
    """The call beats the environment beats files, each with its origin."""
    Path("dynconf.toml").write_text(
        "recompile_limit = 1\nverbose = true\n[inductor]\ntriton.cudagraphs = true\n"
        "[functorch]\ncse = false\n"
    )
    monkeypatch.setenv("TORCHDYNAMO_RECOMPILE_LIMIT", "2")
    monkeypatch.setenv("TORCHINDUCTOR_MAX_AUTOTUNE", "1")
    settings = CompileSettings(inductor={"max_autotune": False})
    line = Origin("keyword", file=__file__, line=here() - 1)
    assert settings.dynamo.recompile_limit == 2
    assert settings.origins["inductor.max_autotune"] == line
    assert settings.origins["inductor.triton.cudagraphs"].line == 4
    assert settings.origins["functorch.cse"].kind == "file"
    assert settings.model_fields_set == {"dynamo", "functorch", "inductor"}


def test_variables_that_have_the_name_of_a_module_are_not_meant(monkeypatch):
    """``COMPILER=gcc`` is somebody else's."""
    for module in MODULES:
        monkeypatch.setenv(module.upper(), "gcc")
    assert CompileSettings().model_fields_set == set()


def test_the_options_of_dynconf_hold_for_all_modules():
    """The file, the release, and what it lacks."""
    Path("other.toml").write_text("generate_pycode = true\n[inductor]\nmax_autotune = true\n")
    settings = CompileSettings(_config="other.toml", _torch="2.6", _missing="skip")
    assert set_in(settings) == ["inductor.max_autotune"]
    assert settings.as_state().release.version == "2.6.0"
    with pytest.raises(ValidationError, match="generate_pycode"):
        CompileSettings(_config="other.toml", _torch="2.6")
    for wrong in ({"_torch": "1.13"}, {"_missing": "bogus"}, {"_config": "no_such.toml"}):
        with pytest.raises(ValidationError) as refused:
            CompileSettings(**wrong)
        assert refused.value.error_count() == 1
    assert str(refused.value).count("no_such.toml") == 1  # although each module's settings look into it
    assert refused.value.errors()[0]["type"] == "settings_file"


@pytest.mark.since("2.7")  # DC001 is a warning before
def test_all_mistakes_in_all_modules_are_told_together(monkeypatch):
    """Each located where the input has it, or would have it."""
    monkeypatch.setenv("TORCHINDUCTOR_MAX_AUTOTUNE", "maybe")
    with pytest.raises(ValidationError) as refused:
        CompileSettings(
            dynamo={"verbos": True, "recompile_limit": -1}, inductor={"triton": {"cudagrafs": 1}}, foo=1
        )
    assert {each["loc"] for each in refused.value.errors()} == {
        ("dynamo", "verbos"),
        ("dynamo", "recompile_limit"),
        ("inductor", "triton", "cudagrafs"),
        ("inductor", "max_autotune"),
        ("foo",),
    }
    with pytest.raises(ValidationError, match="dictionary or instance of DynamoSettings"):
        CompileSettings(dynamo=3)
    with pytest.raises(ValidationError, match="set twice"):
        CompileSettings(dynamo={"verbose": True}, verbose=False)
    monkeypatch.delenv("TORCHINDUCTOR_MAX_AUTOTUNE")
    with pytest.raises(ValidationError, match="suppress_errors"):
        CompileSettings(dynamo={"suppress_errors": True, "fail_on_recompile_limit_hit": True})


def test_what_it_writes_fits_its_schema():
    """Which has a definition for each module and group, and refuses unknown names and wrong values in it."""
    schema = CompileSettings.model_json_schema()
    validator = jsonschema.Draft202012Validator(schema)
    assert list(validator.iter_errors(CompileSettings().model_dump(mode="json"))) == []
    assert {"DynamoSettings", "InductorSettings", "Triton"} <= schema["$defs"].keys()
    for wrong in ({"cudagrafs": True}, {"cudagraphs": 3}):
        assert not validator.is_valid({"inductor": {"triton": wrong}})


def test_it_is_put_in_force_as_one():
    """By a patch, an installation, and as a state for everything that takes one."""
    settings = CompileSettings(**GIVEN)
    for put_in_force in (settings.patch, settings.install, lambda: dynconf.patch(settings)):
        with put_in_force():
            assert dynconf.snapshot()["recompile_limit"] == 64
            assert dynconf.inductor.snapshot()["triton.cudagraphs"] is True
    with dynconf.patch(settings.model_dump(exclude_unset=True)) as patch:
        assert len(patch.changes) == 3
    dynconf.save("state.json", settings)
    assert dynconf.load("state.json").patch().changes == settings.patch().changes
    assert dynconf.fingerprint(settings) == dynconf.fingerprint("state.json") != dynconf.fingerprint({})
    assert [change.flag for change in dynconf.diff({}, settings)] == [
        "inductor.max_autotune",
        "inductor.triton.cudagraphs",
        "recompile_limit",
    ]


def test_copies_and_assignments_reach_all_modules(here):
    """Values are checked, origins are known, copies are independent."""
    settings = CompileSettings(**GIVEN)
    for copied in (copy.deepcopy(settings), pickle.loads(pickle.dumps(settings))):  # noqa: S301  made in this line
        assert copied == settings
        assert dict(copied.origins) == dict(settings.origins)
        copied.inductor.triton.cudagraphs = False
        assert settings.inductor.triton.cudagraphs is True
    settings.dynamo = {"verbose": True}
    assert (settings.dynamo.verbose, settings.dynamo.recompile_limit) == (True, 8)
    settings.functorch.cse = False
    assert settings.origins["functorch.cse"] == Origin("keyword", file=__file__, line=here() - 1)
    assert settings.model_fields_set == {"dynamo", "inductor"}
    assert "functorch.cse" in {each.qualified for each in settings.as_state()}
    for name, wrong in (("dynamo", 3), ("foo", 3)):
        with pytest.raises(ValidationError):
            setattr(settings, name, wrong)


def test_data_of_other_libraries_is_read():
    """Nested, or by full names, with where it is from."""
    for data in (GIVEN, FORMS["full names"]):
        settings = CompileSettings.from_data(data, origin="conf/compile.yaml")
        assert set_in(settings) == NAMES
        assert settings.origins[NAMES[-1]] == Origin("file", file="conf/compile.yaml")


class Framework(DynamoSettings):
    """Other defaults."""

    recompile_limit: int = 32


class Ours(CompileSettings):
    """The settings of a program."""

    model_config = SettingsConfigDict(env_prefix="OURS_", env_nested_delimiter="__")
    dynamo: Framework
    rate: float = 0.1


def test_a_subclass_has_other_defaults_and_fields_of_its_own(monkeypatch):
    """Its variables reach into the modules."""
    assert Ours().dynamo.recompile_limit == 32
    assert Ours().origins["dynamo.recompile_limit"].kind == "class"
    assert Ours().model_fields_set == set()
    monkeypatch.setenv("OURS_INDUCTOR__TRITON__CUDAGRAPHS", "yes")
    monkeypatch.setenv("OURS_RATE", "0.5")
    monkeypatch.setenv("TORCHDYNAMO_RECOMPILE_LIMIT", "3")
    settings = Ours(dynamo={"verbose": True})
    assert (settings.rate, settings.dynamo.recompile_limit, settings.inductor.triton.cudagraphs) == (
        0.5,
        3,
        True,
    )
    assert settings.origins["inductor.triton.cudagraphs"] == Origin("source", "EnvironmentSource")
    with settings.install() as installation:
        assert "rate" not in installation.changes
    with pytest.raises(ValidationError):
        Ours(rate="fast")
    with pytest.raises(ValidationError):
        Ours(dynamo={"verbos": True})


def test_an_instance_as_default_is_replaced_as_in_any_model(monkeypatch):
    """As soon as a source has something for the module; a subclass as the annotation keeps its defaults."""

    class Theirs(CompileSettings):
        dynamo: Framework = Framework(verbose=True)
        inductor: InductorSettings = InductorSettings(triton={"cudagraphs": True})

    settings = Theirs()
    assert set_in(settings) == ["dynamo.recompile_limit", "dynamo.verbose", "inductor.triton.cudagraphs"]
    assert settings.model_fields_set == set()
    monkeypatch.setenv("TORCHDYNAMO_VERIFY_CORRECTNESS", "1")
    settings = Theirs()
    assert (settings.dynamo.recompile_limit, settings.dynamo.verbose) == (32, False)
    assert settings.dynamo.verify_correctness is True


def test_files_of_variables_and_the_command_line_are_read():
    """Such a file holds dynconf's own variables, and each flag has an option."""
    Path(".env").write_text("TORCHDYNAMO_VERBOSE=1\nTORCHINDUCTOR_MAX_AUTOTUNE=1\nOTHER=1\n")
    assert set_in(CompileSettings(_env_file=".env")) == ["dynamo.verbose", "inductor.max_autotune"]
    options = ["--inductor.triton.cudagraphs", "yes"]
    assert set_in(CompileSettings(_cli_parse_args=options)) == NAMES[2:]
    assert set_in(CliApp.run(CompileSettings, cli_args=options)) == NAMES[2:]


MAKES_MODELS = """
import sys, threading, dynconf
before = "dynconf.catalogue.modules.inductor" in sys.modules
barrier, made = threading.Barrier(4), set()

def make():
    barrier.wait()
    made.update([dynconf.InductorSettings, dynconf.CompileSettings.model_fields["inductor"].annotation])

dynconf.DynamoSettings()
still = "dynconf.catalogue.modules.inductor" in sys.modules
threads = [threading.Thread(target=make) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(before, still, len(made))
"""


def test_a_model_is_made_once_and_when_it_is_first_used():
    """Whichever threads use it; Dynamo's settings load nothing of inductor."""
    command = [sys.executable, "-c", MAKES_MODELS]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert done.stdout.split() == ["False", "False", "1"]


def test_warnings_are_given_once_at_the_callers_line():
    """However many modules read the file."""
    Path("dynconf.toml").write_text("dynamic_shapes = false\n")
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        CompileSettings()
    assert [(each.category, each.filename) for each in said] == [(InertFlagWarning, __file__)]


def test_what_torch_forces_and_settings_that_are_passed_as_one(monkeypatch):
    """They have the value already; anything else in their place is an ordinary mistake."""
    monkeypatch.setenv("TORCHINDUCTOR_FX_GRAPH_CACHE", "0")
    settings = CompileSettings(inductor=InductorSettings(max_autotune=True))
    assert (settings.inductor.max_autotune, settings.inductor.fx_graph_cache) == (True, False)
    with pytest.raises(ValidationError, match="inductor"):
        CompileSettings(inductor=5)


@pytest.mark.since("2.7")  # DC001 is a warning before
def test_flags_of_a_model_that_is_passed_are_judged_with_the_others():
    """A rule may be broken by the values of both."""
    dynamo = DynamoSettings(suppress_errors=True)
    with pytest.raises(ValidationError, match="suppress_errors"):
        CompileSettings(dynamo=dynamo.model_copy(update={"fail_on_recompile_limit_hit": True}))
    older = DynamoSettings(_torch="2.4", skip_fsdp_hooks=False)
    with pytest.raises(ValidationError, match="skip_fsdp_hooks"):
        CompileSettings(_torch="2.13", dynamo=older)
