"""The validated resolver in the live torch; DDP modules that were built under another mode."""

import copy
import gc
import sys

import pytest
import torch
from live_state import RawState, bind, config

import dynconf
from dynconf.errors import ConflictWarning, InvalidValueError
from dynconf.live import ddp_modules
from dynconf.live.install import Installation

DDP_MODES = tuple(mode.value for mode in dynconf.DdpMode)
OLD, NEW = "_get_optimize_ddp_mode", "get_optimize_ddp_mode"


def utils():
    """Return the module in which torch 2.7 and newer have their resolver."""
    bind()
    return sys.modules["torch._dynamo.utils"]


def resolvers():
    """Return what stands in both places, or None where nothing does."""
    return vars(config()).get(OLD), vars(utils()).get(NEW)


def torchs_own():
    """Return torch's own resolver, wherever the release has it."""
    return getattr(utils(), NEW, None) or getattr(config(), OLD)


@pytest.fixture(autouse=True)
def _nothing_left():
    """Make sure that each test leaves torch's own resolver in place."""
    before = resolvers()
    yield
    after = resolvers()
    assert after[0] is before[0]
    assert after[1] is before[1]


def test_torch_has_its_resolver_where_it_is_looked_for():
    """Up to 2.6 torch's resolver is in the config module, from 2.7 on in utils; the other place is empty."""
    old, new = resolvers()
    assert (old is None) is (bind().release.minor >= (2, 7))
    assert (new is None) is (bind().release.minor < (2, 7))


def test_install_and_uninstall():
    """It stands in both places, again where it is entered again; an exception on the way out takes it out."""
    before = resolvers()
    installation = dynconf.install_ddp_resolver()
    assert isinstance(installation, Installation)
    assert "resolver, installed" in repr(installation)
    old, new = resolvers()
    assert old is not None
    assert old is not before[0]
    if before[1] is None:
        assert new is None
    else:
        assert new is old
    installation.uninstall()
    installation.uninstall()
    assert "uninstalled" in repr(installation)
    assert (OLD in vars(config())) is (before[0] is not None)
    with installation:
        assert resolvers() != before
    assert resolvers() == before
    with pytest.raises(KeyError), installation:
        raise KeyError
    assert resolvers() == before


@pytest.mark.parametrize("value", [True, False, *DDP_MODES])
def test_it_answers_as_torch_does(value):
    """For every valid value the resolver gives the text that torch's own gives."""
    own = torchs_own()
    config().optimize_ddp = value
    expected = (
        own()
        if "torch.nn" in sys.modules or bind().release.minor < (2, 7)
        else dynconf.resolve_optimize_ddp(value)
    )
    with dynconf.install_ddp_resolver():
        answer = torchs_own()()
    assert type(answer) is str
    assert answer == expected == dynconf.resolve_optimize_ddp(value)


@pytest.mark.parametrize("value", ["ddp_optimiser", 1, None, "", [], "True"])
def test_nonsense_is_caught_wherever_it_was_set(value):
    """A raw assignment of nonsense is told where torch asks, with the value, its origin and the modes."""
    config().optimize_ddp = value
    with dynconf.install_ddp_resolver():
        for ask in filter(None, resolvers()):
            with pytest.raises(InvalidValueError, match="assignment") as caught:
                ask()
            for shown in (repr(value), *DDP_MODES):
                assert shown in str(caught.value)


def test_it_sees_patches_and_installed_values():
    """The resolver answers for the value in force, patched or installed."""
    with dynconf.install_ddp_resolver():
        ask = getattr(config(), OLD)
        assert ask() == "ddp_optimizer"
        with dynconf.install(optimize_ddp=False):
            assert ask() == "no_optimization"
            with dynconf.patch(optimize_ddp=dynconf.DdpMode.ddp_optimizer):
                assert ask() == "ddp_optimizer"
                assert type(config().optimize_ddp) is str
            assert ask() == "no_optimization"
        assert ask() == "ddp_optimizer"


@pytest.mark.parametrize("first", [0, 1])
def test_installing_twice(first):
    """It stays until each installation is uninstalled, in any order."""
    before = resolvers()
    both = [dynconf.install_ddp_resolver(), dynconf.install_ddp_resolver()]
    installed = resolvers()
    both[first].uninstall()
    both[first].uninstall()
    assert resolvers() == installed
    both[1 - first].uninstall()
    assert resolvers() == before


def test_the_flags_are_not_touched():
    """Installing the resolver changes no flag, and the module's flags are the same ones."""
    before, names = RawState(), bind().names()
    with dynconf.install_ddp_resolver():
        assert RawState() == before
        assert bind().names() == names


class Module:
    """What is asked of a DDP module that torch up to 2.6 built."""

    def __init__(self, *, python, forced):
        self._use_python_reducer = python
        self._force_to_disable_cpp_reducer = forced


@pytest.mark.parametrize(
    ("python", "forced", "mode"),
    [
        (True, True, "python_reducer_without_compiled_forward"),
        (True, False, "python_reducer"),
        (False, False, "ddp_optimizer"),
    ],
)
def test_the_mode_that_a_module_tells(python, forced, mode):
    """The reducer of a module tells its mode; for the C++ reducer it is the mode in force that has one."""
    slot = bind().slot("optimize_ddp")
    module = Module(python=python, forced=forced)
    for value in (True, "nonsense", "python_reducer"):
        config().optimize_ddp = value
        assert ddp_modules._mode_of_module(module, slot) == (mode, python)
    config().optimize_ddp = False
    found = "no_optimization" if not python else mode
    assert ddp_modules._mode_of_module(module, slot) == (found, python)


@pytest.fixture
def process_group(tmp_path):
    """Be a process group of one."""
    distributed = pytest.importorskip("torch.distributed")
    distributed.init_process_group("gloo", init_method=f"file://{tmp_path}/store", rank=0, world_size=1)
    yield
    distributed.destroy_process_group()


def built():
    """Return a small DDP module, built under the mode in force."""
    from torch.nn.parallel import DistributedDataParallel

    return DistributedDataParallel(torch.nn.Linear(2, 2))


@pytest.mark.real_torch
@pytest.mark.usefixtures("process_group")
def test_nonsense_is_caught_where_ddp_is_built():
    """With the resolver, the first DDP construction refuses a raw assignment of nonsense with our message."""
    config().optimize_ddp = "ddp_optimiser"
    with (
        dynconf.install_ddp_resolver(),
        pytest.raises(InvalidValueError, match=r"from assignment.*did you mean 'ddp_optimizer'\?"),
    ):
        built()


@pytest.mark.real_torch
def test_nonsense_is_caught_where_a_frame_is_compiled():
    """With the resolver, compiling a frame refuses a raw assignment of nonsense with our message."""
    torch._dynamo.reset()
    config().optimize_ddp = "ddp_optimiser"
    compiled = torch.compile(lambda x: x + 1, backend="eager")
    with dynconf.install_ddp_resolver(), pytest.raises(InvalidValueError, match="did you mean"):
        compiled(torch.ones(2))


@pytest.mark.real_torch
@pytest.mark.usefixtures("process_group")
def test_change_that_leaves_the_reducer():
    """Changing between modes of the C++ reducer while a module exists names both modes."""
    module = built()
    with pytest.warns(ConflictWarning, match=r"'no_optimization'.*'ddp_optimizer'.*recompile") as caught:
        dynconf.patch(optimize_ddp=False)
    assert [each.filename for each in caught] == [__file__]
    dynconf.patch(optimize_ddp="ddp_optimizer")
    del module


@pytest.mark.real_torch
@pytest.mark.usefixtures("process_group")
def test_change_of_the_reducer():
    """Changing to another reducer says that the module has to be built anew, also on installing."""
    with dynconf.patch(optimize_ddp="python_reducer", compiled_autograd=True):
        module = built()
    dynconf.patch(optimize_ddp="python_reducer", compiled_autograd=True)
    with pytest.warns(ConflictWarning, match=r"'ddp_optimizer'.*under 'python_reducer'.*build it again"):
        dynconf.patch(optimize_ddp=True)
    with pytest.warns(ConflictWarning, match=r"'no_optimization'.*under 'python_reducer'") as caught:
        dynconf.install(optimize_ddp=False).uninstall()
    assert [each.filename for each in caught] == [__file__]
    del module


@pytest.mark.real_torch
@pytest.mark.usefixtures("process_group")
def test_the_resolver_remembers_the_mode():
    """A module built while the resolver was installed is known by the very mode it was built under."""
    with dynconf.install_ddp_resolver(), dynconf.patch(optimize_ddp=False):
        module = built()
    dynconf.patch(optimize_ddp=False)
    with pytest.warns(ConflictWarning, match=r"'ddp_optimizer'.*built under 'no_optimization'"):
        dynconf.patch(optimize_ddp=True)
    del module


@pytest.mark.real_torch
@pytest.mark.usefixtures("process_group")
def test_no_module_no_warning():
    """Nothing is said where no module exists any more, nor of flags that are not the mode."""
    built()
    gc.collect()
    dynconf.patch(optimize_ddp=False)
    module = built()
    dynconf.patch(verify_correctness=True, compiled_autograd=True)
    del module


@pytest.mark.real_torch
@pytest.mark.usefixtures("process_group")
def test_all_objects_are_looked_through_at_most_once(monkeypatch, recwarn):
    """For the value in force never; later ones are known as they are built or copied."""
    searches = []
    search = gc.get_objects
    monkeypatch.setattr(ddp_modules.gc, "get_objects", lambda: searches.append(1) or search())
    ddp_modules._find_modules_from_before.cache_clear()
    dynconf.patch(optimize_ddp=True)
    dynconf.install(optimize_ddp="ddp_optimizer").uninstall()
    assert searches == []
    for _ in range(2):
        dynconf.patch(optimize_ddp=False)
    assert not recwarn
    module = copy.deepcopy(built())
    gc.collect()
    dynconf.patch(optimize_ddp=False)
    assert len(recwarn) == 1
    assert searches == [1]
    del module


def test_no_process_group_no_search(monkeypatch):
    """Without a process group no object is looked at."""
    monkeypatch.setattr(ddp_modules.gc, "get_objects", lambda: pytest.fail("all objects were looked through"))
    dynconf.patch(optimize_ddp=False)
