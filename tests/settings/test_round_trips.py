"""What a model writes it reads again."""

import json
from pathlib import Path

import pytest

import dynconf
from dynconf import DynamoSettings, FunctorchSettings
from dynconf.modules import catalogue
from dynconf.origin import Origin
from dynconf.release import RELEASES, Release

OPTIONS = [{}, {"exclude_unset": True}, {"exclude_defaults": True}]


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("model", [DynamoSettings, FunctorchSettings])
def test_a_dump_is_read_again(model, release, options):
    """As Python values and as JSON, of any release, without a warning."""
    settings = model(_torch=release)
    if model is DynamoSettings:
        settings.verbose = True
        if "reorderable_logging_functions" in settings.model_dump():
            settings.reorderable_logging_functions = {print}
    dumped = settings.model_dump(**options)
    written = json.loads(settings.model_dump_json(**options))
    for data in (dumped, written):
        assert model.model_validate({"_torch": release, **data}) == settings


@pytest.mark.parametrize("options", OPTIONS)
def test_the_release_at_hand_needs_no_word(options):
    """The usual case."""
    settings = DynamoSettings(reorderable_logging_functions={print}, verbose=True)
    assert DynamoSettings.model_validate(settings.model_dump(**options)) == settings
    assert DynamoSettings.model_validate_json(settings.model_dump_json(**options)) == settings


def test_a_dump_has_what_the_release_has():
    """By the newest names."""
    for release in RELEASES:
        here = catalogue("dynamo").at(Release.named(release)).settings
        assert set(DynamoSettings(_torch=release).model_dump()) == {
            name for name, setting in here.items() if setting.public
        }


def test_a_dump_is_a_patch():
    """Of what is set, or of everything."""
    settings = DynamoSettings(recompile_limit=64)
    with dynconf.patch(settings.model_dump(exclude_unset=True)) as patch:
        assert list(patch.values.values()) == [64]


def test_a_set_that_was_changed_in_place_is_written():
    """It counts as set."""
    settings = DynamoSettings()
    settings.reorderable_logging_functions.add(print)
    assert settings.model_dump(exclude_unset=True) == {"reorderable_logging_functions": {print}}
    assert settings.model_fields_set == {"reorderable_logging_functions"}
    assert settings.origins["reorderable_logging_functions"].kind == "assignment"
    with settings.install():
        assert print in dynconf.snapshot()["reorderable_logging_functions"]


@pytest.mark.parametrize("model", [dynconf.DynamoSettings, dynconf.CompileSettings])
def test_data_is_a_mapping_and_its_origin_an_origin(model):
    """Anything else is refused by name."""
    for data in ("verbose", None, [], [("verbose", True)], 3):
        with pytest.raises(TypeError, match=r"from_data: expected a mapping of flags to values, not "):
            model.from_data(data)
    with pytest.raises(TypeError, match="origin=3: expected an origin, or the name of a file"):
        model.from_data({}, origin=3)
    made = model.from_data({"verbose": True}, origin=Path("app.yaml"))
    assert next(iter(made.flags_set().values()))[1] == Origin("file", file="app.yaml")
