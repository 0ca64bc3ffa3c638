"""Decorating with a patch: in force exactly while the body's own code runs, whatever kind of body it is."""

import functools
import inspect
import types
import unittest
from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from dynconf.live.patch import Activity, Patch

Target = TypeVar("Target")

_SETUP_METHODS = (
    "setUp",
    "tearDown",
    "asyncSetUp",
    "asyncTearDown",
    "setUpClass",
    "tearDownClass",
    "doCleanups",
)


def decorated(patch: "Patch", target: Target) -> Target:
    """Return *target* with *patch* in force while its body runs.

    Raises:
        TypeError: It cannot be decorated.
    """
    if isinstance(target, type):
        return _class(patch, target)  # type: ignore[return-value]
    if isinstance(target, (staticmethod, classmethod)):
        return type(target)(_function(patch, target.__func__))  # type: ignore[return-value]
    if not callable(target):
        raise TypeError(
            f"dynconf.patch cannot decorate {target!r}: expected a function, a method or a test class"
        )
    if _is_module(target):
        return _compiled_module(patch, target)
    return _function(patch, target)  # type: ignore[return-value]


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
        return await _awaited(patch.activity(), function(*args, **kwargs))

    return coroutine


def _generator_function(patch: "Patch", function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def generator(*args: Any, **kwargs: Any) -> Any:
        return (yield from _driven(patch.activity(), function(*args, **kwargs)))

    return generator


def _async_generator_function(patch: "Patch", function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    async def asynchronous(*args: Any, **kwargs: Any) -> Any:
        activity = patch.activity()
        body = function(*args, **kwargs)
        step = body.__anext__()
        while True:
            try:
                value = await _awaited(activity, step, last=False)
            except StopAsyncIteration:
                activity.end()
                return
            except BaseException:
                activity.end()
                raise
            try:
                sent = yield value
            except GeneratorExit:
                await _awaited(activity, body.aclose())
                raise
            except BaseException as error:  # noqa: BLE001  it is the body's to handle
                step = body.athrow(error)
            else:
                step = body.asend(sent)

    return asynchronous


def _driven(activity: "Activity", body: Any, *, last: bool = True) -> Generator[Any, Any, Any]:
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


def _class(patch: "Patch", cls: type) -> type:
    """Put the patch on the methods of a test class; the class stays the same object."""
    is_test_case = issubclass(cls, unittest.TestCase)
    names = [name for name in dir(cls) if name.startswith("test")]
    methods = {name: inspect.getattr_static(cls, name) for name in names}
    methods = {name: method for name, method in methods.items() if _is_method(method)}
    if is_test_case:
        methods |= {name: found for name in _SETUP_METHODS if (found := _own(cls, name)) is not None}
    elif not methods:
        raise TypeError(
            f"dynconf.patch cannot decorate the class {cls.__qualname__}: it is no unittest.TestCase and has no"
            " test* methods; decorate its methods instead"
        )
    for name, method in methods.items():
        setattr(cls, name, decorated(patch, method))
    return cls


def _own(cls: type, name: str) -> Any:
    """Return the method if the class or a base of its own defines it, not if unittest itself does."""
    for base in cls.__mro__:
        if name in vars(base):
            return None if base.__module__.partition(".")[0] == "unittest" else vars(base)[name]
    return None


def _is_method(member: object) -> bool:
    return inspect.isfunction(member) or isinstance(member, (staticmethod, classmethod))


def _is_module(target: object) -> bool:
    """Tell whether *target* is a module that was compiled, without importing torch for it."""
    return any(
        base.__module__ == "torch.nn.modules.module" and base.__name__ == "Module"
        for base in type(target).__mro__
    )


def _compiled_module(patch: "Patch", module: Any) -> Any:
    """Put the patch on the forward of a module; the module stays the same object."""
    module.forward = _function(patch, module.forward)
    return module
