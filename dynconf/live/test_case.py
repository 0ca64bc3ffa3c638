"""Decorating classes of `unittest.TestCase`: the patch is in force in the tests, and in their fixtures.

The problem: a decorator cannot put a subclass in the place of a test case, as torch's does, because pickling,
``super()`` and the test's name would then find another class. So the class itself is changed. And one place
to enter the patch is not enough: ``setUpClass`` runs once, possibly in another thread or task than the tests,
where from torch 2.12 on its overrides do not count; ``setUp`` alone would leave out the class's fixtures.

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

import functools
import sys
import unittest
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any
from weakref import WeakKeyDictionary, WeakSet

from dynconf.live.chain import Frame, chain_for
from dynconf.live.change import Change
from dynconf.live.torch.storage import ABSENT

_patches: "WeakKeyDictionary[type, list[Change]]" = WeakKeyDictionary()
"""The patches of each test case class that was decorated, in the order in which they are entered."""

_entered: "WeakSet[type]" = WeakSet()
"""The test case classes whose tests are running."""


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


def decorate_test_case(patch: Change, cls: type[unittest.TestCase]) -> None:
    """Put the patch on a test case class, and on the classes that are derived from it."""
    is_first = cls not in _patches
    _patches.setdefault(cls, []).insert(0, patch)
    if is_first:
        for name in ("run", "debug"):
            setattr(cls, name, _running(cls, name))
        _enter_in_set_up_class(cls)
        on_derived(cls, _enter_in_set_up_class)


def _running(cls: type, name: str) -> Callable[..., Any]:
    """Return the method that runs a test, with the patches entered right before its ``setUp``.

    Only there is it certain that the test runs in the same context; an asynchronous test has its own.
    """
    below = _below(cls, name)

    @functools.wraps(getattr(cls, name))
    def running(self: Any, *args: Any, **kwargs: Any) -> Any:
        run = below(self)
        before = vars(self).get("setUp", ABSENT)
        if getattr(before, "func", None) is _set_up:  # put there by a class above this one
            return run(*args, **kwargs)
        with ExitStack() as around, ExitStack() as entered:
            self.setUp = functools.partial(_set_up, self, self.setUp, entered)
            try:
                if sys.version_info < (3, 11):  # there the context of an asynchronous test is made here
                    _enter(type(self), around)
                return run(*args, **kwargs)
            finally:
                if before is ABSENT:
                    del self.setUp
                else:
                    self.setUp = before

    return running


def _set_up(case: unittest.TestCase, own: Callable[[], Any], entered: ExitStack) -> Any:
    """Stand in for the ``setUp`` of a test that is running."""
    case.addCleanup(entered.close)  # `debug` does no cleanups if `setUp` fails
    _enter(type(case), entered)
    return own()


def _enter(cls: type, entered: ExitStack) -> None:
    """Enter each patch on a test; one that is on for the whole class keeps its values."""
    for patch in _patches_of(cls):
        chain = chain_for(*dict(patch.storages))
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


def on_derived(cls: Any, then: Callable[[Any], object]) -> None:
    """Call *then* with each class that will be derived from *cls*."""
    below = _below(cls, "__init_subclass__")

    def derived(subclass: type, /, **kwargs: Any) -> None:
        below(subclass)(**kwargs)
        then(subclass)

    cls.__init_subclass__ = classmethod(derived)
