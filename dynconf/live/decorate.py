"""Decorating with a patch: in force exactly while the body runs; a TypeError where that is impossible.

A call of a coroutine function runs nothing of its body, so its wrapper enters the patch inside, around the
whole body. From torch 2.12 on overrides belong to the task that runs it, so nobody else sees them while it is
suspended. A generator shares the context of the code that resumes it, which would see the flags in between::

    @patch(x=1)
    def body():
        yield "one"        # whoever asked for this would go on with x=1: a TypeError, when it is decorated

A function may return such a body without being of its kind, as wrappers like ``torch.no_grad()`` do. That is
known only once it is called, so the error comes then; a coroutine is run with the patch.

The problem with test cases: a decorator cannot put a subclass in the place of one, as torch's does, because
pickling, ``super()`` and the test's name would then find another class. So the class itself is changed. And
one place to enter the patch is not enough: ``setUpClass`` runs once, possibly in another thread or task than
the tests, where from torch 2.12 on its overrides do not count; ``setUp`` alone would leave out the class's
fixtures.

The idea: each patch is entered twice, around the class in ``setUpClass`` and around each test right before
its ``setUp``. The more specific setting wins: a derived class's patch over that of its base, and a value that
``setUpClass``, ``setUp`` or the test sets over that of the class. Example::

    @patch(x=1)
    class Base(TestCase): ...

    @patch(x=2)
    class Derived(Base):
        @classmethod
        def setUpClass(cls): ...      # entered before: x=1, x=2. It may set x to 3 for the whole class.
        def setUp(self): ...          # entered before: both again, with the values in force, here 3
        def test(self): ...           # in force; left after the last cleanup of the test
"""

import contextlib
import functools
import inspect
import sys
import types
import unittest
from collections.abc import Callable, Coroutine, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack
from typing import Any, TypeVar, cast
from weakref import WeakKeyDictionary, WeakSet

from dynconf.live.chain import Frame, chain_for
from dynconf.live.change import Change
from dynconf.live.torch.internals import compiled_call_of, compiled_function

Target = TypeVar("Target")

Around = Callable[[], AbstractContextManager[Any]]
"""Returns the block for a call, such as a patch."""

_GENERATORS = types.GeneratorType, types.AsyncGeneratorType, contextlib._GeneratorContextManagerBase
"""What a decorated function must not return instead of running its body."""

_on_methods: "WeakKeyDictionary[Callable[..., Any], tuple[Change, Callable[..., Any]]]" = WeakKeyDictionary()
"""Methods that have the patch of a plain class, with the patch and the method below it."""

_patches: "WeakKeyDictionary[type, list[Change]]" = WeakKeyDictionary()
"""The patches of each test case class that was decorated, in the order in which they are entered."""

_entered: "WeakSet[type]" = WeakSet()
"""The test case classes whose tests are running."""


def decorated(patch: Change, target: Target) -> Target:
    """Return *target* with *patch* in force while its body runs, or raise TypeError."""
    found: Any = target
    if isinstance(found, type):
        if issubclass(found, unittest.TestCase):
            _decorate_test_case(patch, found)
        else:
            _decorate_plain_class(patch, found)
    elif isinstance(found, (staticmethod, classmethod)):
        found = type(found)(wrapped(lambda: patch, found.__func__))
    elif not callable(found):
        raise TypeError(
            f"dynconf.patch cannot decorate {target!r}: expected a function, a method or a test class"
        )
    elif "torch.nn" in sys.modules and isinstance(found, sys.modules["torch.nn"].Module):
        _decorate_module(patch, found)
    else:
        found = wrapped(lambda: patch, found)
    return cast("Target", found)


def wrapped(around: Around, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that runs the body of *function* in a block; no generator has a body."""
    if is_generator_function(function):
        raise _no_moment(function)

    if is_coroutine_function(function):

        @functools.wraps(function)
        async def coroutine_wrapper(*args: Any, **kwargs: Any) -> Any:
            with around():
                return await function(*args, **kwargs)

        return coroutine_wrapper

    makes_generator = any(map(is_generator_function, _inside(function)))

    def body(*args: Any, **kwargs: Any) -> Any:
        made = function(*args, **kwargs)
        if type(made) is types.CoroutineType:
            return _run_in(around, made)
        if makes_generator and isinstance(made, _GENERATORS):
            raise _no_moment(function)
        return made

    # Python's own wrapper is what torch's patch puts around a function, too. So Dynamo does the same if
    # somebody compiles the result: it leaves the wrapper alone and compiles the body, under the flags. It
    # skips a wrapper in a file of ours, and calls it from a frame with guards on all arguments, which is
    # under the limit from outside.
    block: Any = contextlib.ContextDecorator()
    block._recreate_cm = around
    return functools.wraps(function)(block(body))


async def _run_in(around: Around, body: Coroutine[Any, Any, Any]) -> Any:
    with around():
        return await body


def _no_moment(function: Callable[..., Any]) -> TypeError:
    return TypeError(
        f"dynconf cannot decorate {function!r}: a generator shares its context with the code that resumes it,"
        " which would see the flags, too; write `with dynconf.patch(...):` inside it, around code without a"
        " yield, or around the loop that consumes its values"
    )


def is_coroutine_function(function: Any) -> bool:
    """Tell whether a call of *function*, or of an object with such a ``__call__``, makes a coroutine."""
    return inspect.iscoroutinefunction(_called(function))


def is_generator_function(function: Any) -> bool:
    """Tell whether a call of *function* makes a generator, asynchronous or not."""
    called = _called(function)
    return inspect.isgeneratorfunction(called) or inspect.isasyncgenfunction(called)


def _called(function: Any) -> Any:
    is_function = inspect.isroutine(function) or isinstance(function, (functools.partial, type))
    return function if is_function else type(function).__call__


def _inside(function: Any) -> Iterator[Any]:
    """Yield the functions that *function* wraps, as ``torch.no_grad`` or ``contextmanager``, with itself."""
    seen: list[object] = []
    while not any(function is each for each in seen):
        seen.append(function)
        yield function
        inner = (
            getattr(function, "__wrapped__", None),
            compiled_function(function),
            getattr(function, "__func__", None),
            function.func if isinstance(function, functools.partial) else None,
        )
        function = next(filter(callable, inner), function)


def _decorate_module(patch: Change, module: Any) -> None:
    """Put the patch on the compiled call of a module."""
    attribute = compiled_call_of(module)
    if attribute is None:
        raise TypeError(
            f"dynconf.patch cannot decorate the module {type(module).__qualname__}: it is not compiled;"
            " compile it first, or decorate its forward"
        )
    setattr(module, attribute, wrapped(lambda: patch, getattr(module, attribute)))


def _decorate_plain_class(patch: Change, cls: Any) -> None:
    """Put the patch on the ``test*`` methods of a class, and on those of the classes derived from it."""
    if not _is_collected(cls) or not _decorate_methods(patch, cls, dir(cls)):
        raise TypeError(
            f"dynconf.patch cannot decorate the class {cls.__qualname__}: it is neither a unittest.TestCase"
            " nor a class that pytest collects (with test* methods, without __init__, and either named Test*"
            " or with __test__ = True); decorate its methods instead"
        )
    _on_derived(cls, lambda derived: _decorate_methods(patch, derived, list(vars(derived))))


def _is_collected(cls: type) -> bool:
    """Tell whether pytest takes the class for one of tests, unless it is configured otherwise.

    Why not by the ``test*`` methods alone? Models have a ``test_step``, and a patch on that and on no other
    method would be a surprise. Why not by the option ``python_classes`` of pytest? The class is decorated
    wherever its module is imported, and has to be the same class there; ``__test__`` says it everywhere.
    """
    is_named = cls.__name__.startswith("Test") or getattr(cls, "__test__", False) is True
    return is_named and all(getattr(cls, each) is getattr(object, each) for each in ("__init__", "__new__"))


def _decorate_methods(patch: Change, cls: type, names: Iterable[str]) -> bool:
    found = False
    for name in names:
        method = inspect.getattr_static(cls, name)
        is_method = inspect.isfunction(method) or isinstance(method, (staticmethod, classmethod))
        if is_method and name.startswith("test"):
            setattr(cls, name, _with_patch(patch, method))
            found = True
    return found


def _with_patch(patch: Change, method: Any) -> Any:
    """Return the method with the patch, inside those that it has from bases of the class."""
    if isinstance(method, (staticmethod, classmethod)):
        return type(method)(_with_patch(patch, method.__func__))
    around, below = _on_methods.get(method, (patch, None))
    made = decorated(around, method if below is None else _with_patch(patch, below))
    _on_methods[made] = around, made.__wrapped__
    return made


def _patches_of(cls: type) -> Iterator[Change]:
    """Yield the patches on a class, those of its bases first."""
    for base in reversed(cls.__mro__):
        yield from _patches.get(base, ())


def _below(cls: type, name: str) -> Callable[[Any], Any]:
    """Return a function that binds the method *name* of *cls*, which is about to be replaced.

    Why not simply keep ``getattr(cls, name)``? An inherited method is looked up at each call, in case a base
    class is decorated later.
    """
    own = vars(cls).get(name)
    if own is None:
        return lambda of: getattr(super(cls, of), name)
    bind: Callable[[Any], Any] = getattr(own, "__func__", own).__get__
    return bind


def _decorate_test_case(patch: Change, cls: type[unittest.TestCase]) -> None:
    """Put the patch on a test case class, and on the classes that are derived from it."""
    is_first = cls not in _patches
    _patches.setdefault(cls, []).insert(0, patch)
    if is_first:
        for name in ("run", "debug"):
            setattr(cls, name, _running(cls, name))
        _enter_in_set_up_class(cls)
        _on_derived(cls, _enter_in_set_up_class)


def _running(cls: type, name: str) -> Callable[..., Any]:
    """Return the method that runs a test, with the patches entered right before its ``setUp``.

    Only there is it certain that the test runs in the same context; an asynchronous test has its own.
    """
    from unittest import mock  # which imports asyncio

    below = _below(cls, name)

    @functools.wraps(getattr(cls, name))
    def running(self: Any, *args: Any, **kwargs: Any) -> Any:
        run = below(self)
        if getattr(self.setUp, "func", None) is _set_up:  # put there by a class above this one
            return run(*args, **kwargs)
        with ExitStack() as around, ExitStack() as entered:
            stand_in = functools.partial(_set_up, self, self.setUp, entered)
            around.enter_context(mock.patch.object(self, "setUp", stand_in))
            if sys.version_info < (3, 11):  # there the context of an asynchronous test is made here
                _enter(type(self), around)
            return run(*args, **kwargs)

    return running


def _set_up(case: unittest.TestCase, own: Callable[[], Any], entered: ExitStack) -> Any:
    """Stand in for the ``setUp`` of a test that is running."""
    case.addCleanup(entered.close)  # `debug` does no cleanups if `setUp` fails
    _enter(type(case), entered)
    return own()


def _enter(cls: type, entered: ExitStack) -> None:
    """Enter each patch on a test; one that is on for the whole class keeps its values."""
    for patch in _patches_of(cls):
        chain = chain_for(patch.storage)
        if chain.holds(patch):
            chain.enter(patch, {slot: slot.stored() for slot in patch.slot_values}, Frame())
        else:
            patch.__enter__()
        entered.push(patch)


def _enter_in_set_up_class(cls: Any) -> None:
    """Have ``setUpClass`` enter the patches first, to be left after the last of the class's cleanups."""
    below = _below(cls, "setUpClass")

    @functools.wraps(cls.setUpClass.__func__)
    def set_up_class(klass: Any) -> None:
        if klass not in _entered:
            _entered.add(klass)
            klass.addClassCleanup(_entered.discard, klass)
            for patch in _patches_of(klass):
                klass.addClassCleanup(patch.__exit__, None, None, None)
                patch.__enter__()
        below(klass)()

    cls.setUpClass = classmethod(set_up_class)


def _on_derived(cls: Any, then: Callable[[Any], object]) -> None:
    """Call *then* with each class that will be derived from *cls*."""
    below = _below(cls, "__init_subclass__")

    def derived(subclass: type, /, **kwargs: Any) -> None:
        below(subclass)(**kwargs)
        then(subclass)

    cls.__init_subclass__ = classmethod(derived)
