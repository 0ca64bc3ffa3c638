"""`dynconf.patch` as it is called: its forms, its messages and its warnings; what each release has."""

import warnings
from pathlib import Path

import pytest
from conftest import fresh_config
from live_state import (
    LIMIT,
    bind,
    bound_in_place_of_dynamo,
    config,
    dynconf_warnings_ignored,
    executed,
    patch_of_anything,
    snapshot_values,
    torch_reads,
)

import dynconf
from dynconf.catalogue.modules import catalogue
from dynconf.errors import ForcedFlagWarning, InertFlagWarning, UncataloguedFlagWarning
from dynconf.release import minor

DYNAMO = catalogue("dynamo")


def test_the_forms_of_the_call():
    """Keywords, one mapping, or a name and a value mean the same; None is a value."""
    for one in (
        dynconf.patch(recompile_limit=3),
        dynconf.patch({"recompile_limit": 3}),
        dynconf.patch("recompile_limit", 3),
    ):
        with one as entered:
            assert entered is one
            assert torch_reads(LIMIT) == 3
        assert one.changes == {"recompile_limit": 3}
        assert repr(one) == "dynconf.patch(recompile_limit=3)"
    with dynconf.patch("debug_dir_root", "/x"), dynconf.patch("repro_after", None):
        assert config().repro_after is None
    with dynconf.patch(), dynconf.patch({}):
        pass


def test_a_mapping_is_taken_by_protocol():
    """Whatever has keys and items is a mapping, at the top and under the name of a module."""

    class Flags:
        def __init__(self, **flags):
            self.keys, self.__class__.__getitem__ = flags.keys, lambda _, name: flags[name]

    assert dynconf.patch(Flags(recompile_limit=3)).changes == {"recompile_limit": 3}
    assert dynconf.patch(functorch=Flags(cse=False)).changes == {"functorch.cse": False}
    assert repr(dynconf.patch(functorch={"cse": False})) == "dynconf.patch({'functorch.cse': False})"


# -- availability -----------------------------------------------------------------------------------------


def test_old_and_new_names_mean_the_release_s_own():
    """Law 5: a renamed flag goes to whichever name the release knows; its default comes back under both."""
    for name in DYNAMO.names_of("recompile_limit"):
        before = torch_reads(LIMIT)
        with dynconf.patch({name: 31}) as one:
            assert torch_reads(LIMIT) == 31
            assert set(one.changes) == {"recompile_limit"}
            for each in DYNAMO.names_of("recompile_limit"):
                if hasattr(config(), each):
                    assert torch_reads(each) == 31
        assert torch_reads(LIMIT) == before


def test_two_names_of_one_flag():
    """Different values are a conflict, the same value is not."""
    with pytest.raises(
        dynconf.ConflictError, match="recompile_limit is given twice, under two names: 3 and 4"
    ):
        dynconf.patch(recompile_limit=3, cache_size_limit=4)
    with dynconf.patch(recompile_limit=3, cache_size_limit=3):
        assert torch_reads(LIMIT) == 3


def test_every_flag_of_every_release_is_there_or_says_why_not():
    """Not yet and no longer are told apart, with the release that brought it or had it last."""
    view = bind().view
    for name in DYNAMO.flags:
        if view.get(name) is not None:
            with patch_of_anything({name: bind().slot(name).default()}):
                continue
        with pytest.raises(dynconf.UnknownFlagError) as caught:
            dynconf.patch({name: True})
        newest = DYNAMO.flags[DYNAMO.canonical(name)]
        first = min((DYNAMO.flags[each].since for each in DYNAMO.names_of(name)), key=minor)
        if minor(first) > view.release.minor:
            assert f"yet: it was added in torch {first}" in str(caught.value), name
        else:
            assert f"torch {newest.until} was the last release to have it" in str(caught.value), name
        assert str(caught.value).startswith(f"{name!r} is no"), name
        assert isinstance(caught.value, AttributeError)
        assert not DYNAMO.flags[name].exists_in(view.release)


# -- what takes no effect ---------------------------------------------------------------------------------


def no_op():
    """Return a flag that does nothing in the release, or skip the test."""
    for setting in bind().view.settings.values():
        if setting.inert:
            return setting
    pytest.skip("no flag of this release is a no-op")


def test_no_op_flags_are_named():
    """The warning names the flag and points at the caller's line."""
    name = no_op().name
    with pytest.warns(InertFlagWarning, match=f"^{name} does nothing in torch") as caught:
        dynconf.patch({name: bind().slot(name).default()})
    assert [(each.filename, each.message.flag) for each in caught] == [(__file__, name)]


@pytest.mark.known_shape
def test_forced_flags_are_named(monkeypatch):
    """A value that a variable overrules has no effect, and dynconf says so; the forced value is fine."""
    found = [
        (setting.name, variable.name)
        for setting in bind().view.settings.values()
        for variable in setting.variables
        if variable.rule == "force"
    ]
    if not found:
        pytest.skip("no variable of this release forces a flag")
    name, variable = found[0]
    with fresh_config({variable: "0"}) as module:
        made = bound_in_place_of_dynamo(monkeypatch, module)
        assert made.slot(name).read() is False
        with pytest.warns(ForcedFlagWarning) as caught:
            one = dynconf.patch({name: True})
        assert str(caught[0].message) == f"{name}: True has no effect: the variable {variable} forces False"
        assert caught[0].filename == __file__
        dynconf.patch({name: False})
        with one:
            assert getattr(module, name) is False


# -- a torch newer than the catalogue ---------------------------------------------------------------------

FUTURE = """
future_switch: bool = False
future_limit = 7
future_text = "a"
future_ratio = 0.5
future_names: set = {"a"}
future_slot = None
"""


@pytest.fixture
def future(monkeypatch, tmp_path):
    """Return the binding to the release's own module with six more flags, as from a newer torch."""
    source = Path(config().__file__).read_text(encoding="utf-8")
    module = executed(source.replace("\nverbose", f"{FUTURE}\nverbose", 1), tmp_path)
    return bound_in_place_of_dynamo(monkeypatch, module)


def test_an_uncatalogued_flag_works_by_name(future):
    """Law 7: it is typed by its default, and dynconf says that it does not know it."""
    before = {name: future.slot(name).stored() for name in future.uncatalogued()}
    assert snapshot_values()[0]["future_limit"] == 7
    assert dynconf.origin("future_limit").kind == "default"
    assert {"future_switch", "future_limit", "future_names"} <= future.uncatalogued()
    with pytest.warns(UncataloguedFlagWarning, match="future_switch is newer than dynconf's catalogue"):
        one = dynconf.patch(future_switch=True)
    with one:
        assert future.module.future_switch is True
        with patch_of_anything(future_switch=False):
            assert future.module.future_switch is False
    with dynconf_warnings_ignored():
        with pytest.raises(
            dynconf.InvalidValueError, match="future_switch: 3 is not valid: expected True or False"
        ):
            dynconf.patch(future_switch=3)
        with pytest.raises(dynconf.InvalidValueError):
            dynconf.patch(future_limit=True)
        with dynconf.patch(
            future_limit=8, future_text="b", future_ratio=1, future_slot=len, future_names={"b"}, verbose=True
        ):
            assert future.module.future_slot is len
            assert future.module.future_names == {"b"}
            assert snapshot_values()[0]["future_limit"] == 8
            assert dynconf.origin("future_limit").kind == "patch"
            future.module.future_names.add("c")
    assert {name: future.slot(name).stored() for name in future.uncatalogued()} == before


# -- recompiling ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("wrong", [3, None, ["max_autotune"]])
def test_what_is_given_for_a_module_must_be_a_mapping(wrong):
    """The message shows how."""
    with pytest.raises(
        dynconf.InvalidValueError, match=r"functorch: .* expected a mapping .* functorch=\{'flag': value\}"
    ):
        dynconf.patch(functorch=wrong)


def test_a_flag_that_is_read_when_torch_compile_is_called():
    """To drop compiled code does not help; whoever asks for that is told."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        patch = dynconf.patch(compiled_autograd=True)
    with pytest.warns(dynconf.errors.InertFlagWarning, match="compiled_autograd: what torch.compile has"):
        patch.recompile()
