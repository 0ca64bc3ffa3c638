"""What a model writes it reads again."""

import json
from pathlib import Path

import pytest
from pydantic import ValidationError

import dynconf
from dynconf import DynamoSettings
from dynconf.catalogue.modules import MODULES, catalogue
from dynconf.provenance import Origin
from dynconf.release import RELEASES, Release
from dynconf.settings import FunctorchSettings


@pytest.mark.filterwarnings("ignore::dynconf.errors.InertFlagWarning")
@pytest.mark.parametrize("options", [{}, {"exclude_unset": True}, {"exclude_defaults": True}])
@pytest.mark.parametrize("release", [None, *RELEASES])
@pytest.mark.parametrize("model", [DynamoSettings, FunctorchSettings, dynconf.CompileSettings])
def test_a_dump_is_read_again(model, release, options):
    """As Python values and as JSON, of any release, that at hand without a word."""
    inductor = {"max_autotune": True, "triton": {"cudagraphs": True}}
    settings = model(_torch=release, **{"inductor": inductor} if "inductor" in model.model_fields else {})
    if model is DynamoSettings:
        settings.verbose = True
        if "reorderable_logging_functions" in settings.model_dump():
            settings.reorderable_logging_functions = {print}
    dumped = settings.model_dump(**options)
    written = json.loads(settings.model_dump_json(**options))
    for data in (dumped, written):
        assert model(**data, _torch=release) == settings


@pytest.mark.parametrize("release", RELEASES)
def test_a_dump_has_all_fields(release):
    """Those that the release lacks are accepted with their defaults, and refused with other values."""
    here = catalogue("dynamo").at(Release.named(release)).settings
    dumped = DynamoSettings(_torch=release).model_dump()
    assert set(dumped) == {*DynamoSettings.model_fields}
    assert DynamoSettings(**dumped, _torch=release).as_state().keys() <= {*here.values()}
    for name in dumped.keys() - here.keys():
        if isinstance(dumped[name], bool):
            with pytest.raises(ValidationError, match=name):
                DynamoSettings(**{name: not dumped[name]}, _torch=release)


def test_a_set_that_was_changed_in_place_does_not_count_as_set():
    """As in any model; a set that was assigned does."""
    settings = DynamoSettings()
    settings.reorderable_logging_functions.add(print)
    assert settings.model_fields_set == set()
    settings.reorderable_logging_functions = {print}
    with settings.install():
        assert print in dynconf.snapshot()["reorderable_logging_functions"]


@pytest.mark.parametrize("module", [*MODULES, "compile"])
def test_a_model_takes_its_own_defaults(module):
    """In each form in which libraries pass them on; nothing is told of them."""
    for kind in ("Flags", "Settings"):
        model = getattr(dynconf.settings, f"{module.capitalize()}{kind}")
        made = model()
        assert model(**dict(made)) == made
        assert model.model_validate(made.model_dump(), context={"trust": True}) == made
        assert model.model_validate_json(made.model_dump_json(), context={"trust": True}) == made


@pytest.mark.parametrize("model", [dynconf.DynamoSettings, dynconf.CompileSettings])
def test_data_is_a_mapping_and_its_origin_an_origin(model):
    """Anything else is refused by name."""
    for data in ("verbose", None, [], [("verbose", True)], 3):
        with pytest.raises(ValidationError, match="valid dictionary"):
            model.from_data(data)
    with pytest.raises(TypeError, match="PathLike"):
        model.from_data({}, origin=3)
    made = model.from_data({"verbose": True}, origin=Path("app.yaml"))
    assert [each.origin for each in made.as_state().values()] == [Origin("file", file="app.yaml")]
