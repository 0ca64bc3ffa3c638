"""Decorating with a patch: in force exactly while the body's own code runs, whatever kind of body it is."""

import functools
import inspect
import sys
import types
import unittest
from collections.abc import Callable, Generator, Iterable
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast

from dynconf.live.chain import Frame, copies
from dynconf.live.compiled import compiled_call, drop_compiled_code
from dynconf.live.slot import Slot
from dynconf.origin import Origin

if TYPE_CHECKING:
    from dynconf.live.patch import Patch

Target = TypeVar("Target")


class Activity:
    """One run of a decorated body that is suspended and resumed: a coroutine or a generator.

    It is entered for each step of the body. What the body itself enters goes off and on with it.
    """

    below_patches: ClassVar[bool] = False

    def __init__(self, patch: "Patch") -> None:
        self._patch = patch
        self._chain = patch.chain
        self.parts = patch.parts
        self._taken = [Frame(None, self, copies(patch.chosen), {}, 0)]
        if patch.recompiles:
            drop_compiled_code()

    def origin_of(self, slot: Slot, /) -> Origin:
        """Return where the value of the flag came from."""
        return self._patch.origin_of(slot)

    def __enter__(self) -> None:
        try:
            self._chain.put_on(self._taken)
            return
        except BaseException:
            self._chain.take_off(self)
            raise

    def __exit__(self, *exception: object) -> None:
        self._taken = self._chain.take_off(self)

    def end(self) -> None:
        """Say that the body has ended, even if only by an interruption while it was taken off."""
        self._chain.take_off(self)
        if self._patch.recompiles:
            drop_compiled_code()


_AROUND_TESTS = frozenset(
    {"setUp", "tearDown", "asyncSetUp", "asyncTearDown", "setUpClass", "tearDownClass", "runTest"}
)


def decorated(patch: "Patch", target: Target) -> Target:
    """Return *target* with *patch* in force while its body runs.

    Raises:
        TypeError: It cannot be decorated.
    """
    found: Any = target
    if isinstance(found, type):
        _decorate_class(patch, found)
    elif isinstance(found, (staticmethod, classmethod)):
        found = type(found)(_function(patch, found.__func__))
    elif not callable(found):
        raise TypeError(
            f"dynconf.patch cannot decorate {target!r}: expected a function, a method or a test class"
        )
    elif _is_module(found):
        _decorate_module(patch, found)
    else:
        found = _function(patch, found)
    return cast("Target", found)


def _function(patch: "Patch", function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a wrapper of the same kind: coroutine function, generator function, or plain."""
    body = (
        function
        if inspect.isroutine(function) or isinstance(function, functools.partial)
        else type(function).__call__
    )
    if inspect.iscoroutinefunction(body):
        return _coroutine_function(patch, function)
    if inspect.isasyncgenfunction(body):
        return _async_generator_function(patch, function)
    if inspect.isgeneratorfunction(body):
        return _generator_function(patch, function)

    @functools.wraps(function)
    def plain(*args: Any, **kwargs: Any) -> Any:
        with patch:
            return function(*args, **kwargs)

    return plain


def _coroutine_function(patch: "Patch", function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    async def coroutine(*args: Any, **kwargs: Any) -> Any:
        return await _awaited(Activity(patch), function(*args, **kwargs))

    return coroutine


def _generator_function(patch: "Patch", function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def generator(*args: Any, **kwargs: Any) -> Any:
        return (yield from _driven(Activity(patch), function(*args, **kwargs)))

    return generator


def _async_generator_function(patch: "Patch", function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    async def asynchronous(*args: Any, **kwargs: Any) -> Any:
        activity = Activity(patch)
        body = function(*args, **kwargs)
        step = _begun(body)
        try:
            while True:
                try:
                    value = await _awaited(activity, step, last=False)
                except StopAsyncIteration:
                    return
                try:
                    sent = yield value
                except GeneratorExit:
                    await _awaited(activity, body.aclose(), last=False)
                    raise
                except BaseException as error:  # noqa: BLE001  it is the body's to handle
                    step = body.athrow(error)
                else:
                    step = body.asend(sent)
        finally:
            activity.end()

    return asynchronous


def _begun(body: Any) -> Any:
    """Return the first step of an asynchronous generator that the event loop is not told of.

    The loop closes the generators that it knows in any order; it is to close the wrapper, which closes this.
    """
    hooks = sys.get_asyncgen_hooks()
    sys.set_asyncgen_hooks(None, None)
    try:
        return body.__anext__()
    finally:
        sys.set_asyncgen_hooks(*hooks)


def _driven(activity: Activity, body: Any, *, last: bool = True) -> Generator[Any, Any, Any]:
    """Run a generator or coroutine step by step, each with the patch on; what is sent or thrown goes through.

    Args:
        activity: What turns the patch on and off.
        body: Has ``send``, ``throw`` and ``close``.
        last: Whether the activity ends with *body*.
    """
    step: Callable[[], Any] = functools.partial(body.send, None)
    try:
        while True:
            try:
                with activity:
                    value = step()
            except StopIteration as stop:
                return stop.value
            try:
                sent = yield value
            except GeneratorExit:
                with activity:
                    body.close()
                raise
            except BaseException as error:  # noqa: BLE001  it is the body's to handle
                step = functools.partial(body.throw, error)
            else:
                step = functools.partial(body.send, sent)
    finally:
        if last:
            activity.end()


_awaited = types.coroutine(_driven)


def _decorate_class(patch: "Patch", cls: type) -> None:
    """Put the patch on the tests of a class, and on those of the classes that will be derived from it."""
    found = _decorate_methods(patch, cls, dir(cls))
    if issubclass(cls, unittest.TestCase):
        _decorate_cleanups(patch, cls)
    elif not found:
        raise TypeError(
            f"dynconf.patch cannot decorate the class {cls.__qualname__}: it is not a unittest.TestCase"
            " and has no test* methods; decorate its methods instead"
        )
    _decorate_derived(patch, cls)


def _decorate_derived(patch: "Patch", cls: Any) -> None:
    """Have classes that are derived from *cls* get the patch too."""
    own = vars(cls).get("__init_subclass__")

    def derived(subclass: type, /, **kwargs: Any) -> None:
        if own is None:
            super(cls, subclass).__init_subclass__(**kwargs)
        else:
            own.__func__(subclass, **kwargs)
        _decorate_methods(patch, subclass, list(vars(subclass)))

    cls.__init_subclass__ = classmethod(derived)


def _decorate_cleanups(patch: "Patch", cls: Any) -> None:
    """Have functions that tests register to be run after them get the patch."""
    cls.addCleanup = _adding(patch, cls.addCleanup)
    cls.addClassCleanup = classmethod(_adding(patch, cls.addClassCleanup.__func__))


def _decorate_methods(patch: "Patch", cls: type, names: Iterable[str]) -> bool:
    """Put the patch on those of the methods that are tests or run around tests; tell whether any is."""
    found = False
    for name in names:
        method = inspect.getattr_static(cls, name)
        is_method = inspect.isfunction(method) or isinstance(method, (staticmethod, classmethod))
        if is_method and (name.startswith("test") or _runs_around_tests(cls, name)):
            setattr(cls, name, decorated(patch, method))
            found = True
    return found


def _runs_around_tests(cls: type, name: str) -> bool:
    """Tell whether it is such a method of a test case, and not the empty one that unittest defines."""
    if name not in _AROUND_TESTS or not issubclass(cls, unittest.TestCase):
        return False
    home = next(base for base in cls.__mro__ if name in vars(base))
    return home.__module__.partition(".")[0] != "unittest"


def _adding(patch: "Patch", add: Callable[..., Any]) -> Callable[..., Any]:
    """Return *add*, which takes a function to be run after the tests, with the patch put on that function."""

    @functools.wraps(add)
    def adding(self: Any, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        return add(self, _function(patch, function), *args, **kwargs)

    return adding


def _is_module(target: object) -> bool:
    """Tell whether *target* is a ``torch.nn.Module``, without importing torch for it."""
    return any(
        base.__module__ == "torch.nn.modules.module" and base.__name__ == "Module"
        for base in type(target).__mro__
    )


def _decorate_module(patch: "Patch", module: Any) -> None:
    """Put the patch on the compiled call of a module."""
    attribute = compiled_call(module)
    if attribute is None:
        raise TypeError(
            f"dynconf.patch cannot decorate the module {type(module).__qualname__}: it is not compiled;"
            " compile it first, or decorate its forward"
        )
    setattr(module, attribute, _function(patch, getattr(module, attribute)))
