"""Decorating test classes: the patch is in force in the tests and in what runs around them.

The more specific setting wins: a derived class's patch over that of its base, and what a test or its
``setUp`` sets over that of its class.
"""

import functools
import inspect
import sys
import unittest
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, WeakSet

from dynconf.live.activity import Activity
from dynconf.live.slot import ABSENT

if TYPE_CHECKING:
    from dynconf.live.patch import Patch

_patches: "WeakKeyDictionary[type, list[Patch]]" = WeakKeyDictionary()
"""The patches of each test case class that was decorated, in the order in which they are entered."""

_entered: "WeakSet[type]" = WeakSet()
"""The test case classes whose tests are running."""

_on_methods: "WeakKeyDictionary[Callable[..., Any], tuple[Patch, Callable[..., Any]]]" = WeakKeyDictionary()
"""Methods that have the patch of a plain class, with the patch and the method below it."""

Decorate = Callable[["Patch", Any], Any]


def _patches_of(cls: type) -> "Iterator[Patch]":
    """Yield the patches on a class, those of its bases first."""
    for base in reversed(cls.__mro__):
        yield from _patches.get(base, ())


# -- unittest.TestCase --------------------------------------------------------------------------------------


def decorate_test_case(patch: "Patch", cls: type[unittest.TestCase]) -> None:
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
    own = vars(cls).get(name)

    @functools.wraps(getattr(cls, name))
    def running(self: Any, *args: Any, **kwargs: Any) -> Any:
        run = getattr(super(cls, self), name) if own is None else own.__get__(self)
        if isinstance(vars(self).get("setUp"), _SetUp):  # by a class above this one
            return run(*args, **kwargs)
        before = vars(self).get("setUp", ABSENT)
        self.setUp = set_up = _SetUp(self, self.setUp)
        try:
            if sys.version_info < (3, 11):  # there the context of an asynchronous test is made here
                with _Around(self):
                    return run(*args, **kwargs)
            return run(*args, **kwargs)
        finally:
            set_up.end()
            if before is ABSENT:
                del self.setUp
            else:
                self.setUp = before

    return running


class _SetUp:
    """Stands in for the ``setUp`` of a test that is running."""

    def __init__(self, case: unittest.TestCase, set_up: Callable[[], Any]) -> None:
        self._case = case
        self._set_up = set_up
        self._activities: list[Activity] = []

    def __call__(self) -> Any:
        self._case.addCleanup(self.end)
        for activity in _activities(type(self._case)):
            self._activities.append(activity)
            activity.__enter__()
        return self._set_up()

    def end(self) -> None:
        """Leave the patches; `debug` does no cleanups if ``setUp`` fails."""
        while self._activities:
            self._activities.pop().end()


class _Around:
    """Keeps the patches of a test in force."""

    def __init__(self, case: unittest.TestCase) -> None:
        self._activities = list(_activities(type(case)))

    def __enter__(self) -> None:
        for activity in self._activities:
            activity.__enter__()

    def __exit__(self, *_: object) -> None:
        for activity in self._activities:
            activity.end()


def _activities(cls: type) -> Iterator[Activity]:
    """Yield an activity for each patch on a test; one that is on for the whole class keeps its values."""
    for patch in _patches_of(cls):
        activity = Activity(patch)
        if any(frame.owner is patch for frame in patch.chain.frames()):
            activity.keep_values()
        yield activity


def _enter_in_set_up_class(cls: Any) -> None:
    """Have ``setUpClass`` enter the patches first, to be left after the last of the class's cleanups."""
    own = vars(cls).get("setUpClass")

    @functools.wraps(cls.setUpClass.__func__)
    def set_up_class(klass: Any) -> None:
        if klass not in _entered:
            _entered.add(klass)
            klass.addClassCleanup(_entered.discard, klass)
            for patch in _patches_of(klass):
                klass.addClassCleanup(patch.__exit__, None, None, None)
                patch.__enter__()
        if own is None:
            super(cls, klass).setUpClass()
        else:
            own.__get__(None, klass)()

    cls.setUpClass = classmethod(set_up_class)


# -- classes of other test runners --------------------------------------------------------------------------


def decorate_plain_class(patch: "Patch", cls: Any, decorate: Decorate) -> None:
    """Put the patch on the ``test*`` methods of a class, and on those of the classes derived from it.

    Raises:
        TypeError: It has none.
    """
    if not _decorate_methods(patch, cls, dir(cls), decorate):
        raise TypeError(
            f"dynconf.patch cannot decorate the class {cls.__qualname__}: it is not a unittest.TestCase"
            " and has no test* methods; decorate its methods instead"
        )
    _on_derived(cls, lambda derived: _decorate_methods(patch, derived, list(vars(derived)), decorate))


def _decorate_methods(patch: "Patch", cls: type, names: Iterable[str], decorate: Decorate) -> bool:
    found = False
    for name in names:
        method = inspect.getattr_static(cls, name)
        is_method = inspect.isfunction(method) or isinstance(method, (staticmethod, classmethod))
        if is_method and name.startswith("test"):
            setattr(cls, name, _inside(patch, cls, method, decorate))
            found = True
    return found


def _inside(patch: "Patch", cls: type, method: Any, decorate: Decorate) -> Any:
    """Return the method with the patch, inside those that it has from bases of the class."""
    if isinstance(method, (staticmethod, classmethod)):
        return type(method)(_inside(patch, cls, method.__func__, decorate))
    around, below = _on_methods.get(method, (None, None))
    if around is None or below is None:
        made = decorate(patch, method)
        _on_methods[made] = patch, method
    else:
        made = decorate(around, _inside(patch, cls, below, decorate))
        _on_methods[made] = around, made.__wrapped__
    return made


def _on_derived(cls: Any, then: Callable[[Any], object]) -> None:
    """Call *then* with each class that will be derived from *cls*."""
    own = vars(cls).get("__init_subclass__")

    def derived(subclass: type, /, **kwargs: Any) -> None:
        if own is None:
            super(cls, subclass).__init_subclass__(**kwargs)
        else:
            own.__func__(subclass, **kwargs)
        then(subclass)

    cls.__init_subclass__ = classmethod(derived)
