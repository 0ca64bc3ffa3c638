"""`dynconf.patch` as it is called: its forms, its messages and its warnings; what each release has."""

from pathlib import Path

import pytest
from conftest import fresh_config
from live_state import config, torch_reads, executed, dynconf_warnings_ignored

import dynconf
from dynconf.catalogue import REMOVED
from dynconf.catalogue.names import names_of, spelled
from dynconf.live import binding as binding_module
from dynconf.live import patch as patch_module
from dynconf.live.binding import Binding, live
from dynconf.live.origin import origin_in
from dynconf.live.snapshot import snapshot_of
from dynconf.versions import minor

LIMIT = LIMIT


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
        assert one.values == {LIMIT: 3}
        assert repr(one) == f"dynconf.patch({LIMIT}=3)"
    with dynconf.patch("debug_dir_root", "/x"), dynconf.patch("repro_after", None):
        assert config().repro_after is None
    with dynconf.patch(), dynconf.patch({}):
        pass


@pytest.mark.parametrize(
    ("args", "kwargs"),
    [
        ((3,), {}),
        (("verbose",), {}),
        ((["verbose"],), {}),
        ((3, True), {}),
        (({"verbose": True},), {"verify_correctness": True}),
        (("verbose", True), {"verify_correctness": True}),
        (({"verbose": True}, True), {}),
    ],
)
def test_other_forms_are_type_errors(args, kwargs):
    """The message begins with the function and says what it takes."""
    with pytest.raises(TypeError, match=r"^dynconf\.patch"):
        dynconf.patch(*args, **kwargs)


def test_all_mistakes_are_told_at_once():
    """One error has a line for each, and holds the single ones."""
    with pytest.raises(dynconf.InvalidValueError) as caught:
        dynconf.patch(recompile_limit="many", verbos=True, specialize_int=1, verify_correctness=True)
    assert len(caught.value.errors) == 3
    message = str(caught.value)
    assert "recompile_limit" in message or "cache_size_limit" in message
    assert "did you mean 'verbose'?" in message
    assert "specialize_int: 1 is not valid: expected True or False" in message


# -- availability -----------------------------------------------------------------------------------------


def test_old_and_new_names_mean_the_release_s_own():
    """Law 5: a renamed flag goes to whichever name the release knows; its default comes back under both."""
    for name in names_of("recompile_limit"):
        before = torch_reads(LIMIT)
        with dynconf.patch({name: 31}) as one:
            assert torch_reads(LIMIT) == 31
            assert set(one.values) == {LIMIT}
            for each in names_of("recompile_limit"):
                if hasattr(config(), each):
                    assert torch_reads(each) == 31
        assert torch_reads(LIMIT) == before


def test_two_names_of_one_flag():
    """Different values are a conflict, the same value is none."""
    with pytest.raises(dynconf.ConflictError, match=rf"{LIMIT} is given twice, under two names: 3 and 4"):
        dynconf.patch(recompile_limit=3, cache_size_limit=4)
    with dynconf.patch(recompile_limit=3, cache_size_limit=3):
        assert torch_reads(LIMIT) == 3


@pytest.mark.parametrize("name", sorted(dynconf.FLAGS))
def test_every_flag_of_every_release_is_there_or_says_why_not(name):
    """Not yet and no longer are told apart, with the release and the replacement."""
    here, flag = bind().release.minor, dynconf.FLAGS[name]
    if spelled(name, here):
        slot = bind().slot(name)
        with dynconf_warnings_ignored(), dynconf.patch({name: slot.default()}):
            pass
        return
    with pytest.raises(dynconf.UnknownFlagError) as caught:
        dynconf.patch({name: True})
    newest = dynconf.FLAGS[names_of(name)[0]]
    if minor(newest.since) > here:
        assert str(caught.value) == (
            f"{name!r} is not in torch {bind().release.version} yet: it came with torch {newest.since}"
        )
    else:
        assert str(caught.value).startswith(
            f"{name!r} is not in torch {bind().release.version} any more:"
            f" torch {newest.until} was the last to have it"
        )
    assert isinstance(caught.value, AttributeError)
    assert flag.exists_in(here) is False


@pytest.mark.parametrize("name", sorted(REMOVED))
def test_flags_that_went_before_the_oldest_release(name):
    """Each says that it is gone, since when, and what to use."""
    with pytest.raises(dynconf.UnknownFlagError, match=rf"^'{name}' is gone: "):
        dynconf.patch({name: True})


def test_names_that_never_existed():
    """The nearest name is offered, if any is near."""
    with pytest.raises(
        dynconf.UnknownFlagError, match=r"there is no flag 'verbos': did you mean 'verbose'\?"
    ):
        dynconf.patch(verbos=True)
    with pytest.raises(dynconf.UnknownFlagError, match=r"there is no flag 'zzzzzz'"):
        dynconf.patch(zzzzzz=True)


# -- what takes no effect ---------------------------------------------------------------------------------


def no_op():
    """Return a flag that does nothing in the release, or skip the test."""
    for name in bind().names():
        slot = bind().slot(name)
        if (
            slot.name in dynconf.FLAGS
            and slot.flag.status_in(bind().release.minor) == "no-op"
            and not bind().alias_of(name)
        ):
            return slot
    pytest.skip("no flag of this release is a no-op")


def test_no_op_flags_are_said_once():
    """The warning names the flag, points at the caller's line, and does not come again."""
    slot = no_op()
    with pytest.warns(dynconf.InertFlagWarning, match=f"^{slot.name} does nothing in torch") as caught:
        dynconf.patch({slot.name: slot.default()})
    assert caught[0].filename == __file__
    dynconf.patch({slot.name: slot.default()})
    with dynconf.patch({slot.name: slot.default()}):
        pass


def forced_flag():
    """Return a flag that a variable of the release forces, with the variable."""
    for name in bind().names():
        for variable in bind().slot(name).flag.variables_in(bind().release.minor):
            if variable.rule == "force" and not bind().alias_of(name):
                return name, variable.name
    pytest.skip("no variable of this release forces a flag")


def with_binding(monkeypatch, module):
    """Have all of dynconf use that module as the live one; return its binding."""
    made = Binding(module)
    for home in (binding_module, patch_module):
        monkeypatch.setattr(home, "live", lambda: made)
    return made


def test_forced_flags_are_said_once(monkeypatch):
    """A value that a variable beats has no effect, and says so once; the forced value says nothing."""
    name, variable = forced_flag()
    with fresh_config({variable: "0"}) as module:
        made = with_binding(monkeypatch, module)
        assert made.read(made.slot(name)) is False
        with pytest.warns(dynconf.ForcedFlagWarning) as caught:
            one = dynconf.patch({name: True})
        assert str(caught[0].message) == f"{name}: True has no effect: the variable {variable} forces False"
        assert caught[0].filename == __file__
        dynconf.patch({name: True})
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
    """Return the binding to the release's own module with six flags more, as a newer torch might have it."""
    source = Path(config().__file__).read_text(encoding="utf-8")
    return with_binding(monkeypatch, executed(source.replace("\nverbose", f"{FUTURE}\nverbose", 1), tmp_path))


def test_an_uncatalogued_flag_works_by_name(future):
    """Law 7: it is typed by its default, and dynconf says once that it does not know it."""
    before = {name: future.slot(name).get() for name in future.uncatalogued()}
    assert {"future_switch", "future_limit", "future_names"} <= future.uncatalogued()
    with pytest.warns(
        dynconf.UncataloguedFlagWarning, match="future_switch is newer than dynconf's catalogue"
    ):
        one = dynconf.patch(future_switch=True)
    with one:
        assert future.module.future_switch is True
        with dynconf.patch(future_switch=False):
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
            future.module.future_names.add("c")
    assert {name: future.slot(name).get() for name in future.uncatalogued()} == before


def test_an_uncatalogued_flag_in_a_snapshot(future):
    """It is read like any other."""
    taken = snapshot_of(future)
    assert taken.values["future_limit"] == 7
    assert taken.origins["future_limit"].kind == "default"
    with dynconf_warnings_ignored(), dynconf.patch(future_limit=9):
        assert snapshot_of(future).values["future_limit"] == 9
        assert origin_in(future, "future_limit").kind == "patch"


# -- recompiling ------------------------------------------------------------------------------------------


def test_recompile_returns_a_patch_of_the_same_flags():
    """The original is left as it was; the copy says the same of itself."""
    one = dynconf.patch(recompile_limit=3)
    other = one.recompile()
    assert other is not one
    assert other.values == one.values
    assert other.origin == one.origin
