"""Groups of flags as models inside the settings of inductor, next to ordinary nested models."""

import pickle
from pathlib import Path

import pytest
from pydantic import TypeAdapter, ValidationError
from pydantic_settings import SettingsConfigDict

import dynconf
from dynconf import InductorSettings
from dynconf.catalogue.flags.types import is_same_value
from dynconf.provenance import DEFAULT, Origin
from dynconf.store.snapshot import Snapshot

Triton = InductorSettings.Triton
FORMS = {
    "a mapping": {"triton": {"cudagraphs": True}},
    "a dotted name": {"triton.cudagraphs": True},
    "the model": {"triton": Triton(cudagraphs=True)},
}
EACH = pytest.mark.parametrize("form", FORMS)


@EACH
def test_a_flag_in_a_group_is_given_in_each_form(form):
    """As a mapping, by its dotted name, or as the model of the group."""
    settings = InductorSettings(max_autotune=True, **FORMS[form])
    assert settings.triton.cudagraphs is True
    assert settings.model_fields_set == {"max_autotune", "triton"}
    assert settings.triton.model_fields_set == {"cudagraphs"}
    assert settings.model_dump(exclude_unset=True) == {"max_autotune": True, "triton": {"cudagraphs": True}}
    assert repr(settings) == "InductorSettings(max_autotune=True, triton=Triton(cudagraphs=True))"


def test_origins_go_by_dotted_names(here):
    """From the whole and from the group, old names of flags that moved into a group included."""
    settings = InductorSettings(triton={"cudagraphs": True})
    line = Origin("keyword", file=__file__, line=here() - 1)
    assert settings.origins["triton.cudagraphs"] == settings.triton.origins["cudagraphs"] == line
    assert settings.origins["triton.cudagraph_trees"] == DEFAULT
    assert settings.origins["allow_stack_allocation"] == DEFAULT
    assert settings.allow_stack_allocation == settings.aot_inductor.allow_stack_allocation
    assert "triton.cudagraphs" in set(settings.origins)
    assert "triton" not in set(settings.origins)
    with pytest.raises(KeyError):
        settings.origins["triton.cudagrafs"]


def test_files_and_variables_fill_groups(monkeypatch):
    """A table in a table, a dotted key, torch's own variable and the uniform one."""
    Path("dynconf.toml").write_text(
        "[inductor]\nmax_autotune = true\n[inductor.triton]\ncudagraphs = true\ndebug_sync_graph = true\n"
    )
    monkeypatch.setenv("TORCHINDUCTOR_TRITON_DEBUG_SYNC_GRAPH", "0")
    settings = InductorSettings()
    assert (settings.max_autotune, settings.triton.cudagraphs) == (True, True)
    assert settings.triton.debug_sync_graph is False
    assert settings.origins["triton.cudagraphs"].line == 4
    assert settings.origins["triton.debug_sync_graph"].kind == "env"
    variables = Triton.model_fields["debug_sync_graph"].validation_alias.choices
    assert variables == ["debug_sync_graph", "TORCHINDUCTOR_TRITON_DEBUG_SYNC_GRAPH"]


def test_mistakes_in_a_group_are_told_with_the_others():
    """Each with a suggestion, or with what was expected."""
    with pytest.raises(ValidationError) as refused:
        InductorSettings(max_autotune=3, cpp=3, triton={"cudagrafs": True, "cudagraph_trees": 3})
    assert {each["loc"] for each in refused.value.errors()} == {
        ("max_autotune",),
        ("cpp",),
        ("triton", "cudagrafs"),
        ("triton", "cudagraph_trees"),
    }
    assert "did you mean 'inductor.triton.cudagraphs'" in str(refused.value)


def test_a_model_of_a_group_and_a_flag_in_it_contradict():
    """In either order, as a mapping and a flag in it do: one of them would be lost."""
    flag = {"triton.cudagraphs": False}
    for group in ({"triton": Triton(cudagraphs=True)}, {"triton": {"cudagraphs": True}}):
        for given in ({**group, **flag}, {**flag, **group}):
            with pytest.raises(ValidationError, match="is set twice"):
                InductorSettings(**given)


def test_the_model_of_a_group_is_an_ordinary_one():
    """It validates, refuses what it does not have, and is found by name."""
    assert Triton(cudagraphs=True).model_dump(exclude_unset=True) == {"cudagraphs": True}
    assert TypeAdapter(Triton).validate_json('{"cudagraphs": true}') == Triton(cudagraphs=True)
    for wrong in ({"cudagrafs": True}, {"cudagraphs": "x"}):
        with pytest.raises(ValidationError):
            Triton(**wrong)
    assert Triton.__qualname__ == "InductorFlags.Triton"
    assert pickle.loads(pickle.dumps(Triton(cudagraphs=True))) == Triton(cudagraphs=True)  # noqa: S301  made in this line


def test_an_assignment_in_a_group_is_checked(here):
    """As one of a flag in no group; the state of the whole has it."""
    settings = InductorSettings()
    settings.triton.cudagraphs = True
    assert settings.origins["triton.cudagraphs"] == Origin("keyword", file=__file__, line=here() - 1)
    assert settings.model_fields_set == set()  # as of any model
    assert [each.qualified for each in settings.as_state()] == ["inductor.triton.cudagraphs"]
    with pytest.raises(ValidationError, match="valid boolean"):
        settings.triton.cudagraphs = 3
    with pytest.raises(ValidationError, match="did you mean"):
        settings.triton.cudagrafs = True
    assert settings.triton.cudagraphs is True


def test_a_group_is_assigned_as_a_whole(here):
    """What is not said has its default again, and what is said the line that assigns it."""
    settings = InductorSettings(triton={"cudagraphs": True})
    settings.triton = {"debug_sync_graph": True}
    line = Origin("keyword", file=__file__, line=here() - 1)
    assert settings.origins["triton.debug_sync_graph"] == settings.triton.origins["debug_sync_graph"] == line
    assert (settings.triton.cudagraphs, settings.triton.debug_sync_graph) == (False, True)
    made = Triton(cudagraphs=True)
    settings.triton = made
    assert settings.triton is made
    for wrong in (3, {"cudagraphs": "x"}, {"cudagrafs": True}):
        with pytest.raises(ValidationError):
            settings.triton = wrong
        assert settings.triton is made


def test_groups_are_put_in_force():
    """With the settings, or alone."""
    settings = InductorSettings(triton={"cudagraphs": True})
    for make in (settings.patch, settings.install, settings.triton.patch, settings.triton.install):
        with make():
            assert dynconf.origin("inductor.triton.cudagraphs").kind in ("patch", "install")
            assert dynconf.inductor.snapshot()["triton.cudagraphs"] is True
    with dynconf.inductor.patch(settings.model_dump(exclude_unset=True)) as patch:
        assert patch.changes == {"inductor.triton.cudagraphs": True}
    assert dict(Snapshot(settings)) == {"inductor.triton.cudagraphs": True}


class App(InductorSettings):
    """Settings of a program."""

    model_config = SettingsConfigDict(env_prefix="APP_", env_nested_delimiter="__")
    rate: float = 0.1


def test_options_of_the_command_line_reach_groups(monkeypatch):
    """As for an ordinary nested model; variables of the program, too, where it asks for them."""
    monkeypatch.setenv("APP_RATE", "0.5")
    monkeypatch.setenv("APP_TRITON__CUDAGRAPHS", "1")
    monkeypatch.setenv("TRITON", "not a mapping")
    assert InductorSettings(_cli_parse_args=["--triton.cudagraphs", "yes"]).triton.cudagraphs is True
    app = App(_cli_parse_args=["--triton.cudagraph_trees", "no"])
    assert (app.rate, app.triton.cudagraphs, app.triton.cudagraph_trees) == (0.5, True, False)


def test_a_program_and_torch_may_have_variables_for_one_group(monkeypatch):
    """Each sets its flags; nonsense of the program is an entry of the error."""
    monkeypatch.setenv("TORCHINDUCTOR_TRITON_DEBUG_SYNC_GRAPH", "1")
    monkeypatch.setenv("APP_TRITON__CUDAGRAPHS", "1")
    assert App().triton.model_dump(exclude_unset=True) == {"cudagraphs": True, "debug_sync_graph": True}
    monkeypatch.setenv("APP_TRITON", "3")
    monkeypatch.delenv("APP_TRITON__CUDAGRAPHS")
    with pytest.raises(ValidationError) as refused:
        App()
    assert [each["loc"] for each in refused.value.errors()] == [("triton",)]


class OurTriton(Triton):
    """Other defaults."""

    cudagraphs: bool = True


class Ours(InductorSettings):
    """Other defaults, in a group and in none."""

    max_autotune: bool = True
    triton: OurTriton


def test_defaults_of_subclasses_are_below_files():
    """And are installed, with the class as origin."""
    settings = Ours()
    assert settings.triton.cudagraphs is True
    assert settings.origins["triton.cudagraphs"].kind == "class"
    assert settings.model_fields_set == set()
    with settings.install():
        assert dynconf.inductor.snapshot()["triton.cudagraphs"] is True
    Path("dynconf.toml").write_text("[inductor.triton]\ncudagraph_trees = false\n")
    assert (Ours().triton.cudagraphs, Ours().triton.cudagraph_trees) == (True, False)
    Path("dynconf.toml").write_text("[inductor.triton]\ncudagraphs = false\n")
    assert Ours().triton.cudagraphs is False
    assert Ours(triton={"cudagraphs": True}).triton.cudagraphs is True


@pytest.mark.parametrize(
    ("model", "name"), [(InductorSettings, "triton"), (dynconf.CompileSettings, "dynamo")]
)
@pytest.mark.parametrize("kind", [dict, InductorSettings.Cpp])
def test_a_field_of_flags_stays_one(model, name, kind):
    """A class that declares something else for it is refused when it is defined."""
    with pytest.raises(TypeError, match=rf"Wrong\.{name} has flags in it: declare"):
        type("Wrong", (model,), {"__annotations__": {name: kind}})


@pytest.mark.since("2.12")
def test_a_name_that_became_a_group_is_a_flag_in_older_releases():
    """The model is that of the release at hand; elsewhere the flag is told of."""
    assert InductorSettings().autoheuristic_collect.pad_mm is False
    with pytest.raises(ValidationError, match="autoheuristic_collect"):
        InductorSettings(_torch="2.9", autoheuristic_collect="mixed_mm")


def test_a_word_is_that_of_the_release():
    """Up to torch 2.6 the flag is a bool, and torch would take any text for True."""
    name = "enable_floating_point_contract_flag"
    for release, word, value in (("2.6", "off", False), ("2.6", "on", True), ("2.7", "off", "off")):
        made = InductorSettings(_torch=release, cpp={name: word})
        assert is_same_value(getattr(made.cpp, name), value)
    with pytest.raises(ValidationError, match="valid boolean"):
        InductorSettings(_torch="2.6", cpp={name: "fast"})
    made = InductorSettings(_torch="2.6", cpp={name: "on"})
    with pytest.raises(ValidationError, match="valid boolean"):
        setattr(made.cpp, name, "fast")
    assert getattr(made.cpp, name) is True
