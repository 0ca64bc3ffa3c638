"""A config module that dynconf does not know: used as programs do it, and every thread catches up."""

import copy
import threading
import types
import unittest.mock

import pytest
from live_state import bind, bound_in_place_of_dynamo, config, result_in_thread, snapshot_values

import dynconf
from dynconf.errors import ForcedFlagWarning
from dynconf.live import binding as binding_module
from dynconf.live.torch import door
from dynconf.live.torch.generic import GenericStorage
from dynconf.tools.doctor import verify

pytestmark = pytest.mark.since("2.12")  # there are no further releases before

CONTAINER = "reorderable_logging_functions"


class OfEachThread(threading.local):
    """The values of a module, which each thread has for itself."""

    def __init__(self, values):
        self.__dict__.update(copy.deepcopy(values))


def strange(places):
    """Return a config module that keeps its values as attributes of another object."""
    names = {*vars(places)}

    class Strange(types.ModuleType):
        def __getattr__(self, name):
            return getattr(places, name)

        def __setattr__(self, name, value):
            if name not in names:
                raise AttributeError(name)
            setattr(places, name, value)

        def __delattr__(self, name):
            delattr(places, name)

        def get_config_copy(self):
            return copy.deepcopy(vars(places))

    module = types.ModuleType("torch._dynamo.config_of_another_age")
    module.__class__ = Strange
    return module


@pytest.fixture(params=["process", "thread"])
def unknown(request, monkeypatch):
    """Return the binding to such a module: overrides are the process's or the thread's.

    Where they are the context's, as in torch's own module, ``futures.py`` and `make compat` do the same.
    """
    values = {"verbose": False, "recompile_limit": 8, "repro_tolerance": 1e-3, "brand_new": 1}
    values[CONTAINER] = set()
    if request.param == "process":
        module = strange(types.SimpleNamespace(**values))
    else:
        module = strange(OfEachThread(values))
    monkeypatch.setattr(binding_module, "known_storage", lambda _module, _release: None)
    monkeypatch.setattr(binding_module, "_told", ["told"])
    monkeypatch.setattr(binding_module, "_bindings", {})
    made = bound_in_place_of_dynamo(monkeypatch, module)
    assert type(made.storage) is GenericStorage
    assert made.storage.level == "generic"
    assert made.storage.per_context is (request.param != "process")
    return made


@pytest.fixture
def module(unknown):
    """Return the module itself."""
    return unknown.module


def test_patches_restore_in_any_order(module):
    """Leaving the earlier one first keeps the later one's values."""
    given = getattr(module, CONTAINER)
    one, two = dynconf.patch(verbose=True, recompile_limit=3), dynconf.patch(cache_size_limit=4)
    one.__enter__()
    two.__enter__()
    assert (module.verbose, module.recompile_limit) == (True, 4)
    one.__exit__(None, None, None)
    assert (module.verbose, module.recompile_limit) == (False, 4)
    two.__exit__(None, None, None)
    assert module.recompile_limit == 8
    with dynconf.patch({CONTAINER: {print}}):
        assert getattr(module, CONTAINER) == {print}
    assert getattr(module, CONTAINER) is given


def test_an_assignment_is_an_override_and_a_value_equal_to_the_default_is_none(module):
    """What is set is what differs from the default, and `reset` drops it."""
    module.recompile_limit = 5
    module.verbose = False
    assert dynconf.origin("recompile_limit").kind == "assignment"
    assert dynconf.origin("verbose").kind == "default"
    assert dict(dynconf.snapshot().only_set()) == {"recompile_limit": 5}
    dynconf.reset("recompile_limit")
    assert module.recompile_limit == 8


@pytest.mark.filterwarnings("ignore::dynconf.errors.UncataloguedFlagWarning")
def test_a_new_flag_has_the_type_of_its_default(module):
    """It is patched and shown by name."""
    with dynconf.patch({"brand_new": 2}):
        assert module.brand_new == 2
    assert snapshot_values()[0]["brand_new"] == 1
    with pytest.raises(dynconf.InvalidValueError, match="brand_new"):
        dynconf.patch({"brand_new": "x"})
    with pytest.raises(dynconf.UnknownFlagError, match="no_such_flag"):
        dynconf.patch({"no_such_flag": 1})


def test_an_installation_reaches_threads_that_had_set_the_flag(module):
    """It hides what they had set, an assignment after it counts, and afterwards all have their own again."""
    steps, seen = threading.Barrier(2, timeout=30), []

    def work():
        module.recompile_limit = 5
        for _ in range(3):
            steps.wait()
            steps.wait()
            seen.append((module.recompile_limit, module.get_config_copy()["recompile_limit"]))
        steps.wait()

    thread = threading.Thread(target=work)
    thread.start()
    steps.wait()
    installation = dynconf.install(recompile_limit=64)
    steps.wait()
    steps.wait()
    second = dynconf.install(recompile_limit=65)
    steps.wait()
    steps.wait()
    second.uninstall()
    installation.uninstall()
    steps.wait()
    steps.wait()
    thread.join()
    assert seen == [(64, 64), (65, 65), (5, 5)]
    assert result_in_thread(lambda: module.recompile_limit) in (8, 5)  # 5, where the process has one override


def test_an_assignment_after_an_installation_goes_on_top(module):
    """It counts until a later installation, and survives the end of all of them."""
    with dynconf.install(recompile_limit=64):
        module.recompile_limit = 5
        with dynconf.install(recompile_limit=65):
            assert module.recompile_limit == 65
        assert module.recompile_limit == 5
    assert module.recompile_limit == 5


def test_values_put_back_by_hand_or_by_mock_do_not_outlive_an_installation(module):
    """Whoever found the installed value and assigns it again has set nothing."""
    with dynconf.install(recompile_limit=64):
        found = module.recompile_limit
        module.recompile_limit = 5
        module.recompile_limit = found
        with unittest.mock.patch.object(module, "recompile_limit", 6):
            assert module.recompile_limit == 6
        assert module.recompile_limit == 64
    assert module.recompile_limit == 8


def test_defaults_rank_below_what_is_set_and_holds_above(module):
    """A library's default counts in every thread until something sets the flag; a hold counts in any case."""
    with dynconf.defaults(recompile_limit=64, missing="skip", quiet=True):
        assert result_in_thread(lambda: module.recompile_limit) == module.recompile_limit == 64
        assert dynconf.origin("recompile_limit").kind == "defaults"
        with dynconf.patch(recompile_limit=8):
            assert module.recompile_limit == 8
        assert module.recompile_limit == 64
    assert module.recompile_limit == 8
    with dynconf.hold(recompile_limit=7):
        with pytest.warns(ForcedFlagWarning, match="recompile_limit"):
            module.recompile_limit = 9
        assert result_in_thread(lambda: module.recompile_limit) == module.recompile_limit == 7
    assert module.recompile_limit == 9


def test_installing_for_a_context_does_not_reach_other_threads(unknown, module):
    """It is refused where overrides belong to the process."""
    if not unknown.storage.per_context:
        with pytest.raises(dynconf.InvalidValueError, match="scope"):
            dynconf.install(recompile_limit=5, scope="context")
        return
    with dynconf.install(recompile_limit=5, scope="context"):
        assert (module.recompile_limit, result_in_thread(lambda: module.recompile_limit)) == (5, 8)
    assert module.recompile_limit == 8


def test_patches_of_several_threads_come_to_their_ends(module):
    """Whoever the values belong to."""

    def work():
        with dynconf.patch(recompile_limit=4):
            return module.recompile_limit

    with dynconf.patch(recompile_limit=3):
        assert result_in_thread(work) == 4
        assert module.recompile_limit == 3
    assert module.recompile_limit == 8


@pytest.mark.filterwarnings("ignore::FutureWarning")  # torch's, of flags that are read
def test_finding_out_who_shares_overrides_is_heard_by_nobody(monkeypatch):
    """The probe writes: if that were recorded, the record would bind the module, and probe again."""
    heard = []
    door.listen(lambda write: None)
    monkeypatch.setattr(door, "_listeners", [lambda write: heard.append(write.name)])
    with dynconf.preserve():
        assert GenericStorage(config(), bind().view).per_context in (True, False)
        assert heard == []
        config().recompile_limit = config().recompile_limit
    assert heard == ["recompile_limit"]


@pytest.mark.real_torch
def test_verify_and_report_name_the_level(module, monkeypatch):
    """Whoever maintains dynconf sees which promises hold there."""
    monkeypatch.setattr(verify, "MODULES", ("dynamo",))
    assert binding_module.unknown_storage().startswith("generic: ")
    assert "generic: torch is newer" in verify._config_module()
