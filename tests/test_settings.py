"""Settings models: typed, filled from all sources, with an origin for each value."""

import ast
import functools
import json
import warnings
from pathlib import Path
from typing import get_type_hints

import hypothesis
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from strategies import ANYTHING, FEW, values

import dynconf
from dynconf.catalogue.flags.types import Bool, is_same_value
from dynconf.catalogue.modules import MODULES, catalogue
from dynconf.catalogue.names import FLAGS
from dynconf.errors import InertFlagWarning, InvalidValueError, UnknownFlagError
from dynconf.live.binding import bind
from dynconf.provenance import DEFAULT, Origin
from dynconf.release import RELEASES, Release
from dynconf.settings import DynamoSettings, FunctorchSettings


def _public(module: str) -> set[str]:
    """Return the public flags; the release at hand says which names are those of groups."""
    known = catalogue(module)
    view = known.at(Release.at_hand())
    return {
        name
        for name, flag in known.flags.items()
        if flag.public and not flag.renamed_to and not view.is_group(name)
        if "." not in name or view.is_group(name.partition(".")[0])
    }


PUBLIC = {module: _public(module) for module in MODULES}
VIEW = catalogue("dynamo").at(Release.at_hand())
LIMIT = VIEW.settings["recompile_limit"].name
ACTIVE = [setting.name for setting in VIEW.settings.values() if setting.public and not setting.inert]
WITHOUT_RULES = [name for name in ACTIVE if not VIEW.get(name).rules]
MODELS = pytest.mark.parametrize(
    ("model", "module"),
    [(getattr(dynconf.settings, f"{module.capitalize()}Settings"), module) for module in MODULES],
    ids=MODULES,
)


@MODELS
def test_there_is_a_documented_field_for_each_public_flag(model, module):
    """Neither more nor fewer, those in groups in models of their own; the description is the catalogue's."""
    fields = dict(model.model_fields)
    for group in {name.partition(".")[0] for name in PUBLIC[module] if "." in name}:
        inner = fields.pop(group)
        assert not inner.is_required()
        fields |= {f"{group}.{name}": each for name, each in inner.annotation.model_fields.items()}
    assert set(fields) == PUBLIC[module]
    for name, field in fields.items():
        assert (field.description or "").startswith(catalogue(module).flags[name].summary)
        assert not field.is_required()


def test_the_typed_keywords_are_the_public_flags_and_their_old_names():
    """Type checkers see exactly the keywords that the call accepts, and so does a program."""
    stub = ast.parse(Path(dynconf.__file__).with_name("catalogue").joinpath("keywords.pyi").read_text())
    declared = {
        each.name: {part.target.id for part in each.body if isinstance(part, ast.AnnAssign)}
        for each in stub.body
        if isinstance(each, ast.ClassDef)
    }
    for module in MODULES:
        known = catalogue(module)
        public = {name for name in known.flags if known.flags[known.canonical(name)].public} | known.groups
        plain = {name for name in public if not name.startswith("_") and "." not in name}
        assert declared[f"{module.capitalize()}Values"] == plain, module
    assert declared["FlagValues"] == {*MODULES[1:]}
    assert set(get_type_hints(dynconf.FlagValues)) == declared["DynamoValues"] | {*MODULES[1:]}


def test_hover_text_is_in_the_generated_sources():
    """An editor shows the first line of what is known of a flag under each field, as under each keyword."""
    source = Path(dynconf.__file__).with_name("settings").joinpath("__init__.pyi").read_text()
    assert f"    verify_correctness: bool = _DEFAULT\n    {FLAGS['verify_correctness'].summary!r}\n" in source


@MODELS
def test_without_any_source_everything_has_its_default(model, module):
    """Nothing counts as set, and every origin says so."""
    settings = model(_torch="2.13.0")
    assert settings.model_fields_set == set()
    assert set(settings.origins) == PUBLIC[module]
    assert set(settings.origins.values()) == {DEFAULT}


@MODELS
def test_defaults_are_those_of_the_release(model, module):
    """Under the newest names, whatever the release calls them; others have the closest known default."""
    for release in RELEASES:
        settings = model(_torch=release)
        view = catalogue(module).at(Release.named(release))
        for name, setting in view.settings.items():
            if setting.public and name in PUBLIC[module]:
                value = functools.reduce(getattr, name.split("."), settings)
                assert is_same_value(value, setting.default_value()), (release, name)


def test_the_order_of_sources_and_the_origins(here):
    """Keywords beat the environment beats files; each origin names its place to the line."""
    Path("dynconf.toml").write_text("\nrecompile_limit = 1\ndisable = true\nallow_rnn = true\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TORCHDYNAMO_RECOMPILE_LIMIT", "2")
        patch.setenv("TORCH_COMPILE_DISABLE", "no")
        line = here() + 1
        settings = DynamoSettings(recompile_limit=3)
    assert (settings.recompile_limit, settings.disable, settings.allow_rnn) == (3, False, True)
    assert settings.model_fields_set == {"recompile_limit", "disable", "allow_rnn"}
    assert settings.origins["recompile_limit"] == Origin("keyword", file=__file__, line=line)
    assert settings.origins["disable"] == Origin("env", "TORCH_COMPILE_DISABLE", "no")
    file = str(Path.cwd() / "dynconf.toml")
    assert settings.origins["allow_rnn"] == Origin("file", "allow_rnn", "True", file, 4)
    assert settings.origins["verbose"] == DEFAULT


def test_a_value_equal_to_the_default_counts_as_set():
    """A flag is set if somebody set it, whether or not its value differs."""
    assert DynamoSettings(verbose=False).model_fields_set == {"verbose"}


def test_the_config_keyword_names_the_file():
    """It replaces the search and ``DYNCONF_CONFIG``."""
    Path("dynconf.toml").write_text("verbose = true\n")
    Path("other.json").write_text('{"disable": true}')
    for config in ("other.json", Path("other.json")):
        settings = DynamoSettings(_config=config)
        assert (settings.disable, settings.verbose) == (True, False)
    with pytest.raises(ValidationError, match=r"no_such\.toml cannot be read"):
        DynamoSettings(_config="no_such.toml")


def test_the_missing_keyword_beats_what_the_file_says():
    """So that a caller can use one file for many releases."""
    Path("dynconf.toml").write_text("generate_pycode = true\n")
    with pytest.raises(ValidationError, match=r"it was added in torch 2\.13"):
        DynamoSettings(_torch="2.6")
    assert DynamoSettings(_torch="2.6", _missing="skip").model_fields_set == set()
    with pytest.warns(match="skipped"):
        DynamoSettings(_torch="2.6", _missing="warn")


def test_old_names_set_and_read_the_flag_that_counts():
    """They work in the call, in attribute access and in assignments."""
    settings = DynamoSettings(cache_size_limit=9)
    assert settings.recompile_limit == settings.cache_size_limit == 9
    assert settings.model_fields_set == {"recompile_limit"}
    settings.cache_size_limit = 10
    assert settings.recompile_limit == 10
    assert DynamoSettings(cache_size_limit=9, recompile_limit=9).recompile_limit == 9
    with pytest.raises(ValidationError, match="recompile_limit is set twice"):
        DynamoSettings(cache_size_limit=9, recompile_limit=10)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("verify_corectness", "did you mean 'verify_correctness'?"),
        ("log_level", "is gone"),
        ("_env_files", "there is no flag '_env_files'"),
        ("model_config", "there is no flag 'model_config'"),
        ("_missings", "there is no flag '_missings'"),
    ],
)
def test_unknown_names_are_refused(name, message):
    """They are refused in the call and in assignments, keywords of pydantic-settings included."""
    with pytest.raises(ValidationError, match=message.replace("?", r"\?")):
        DynamoSettings(**{name: True})
    assert not isinstance(DynamoSettings.model_config, bool)


@pytest.mark.parametrize(
    "name", ["_save_config_ignore", "base_dir", "_autograd_backward_strict_mode_banned_ops"]
)
def test_torchs_own_plumbing_is_not_a_setting(name):
    """The error is one of dynconf's, and says that the flag is internal."""
    value = FLAGS[name].default_in(Release.at_hand())
    with pytest.raises(ValidationError, match=f"{name}.*internal"):
        DynamoSettings(**{name: value})
    Path("dynconf.toml").write_text(f"{name} = {json.dumps(FLAGS[name].type.to_data(value))}\n")
    with pytest.raises(ValidationError, match=rf"{name}.*dynconf\.toml:1"):
        DynamoSettings()
    Path("dynconf.toml").unlink()
    with pytest.raises(ValidationError, match=f"{name}.*internal"):
        setattr(DynamoSettings(), name, value)


@pytest.mark.filterwarnings("ignore::dynconf.errors.ConflictWarning")
@pytest.mark.parametrize("names", [WITHOUT_RULES, *([name] for name in ACTIVE if name not in WITHOUT_RULES)])
@given(st.data())
@hypothesis.settings(FEW, suppress_health_check=list(hypothesis.HealthCheck))
def test_any_values_of_flags_are_held(names, data):
    """Fields hold every value that the types accept, from keywords and from assignments."""
    given_ = {name: data.draw(values(FLAGS[name].type)) for name in names}
    read = DynamoSettings(**given_).model_dump()
    for name, value in given_.items():
        if isinstance(value, str):  # a text means in a model what it means in a variable
            given_[name] = read[name]
    settings, other = DynamoSettings(**given_), DynamoSettings()
    for name, value in given_.items():
        assert getattr(settings, name) == value
        setattr(other, name, value)
        assert getattr(other, name) == value
    assert settings.model_dump() == other.model_dump()


@pytest.mark.filterwarnings("ignore::dynconf.errors.ConflictWarning")
@pytest.mark.parametrize(
    "name", ["verbose", "recompile_limit", "repro_tolerance", "optimize_ddp", "debug_dir_root"]
)
@given(ANYTHING)
def test_any_other_value_is_refused_alike(name, value):
    """The call raises a ValidationError, and a refused assignment changes nothing."""
    settings = DynamoSettings()
    before = (settings.model_dump(), dict(settings.origins), settings.model_fields_set)
    try:
        setattr(settings, name, value)
    except ValidationError:
        assert (settings.model_dump(), dict(settings.origins), settings.model_fields_set) == before
        with pytest.raises(ValidationError):
            DynamoSettings(**{name: value})


def test_an_assignment_is_checked_and_has_its_line_as_origin(here):
    """The flag then counts as set."""
    settings = DynamoSettings()
    line = here() + 1
    settings.verbose = True
    assert settings.model_fields_set == {"verbose"}
    assert settings.origins["verbose"] == Origin("keyword", file=__file__, line=line)
    with pytest.raises(ValidationError, match="valid boolean"):
        settings.verbose = "maybe"
    with pytest.raises(ValidationError, match="did you mean 'verbose'"):
        settings.verbos = True
    assert settings.verbose is True


def test_an_assignment_is_checked_for_the_release_that_was_named():
    """A flag that the release lacks cannot be assigned, and one that only it has can."""
    with pytest.raises(ValidationError, match=r"not in torch 2\.6\.0 yet"):
        DynamoSettings(_torch="2.6").generate_pycode = True
    settings = DynamoSettings(_torch="2.4")
    settings.skip_fsdp_hooks = True
    assert settings.skip_fsdp_hooks is True


def test_objects_named_in_files_are_resolved():
    """They are looked up when the settings are made, in modules that are already imported."""
    Path("dynconf.toml").write_text('reorderable_logging_functions = ["builtins:print", "logging:info"]\n')
    import logging

    assert DynamoSettings().reorderable_logging_functions == {print, logging.info}


@pytest.mark.parametrize("name", ["os:system", "no_such_module:f", "builtins:no_such", "builtins:eval"])
def test_objects_that_may_not_be_named_are_refused_with_their_place(name, monkeypatch):
    """The ValidationError has the line of the file, or the variable."""
    Path("dynconf.toml").write_text(f'\nreorderable_logging_functions = ["{name}"]\n')
    with pytest.raises(ValidationError, match=rf"{name}.*dynconf\.toml:2|dynconf\.toml:2.*{name}"):
        DynamoSettings()
    Path("dynconf.toml").unlink()
    monkeypatch.setenv("TORCHDYNAMO_REORDERABLE_LOGGING_FUNCTIONS", name)
    with pytest.raises(ValidationError, match=f"TORCHDYNAMO_REORDERABLE_LOGGING_FUNCTIONS={name}"):
        DynamoSettings()


def test_a_whole_dump_is_a_settings_file(run_cli):
    """The output of ``dump --all --format json`` can be read back; torch's own flags in it are left alone."""
    done = run_cli("dump", "--all", "--format", "json")
    Path("state.json").write_text(done.out)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InertFlagWarning)
        settings = DynamoSettings(_config="state.json")
    assert settings.model_dump() == DynamoSettings().model_dump()
    assert not [name for name in settings.model_fields_set if not FLAGS[name].public]


def test_notes_are_warnings_at_the_callers_line():
    """A no-op flag that gets another value says so, in a call and in an assignment."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        DynamoSettings(dynamic_shapes=False)
        DynamoSettings().raise_on_unsafe_aot_autograd = True
    assert [(each.category, each.filename) for each in said] == [(InertFlagWarning, __file__)] * 2
    assert [str(each.message).split()[0] for each in said] == [
        "dynamic_shapes",
        "raise_on_unsafe_aot_autograd",
    ]


def test_the_origins_cannot_be_changed():
    """They are a view."""
    with pytest.raises(TypeError):
        DynamoSettings().origins["verbose"] = DEFAULT  # type: ignore[index]


def test_fields_keep_their_order():
    """Whatever is set, in dumps and in the text of the model."""
    assert list(vars(DynamoSettings(verbose=True))) == list(DynamoSettings.model_fields)


def test_settings_are_put_in_force(here):
    """A patch or an installation applies the flags that are set; defaults are left alone."""
    with dynconf.patch(verify_correctness=True):
        settings = DynamoSettings(recompile_limit=64)
        with settings.patch() as patch:
            assert patch.origin == Origin("patch", file=__file__, line=here() - 1)
            assert dynconf.origin("recompile_limit").kind == "patch"
        with settings.install() as installation:
            assert list(installation.changes.values()) == [64]
            assert dynconf.origin("recompile_limit") == Origin("install", file=__file__, line=here() - 2)
        assert bind().module.verify_correctness is True
    with FunctorchSettings(static_weight_shapes=False).install(), FunctorchSettings(cse=False).patch():
        assert list(dynconf.snapshot().only_set()) == ["functorch.cse", "functorch.static_weight_shapes"]


def test_what_became_wrong_since_is_refused_before_it_is_in_force():
    """A set that was changed in place, and a flag of another release."""
    settings = DynamoSettings(reorderable_logging_functions=set())
    settings.reorderable_logging_functions.add(1)
    for put_in_force in (settings.install, settings.patch):
        with pytest.raises(InvalidValueError, match="reorderable_logging_functions"):
            put_in_force()
    known = catalogue("dynamo")
    absent, release = next(
        (name, version)
        for version in RELEASES
        for name, setting in known.at(Release.named(version)).settings.items()
        if name not in VIEW.settings and setting.public and not setting.inert and setting.type == Bool()
    )
    other = DynamoSettings(_torch=release, **{absent: True})
    with pytest.raises(UnknownFlagError, match=absent):
        other.install()
    assert list(dynconf.snapshot().only_set()) == []


def test_settings_of_other_modules_are_refused():
    """A model has the flags of one module; the message says where the others go."""
    with pytest.raises(
        ValidationError, match=r"functorch is a config module: use dynconf\.functorch\.Settings"
    ):
        DynamoSettings(functorch={"static_weight_shapes": False})
    with pytest.raises(ValidationError, match=r"functorch\.static_weight_shapes is not a flag of dynamo"):
        DynamoSettings(**{"functorch.static_weight_shapes": False})
    with pytest.raises(
        ValidationError, match=r"shapes is not a flag of dynamo: use dynconf\.functorch\.Settings"
    ):
        DynamoSettings(static_weight_shapes=False)
    with pytest.raises(ValidationError, match=r"not a flag of functorch: use dynconf\.dynamo\.Settings"):
        FunctorchSettings(verbose=True)


def test_each_model_reads_its_own_table():
    """One file may contain the settings of all modules."""
    Path("dynconf.toml").write_text("verbose = true\n[functorch]\nstatic_weight_shapes = false\n")
    assert DynamoSettings().model_fields_set == {"verbose"}
    functorch = FunctorchSettings()
    assert (functorch.static_weight_shapes, functorch.model_fields_set) == (False, {"static_weight_shapes"})
    assert functorch.origins["static_weight_shapes"].line == 3


def test_the_release_at_hand_is_the_default():
    """Without ``_torch`` it is the torch that is loaded or installed."""
    assert DynamoSettings().model_dump() == DynamoSettings(_torch=Release.at_hand().version).model_dump()
