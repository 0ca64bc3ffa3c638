"""The laws of entering and leaving, over flags of every kind: laws 1 and 2 of ARCHITECTURE.md."""

import copy
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from live_state import (
    A_SET,
    LIMIT,
    NESTED,
    RawState,
    bind,
    both_modules,
    config,
    in_force,
    known,
    patch_of_anything,
    patchable,
    torch_reads,
)
from strategies import values

import dynconf
from dynconf.catalogue.modules import MODULES

if TYPE_CHECKING:
    from dynconf.live.patch import Patch

# Any flags are drawn, and some pairs defeat each other.
pytestmark = pytest.mark.filterwarnings("ignore::dynconf.errors.ConflictWarning")


def changes(module, count=3):
    """Draw values for up to *count* flags of any kind."""
    return st.lists(
        st.sampled_from(patchable(module)), min_size=1, max_size=count, unique_by=lambda setting: setting.name
    ).flatmap(lambda chosen: st.fixed_dictionaries({each.qualified: values(each.type) for each in chosen}))


def changes_that_overlap():
    """Draw values for flags out of six, so that patches often share some."""
    names = ["verify_correctness", "recompile_limit", A_SET, "specialize_int", "base_dir", NESTED]
    settings_ = [bind().slot(name).setting for name in names]
    return st.sets(st.sampled_from(settings_), min_size=1).flatmap(
        lambda chosen: st.fixed_dictionaries({each.qualified: values(each.type) for each in chosen})
    )


@pytest.fixture(autouse=True)
def _nothing_in_force():
    """Make sure that every test starts with nothing in force."""
    assert not in_force()


def typed(value):
    """Return a value with its type, so that True and 1 differ."""
    return (type(value), value)


@both_modules
@given(data=st.data())
def test_a_patch_is_in_force_inside_and_leaves_no_trace(module, data):
    """Unset stays unset; what was assigned is back as the very object, what was only read is as it was."""
    flags = data.draw(changes(module))
    for setting in data.draw(st.lists(st.sampled_from(patchable(module)), max_size=5)):
        torch_reads(setting.qualified)  # copies a default that can be changed in place into the override
    for name, value in data.draw(changes(module, 2)).items():
        bind().slot(name).store(value)
    bind(module).storage.mark_changed(bind(module).flags())
    before = RawState(module)
    with patch_of_anything(flags), patch_of_anything(flags):
        for name, value in flags.items():
            assert typed(torch_reads(name)) == typed(bind().slot(name).check(value))
    assert RawState(module) == before
    dynconf.reset()


@pytest.mark.known_shape
@pytest.mark.parametrize("module", MODULES)
def test_every_flag_can_be_patched_with_its_default(module):
    """Each flag on its own keeps the law, and counts as set even if it is patched with its default."""
    for setting in known(module):
        slot = bind(module).slot(setting.name)
        before = RawState(module)
        with patch_of_anything({setting.qualified: slot.default()}) as entered:
            assert typed(slot.read()) == typed(slot.default()), setting
            assert dynconf.origin(setting.qualified) == entered.origin
        assert RawState(module) == before, setting


@given(st.data())
@settings(suppress_health_check=[HealthCheck.too_slow])
def test_patches_may_be_left_in_any_order(data):
    """Each flag has the value of the highest patch that is still entered, else its own."""
    bind().chain.top.set(None)  # an example that failed may have left some
    dynconf.reset()
    patches = [patch_of_anything(data.draw(changes_that_overlap())) for _ in range(3)]
    reads = lambda name: torch_reads(bind().slot(name).setting.qualified)  # noqa: E731
    own = {name: copy.deepcopy(reads(name)) for one in patches for name in one.changes}
    start = RawState(), RawState("inductor")
    entered: list[Patch] = []
    for _ in range(data.draw(st.integers(1, 14))):
        one = data.draw(st.sampled_from(patches))
        if one in entered and data.draw(st.booleans()):
            one.__exit__(None, None, None)
            del entered[len(entered) - 1 - entered[::-1].index(one)]
        else:
            one.__enter__()
            entered.append(one)
        for name, value in own.items():
            wanted = next((one.changes[name] for one in reversed(entered) if name in one.changes), value)
            assert typed(reads(name)) == typed(wanted)
    for one in data.draw(st.permutations(entered)):
        one.__exit__(None, None, None)
    assert (RawState(), RawState("inductor")) == start
    assert not in_force()


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit, GeneratorExit])
def test_an_exception_in_the_body_restores_and_goes_through(error):
    """Whatever the body raises comes out, and nothing stays."""
    before = RawState()
    with pytest.raises(error), patch_of_anything({"recompile_limit": 3, A_SET: {dict}}):
        raise error
    assert RawState() == before


@pytest.mark.parametrize(
    ("flags", "error"),
    [
        ({"verify_correctness": True, "no_such_flag": 1}, dynconf.UnknownFlagError),
        ({"verify_correctness": True, "recompile_limit": -3.5}, dynconf.InvalidValueError),
        ({"verify_correctness": True, "recompile_limit": True}, dynconf.InvalidValueError),
        ({"verify_correctness": "yes please"}, dynconf.InvalidValueError),
        ({"recompile_limit": 3, "cache_size_limit": 4}, dynconf.ConflictError),
        ({A_SET: [dict], "verify_correctness": True}, dynconf.InvalidValueError),
        ({"verify_correctness": True, 3: True}, dynconf.UnknownFlagError),
        ({"a": 1, "verify_correctness": 2}, dynconf.InvalidValueError),
        ({"verify_correctness": True, "functorch": {"no_such_flag": 1}}, dynconf.UnknownFlagError),
    ],
)
def test_a_refused_call_changes_nothing(flags, error):
    """Law 1: a call is refused when it is made, and the module is as it was."""
    before = RawState()
    with pytest.raises(error):
        dynconf.patch(flags)
    assert RawState() == before


@pytest.mark.known_shape
def test_a_deleted_flag_is_refused_before_anything_is_entered():
    """The first of two flags does not stay set; it is in no snapshot, until reset brings it back."""
    both = dynconf.patch(recompile_limit=3, verify_correctness=True)
    delattr(config(), LIMIT)
    before = RawState()
    with pytest.raises(dynconf.UnknownFlagError, match="was deleted"):
        both.__enter__()
    with pytest.raises(dynconf.UnknownFlagError, match="was deleted"):
        dynconf.install(recompile_limit=3)
    with pytest.raises(dynconf.UnknownFlagError, match="was deleted from"):
        dynconf.origin("recompile_limit")
    assert "recompile_limit" not in dynconf.snapshot()
    assert RawState() == before
    dynconf.reset(LIMIT)
    assert dynconf.snapshot()["recompile_limit"] == 8
    with both:
        assert torch_reads(LIMIT) == 3


def test_what_the_body_deletes_or_assigns_is_undone():
    """Leaving restores what was found, whatever the body did to the flag."""
    before = RawState()
    with dynconf.patch(recompile_limit=3):
        delattr(config(), LIMIT)
    assert RawState() == before
    with dynconf.patch(recompile_limit=3):
        setattr(config(), LIMIT, 5)
    assert RawState() == before


@pytest.mark.parametrize(
    "name",
    [each.qualified for module in ("dynamo", "inductor") for each in patchable(module) if each.type.mutable],
)
def test_changes_in_place_leak_nowhere(name):
    """Neither out of the patch, nor into the caller's object or a copy, nor into another entering."""
    slot = bind().slot(name)
    given_ = slot.default()
    if not isinstance(given_, (set, list, dict)):
        pytest.skip("the default cannot be changed in place")
    kept = copy.deepcopy(given_)
    before = RawState(slot.setting.module)
    patched = patch_of_anything({name: given_})
    ways = {set: lambda value: value.add(dict), list: lambda value: value.append("x")}
    grow = ways.get(type(given_), lambda value: value.update(x=1))
    with patched:
        grow(torch_reads(name))
        with patched:
            assert torch_reads(name) == kept
        assert torch_reads(name) != kept
    assert given_ == kept
    assert list(patched.changes.values()) == [kept]
    grow(*patched.changes.values())
    grow(given_)
    with patched:
        assert torch_reads(name) == kept
    assert RawState(slot.setting.module) == before


def test_nesting_200_deep():
    """Many levels are restored exactly, one by one."""
    before = RawState()
    entered = []
    for depth in range(1, 201):
        entered.append(dynconf.patch(recompile_limit=depth, accumulated_recompile_limit=1000))
        entered[-1].__enter__()
    for depth in range(200, 0, -1):
        assert torch_reads(LIMIT) == depth
        entered.pop().__exit__(None, None, None)
    assert RawState() == before


# -- several config modules -------------------------------------------------------------------------------


def test_one_patch_sets_flags_of_several_modules():
    """They are entered and left together, and restored to the bit in each module."""
    before = RawState(), RawState("functorch")
    both = dynconf.patch(recompile_limit=3, functorch={"aggressive_recomputation": True, "cse": False})
    assert both.changes == {
        "recompile_limit": 3,
        "functorch.aggressive_recomputation": True,
        "functorch.cse": False,
    }
    with both:
        assert len(in_force()) == 1
        assert (torch_reads(LIMIT), config("functorch").cse) == (3, False)
        assert dynconf.origin("functorch.cse") == both.origin
        with dynconf.patch("functorch.cse", True):
            assert config("functorch").cse is True
        assert config("functorch").cse is False
    assert (RawState(), RawState("functorch")) == before


def test_mistakes_in_all_modules_are_reported_together():
    """One error names the flag of each module, and nothing is changed."""
    with pytest.raises(dynconf.InvalidValueError) as caught:
        dynconf.patch(
            recompile_limit="many",
            functorch={"cse": 1, "no_such_flag": 2},
            aggressive_recomputation=True,
            verbos=True,
            verify_correctness=True,
        )
    told = [str(error) for error in caught.value.errors]
    assert [each in str(caught.value) for each in told] == [True] * 5
    assert told[0].startswith("recompile_limit: 'many' is not valid")
    assert told[1].startswith("functorch.cse: 1 is not valid: expected True or False")
    assert "there is no functorch flag 'no_such_flag'" in told[2]
    assert (
        "aggressive_recomputation is a functorch flag: dynconf.functorch.patch(aggressive_recomputation=...)"
        in told[3]
    )
    assert "did you mean 'verbose'?" in told[4]
