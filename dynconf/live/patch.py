"""`patch`: flags that hold for a while, validated first and restored exactly."""

import sys
from collections.abc import Callable, Mapping
from types import CodeType, TracebackType
from typing import TYPE_CHECKING, Any, TypeVar, overload

from dynconf.errors import (
    ConflictError,
    DynconfError,
    ForcedFlagWarning,
    UnknownFlagError,
    combined,
    warn_once,
)
from dynconf.live import frames
from dynconf.live.binding import Binding, live
from dynconf.live.decorate import decorated
from dynconf.live.origin import implied_by
from dynconf.live.rules import obey
from dynconf.live.slots import Slot
from dynconf.provenance import Kind, Origin
from dynconf.values import Mismatch, invalid, same, shown

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

    from dynconf.model._generated.keywords import FlagValues
    from dynconf.rules import Rule

Decorated = TypeVar(
    "Decorated", bound="Callable[..., Any] | staticmethod[..., Any] | classmethod[Any, ..., Any]"
)

_ABSENT: Any = object()


class Patch:
    """Flags with values, ready to be put in force: a context manager and a decorator.

    It can be entered again, also while it is in force, and shared between threads and tasks. Leaving puts
    back what this entering found, in whatever order several patches are left; a later patch holds until it
    is left itself. Made by `patch`.

    In code that ``torch.compile`` traces, a patch does what torch's own does: it breaks the graph, so that
    the code around it runs as it is written, and what it calls is compiled with the flags in force. With
    ``fullgraph=True`` torch raises ``Unsupported``; put the patch around the compiled callable then.
    """

    __slots__ = ("_binding", "_code", "_line", "_recompiles", "_slots", "_values")

    below_patches = False
    kind: Kind = "patch"

    def __init__(
        self, binding: Binding, slots: tuple[Slot, ...], values: tuple[Any, ...], code: CodeType, line: int
    ) -> None:
        self._binding = binding
        self._slots = slots
        self._values = values
        self._code = code
        self._line = line
        self._recompiles = False

    @property
    def origin(self) -> Origin:
        """The line that made the patch."""
        return Origin(self.kind, file=self._code.co_filename, line=self._line)

    def origin_for(self, flag: str) -> Origin:  # noqa: ARG002  frames ask for one flag
        """Return where the value of the flag came from: the same line for all."""
        return self.origin

    @property
    def values(self) -> dict[str, Any]:
        """The values, by the names that the release at hand uses."""
        return {slot.name: value for slot, value in zip(self._slots, self._values, strict=True)}

    def __repr__(self) -> str:
        return f"dynconf.patch({', '.join(f'{name}={value!r}' for name, value in self.values.items())})"

    def recompile(self) -> "Patch":
        """Return the same patch, with Dynamo's compiled code dropped on entering and on leaving.

        Needed where code that is compiled already shall see the flags: Dynamo reads most flags while it
        compiles, and keeps what it compiled. It drops the compiled code of the whole process.
        """
        patch = Patch(self._binding, self._slots, self._values, self._code, self._line)
        patch._recompiles = True
        return patch

    def __enter__(self) -> "Self":
        if self._recompiles:
            _drop_compiled_code()
        binding = self._binding
        token = object()
        try:
            if binding.per_context:
                frames.enter(binding, self, self._slots, self._values, token)
            else:
                binding.alone(frames.enter, binding, self, self._slots, self._values, token)
            return self
        except BaseException:
            binding.alone(frames.take_off, binding, token)
            raise

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # A context that never entered this patch, such as another thread's, has nothing to restore.
        if self._binding.per_context:
            frames.leave(self._binding, self)
        else:
            self._binding.alone(frames.leave, self._binding, self)
        if self._recompiles:
            _drop_compiled_code()

    def __call__(self, target: Decorated) -> Decorated:
        """Decorate: the flags are in force exactly while the body of *target* runs.

        Takes functions, methods, coroutine functions, generator functions, asynchronous ones, compiled
        callables, ``unittest.TestCase`` classes and classes with ``test*`` methods. Classes and compiled
        modules stay the objects that they are.

        Raises:
            TypeError: *target* is none of these.

        Example:
            >>> @patch(verify_correctness=True)
            ... def train() -> None: ...
        """
        return decorated(self, target)

    def activity(self) -> "Activity":
        """Return a run of a body that can be suspended, with the patch on only while it is not."""
        if self._recompiles:
            _drop_compiled_code()
        values = frames.fresh(self._slots, self._values)
        first = frames.Frame(None, self, object(), 0, self._slots, values, ())
        return Activity(self._binding, first, recompiles=self._recompiles)


class Activity:
    """One run of a decorated body that is suspended and resumed: a coroutine or a generator.

    What the body itself enters goes off and on with it.
    """

    __slots__ = ("_binding", "_recompiles", "_taken", "_token")

    def __init__(self, binding: Binding, first: frames.Frame, *, recompiles: bool) -> None:
        self._binding = binding
        self._token = first.token
        self._taken = [first]
        self._recompiles = recompiles

    def __enter__(self) -> None:
        try:
            self._binding.alone(frames.put_on, self._binding, self._taken)
            return
        except BaseException:
            self._binding.alone(frames.take_off, self._binding, self._token)
            raise

    def __exit__(self, *exception: object) -> None:
        self._taken = self._binding.alone(frames.take_off, self._binding, self._token)

    def end(self) -> None:
        """Say that the body has ended, if only by an interruption while it was taken off."""
        self._binding.alone(frames.take_off, self._binding, self._token)
        if self._recompiles:
            _drop_compiled_code()


@overload
def patch(name: str, value: object, /) -> Patch: ...
@overload
def patch(changes: Mapping[str, object], /) -> Patch: ...
@overload
def patch(**flags: "Unpack[FlagValues]") -> Patch: ...
def patch(name_or_changes: Any = _ABSENT, value: Any = _ABSENT, /, **flags: Any) -> Patch:
    """Return a patch of flags of ``torch._dynamo.config``, as context manager or decorator.

    Everything is validated here; entering cannot fail on a value. The patch is for the running thread or task
    from torch 2.12 on, and for the process before, as torch's own. Code that is compiled already does not see
    it unless Dynamo compiles again: see `Patch.recompile`.

    Args:
        name_or_changes: One flag, given with *value*; or a mapping of flags to values.
        value: The value of that one flag; None is a value.
        **flags: Values, by flag; old names are taken.

    Raises:
        UnknownFlagError: torch has no such flag; the message tells why and what to use.
        InvalidValueError: A value does not suit its flag.
        ConflictError: Two names of one flag have different values, or a rule over several flags forbids it.

    Example:
        >>> with patch(verify_correctness=True, recompile_limit=64):
        ...     pass
    """
    if name_or_changes is _ABSENT:
        changes: Mapping[str, Any] = flags
    elif flags:
        raise TypeError(
            "dynconf.patch takes flags as keywords, or one mapping, or a name and a value; not several"
        )
    elif value is not _ABSENT:
        if not isinstance(name_or_changes, str):
            raise TypeError(f"dynconf.patch: the name of a flag is a str, not {shown(name_or_changes)}")
        changes = {name_or_changes: value}
    elif isinstance(name_or_changes, Mapping):
        changes = name_or_changes
    else:
        raise TypeError(
            "dynconf.patch: expected keywords, a mapping, or a name and a value,"
            f" not {shown(name_or_changes)}"
        )
    caller = sys._getframe(1)  # noqa: SLF001  a traceback would cost more than the whole patch
    return patch_from(changes, caller.f_code, caller.f_lineno)


def patch_from(changes: Mapping[str, Any], code: CodeType, line: int) -> Patch:
    """Return a patch of *changes* that says it was made at that line."""
    binding = live()
    slots, values = validated(binding, changes, stacklevel=4)
    return Patch(binding, slots, values, code, line)


def validated(
    binding: Binding,
    changes: Mapping[str, Any],
    stacklevel: int,
    origins: Mapping[str, Origin] | None = None,
) -> tuple[tuple[Slot, ...], tuple[Any, ...]]:
    """Return the slots and the values that *changes* mean; all mistakes are raised together.

    Args:
        binding: The live module.
        changes: Values, by flag.
        stacklevel: As for `warnings.warn`, counted from here.
        origins: Where the values come from, by the newest names of the flags; None for the caller's line.

    Raises:
        DynconfError: A name or a value is wrong, or values cannot hold together.
    """
    ruled: tuple[Rule, ...] = ()
    chosen: dict[Slot, Any] = {}
    errors: list[DynconfError] = []
    for name, given in changes.items():
        try:
            slot = binding.slots.get(name) or binding.slot(name)
            value = slot.check(given)
        except UnknownFlagError as error:
            errors.append(error)
            continue
        except Mismatch as problem:
            errors.append(invalid(binding.slot(name).flag, given, problem))
            continue
        if slot in chosen and not same(chosen[slot], value):
            errors.append(
                ConflictError(
                    f"{slot.name} is given twice, under two names: {shown(chosen[slot])} and {shown(value)}"
                )
            )
        chosen[slot] = value
        ruled = ruled or slot.rules
    if errors:
        raise combined(errors)
    if ruled:
        obey(binding, chosen, origins, stacklevel + 1)
    for slot, value in chosen.items():
        if slot.notice is not None:
            warn_once(slot.notice, stacklevel)
        if slot.forced is not binding.unset or binding.implications:
            _warn_if_beaten(binding, slot, value, stacklevel + 1)
    return tuple(chosen), tuple(chosen.values())


def _warn_if_beaten(binding: Binding, slot: Slot, value: object, stacklevel: int) -> None:
    """Say so if a variable, or what another flag implies, beats the value."""
    winner, ruler = (
        slot.forced,
        "the variable "
        + ", ".join(
            variable.name for variable in slot.flag.variables_in(binding.minor) if variable.rule == "force"
        ),
    )
    if binding.implied(slot) is not binding.unset:
        winner, ruler = binding.implied(slot), f"the flag {implied_by(binding, slot)}"
    if winner is not binding.unset and not same(winner, value):
        message = f"{slot.name}: {shown(value)} has no effect: {ruler} forces {shown(winner)}"
        warn_once(ForcedFlagWarning(message), stacklevel)


def _drop_compiled_code() -> None:
    import torch._dynamo  # noqa: PLC0415  only a patch that recompiles needs the rest of Dynamo

    torch._dynamo.reset()  # noqa: SLF001  torch's public way to do this
