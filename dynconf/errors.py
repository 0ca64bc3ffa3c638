"""Every exception and warning of dynconf, as one tree.

A call that raises has changed nothing. Messages quote files and variables that may come from anybody, so
unprintable characters are escaped: a message stays on one line and cannot control a terminal.
"""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from dynconf.text import as_message, lines_of_program

MAX_LISTED = 100
"""The number of errors that a message lists; a file with more of them is the wrong file."""

_Problem = TypeVar("_Problem", bound=Exception)

Place = tuple[str, int | None]
"""A file, and the line in it if known."""


class DynconfError(Exception):
    """The base of all errors.

    Attributes:
        flag: The flag it is about, if there is one.
        place: The file with the mistake, if it is in a file.
    """

    def __init__(
        self,
        message: str,
        errors: "Sequence[DynconfError]" = (),
        *,
        flag: str | None = None,
        place: Place | None = None,
    ) -> None:
        # The message of several errors has a line for each, so its line breaks must stay; the lines
        # themselves were escaped when each error was made.
        super().__init__(message if errors else as_message(message))
        self._errors = tuple(errors)
        self.flag = flag
        self.place = place

    def __reduce__(self) -> tuple[Any, ...]:
        return _made_again, (type(self), self.args, vars(self))

    @property
    def errors(self) -> "tuple[DynconfError, ...]":
        """The individual errors if there were several; otherwise the error itself."""
        return self._errors or (self,)  # stored as an attribute, (self,) would be a reference cycle

    def _render_traceback_(self) -> list[str]:
        """Return the lines that IPython shows: the message, and the program's own lines that led to it."""
        return [f"{type(self).__name__}: {self}", *lines_of_program(self.__traceback__)]


class UnknownFlagError(DynconfError, AttributeError):
    """No flag of that name exists in the release at hand."""


class InvalidValueError(DynconfError, ValueError):
    """The flag does not accept the value, or the text cannot be read as one."""


class ConflictError(DynconfError, ValueError):
    """Values that torch rejects in combination, or two names of one flag with different values."""


class StateFileError(DynconfError, ValueError):
    """A file that cannot be read as settings or as a saved state, or cannot be written."""


class MissingRankError(DynconfError, TimeoutError):
    """A rank of the group did not take part in time."""


class DynconfWarning(UserWarning):
    """The base of all warnings.

    Attributes:
        flag: The flag it is about, if there is one.
        place: The file it is about, if there is one.
        topic: Warnings of one topic are shown once for each line of a program, even if their messages quote
            different values; None if each message is its own topic.
    """

    def __init__(
        self, message: str, *, flag: str | None = None, place: Place | None = None, topic: str | None = None
    ) -> None:
        super().__init__(as_message(message))
        self.flag = flag
        self.place = place
        self.topic = topic

    def __reduce__(self) -> tuple[Any, ...]:
        return _made_again, (type(self), self.args, vars(self))


class ConflictWarning(DynconfWarning):
    """Values that torch accepts although one defeats the purpose of the other."""


class ForcedFlagWarning(DynconfWarning):
    """The value has no effect: a hold, a variable that torch forces, or a patch in force ranks above it."""


class InertFlagWarning(DynconfWarning):
    """torch keeps the flag for old programs, but it no longer does anything."""


class EnvironmentWarning(DynconfWarning):
    """A variable or a file entry that has no effect in the release at hand."""


class UncataloguedFlagWarning(DynconfWarning):
    """The flag is newer than the catalogue; values are checked only against its live default."""


class UnknownTorchWarning(DynconfWarning):
    """The internals of this torch are unknown: flags are set by plain assignment, with fewer promises."""


class OverruledWarning(DynconfWarning):
    """Code that does not know about it replaced a value from a file, a variable, an option or a call."""


class ContextWarning(DynconfWarning):
    """A patch was left in another thread or task than the one that entered it."""


class LeakWarning(DynconfWarning):
    """A test left the live configuration changed."""


def _made_again(kind: type[_Problem], args: tuple[Any, ...], attributes: Mapping[str, Any]) -> _Problem:
    """Rebuild a copied or pickled error or warning, whose text is already escaped and short."""
    made = kind.__new__(kind)
    made.args = args
    vars(made).update(attributes)
    return made


def describe_error(error: Exception) -> str:
    """Return the message for readers without a traceback: with its class, unless it is a DynconfError."""
    return str(error) if isinstance(error, DynconfError) else f"{type(error).__name__}: {error}"


def combined(errors: Sequence[DynconfError]) -> DynconfError:
    """Return one error for all *errors*: of their class if they share one, else `InvalidValueError`."""
    if len(errors) == 1:
        return errors[0]
    classes = {type(error) for error in errors}
    error_class = classes.pop() if len(classes) == 1 else InvalidValueError
    lines = [str(error) for error in errors[:MAX_LISTED]]
    if errors[MAX_LISTED:]:
        lines.append(f"... and {len(errors) - MAX_LISTED} more mistakes")
    return error_class("\n".join(lines), errors)
