"""The one place where other code's writes to flags pass: the ``__setattr__`` of torch's config modules.

The problem: holds, the record of assignments and an audit all need to know who writes a flag, and torch has
no hook. The idea: its method is replaced once, on its class, by one that lets listeners look first::

    config.x = 5       `_through` makes a `Write` of it; each listener may answer it itself, change its value,
                       or return a context manager, in which torch's own method is then called

Listeners do not see dynconf's own writes: a `Slot` writes to torch's records, or where it does not know
those, marks what it assigns. Without listeners, a write costs one look at a list.
"""

import sys
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, ExitStack, suppress
from functools import partial, wraps
from types import FrameType, ModuleType
from typing import Any

from dynconf.catalogue.modules import MODULES, module_path
from dynconf.live.torch.internals import deprecation_of, stored_flags
from dynconf.live.torch.lock import locked
from dynconf.live.torch.restoring import MECHANICS, setter_of
from dynconf.live.torch.storage import is_own_write


class Write:
    """A flag that is about to be written."""

    __slots__ = ("caller", "is_done", "key", "module", "name", "setter", "value")

    def __init__(self, module: Any, name: str, value: object, caller: FrameType) -> None:
        self.module = module
        self.name = name  # the flag, or an alias of it
        self.value = value  # a listener may replace it
        self.caller = caller  # the frame that assigns, perhaps of torch's own patch
        # The frame beyond functions that only pass the assignment on, and its name for the flag.
        self.setter, self.key = setter_of(caller, name)
        self.is_done = False  # whether a listener has answered it, and nothing is left to do


Listener = Callable[[Write], AbstractContextManager[object] | None]

_listeners: list[Listener] = []

_OURS = "_dynconf_owner"
"""On a method of dynconf's, its class; what somebody wraps around it by `wraps` has it, too."""


def config_classes() -> list[Any]:
    """Return the classes of torch's config modules that exist so far."""
    found: dict[Any, None] = {}
    for each in vars(sys.modules.get(MECHANICS, sys)).values():
        if isinstance(each, type) and issubclass(each, ModuleType) and each is not ModuleType:
            found[each] = None
    for module in map(module_path, MODULES):
        found.update(dict.fromkeys(own_classes(type(sys.modules.get(module, sys)))))
    return [*found]


def own_classes(kind: type) -> list[type]:
    """Return the class of a config module and those of its bases that are torch's."""
    return [each for each in kind.__mro__ if each not in (ModuleType, object)]


@locked
def listen(listener: Listener, *, first: bool = False) -> None:
    """Call *listener* with each write from now on; the *first* one is asked before all others."""
    open_doors(config_classes())  # again after an interruption
    if listener not in _listeners:
        _listeners.insert(0 if first else len(_listeners), listener)


@locked
def open_doors(owners: Iterable[Any]) -> None:
    """Let present and future listeners see what is written to config modules of these classes."""
    for owner in owners:
        if "__setattr__" in vars(owner):
            intercept(owner, "__setattr__", partial(_through, owner))


def intercept(owner: Any, name: str, around: Callable[[Any], Any]) -> None:
    """Give a class the method that *around* makes of its own, once, even if the last call was interrupted."""
    method = getattr(owner, name)
    if getattr(method, _OURS, None) is not owner:
        made = around(method)
        setattr(made, _OURS, owner)
        replace_method(owner, name, made)


def replace_method(owner: Any, name: str, method: object) -> None:
    """Give a class another method, even if its metaclass refuses that; or a module another function."""
    (type.__setattr__ if isinstance(owner, type) else setattr)(owner, name, method)


@locked
def ignore(listener: Listener) -> None:
    """Stop calling *listener*."""
    if listener in _listeners:
        _listeners.remove(listener)


def _through(owner: Any, assign: Callable[..., None]) -> Callable[..., None]:
    @wraps(assign)
    def through(self: Any, name: str, value: object, *more: Any, **named: Any) -> None:
        def go_on(value: object) -> None:
            assign(self, name, value, *more, **named)

        # The classes below it assign again.
        is_heard = _listeners and not is_own_write() and name in stored_flags(self)
        if not is_heard or not _is_first(owner, self):
            go_on(value)
            return
        warn = deprecation_of(self, name)
        if warn is not None:
            with suppress(TypeError):  # a newer torch has other arguments, and warns, but of a line here
                warn()  # torch's warning names the line that called this
        let_through(Write(self, name, value, sys._getframe(1)), go_on)

    return through


def let_through(write: Write, assign: Callable[[Any], object]) -> None:
    """Call *assign* with the value of a write that the listeners let pass."""
    with ExitStack() as around:
        for listener in tuple(_listeners):
            block = listener(write)
            if write.is_done:
                return
            if block is not None:
                around.enter_context(block)
        assign(write.value)


def _is_first(owner: Any, module: ModuleType) -> bool:
    """Tell whether an assignment to the module begins with the method of this class."""
    return next(each for each in type(module).__mro__ if "__setattr__" in vars(each)) is owner
