"""Decorating with a patch: in force exactly while the body's own code runs, whatever kind of body it is."""

import contextlib
import functools
import inspect
import sys
import types
import unittest
from collections.abc import Callable, Iterable
from typing import Any, TypeVar, cast
from weakref import WeakKeyDictionary

from dynconf.live.activity import coroutine_of, generator_of, kind_inside, kind_of, wrapper_of_kind
from dynconf.live.change import Change
from dynconf.live.test_case import decorate_test_case, on_derived
from dynconf.live.torch.internals import compiled_call_of

Target = TypeVar("Target")

_on_methods: "WeakKeyDictionary[Callable[..., Any], tuple[Change, Callable[..., Any]]]" = WeakKeyDictionary()
"""Methods that have the patch of a plain class, with the patch and the method below it."""


def decorated(patch: Change, target: Target) -> Target:
    """Return *target* with *patch* in force while its body runs, or raise TypeError."""
    found: Any = target
    if isinstance(found, type):
        if issubclass(found, unittest.TestCase):
            decorate_test_case(patch, found)
        else:
            _decorate_plain_class(patch, found)
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


def _decorate_plain_class(patch: Change, cls: Any) -> None:
    """Put the patch on the ``test*`` methods of a class, and on those of the classes derived from it."""
    if not _is_collected(cls) or not _decorate_methods(patch, cls, dir(cls)):
        raise TypeError(
            f"dynconf.patch cannot decorate the class {cls.__qualname__}: it is neither a unittest.TestCase"
            " nor a class that pytest collects (with test* methods, without __init__, and either named Test*"
            " or with __test__ = True); decorate its methods instead"
        )
    on_derived(cls, lambda derived: _decorate_methods(patch, derived, list(vars(derived))))


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
            setattr(cls, name, _inside(patch, method))
            found = True
    return found


def _inside(patch: Change, method: Any) -> Any:
    """Return the method with the patch, inside those that it has from bases of the class."""
    if isinstance(method, (staticmethod, classmethod)):
        return type(method)(_inside(patch, method.__func__))
    around, below = _on_methods.get(method, (patch, None))
    made = decorated(around, method if below is None else _inside(patch, below))
    _on_methods[made] = around, made.__wrapped__
    return made
