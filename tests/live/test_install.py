"""Installing for the process and for a context: law 8, stacking, and uninstalling in any order."""

import asyncio
import contextvars
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st
from live_state import (
    A_SET,
    LIMIT,
    PER_CONTEXT,
    RawState,
    bind,
    both_modules,
    config,
    default_of,
    dynconf_warnings_ignored,
    patchable,
    result_in_thread,
    saved,
    threads_switching_often,
    torch_reads,
)
from strategies import values

import dynconf

# Any flags are drawn, and some pairs defeat each other.
pytestmark = [
    pytest.mark.filterwarnings("ignore::dynconf.errors.ConflictWarning"),
    pytest.mark.usefixtures("nothing_in_force"),
]

SCOPES = ["process", "context"] if PER_CONTEXT else ["process"]


@both_modules
@given(data=st.data())
def test_any_flags_are_seen_by_every_thread_and_uninstalled_to_the_bit(module, data):
    """What is installed is what torch reads, in this thread and in others; then all is as it was."""
    settings = [each for each in patchable(module) if each.public and not each.inert]
    chosen = data.draw(
        st.lists(st.sampled_from(settings), min_size=1, max_size=4, unique_by=lambda each: each.name)
    )
    given_ = {each.qualified: data.draw(values(each.type)) for each in chosen}
    before = RawState(module)
    with dynconf_warnings_ignored():
        installation = dynconf.install(given_)
    for name, value in given_.items():
        wanted = bind().slot(name).check(value)
        assert (type(torch_reads(name)), torch_reads(name)) == (type(wanted), wanted)
        assert result_in_thread(lambda name=name: torch_reads(name)) == wanted
    installation.uninstall()
    assert RawState(module) == before


def test_threads_that_run_already_see_it(worker):
    """So do their cached dicts, saved configs and hashes, and all of it is as before afterwards."""

    def told():
        return torch_reads(LIMIT), config().get_config_copy()[LIMIT], saved(), config().get_hash()

    before = worker(told)
    assert worker(told) == before
    with dynconf.install(recompile_limit=33, specialize_int=True):
        during = worker(told)
        assert during[:2] == (33, 33)
        assert during[2] != before[2]
        assert during[3] != before[3]
        assert worker(told) == during
        assert result_in_thread(lambda: config().get_hash()) == during[3]
        with dynconf.install(recompile_limit=34):
            assert worker(told)[:2] == (34, 34)
        assert worker(told) == during
    assert worker(told) == before


def test_a_thread_that_read_a_set_sees_what_is_installed(worker):
    """Reading makes a copy of the default in the thread, which must not hide the installed value."""
    with dynconf_warnings_ignored():
        settings = dynconf.DynamoSettings(**{A_SET: {dict}})
        patched = dynconf.patch({A_SET: default_of(A_SET)})
    worker(lambda: torch_reads(A_SET))
    torch_reads(A_SET)
    before, theirs = RawState(), worker(RawState)
    with dynconf_warnings_ignored():
        installation = settings.install()
    assert torch_reads(A_SET) == {dict}
    assert worker(lambda: torch_reads(A_SET)) == {dict}
    assert worker(lambda: config().get_config_copy()[A_SET]) == {dict}
    assert worker(lambda: bind().slot(A_SET).read()) == {dict}
    with patched:
        assert torch_reads(A_SET) == default_of(A_SET)
        assert dynconf.origin(A_SET).kind == "patch"
    assert torch_reads(A_SET) == {dict}
    torch_reads(A_SET).add(int)
    installation.uninstall()
    assert settings.model_dump()[A_SET] == {dict}
    assert torch_reads(A_SET) == default_of(A_SET)
    # torch 2.6 to 2.11 copies the other defaults into their overrides where a dict is asked for.
    assert A_SET not in RawState().differing(before)
    assert A_SET not in worker(RawState).differing(theirs)


def test_installing_from_many_threads_at_once():
    """Each is in force or uninstalled as a whole; when all are gone nothing is left."""

    def work(seed):
        for count in range(20):
            one = dynconf.install(recompile_limit=100 + seed, verify_correctness=bool(count % 2))
            two = dynconf.install(recompile_limit=200 + seed)
            assert torch_reads(LIMIT) >= 100
            one.uninstall()
            two.uninstall()

    with threads_switching_often(), ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))
    assert torch_reads(LIMIT) == default_of(LIMIT)


@pytest.mark.parametrize("scope", SCOPES)
@given(data=st.data())
def test_patches_go_on_top_in_any_order(scope, data):
    """Installed inside a patch or around it, uninstalled inside or after: the patch always wins."""
    bind().chain.top.set(None)  # an example that failed may have left some
    dynconf.reset()
    before = RawState()
    patches, installations = [], []
    for step in range(data.draw(st.integers(2, 10))):
        what = data.draw(st.sampled_from(["patch", "install", "leave", "uninstall"]))
        if what == "patch":
            patches.append(dynconf.patch(recompile_limit=100 + step))
            patches[-1].__enter__()
        elif what == "install":
            installations.append(dynconf.DynamoSettings(recompile_limit=200 + step).install(scope))
        elif what == "leave" and patches:
            patches.pop(data.draw(st.integers(0, len(patches) - 1))).__exit__(None, None, None)
        elif what == "uninstall" and installations:
            gone = installations.pop(data.draw(st.integers(0, len(installations) - 1)))
            gone.uninstall()
            gone.uninstall()
        in_force = [each.changes["recompile_limit"] for each in (*installations, *patches)]
        assert torch_reads(LIMIT) == (in_force[-1] if in_force else default_of(LIMIT))
    for one in data.draw(st.permutations([*patches, *installations])):
        one.__exit__(None, None, None)
    assert RawState() == before


def test_what_this_thread_had_assigned_is_hidden_and_comes_back():
    """An installation counts where an assignment stood, and uninstalling brings the very object back."""
    setattr(config(), LIMIT, 5)
    setattr(config(), A_SET, {dict})
    before = RawState()
    with dynconf_warnings_ignored():
        one = dynconf.install(**{"recompile_limit": 6, A_SET: {int}})
    two = dynconf.install(recompile_limit=7)
    assert (torch_reads(LIMIT), torch_reads(A_SET)) == (7, {int})
    one.uninstall()
    assert (torch_reads(LIMIT), torch_reads(A_SET)) == (7, {dict})
    two.uninstall()
    assert RawState() == before
    dynconf.reset()


def test_the_context_scope_is_for_the_context():
    """Other threads and tasks do not see it; before torch 2.12 it is refused."""
    settings = dynconf.DynamoSettings(recompile_limit=3)
    if not PER_CONTEXT:
        with pytest.raises(dynconf.InvalidValueError, match=r"needs torch 2\.12 or newer"):
            settings.install("context")
        return
    with settings.install("context"):
        assert torch_reads(LIMIT) == 3
        assert result_in_thread(lambda: torch_reads(LIMIT)) == default_of(LIMIT)
        assert contextvars.Context().run(torch_reads, LIMIT) == default_of(LIMIT)

    async def main():
        async def one(limit):
            with dynconf.DynamoSettings(recompile_limit=limit).install("context"):
                await asyncio.sleep(0)
                assert torch_reads(LIMIT) == limit

        await asyncio.gather(*(one(limit) for limit in range(1, 9)))

    asyncio.run(main())


def test_refused_installs_change_nothing(monkeypatch):
    """A wrong value, scope or variable: nothing is installed."""
    before = RawState()
    with pytest.raises(dynconf.InvalidValueError):
        dynconf.install(recompile_limit=-1, verify_correctness=True)
    with pytest.raises(dynconf.InvalidValueError, match="'process' or 'context'"):
        dynconf.DynamoSettings(verify_correctness=True).install("global")
    monkeypatch.setenv("TORCHDYNAMO_RECOMPILE_LIMIT", "many")
    with pytest.raises(dynconf.InvalidValueError, match="TORCHDYNAMO_RECOMPILE_LIMIT=many"):
        dynconf.install(verify_correctness=True)
    assert RawState() == before


def test_an_installation_is_a_context_manager():
    """It says what it is; entering it again installs it again, and the caller's objects are never shared."""
    given_ = {dict}
    with dynconf_warnings_ignored():
        installation = dynconf.install(**{A_SET: given_})
    given_.add(int)
    torch_reads(A_SET).add(str)
    assert repr(installation).endswith(", installed>")
    installation.uninstall()
    assert "uninstalled" in repr(installation)
    with installation as same:
        assert same is installation
        assert torch_reads(A_SET) == {dict}
    assert installation.changes == {A_SET: {dict}}


# -- several config modules -------------------------------------------------------------------------------


def test_one_installation_sets_flags_of_several_modules(worker):
    """Every thread sees both; what the environment says of functorch comes along; then all is as it was."""
    before = RawState(), RawState("functorch")
    installation = dynconf.install(recompile_limit=33, functorch={"cse": False})
    assert installation.changes == {"recompile_limit": 33, "functorch.cse": False}
    assert dynconf.origin("functorch.cse").kind == "install"

    def told():
        return torch_reads(LIMIT), config("functorch").cse, config("functorch").get_hash()

    assert told()[:2] == worker(told)[:2] == (33, False)
    assert told()[2] == worker(told)[2]
    with dynconf.patch("functorch.cse", True):
        assert config("functorch").cse is True
    installation.uninstall()
    assert worker(told)[:2] == (default_of(LIMIT), True)
    assert (RawState(), RawState("functorch")) == before
