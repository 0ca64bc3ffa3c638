"""Installing for the process and for a context, stacking, uninstalling in any order, and resetting."""

import asyncio
import contextvars
import sys
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st
from live_state import (
    RawState,
    config,
    torch_reads,
    result_in_thread,
    PER_CONTEXT,
    patchable,
    dynconf_warnings_ignored,
)
from strategies import values

import dynconf
from dynconf.live.binding import bind

LIMIT = LIMIT
SETS = "traceable_tensor_subclasses"


@pytest.fixture(autouse=True)
def _restored():
    """Make sure that each test leaves nothing in force."""
    yield
    top = bind().stack.get()
    bind().chain.put(None)
    dynconf.reset()
    assert top is None


def default():
    """Return the default of the limit."""
    return bind().slot(LIMIT).default()


def saved():
    """Return what torch saves; 2.4 and 2.5 fail where they are to leave out what is not there."""
    try:
        return config().save_config()
    except KeyError:
        return repr(config().get_config_copy())


class Worker:
    """A thread that runs already and does what it is asked."""

    def __init__(self):
        self.context = None
        self.work, self.result = None, None
        self.asked, self.done = threading.Event(), threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        while self.asked.wait(60):
            self.asked.clear()
            if self.work is None:
                return
            try:
                self.result = self.work()
            except BaseException as error:  # noqa: BLE001  raised by the thread that asked
                self.result = error
            self.done.set()

    def __call__(self, work):
        self.work = work
        self.asked.set()
        assert self.done.wait(60)
        self.done.clear()
        if isinstance(self.result, BaseException):
            raise self.result
        return self.result


@pytest.fixture
def worker():
    """Return a thread that was there before anything was installed."""
    thread = Worker()
    yield thread
    thread.work = None
    thread.asked.set()
    thread.thread.join()


@given(st.data())
def test_any_flags_are_seen_by_every_thread_and_uninstalled_to_the_bit(data):
    """What is installed is what torch reads, in this thread and in others; then all is as it was."""
    flags = [flag for flag in patchable() if flag.public and flag.status_in(bind().release.minor) != "no-op"]
    chosen = data.draw(
        st.lists(st.sampled_from(flags), min_size=1, max_size=4, unique_by=lambda flag: flag.name)
    )
    given_ = {flag.name: data.draw(values(flag.type)) for flag in chosen}
    before = RawState()
    with dynconf_warnings_ignored():
        installation = dynconf.install(**given_)
    for name, value in given_.items():
        wanted = bind().slot(name).check(value)
        assert (type(torch_reads(name)), torch_reads(name)) == (type(wanted), wanted)
        assert result_in_thread(lambda name=name: torch_reads(name)) == wanted
    installation.uninstall()
    assert RawState() == before


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
        settings = dynconf.DynamoSettings(**{SETS: {dict}})
        dynconf.patch({SETS: set()})  # says once that it does nothing
    worker(lambda: torch_reads(SETS))
    torch_reads(SETS)
    before, theirs = RawState(), worker(RawState)
    installation = settings.install()
    assert torch_reads(SETS) == {dict}
    assert worker(lambda: torch_reads(SETS)) == {dict}
    assert worker(lambda: config().get_config_copy()[SETS]) == {dict}
    assert worker(lambda: dynconf.snapshot().values[SETS]) == {dict}
    with dynconf_warnings_ignored():
        patched = dynconf.patch({SETS: bind().slot(SETS).default()})
    with patched:
        assert torch_reads(SETS) == bind().slot(SETS).default()
        assert dynconf.origin(SETS).kind == "patch"
    assert torch_reads(SETS) == {dict}
    torch_reads(SETS).add(int)
    installation.uninstall()
    assert settings.model_dump()[SETS] == {dict}
    assert torch_reads(SETS) == bind().slot(SETS).default()
    # torch 2.6 to 2.11 copies the other defaults into their overrides where a dict is asked for.
    assert SETS not in RawState().differing(before)
    assert SETS not in worker(RawState).differing(theirs)


def test_hashes_are_computed_while_others_install():
    """A thread that computes hashes and dicts all the time never fails and never keeps a stale answer."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    stop, errors = threading.Event(), []

    def compute():
        try:
            while not stop.is_set():
                config().get_hash()
                saved()
            assert config().get_config_copy()[LIMIT] == 77
            assert config().get_hash() == wanted[0]
        except BaseException as error:  # noqa: BLE001  told by the main thread
            errors.append(error)

    wanted = []
    threads = [threading.Thread(target=compute) for _ in range(3)]
    for thread in threads:
        thread.start()
    for limit in range(1, 150):
        dynconf.install(recompile_limit=limit, specialize_int=bool(limit % 2)).uninstall()
    last = dynconf.install(recompile_limit=77, specialize_int=True)
    wanted.append(result_in_thread(lambda: config().get_hash()))
    stop.set()
    for thread in threads:
        thread.join()
    sys.setswitchinterval(usual)
    last.uninstall()
    # Before 2.13 torch itself keeps one hash for all threads, and may keep one that was computed meanwhile.
    assert not errors or vars(config()).get("_hash_dirty_var") is None


def test_installing_from_many_threads_at_once():
    """Each is in force or uninstalled as a whole; when all are gone nothing is left."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    errors = []

    def work(seed):
        try:
            for count in range(20):
                one = dynconf.install(recompile_limit=100 + seed, verify_correctness=bool(count % 2))
                two = dynconf.install(recompile_limit=200 + seed)
                assert torch_reads(LIMIT) >= 100
                one.uninstall()
                two.uninstall()
        except BaseException as error:  # noqa: BLE001  told by the main thread
            errors.append(error)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    sys.setswitchinterval(usual)
    assert not errors
    assert torch_reads(LIMIT) == default()


def scopes():
    """Return the scopes that the release can do."""
    return ["process", "context"] if PER_CONTEXT else ["process"]


@pytest.mark.parametrize("scope", scopes())
@given(data=st.data())
def test_installations_stack_and_go_in_any_order(scope, data):
    """A later one holds until it is uninstalled itself."""
    all_ = [dynconf.DynamoSettings(recompile_limit=10 + index).install(scope) for index in range(4)]
    left = list(all_)
    assert torch_reads(LIMIT) == 13
    for one in data.draw(st.permutations(all_)):
        one.uninstall()
        one.uninstall()
        left.remove(one)
        values_ = [each.values[LIMIT] for each in left]
        assert torch_reads(LIMIT) == (values_[-1] if values_ else default())
    assert not in_force()


@pytest.mark.parametrize("scope", scopes())
@given(data=st.data())
def test_patches_go_on_top_in_any_order(scope, data):
    """Installed inside a patch or around it, uninstalled inside or after: the patch always wins."""
    bind().chain.put(None)  # an example that failed may have left some
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
            installations.pop(data.draw(st.integers(0, len(installations) - 1))).uninstall()
        in_force = [each.values[LIMIT] for each in (*installations, *patches)]
        assert torch_reads(LIMIT) == (in_force[-1] if in_force else default())
    for one in data.draw(st.permutations([*patches, *installations])):
        one.__exit__(None, None, None)
    assert RawState() == before


def test_what_this_thread_had_assigned_is_hidden_and_comes_back():
    """An installation counts where an assignment stood, and uninstalling brings the very object back."""
    setattr(config(), LIMIT, 5)
    setattr(config(), SETS, {dict})
    before = RawState()
    with dynconf_warnings_ignored():
        one = dynconf.install(**{"recompile_limit": 6, SETS: {int}})
    two = dynconf.install(recompile_limit=7)
    assert (torch_reads(LIMIT), torch_reads(SETS)) == (7, {int})
    one.uninstall()
    assert (torch_reads(LIMIT), torch_reads(SETS)) == (7, {dict})
    two.uninstall()
    assert RawState() == before
    dynconf.reset()


def test_only_what_is_set_explicitly_is_written():
    """Defaults of the settings stay unset in the module."""
    before = RawState()
    with dynconf.install(verify_correctness=True) as installation:
        assert installation.values == {"verify_correctness": True}
        assert RawState().differing(before) == ["verify_correctness"]
    with dynconf.DynamoSettings().install():
        assert RawState() == before


def test_the_context_scope_is_for_the_context():
    """Other threads and tasks do not see it; before torch 2.12 it is refused."""
    settings = dynconf.DynamoSettings(recompile_limit=3)
    if not PER_CONTEXT:
        with pytest.raises(dynconf.InvalidValueError, match=r"needs torch 2\.12 or newer"):
            settings.install("context")
        return
    with settings.install("context"):
        assert torch_reads(LIMIT) == 3
        assert result_in_thread(lambda: torch_reads(LIMIT)) == default()
        assert contextvars.Context().run(torch_reads, LIMIT) == default()

    async def main():
        async def one(limit):
            with dynconf.DynamoSettings(recompile_limit=limit).install("context"):
                await asyncio.sleep(0)
                assert torch_reads(LIMIT) == limit

        await asyncio.gather(*(one(limit) for limit in range(1, 9)))

    asyncio.run(main())


def test_refused_installs_change_nothing(monkeypatch):
    """A wrong value, a wrong scope or a flag that the live torch lacks: nothing is installed."""
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
        installation = dynconf.install(**{SETS: given_})
    given_.add(int)
    torch_reads(SETS).add(str)
    assert "in force" in repr(installation)
    installation.uninstall()
    assert "uninstalled" in repr(installation)
    with installation as same:
        assert same is installation
        assert torch_reads(SETS) == {dict}
    assert installation.values == {SETS: {dict}}


def test_uninstalling_elsewhere():
    """Another thread may uninstall; what this thread had assigned before stays away then."""
    installation = dynconf.install(recompile_limit=3)
    result_in_thread(installation.uninstall)
    assert torch_reads(LIMIT) == default()
    bind().chain.put(None)


# -- reset ------------------------------------------------------------------------------------------------


def test_reset_of_one_and_of_all():
    """The flags are unset again, mutable and deleted ones too; the others stay as they are."""
    clean = RawState()
    config().verify_correctness = True
    setattr(config(), LIMIT, 3)
    setattr(config(), SETS, {dict})
    delattr(config(), "specialize_int")
    dynconf.reset("cache_size_limit", "specialize_int")
    assert torch_reads(LIMIT) == default()
    assert config().specialize_int is False
    assert config().verify_correctness is True
    with pytest.raises(dynconf.UnknownFlagError):
        dynconf.reset("verify_correctness", "no_such_flag")
    assert config().verify_correctness is True
    dynconf.reset()
    if "_default" in vars(config()):  # where values are all there is, a default is a copy
        assert torch_reads(SETS) == bind().slot(SETS).default()
        assert config().verify_correctness is False
    else:
        assert RawState() == clean


def test_reset_inside_patches_and_installations():
    """It ends what is installed, and leaving a patch brings nothing back."""
    setattr(config(), LIMIT, 3)
    installation = dynconf.install(recompile_limit=4, verify_correctness=True)
    with dynconf.patch(recompile_limit=5):
        dynconf.reset("recompile_limit")
        assert torch_reads(LIMIT) == default()
        assert result_in_thread(lambda: torch_reads(LIMIT)) == default()
        assert config().verify_correctness is True
        with dynconf.patch(recompile_limit=6):
            assert torch_reads(LIMIT) == 6
        assert torch_reads(LIMIT) == default()
    assert torch_reads(LIMIT) == default()
    installation.uninstall()
    assert torch_reads(LIMIT) == default()
    assert config().verify_correctness is False


def test_reset_all_while_installed():
    """Uninstalling afterwards does nothing, and installing again works."""
    installation = dynconf.install(recompile_limit=4)
    dynconf.reset()
    assert torch_reads(LIMIT) == default()
    installation.uninstall()
    with dynconf.install(recompile_limit=5):
        assert torch_reads(LIMIT) == 5
        assert result_in_thread(lambda: torch_reads(LIMIT)) == 5
