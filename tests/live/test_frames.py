"""The laws of entering and leaving, over many flags of every kind: law 1 and law 2 of the design."""

import asyncio
import contextvars
import copy
import random
import sys
import threading

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from live_module import (
    State,
    config,
    effective,
    in_thread,
    interrupted,
    lock_is_free,
    per_context,
    settable,
    unwarned,
)
from strategies import values

import dynconf
from dynconf.live import frames
from dynconf.live.binding import live

SETS = "traceable_tensor_subclasses"
"""A flag of every release whose values can be changed in place."""


def changes(count=3):
    """Draw values for up to *count* flags of any kind."""
    flags = settable()
    return st.lists(
        st.sampled_from(flags), min_size=1, max_size=count, unique_by=lambda flag: flag.name
    ).flatmap(lambda chosen: st.fixed_dictionaries({flag.name: values(flag.type) for flag in chosen}))


def few_changes():
    """Draw values for flags out of five, so that patches often share some."""
    names = ["verify_correctness", "recompile_limit", "cache_size_limit", SETS, "specialize_int", "base_dir"]
    slots = [live().slot(name) for name in names if name in live().names()]
    flags = list({slot.name: slot.flag for slot in slots}.values())
    return st.dictionaries(st.sampled_from([flag.name for flag in flags]), st.integers(), min_size=1).flatmap(
        lambda chosen: st.fixed_dictionaries({name: values(dynconf.FLAGS[name].type) for name in chosen})
    )


@pytest.fixture(autouse=True)
def _nothing_in_force():
    """Make sure that every test begins and ends with nothing in force."""
    assert live().stack.get() is None
    yield
    live().stack.set(None)


def patch(flags=None, /, **more):
    """Return a patch of any flags with any values."""
    with unwarned():
        return dynconf.patch({**(flags or {}), **more})


def shown(value):
    """Return a value in a form that compares by content."""
    return (type(value), value)


@given(st.data())
def test_a_patch_is_in_force_inside_and_leaves_no_trace(data):
    """Inside, torch reads the values; after it, every raw override is what it was, to the bit."""
    flags = data.draw(changes())
    before = State()
    with patch(flags):
        for name, value in flags.items():
            assert shown(effective(name)) == shown(live().slot(name).check(value))
    assert State() == before


@given(st.data())
def test_unset_stays_unset_and_set_stays_set(data):
    """What was assigned before is back as the very object, and what was only read is as it was."""
    flags = data.draw(changes())
    for name in data.draw(st.lists(st.sampled_from([flag.name for flag in settable()]), max_size=5)):
        effective(name)  # copies a default that can be changed in place into the override
    assigned = data.draw(changes(2))
    for name, value in assigned.items():
        live().slot(name).set(value)
    before = State()
    with patch(flags), patch(flags):
        pass
    assert State() == before
    dynconf.reset()


@pytest.mark.parametrize("name", [flag.name for flag in settable()])
def test_every_flag_can_be_patched_with_its_default_and_read(name):
    """Each flag alone keeps the law, and patched with its default it counts as set."""
    slot = live().slot(name)
    before = State()
    with patch({name: slot.default()}) as entered:
        assert shown(effective(name)) == shown(slot.default())
        assert dynconf.origin(name) == entered.origin
    assert State() == before


@given(st.data())
@settings(suppress_health_check=[HealthCheck.too_slow])
def test_patches_may_be_left_in_any_order(data):
    """Whatever is left when: each flag has the value of the highest patch still entered, else its own."""
    live().stack.set(None)  # an example that failed may have left some
    dynconf.reset()
    with unwarned():
        patches = [dynconf.patch(data.draw(few_changes())) for _ in range(3)]
    base = {name: copy.deepcopy(effective(name)) for one in patches for name in one.values}
    start = State()
    entered: list[dynconf.Patch] = []
    for _ in range(data.draw(st.integers(1, 14))):
        one = data.draw(st.sampled_from(patches))
        if one in entered and data.draw(st.booleans()):
            one.__exit__(None, None, None)
            entered.reverse()
            entered.remove(one)
            entered.reverse()
        else:
            one.__enter__()
            entered.append(one)
        for name, own in base.items():
            wanted = next((one.values[name] for one in reversed(entered) if name in one.values), own)
            assert shown(effective(name)) == shown(wanted)
    for one in data.draw(st.permutations(entered)):
        one.__exit__(None, None, None)
    assert State() == start
    assert live().stack.get() is None


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit, GeneratorExit])
def test_an_exception_in_the_body_restores_and_goes_through(error):
    """Whatever the body raises comes out, and nothing stays."""
    before = State()
    with pytest.raises(error), patch({"recompile_limit": 3, SETS: {dict}}):
        raise error
    assert State() == before


REFUSED = [
    ({"verify_correctness": True, "no_such_flag": 1}, dynconf.UnknownFlagError),
    ({"verify_correctness": True, "recompile_limit": -3.5}, dynconf.InvalidValueError),
    ({"verify_correctness": True, "recompile_limit": True}, dynconf.InvalidValueError),
    ({"verify_correctness": "yes please"}, dynconf.InvalidValueError),
    ({"recompile_limit": 3, "cache_size_limit": 4}, dynconf.ConflictError),
    ({SETS: [dict], "verify_correctness": True}, dynconf.InvalidValueError),
    ({"verify_correctness": True, 3: True}, dynconf.UnknownFlagError),
    ({"a": 1, "verify_correctness": 2}, dynconf.InvalidValueError),
]


@pytest.mark.parametrize(("flags", "error"), REFUSED)
def test_a_refused_call_changes_nothing(flags, error):
    """Law 1: it is refused when it is made, with all mistakes, and the module is as it was."""
    before = State()
    with pytest.raises(error):
        dynconf.patch(flags)
    assert State() == before


def test_a_flag_that_was_deleted_is_refused_before_anything_is_entered():
    """The first of two flags is not left behind; reset brings the deleted one back."""
    both = dynconf.patch(recompile_limit=3, verify_correctness=True)
    name = live().slot("recompile_limit").name
    delattr(config(), name)
    before = State()
    with pytest.raises(dynconf.UnknownFlagError, match="was deleted"):
        both.__enter__()
    with pytest.raises(dynconf.UnknownFlagError, match="was deleted"):
        dynconf.install(recompile_limit=3)
    assert State() == before
    dynconf.reset(name)
    with both:
        assert effective(name) == 3


def test_what_the_body_deletes_or_assigns_is_undone():
    """Leaving restores what was found, whatever the body did to the flag."""
    name = live().slot("recompile_limit").name
    before = State()
    with dynconf.patch(recompile_limit=3):
        delattr(config(), name)
    assert State() == before
    with dynconf.patch(recompile_limit=3):
        setattr(config(), name, 5)
    assert State() == before


MUTABLE = [flag.name for flag in settable() if live().slot(flag.name).fresh]


@pytest.mark.parametrize("name", MUTABLE)
def test_changes_in_place_leak_nowhere(name):
    """Neither out of the patch, nor into the caller's object, nor into another entering of the patch."""
    given = live().slot(name).default()
    kept = copy.deepcopy(given)
    before = State()
    patched = patch({name: given})
    grown = {set: lambda value: value.add(dict), list: lambda value: value.append("x")}
    grow = grown.get(type(given), lambda value: value.update(x=1))
    with patched:
        grow(effective(name))
        with patched:
            assert effective(name) == kept
        assert effective(name) != kept
    assert given == kept
    assert patched.values[name] == kept
    grow(given)
    with patched:
        assert effective(name) == kept
    assert State() == before


def test_nesting_200_deep():
    """Depth costs nothing and restores exactly, level by level."""
    before = State()
    entered = []
    for depth in range(1, 201):
        entered.append(dynconf.patch(recompile_limit=depth, accumulated_recompile_limit=1000))
        entered[-1].__enter__()
    for depth in range(200, 0, -1):
        assert effective(live().slot("recompile_limit").name) == depth
        entered.pop().__exit__(None, None, None)
    assert State() == before


def test_a_patch_is_reentrant_and_reusable():
    """The same object may be entered again, also while it is in force."""
    before = State()
    one = dynconf.patch(verify_correctness=True)
    for _ in range(3):
        with one, one:
            with one:
                assert config().verify_correctness is True
            assert config().verify_correctness is True
        assert State() == before


# -- interruptions ----------------------------------------------------------------------------------------

ERRORS = pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])


def three():
    """Return a patch of a bool, a number and a set."""
    return patch({"verify_correctness": True, "recompile_limit": 3, SETS: {dict}})


@ERRORS
def test_interrupted_entering_is_undone(error):
    """At every single line: if entering raises, nothing is in force and the state is as it was."""
    one = three()
    with dynconf.patch(recompile_limit=4):
        before, top = State(), live().stack.get()
        for _ in interrupted(one.__enter__, error):
            assert State() == before
            assert live().stack.get() is top
            assert lock_is_free()
        assert config().verify_correctness is True
        one.__exit__(None, None, None)
        assert State() == before


@ERRORS
@pytest.mark.parametrize("above", [0, 2])
def test_interrupted_leaving_is_all_or_nothing(error, above):
    """At every single line: the patch is out altogether, or still in and can be left again."""
    one = three()
    others = [dynconf.patch(recompile_limit=limit) for limit in (5, 6)[:above]]
    before = State()

    def enter():
        for each in (one, *others):
            each.__enter__()

    enter()
    entered, chain = State(), list(owners())
    lines = 0
    for _ in interrupted(lambda: one.__exit__(None, None, None), error):
        lines += 1
        assert lock_is_free()
        if one in owners():
            assert State().differing(entered) == []
            assert list(owners()) == chain
            one.__exit__(None, None, None)
        check_is_out(one, others, before)
        enter()
        entered = State()
    assert lines > 3
    check_is_out(one, others, before)


def owners():
    """Return what is in force, highest first."""
    return [frame.owner for frame in frames.chain(live().stack.get())]


def check_is_out(one, others, before):
    """Check that only the others are in force, and that leaving them restores everything."""
    assert owners() == others[::-1]
    assert config().verify_correctness is False
    assert effective(live().slot("recompile_limit").name) == (
        6 if others else live().slot("recompile_limit").default()
    )
    for each in others:
        each.__exit__(None, None, None)
    assert State().differing(before) == []


@ERRORS
def test_interrupted_steps_of_a_generator_leave_nothing(error):
    """A decorated body that is interrupted while it goes on or off leaves the state as it was."""
    inner = dynconf.patch(recompile_limit=5)

    @three()
    def body():
        with inner:
            while True:
                yield

    before = State()

    def step():
        steps = body()
        next(steps)
        assert config().verify_correctness is False
        next(steps)
        steps.close()

    for _ in interrupted(step, error):
        assert State() == before
        assert live().stack.get() is None
        assert lock_is_free()


@ERRORS
@pytest.mark.parametrize("scope", ["process", "context"])
@pytest.mark.parametrize("inside", [False, True])
def test_interrupted_installing_is_undone(error, scope, inside):
    """At every single line: if installing raises, nothing is installed, also below a patch."""
    if scope == "context" and not per_context():
        pytest.skip("overrides belong to the process in this release")
    settings_ = dynconf.DynamoSettings(verify_correctness=True, recompile_limit=3)
    patched = dynconf.patch(recompile_limit=4)
    if inside:
        patched.__enter__()
    before = State()
    box = []

    def install():
        box.append(settings_.install(scope))

    for _ in interrupted(install, error):
        if box:  # it was interrupted after it had returned
            box.pop().uninstall()
        assert State() == before
        assert lock_is_free()
    box.pop().uninstall()
    assert State() == before
    if inside:
        patched.__exit__(None, None, None)


@ERRORS
@pytest.mark.parametrize("inside", [False, True])
def test_interrupted_uninstalling_can_be_repeated(error, inside):
    """At every single line: after another try everything is as it was."""
    patched = dynconf.patch(recompile_limit=4)
    if inside:
        patched.__enter__()
    before = State()
    box = [dynconf.install(verify_correctness=True, recompile_limit=3)]

    def uninstall():
        box[0].uninstall()

    for _ in interrupted(uninstall, error):
        assert lock_is_free()
        box[0].uninstall()
        assert State() == before
        box[0] = dynconf.install(verify_correctness=True, recompile_limit=3)
    assert State() == before
    if inside:
        patched.__exit__(None, None, None)


# -- threads and tasks ------------------------------------------------------------------------------------


@pytest.fixture
def _switching():
    """Have threads take turns as often as possible."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


@pytest.mark.usefixtures("_switching")
def test_32_threads_of_200_patches():
    """Each thread sees its own values where torch keeps them apart; the end is as the beginning."""
    before = State()
    shared = patch({"specialize_int": True, SETS: {dict}})
    errors = []

    def work(seed):
        chance = random.Random(seed)  # noqa: S311  an order, no secret
        try:
            for count in range(0, 200, 4):
                limit = 100 + seed * 1000 + count
                own = [
                    dynconf.patch(recompile_limit=limit, accumulated_recompile_limit=10**6) for _ in range(3)
                ]
                entered = [*own, shared]
                for each in entered:
                    each.__enter__()
                if per_context():
                    assert effective(live().slot("recompile_limit").name) == limit
                    assert config().specialize_int is True
                chance.shuffle(entered)
                for each in entered:
                    each.__exit__(None, None, None)
        except BaseException as error:  # noqa: BLE001  told by the main thread
            errors.append(error)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(32)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    assert State() == before
    assert live().stack.get() is None


def test_tasks_interleave():
    """Each of many tasks holds its own patch over its awaits, where torch keeps tasks apart."""
    before = State()
    shared = dynconf.patch(verify_correctness=True)

    async def one(limit):
        with shared, dynconf.patch(recompile_limit=limit):
            for _ in range(5):
                await asyncio.sleep(0)
                assert config().verify_correctness is True
                if per_context():
                    assert effective(live().slot("recompile_limit").name) == limit

    async def main():
        await asyncio.gather(*(one(limit) for limit in range(1, 40)))

    asyncio.run(main())
    assert State() == before
    assert live().stack.get() is None


def test_leaving_in_another_thread():
    """Where overrides are the process's any thread can leave; elsewhere it changes nothing, here or there."""
    before = State()
    one = dynconf.patch(verify_correctness=True)
    one.__enter__()
    in_thread(lambda: one.__exit__(None, None, None))
    if per_context():
        assert config().verify_correctness is True
        one.__exit__(None, None, None)
    assert State() == before


def test_leaving_in_a_copied_context_is_not_felt_outside():
    """A task that inherited a patch may leave it for itself."""
    if not per_context():
        pytest.skip("overrides belong to the process in this release")
    one, two = dynconf.patch(recompile_limit=3), dynconf.patch(recompile_limit=4)
    name = live().slot("recompile_limit").name
    with one, two:
        copied = contextvars.copy_context()
        copied.run(one.__exit__, None, None, None)
        assert effective(name) == 4
        copied.run(two.__exit__, None, None, None)
        assert copied.run(effective, name) == live().slot(name).default()
        assert effective(name) == 4
        assert owners() == [two, one]


@pytest.mark.usefixtures("_switching")
def test_a_suspended_generator_takes_no_patch_of_another_thread_off():
    """What another thread entered meanwhile stays in force while it runs, whoever overrides belong to."""
    steps = iter_limits()
    name = live().slot("recompile_limit").name
    started, done, seen = threading.Event(), threading.Event(), []

    def other():
        with dynconf.patch(verify_correctness=True):
            started.set()
            done.wait(30)
            seen.append((config().verify_correctness, owners()))

    before = State()
    assert next(steps) == 3
    thread = threading.Thread(target=other)

    def during():
        thread.start()
        started.wait(30)

    assert steps.send(during) == 3
    assert effective(name) == live().slot(name).default()
    done.set()
    thread.join()
    assert seen[0][0] is True
    assert len(seen[0][1]) == 1
    steps.close()
    assert State() == before


@dynconf.patch(recompile_limit=3)
def iter_limits():
    """Yield what is in force, and do what is sent."""
    while True:
        work = yield effective(live().slot("recompile_limit").name)
        if work:
            work()
