"""Patches and torch.compile: compiled callables, code that is traced, and code that was compiled before."""

import copy
import inspect
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext

import pytest
import torch
import torch._dynamo.config as config  # noqa: PLR0402  code that is traced names it
from live_state import LIMIT, NESTED, PER_CONTEXT, RawState, bind, default_of, in_force, place

import dynconf
from dynconf.catalogue import names

pytestmark = pytest.mark.real_torch
READ = [
    (LIMIT, 32),
    ("inductor.max_autotune", True),
    *(
        pytest.param((name, True), marks=pytest.mark.since("2.14"))
        for name in (NESTED, "compiler.compile_on_one_rank")
    ),
]
"""Flags that compiled code can read, each with a value that is not its default."""


@pytest.fixture(autouse=True)
def _compiled_code():
    """Begin and end without compiled code, and check that nothing stays in force."""
    torch._dynamo.reset()
    before = RawState().raw[LIMIT]
    yield
    torch._dynamo.reset()
    assert all(now is then for now, then in zip(RawState().raw[LIMIT], before, strict=True))
    assert not in_force()


@pytest.fixture
def backend():
    """Return a backend that notes what is in force when it compiles."""

    def noting(graph, _):
        noting.seen.append(getattr(config, LIMIT))
        return graph

    noting.seen = []
    return noting


def compiled(function, **options):
    """Compile with as little as possible."""
    return torch.compile(function, **{"backend": "eager", **options})


def ones():
    """Return a tensor."""
    return torch.ones(2)


def test_compiled_functions_see_the_patch_while_they_compile(backend):
    """The patch is in force when Dynamo compiles, and off after the call."""
    function = dynconf.patch(recompile_limit=33)(compiled(lambda x: x + 1, backend=backend))
    assert function(ones()).tolist() == [2, 2]
    assert backend.seen == [33]
    assert getattr(config, LIMIT) == 8


@pytest.mark.parametrize("in_place", [False, True])
def test_compiled_modules_stay_what_they_are(backend, in_place):
    """The same object, the same parameters, the patch in force when it compiles; it can be copied."""

    class Model(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.linear = torch.nn.Linear(2, 2)

        def forward(self, x):
            return self.linear(x) + 1

    plain = Model()
    module = plain
    if in_place:
        plain.compile(backend=backend)
    else:
        module = compiled(plain, backend=backend)
    wanted, names = plain.forward(ones()), [name for name, _ in module.named_parameters()]
    decorated = dynconf.patch(recompile_limit=33)(module)
    assert decorated is module
    assert isinstance(decorated, torch.nn.Module)
    assert torch.equal(decorated(ones()), wanted)
    assert backend.seen == [33]
    assert [name for name, _ in decorated.named_parameters()] == names
    assert all(one is two for one, two in zip(decorated.parameters(), plain.parameters(), strict=True))
    assert decorated.state_dict().keys() == module.state_dict().keys()
    copied = copy.deepcopy(decorated)
    with torch.no_grad():
        next(iter(copied.parameters())).add_(1)
    assert not torch.equal(copied(ones()), wanted)


def test_modules_that_are_not_compiled_are_refused():
    """The message says what to do; the module stays as it was."""
    module = torch.nn.Linear(2, 2)
    with pytest.raises(TypeError, match="compile it first, or decorate its forward"):
        dynconf.patch(recompile_limit=33)(module)
    assert "forward" not in vars(module)


# -- in code that is traced -------------------------------------------------------------------------------


def inside(patch):
    """Return a function that builds and enters a patch."""

    def function(x):
        y = x + 1
        with patch(**{LIMIT: 33}, verbose=True):
            z = y * getattr(config, LIMIT)
        return z + 1

    return function


def reused(patch):
    """Return a function that enters a patch that was built before."""
    one = patch(**{LIMIT: 33})

    def function(x):
        y = x + 1
        with one:
            z = y * getattr(config, LIMIT)
        return z + 1

    return function


def calling(patch):
    """Return a function that calls a decorated one."""

    @patch(**{LIMIT: 33})
    def decorated(x):
        return x * getattr(config, LIMIT)

    return lambda x: decorated(x + 1) + 1


def decorating(patch):
    """Return a function that decorates another, and calls it."""

    def function(x):
        @patch(**{LIMIT: 33})
        def decorated(y):
            return y * getattr(config, LIMIT)

        return decorated(x + 1) + 1

    return function


TRACED = pytest.mark.parametrize("make", [inside, reused, calling, decorating])


@TRACED
def test_traced_code_gives_the_same_results(make):
    """A patch in traced code breaks the graph and gives what plain Python gives, call after call."""
    function = make(dynconf.patch)
    wanted = function(ones()).tolist()
    assert wanted == [67, 67]
    fast = compiled(function)
    for _ in range(3):
        assert fast(ones()).tolist() == wanted
        assert getattr(config, LIMIT) == 8
        assert config.verbose is False


@TRACED
def test_traced_code_in_one_graph_is_refused_as_torchs_own(make):
    """With fullgraph torch says Unsupported, as for its own patch, and nothing stays in force."""
    from torch._dynamo.exc import Unsupported

    for patch in (config.patch, dynconf.patch):
        with pytest.raises(Unsupported):
            compiled(make(patch), fullgraph=True)(ones())
    dynconf.reset()


def module_with_a_limit():
    """Return a module with a patch on its forward."""

    class Scaled(torch.nn.Module):
        @dynconf.patch(**{LIMIT: 12})
        def forward(self, x):
            return x * len(x)

    return Scaled()


def function_with_a_limit():
    """Return a function with a patch."""
    return dynconf.patch(**{LIMIT: 12})(lambda x: x * len(x))


@pytest.mark.parametrize("make", [function_with_a_limit, module_with_a_limit])
def test_a_decorated_function_is_compiled_under_its_own_flags(make, backend):
    """It is compiled as often as its limit says, though more often than the one outside says."""
    fast = compiled(make(), backend=backend, dynamic=False)
    for size in range(2, 16):
        fast(torch.ones(size))
    assert backend.seen == [12] * 12


def test_the_graph_breaks_no_more_often_than_with_torchs_own():
    """Dynamo does not trace dynconf itself: the code around the patch is compiled, and nothing else."""
    from torch._dynamo.utils import counters

    breaks = {}
    for label, patch in (("torch", config.patch), ("dynconf", dynconf.patch)):
        counters.clear()
        compiled(calling(patch))(ones())
        breaks[label] = sum(counters["graph_break"].values()), counters["frames"]["total"]
    assert breaks["dynconf"][0] <= breaks["torch"][0]
    assert breaks["dynconf"][1] <= breaks["torch"][1]
    dynconf.reset()


def test_what_is_called_under_a_patch_is_compiled_under_it(backend):
    """A function that compiled code calls inside a patch has it in force when it is compiled itself."""

    def called(x):
        return x * 2

    def function(x):
        with dynconf.patch(recompile_limit=33):
            return called(x + 1)

    assert compiled(function, backend=backend)(ones()).tolist() == [4, 4]
    assert 33 in backend.seen


def test_a_decorated_function_can_be_compiled(backend):
    """The body is compiled with the patch in force; its kind and signature stay."""

    @dynconf.patch(recompile_limit=33)
    def function(x: int) -> int:
        return x + 1

    assert compiled(function, backend=backend)(ones()).tolist() == [2, 2]
    assert backend.seen == [33]
    assert list(inspect.signature(function).parameters) == ["x"]


# -- code that is compiled already ------------------------------------------------------------------------


def test_compiled_code_does_not_see_a_patch_unless_it_recompiles(backend):
    """Dynamo reads flags while it compiles; recompile() drops its code on entering and on leaving."""
    fast = compiled(lambda x: x + 1, backend=backend)
    one = dynconf.patch(recompile_limit=33)
    fast(ones())
    with one:
        fast(ones())
    assert backend.seen == [8]
    with one.recompile():
        fast(ones())
        fast(ones())
    assert backend.seen == [8, 33]
    fast(ones())
    assert backend.seen == [8, 33, 8]
    one.recompile()(fast)(ones())
    assert backend.seen == [8, 33, 8, 33]


# -- flags that compiled code reads -----------------------------------------------------------------------


class Reading:
    """Compiled code that reads a flag, in one graph."""

    def __init__(self, name, value):
        self.name, self.default, self.value = name, default_of(name), value
        self.graphs = []
        holder, attribute = self.holder, self.attribute = place(name)
        self._compiled = compiled(
            lambda x: x * getattr(holder, attribute), backend=self._note, fullgraph=True
        )

    def _note(self, graph, _):
        self.graphs.append(graph)
        return graph

    def __call__(self):
        """Return the value that the code has of the flag, and how often it has been compiled."""
        return self._compiled(ones())[0].item(), len(self.graphs)


@pytest.fixture(params=READ, ids=lambda each: each[0])
def read(request):
    """Return compiled code that has read a flag while nothing was installed."""
    reading = Reading(*request.param)
    assert reading() == (reading.default, 1)
    return reading


def test_compiled_code_has_what_is_installed_while_it_is(read):
    """Each value is compiled in one graph, once, with a guard."""
    with dynconf.install({read.name: read.value}):
        assert [read(), read()] == [(read.value, 2)] * 2
    value, compilations = read()
    assert value == read.default
    with dynconf.install({read.name: read.value}):
        assert read() == (read.value, compilations)
    assert read() == (read.default, compilations)


def test_compiled_code_has_what_is_set_on_top_of_an_installation(read):
    """A patch and an assignment are guarded like what is installed."""
    with dynconf.install({read.name: read.value}):
        module, name = names.split(read.name, "dynamo")
        on_top = dynconf.patch({read.name: read.default}), bind(module).module.patch({name: read.default})
        for patch in on_top:
            with patch:
                assert read()[0] == read.default
            assert read()[0] == read.value
        setattr(read.holder, read.attribute, read.default)
        assert read()[0] == read.default
    dynconf.reset()


def test_compiled_code_has_the_values_of_its_thread(read):
    """An installation for the process reaches the code in each thread, one for the context in one."""
    with ThreadPoolExecutor(1) as pool:
        with dynconf.install({read.name: read.value}):
            assert pool.submit(read).result()[0] == read.value
        with dynconf.install({read.name: read.value}, scope="context") if PER_CONTEXT else nullcontext():
            assert pool.submit(read).result()[0] == read.default


@pytest.mark.since("2.14")
def test_compiled_code_has_the_hash_of_what_is_installed():
    """The marks of stale caches are traced like torch's, in code that finds a fresh one."""
    fast = compiled(lambda x: x + config.get_hash()[0], fullgraph=True)
    bare = config.get_hash()[0]
    assert fast(ones()).tolist() == [1 + bare] * 2
    with dynconf.install({LIMIT: 32}):
        installed = config.get_hash()[0]
        assert fast(ones()).tolist() == [1 + installed] * 2
    assert config.get_hash()[0] == bare
    assert fast(ones()).tolist() == [1 + bare] * 2
