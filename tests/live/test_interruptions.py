"""Laws 1 and 2 if an exception comes at any line of `dynconf.live`: all or nothing, and no lock is kept."""

from contextlib import nullcontext

import pytest
from conftest import fresh_config
from live_state import (
    A_SET,
    LIMIT,
    NESTED,
    PER_CONTEXT,
    bind,
    bound_in_place_of_dynamo,
    config,
    default_of,
    in_force,
    interrupted_at_each_line,
    lock_is_free,
    patch_of_anything,
    raw,
    torch_reads,
)

import dynconf

any_error = pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])


@pytest.fixture(params=[False, True])
def inside(request):
    """Tell whether the test runs inside a patch, which it does then."""
    with dynconf.patch(recompile_limit=4) if request.param else nullcontext():
        yield request.param


def patch_of_four_kinds():
    """Return a patch of a bool, a number, a set, and a flag of another module."""
    return patch_of_anything(
        {"verify_correctness": True, "recompile_limit": 3, A_SET: {dict}, NESTED: True},
    )


@any_error
def test_entering_is_undone(error):
    """If entering raises, nothing is in force and the state is as it was."""
    one = patch_of_four_kinds()
    with dynconf.patch(recompile_limit=4):
        before, entered = raw(), in_force()
        for _ in interrupted_at_each_line(one.__enter__, error):
            assert raw() == before
            assert in_force() == entered
            assert lock_is_free()
        assert config().verify_correctness is True
        one.__exit__(None, None, None)
        assert raw() == before


@any_error
@pytest.mark.parametrize("above", [0, 2])
def test_leaving_is_all_or_nothing(error, above):
    """The patch is out altogether, or still in and can be left again."""
    one = patch_of_four_kinds()
    others = [dynconf.patch(recompile_limit=limit) for limit in (5, 6)[:above]]
    before = raw()

    def enter():
        for each in (one, *others):
            each.__enter__()
        return raw(), in_force()

    def check_that_only_the_others_are_in():
        assert in_force() == others[::-1]
        assert config().verify_correctness is False
        assert torch_reads(LIMIT) == (6 if others else default_of(LIMIT))
        for each in others:
            each.__exit__(None, None, None)
        assert raw() == before

    lines = 0
    state, entered = enter()
    for _ in interrupted_at_each_line(lambda: one.__exit__(None, None, None), error):
        lines += 1
        assert lock_is_free()
        if one in in_force():
            assert raw() == state
            assert in_force() == entered
            one.__exit__(None, None, None)
        check_that_only_the_others_are_in()
        state, entered = enter()
    assert lines > 3
    check_that_only_the_others_are_in()


def test_decorated_calls_restore():
    """After an interrupted call nothing stays, or the patch as a whole, which can be left."""
    on = dynconf.patch(verify_correctness=True)
    before = raw()
    for _ in interrupted_at_each_line(on(lambda: config().verify_correctness), KeyboardInterrupt):
        while in_force():  # interrupted before leaving began
            assert config().verify_correctness is True
            on.__exit__(None, None, None)
        assert raw() == before


@any_error
@pytest.mark.parametrize("scope", ["process", "context"])
def test_installing_is_undone(error, scope, inside):
    """If installing raises, nothing is installed, also below a patch."""
    if scope == "context" and not PER_CONTEXT:
        pytest.skip("overrides belong to the process in this release")
    settings = dynconf.DynamoSettings(verify_correctness=True, recompile_limit=3)
    before = raw()
    made = []
    for _ in interrupted_at_each_line(lambda: made.append(settings.install(scope)), error):
        if made:  # interrupted after it had returned
            made.pop().uninstall()
        assert raw() == before
        assert lock_is_free()
    made.pop().uninstall()
    assert raw() == before


@any_error
def test_a_block_of_an_installation_is_entered_or_not_and_left(error):
    """If entering raises, it is as before; if leaving raises, it is done, and the next block ends as well."""
    made = dynconf.install(verify_correctness=True, recompile_limit=3)
    made.uninstall()
    before = raw()

    def leave():
        made.__exit__(None, None, None)

    for change in (made.__enter__, leave):
        for _ in interrupted_at_each_line(change, error, unit="opcode"):
            assert lock_is_free()
            assert raw() == before
            with made:
                assert made.is_installed()
            assert not made.is_installed()
            if change is leave:
                made.__enter__()
        assert made.is_installed() is (change is not leave)


def test_the_first_installation_of_a_flag_can_be_repeated(monkeypatch):
    """If it is interrupted before torch reads through the stand-in, the next one puts it there."""

    def bind_a_fresh_module():
        with fresh_config() as module:
            slot = bound_in_place_of_dynamo(monkeypatch, module).slot("verify_correctness")
        assert slot.override is None
        return module

    modules = [bind_a_fresh_module()]
    for _ in interrupted_at_each_line(lambda: dynconf.install(verify_correctness=True), KeyboardInterrupt):
        with dynconf.install(verify_correctness=True):
            assert modules[-1].verify_correctness is True
        dynconf.reset("verify_correctness")
        assert modules[-1].verify_correctness is False
        modules.append(bind_a_fresh_module())
    assert len(modules) > 50
    dynconf.reset("verify_correctness")


@any_error
def test_uninstalling_can_be_repeated(error, inside):
    """After another try everything is as it was."""
    before = raw()
    made = [dynconf.install(verify_correctness=True, recompile_limit=3)]

    def uninstall():
        made[0].uninstall()

    for _ in interrupted_at_each_line(uninstall, error):
        assert lock_is_free()
        slots = [bind().slot(name) for name in ("verify_correctness", "recompile_limit")]
        assert len({slot.installed is None for slot in slots}) == 1  # both flags, or none
        uninstall()
        assert raw() == before
        made[0] = dynconf.install(verify_correctness=True, recompile_limit=3)
    assert raw() == before
    assert bind().chain.top.get() is None or inside


@any_error
def test_a_reset_can_be_repeated(error):
    """No value stays in force whose installation is gone."""
    made = dynconf.install(recompile_limit=3)
    for _ in interrupted_at_each_line(lambda: dynconf.reset("recompile_limit"), error):
        assert lock_is_free()
        dynconf.reset("recompile_limit")
        assert not made.is_installed()
        assert torch_reads(LIMIT) == default_of(LIMIT)
        made = dynconf.install(recompile_limit=3)
    assert torch_reads(LIMIT) == default_of(LIMIT)
