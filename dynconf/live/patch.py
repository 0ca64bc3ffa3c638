"""`patch`: setting flags for a while, validated first and restored exactly."""

import sys
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar, overload

from dynconf.catalogue.flags.flag import BARE_MODULE
from dynconf.errors import DynconfError, EnvironmentWarning, InertFlagWarning, combined
from dynconf.live.binding import bind
from dynconf.live.chain import Chain, Frame, chain_for
from dynconf.live.change import Change, Storages, storage_of, warn_of_context, writable
from dynconf.live.torch.compiled import drop_compiled_code
from dynconf.live.torch.slot import CHECK_RULES, COPY, OTHER_MODULE, RECOMPILE, WARN, Slot
from dynconf.live.torch.storage import ConfigStorage
from dynconf.live.validation import (
    broken_in_force,
    collect_values,
    report_broken,
    slots_of,
    warn_of_no_effect,
)
from dynconf.provenance import Caller, Instruction, Origin
from dynconf.state import HasState, Missing, State, changes_of, check_missing, has_state

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

    from dynconf.catalogue.keywords import FlagValues

Decorated = TypeVar(
    "Decorated", bound="Callable[..., Any] | staticmethod[..., Any] | classmethod[Any, ..., Any]"
)


_NO_OTHERS: Mapping[Slot, Any] = MappingProxyType({})

_READ_EARLIER = "compiled_autograd"
"""The flag that is read when `torch.compile` is called, so that compiling again does not help."""


class Patch(Change):
    """Flags with values, ready to be put in force: a context manager and a decorator.

    It can be entered again, even while it is in force, and shared between threads and tasks. Leaving it
    restores the values that were found on entry, in whatever order several patches are left; a later patch
    counts until it is left itself. Made by `patch`.

    In code that ``torch.compile`` traces, a patch does what torch's own does: it breaks the graph, so that
    the code around it runs as written, and the functions that it calls are compiled with the flags in force.
    With ``fullgraph=True`` torch raises ``Unsupported``; put the patch around the compiled callable then.

    Attributes:
        changes: The values by the newest names of their flags; a copy.
    """

    __slots__ = ("_chain", "_checked_with", "_line", "extra_steps")

    def _fill(
        self,
        line: Instruction,
        chain: Chain,
        slot_values: Mapping[Slot, Any],
        extra_steps: int,
        storage: ConfigStorage | Storages,
    ) -> "Self":
        # Why no `__init__`? See `Frame`.
        self.slot_values = slot_values
        self.storage = storage
        self._line = line
        self._chain = chain
        self.extra_steps = extra_steps
        # What decided about other flags when the rules were checked, to check them anew if that changes.
        self._checked_with = _NO_OTHERS
        return self

    @property
    def _caller(self) -> Caller:
        return Caller(*self._line)

    @property
    def origin(self) -> Origin:
        """The line that made the patch."""
        return self._caller.origin("patch")

    def origin_of(self, _slot: Slot, /) -> Origin:
        """Return the origin of the value of a flag: the same line for all."""
        return self.origin

    def __repr__(self) -> str:
        changes = self.changes
        if any("." in name for name in changes):
            return f"dynconf.patch({changes!r})"
        return f"dynconf.patch({', '.join(f'{name}={value!r}' for name, value in changes.items())})"

    def __copy__(self) -> "Self":
        return self

    def __deepcopy__(self, _: object) -> "Self":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        # It is made again where it arrives, for the torch there.
        recompiles = bool(self.extra_steps & RECOMPILE)
        return _made_again, (self.changes, self._caller.file, self._caller.line, recompiles)

    def recompile(self) -> "Patch":
        """Return the same patch, with Dynamo's compiled code dropped on entering and on leaving.

        Use it if code that is already compiled has to see the flags: Dynamo reads most flags while it
        compiles, and keeps the code that it made. It drops the compiled code of the whole process, at a
        moment when no other thread is inside Dynamo. If there is no such moment within two seconds, entering
        or leaving raises `ConflictError`, and the compiled code stays; leaving has then already restored the
        flags.

        Warns of ``compiled_autograd``, which torch reads earlier: when ``torch.compile`` is called.
        """
        for slot in self.slot_values:
            if slot.setting.newest == _READ_EARLIER:
                why = f"{_READ_EARLIER}: what torch.compile has already returned keeps its own value"
                self._caller.warn(InertFlagWarning(f"{why}: call it in the patch", flag=_READ_EARLIER))
        steps = self.extra_steps | RECOMPILE
        made = Patch()._fill(self._line, self._chain, self.slot_values, steps, self.storage)
        made._checked_with = self._checked_with
        return made

    def _checked(self) -> "Self":
        """Check the rules; then warn of values that may have no effect."""
        if self.extra_steps & CHECK_RULES:
            self._check_rules()
        if self.extra_steps & WARN:
            warn_of_no_effect(self.slot_values, self._caller)
        return self

    def _check_rules(self) -> None:
        broken, others = broken_in_force(self.slot_values)
        if broken:
            report_broken(broken, self.slot_values, self._caller, self.origin_of)
        self._checked_with = others

    def _prepare(self) -> Mapping[Slot, Any]:
        """Check the rules anew if other flags changed; drop compiled code; return the values to write."""
        for slot, decided in self._checked_with.items():
            if slot.deciding() is not decided:
                self._check_rules()
                break
        # Copying a value may run foreign code, so it is done before the chain takes its lock.
        values = writable(self.slot_values) if self.extra_steps & COPY else self.slot_values
        if self.extra_steps & RECOMPILE:
            drop_compiled_code()
        return values

    def __enter__(self) -> "Self":
        values = self._prepare() if self.extra_steps else self.slot_values
        frame = Frame()
        try:
            self._chain.enter(self, values, frame)
            return self
        except BaseException:
            self._chain.leave(self, [frame])
            raise

    def __exit__(self, _kind: object, _error: object, _trace: object) -> None:
        left: list[Frame] = []
        try:
            is_here = self._chain.leave(self, left)
        except BaseException:
            self._chain.leave(self, left)
            raise
        if self.extra_steps & RECOMPILE:
            drop_compiled_code()
        if not is_here:
            warn_of_context(self)

    async def __aenter__(self) -> "Self":
        return self.__enter__()

    async def __aexit__(self, *error: object) -> None:
        self.__exit__(*error)

    def __call__(self, target: Decorated) -> Decorated:
        """Decorate: the flags are in force exactly while the body of *target* runs.

        Takes functions, methods, coroutine functions, compiled callables, ``unittest.TestCase`` classes, and
        the classes that pytest collects: those without ``__init__`` that are named ``Test*`` or have
        ``__test__ = True``. Classes and compiled modules stay the objects that they are.

        Raises:
            TypeError: *target* is something else, such as a generator function: the message says what to
                write instead. A function that hides one raises it when it is called.

        Example:
            >>> @patch(verify_correctness=True)
            ... def train() -> None: ...
        """
        from dynconf.live.decorate import decorated

        return decorated(self, target)


@overload
def patch(name: str, value: object, /, *, missing: Missing = "error") -> Patch: ...
@overload
def patch(changes: Mapping[str, object], /, *, missing: Missing = "error") -> Patch: ...
@overload
def patch(changes: HasState, /) -> Patch: ...
@overload
def patch(
    name: None = None, value: None = None, /, *, missing: Missing = "error", **flags: "Unpack[FlagValues]"
) -> Patch: ...
def patch(*arguments: Any, missing: Missing = "error", **flags: Any) -> Patch:
    """Return a patch of flags of torch's config modules, as context manager or decorator.

    Everything is validated here; entering cannot fail on a value. Like torch's own, the patch applies to the
    running thread or task from torch 2.12 on, and to the process on older releases. `torch.compile` only
    wraps a function, which is compiled when it is called, so call it inside the patch. Code that is already
    compiled does not see the patch unless Dynamo compiles it again: see `Patch.recompile`.

    Args:
        *arguments: One flag and its value, which may be None; or a mapping of flags to values; or settings or
            a snapshot, whose set flags are patched.
        missing: How to treat flags that the release lacks: ``"error"``, ``"warn"`` or ``"skip"``.
        **flags: Values by flag, old names included; for the name of another config module, a mapping of its
            flags, or its settings or snapshot. A bare name is dynamo's.

    Raises:
        UnknownFlagError: torch has no such flag; the message says why, and names the flag to use.
        InvalidValueError: A flag does not accept its value.
        ConflictError: Two names of one flag have different values, or a rule over several flags forbids it.

    Example:
        >>> with patch(verify_correctness=True, functorch={"cse": False}):
        ...     pass
    """
    # A plain tuple, for a `Caller` takes longer to make; by position: so does passing arguments by name.
    frame = sys._getframe(1)
    line = frame.f_code, frame.f_globals, frame.f_lasti
    return patch_of_call("dynconf.patch", arguments, flags, line, BARE_MODULE, missing)


def patch_of_call(
    function: str,
    arguments: Sequence[Any],
    flags: Mapping[str, Any],
    line: Instruction,
    module: str = BARE_MODULE,
    missing: Missing = "error",
) -> Patch:
    """Return the patch that a call of *function* makes; bare names are those of *module*."""
    if arguments:
        changes = changes_of(arguments, flags, function)
        if has_state(changes):
            if missing != "error":
                raise TypeError(f"{function}: missing does not apply to settings or a snapshot")
            made: Patch = changes.patch()
            return made
        flags = changes
    binding = bind(module)
    values: dict[Slot, Any] = {}
    errors: list[DynconfError] = []
    absent = errors if missing == "error" else list[DynconfError]()
    steps = collect_values(binding, flags, values, errors, absent)
    if errors:
        raise combined(errors)
    if absent is not errors and check_missing(missing, "missing") == "warn":
        for each in absent:
            Caller(*line).warn(EnvironmentWarning(f"{each}; skipped", flag=each.flag))
    storage: ConfigStorage | Storages = binding.storage
    chain = binding.chain
    if steps & OTHER_MODULE:
        storage = storage_of(values)
        chain = chain_for(storage)
    made = Patch()._fill(line, chain, values, steps, storage)
    return made._checked() if steps else made


def patch_state(state: State, caller: Caller) -> Patch:
    """Return a patch of everything in a state, made by the line of *caller*.

    Raises:
        UnknownFlagError: The live torch lacks a flag.
        ConflictError: A rule over several flags forbids the values.
    """
    values = {slot: each.value for slot, each in slots_of(state).items()}
    steps = COPY  # for limits that may only be raised
    for slot in values:
        steps |= slot.extra_steps
    storage = storage_of(values)
    return Patch()._fill(caller, chain_for(storage), values, steps, storage)._checked()


def _made_again(values: Mapping[str, Any], file: str, line: int, recompiles: bool) -> Patch:  # noqa: FBT001
    """Return a pickled patch in the process that it was sent to."""
    made = patch_of_call("dynconf.patch", (), values, Caller.at(file, line))
    return made.recompile() if recompiles else made
