"""Decorating with a patch: in force exactly while the body's own code runs, whatever kind of body it is."""

import contextlib
import functools
import inspect
import sys
import types
import unittest
from collections.abc import Callable
from typing import Any, TypeVar, cast

from dynconf.live.activity import coroutine_of, generator_of, kind_inside, kind_of, wrapper_of_kind
from dynconf.live.change import Change
from dynconf.live.test_case import decorate_plain_class, decorate_test_case
from dynconf.live.torch_internals import compiled_call_of

Target = TypeVar("Target")


def decorated(patch: Change, target: Target) -> Target:
    """Return *target* with *patch* in force while its body runs, or raise TypeError."""
    found: Any = target
    if isinstance(found, type):
        if issubclass(found, unittest.TestCase):
            decorate_test_case(patch, found)
        else:
            decorate_plain_class(patch, found, decorated)
    elif isinstance(found, (staticmethod, classmethod)):
        found = type(found)(wrapped(patch, found.__func__))
    elif not callable(found):
        raise TypeError(
            f"dynconf.patch cannot decorate {target!r}: expected a function, a method or a test class"
        )
    elif _is_module(found):
        _decorate_module(patch, found)
    else:
        found = wrapped(patch, found)
    return cast("Target", found)


def wrapped(patch: Change, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a wrapper of the same kind: coroutine function, generator function, or plain."""
    kind = kind_of(function)
    if kind is not None:
        return wrapper_of_kind(patch, function, kind)
    makes_bodies = kind_inside(function) is not None

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        with patch:
            made = function(*args, **kwargs)
        # Not every wrapper of a coroutine function can be recognized as one before it is called.
        is_body = makes_bodies or type(made) is types.CoroutineType
        return _driven(patch, made) if is_body else made

    return wrapper


def _driven(patch: Change, made: Any) -> Any:
    """Return *made*; if it is a body that has yet to run, the patch will be on while it does."""
    if isinstance(made, types.CoroutineType):
        return _named(_coroutine(patch, made), made)
    if isinstance(made, types.GeneratorType):
        is_awaitable = made.gi_code.co_flags & inspect.CO_ITERABLE_COROUTINE
        return _named((coroutine_of if is_awaitable else generator_of)(patch, made), made)
    if isinstance(made, types.AsyncGeneratorType):
        return _named(wrapper_of_kind(patch, lambda: made, inspect.isasyncgenfunction)(), made)
    if isinstance(made, contextlib._GeneratorContextManagerBase):
        made.gen = _driven(patch, made.gen)
        made.func = wrapped(patch, made.func)  # as a decorator it makes a new generator for each call
    return made


async def _coroutine(patch: Change, body: Any) -> Any:
    return await coroutine_of(patch, body)


def _named(wrapper: Any, body: Any) -> Any:
    wrapper.__name__, wrapper.__qualname__ = body.__name__, body.__qualname__
    return wrapper


def _is_module(target: object) -> bool:
    """Tell whether *target* is a ``torch.nn.Module``, without importing torch for it."""
    torch_nn = sys.modules.get("torch.nn")
    return torch_nn is not None and isinstance(target, torch_nn.Module)


def _decorate_module(patch: Change, module: Any) -> None:
    """Put the patch on the compiled call of a module."""
    attribute = compiled_call_of(module)
    if attribute is None:
        raise TypeError(
            f"dynconf.patch cannot decorate the module {type(module).__qualname__}: it is not compiled;"
            " compile it first, or decorate its forward"
        )
    setattr(module, attribute, wrapped(patch, getattr(module, attribute)))
