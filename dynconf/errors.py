"""Every exception and warning of dynconf, as one tree.

::

    DynconfError                      whatever dynconf refuses; catch this to catch everything
    ├── UnknownFlagError              also AttributeError: this release has no flag of that name
    ├── InvalidValueError             also ValueError: the flag exists but does not accept the value
    ├── ConflictError                 also ValueError: values that contradict each other
    ├── StateFileError                also ValueError: a file that cannot be read as settings
    └── MissingRankError              also TimeoutError: a rank did not join a collective call
    DynconfWarning                    also UserWarning: accepted, but will not do what you expect
    ├── ConflictWarning               torch accepts the values, but one defeats the other
    ├── ForcedFlagWarning             an environment variable overrides the value
    ├── InertFlagWarning              the flag does nothing in this release
    ├── EnvironmentWarning            a variable or file entry that has no effect
    ├── UncataloguedFlagWarning       the flag is newer than dynconf's catalogue
    └── LeakWarning                   a test left the configuration changed

A refused call changes nothing. Messages quote files and variables, so unprintable characters are escaped: a
message stays on one line and cannot upset a terminal.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from dynconf.escaping import as_message

MOST_LISTED = 100
"""How many mistakes are shown of those made at once; whoever made more has given the wrong file."""

Place = tuple[str, int | None]
"""A file, and the line in it if that is known."""


class DynconfError(Exception):
    """Something that dynconf refuses.

    Attributes:
        flag: The flag it is about, if there is one.
        place: The file with the mistake, and the line in it if that is known.
    """

    def __init__(
        self,
        message: str,
        errors: "Sequence[DynconfError]" = (),
        *,
        flag: str | None = None,
        place: Place | None = None,
    ) -> None:
        # A message about several mistakes has a line for each, and these are escaped already.
        super().__init__(message if errors else as_message(message))
        self._errors = tuple(errors)
        self.flag = flag
        self.place = place

    @property
    def errors(self) -> "tuple[DynconfError, ...]":
        """The individual mistakes if the call made several; otherwise just the error itself."""
        return self._errors or (self,)  # kept as an attribute, it would be a cycle


class UnknownFlagError(DynconfError, AttributeError):
    """No flag of that name exists in the release at hand."""


class InvalidValueError(DynconfError, ValueError):
    """The flag does not accept the value, or the text does not mean one."""


class ConflictError(DynconfError, ValueError):
    """Values that torch rejects together, or two names of one flag with different values."""


class StateFileError(DynconfError, ValueError):
    """A file that cannot be read as settings or as a saved state, or cannot be written."""


class MissingRankError(DynconfError, TimeoutError):
    """A rank of the group did not take part in time."""


class DynconfWarning(UserWarning):
    """Something that is accepted but will not do what you expect.

    Attributes:
        flag: The flag it is about, if there is one.
        place: The file that it is about, and the line in it if that is known.
        topic: What the message is about, whatever values it quotes: Python shows a line's warnings once for
            each topic. None for the message itself.
    """

    def __init__(
        self, message: str, *, flag: str | None = None, place: Place | None = None, topic: str | None = None
    ) -> None:
        super().__init__(as_message(message))
        self.flag = flag
        self.place = place
        self.topic = topic

    _text: str | None = None

    @contextmanager
    def with_text(self, text: str) -> Iterator[None]:
        """Give the warning another text inside the block."""
        self._text = text
        try:
            yield
        finally:
            self._text = None

    def __str__(self) -> str:
        return super().__str__() if self._text is None else self._text


class ConflictWarning(DynconfWarning):
    """Values that torch accepts although one defeats the purpose of the other."""


class ForcedFlagWarning(DynconfWarning):
    """An environment variable that torch ranks above every assignment overrides the value."""


class InertFlagWarning(DynconfWarning):
    """torch keeps the flag for old programs, but it no longer does anything."""


class EnvironmentWarning(DynconfWarning):
    """A variable or a file entry that has no effect in the release at hand."""


class UncataloguedFlagWarning(DynconfWarning):
    """The flag is newer than the catalogue; values are checked only against its live default."""


class LeakWarning(DynconfWarning):
    """A test left the live configuration changed."""


def combined(errors: Sequence[DynconfError]) -> DynconfError:
    """Return one error for all *errors*. Its message has a line for each of the first hundred.

    Errors of one class give an error of that class; a mixture gives an `InvalidValueError`.
    """
    if len(errors) == 1:
        return errors[0]
    classes = {type(error) for error in errors}
    whole = classes.pop() if len(classes) == 1 else InvalidValueError
    lines = [str(error) for error in errors[:MOST_LISTED]]
    if errors[MOST_LISTED:]:
        lines.append(f"... and {len(errors) - MOST_LISTED} more mistakes")
    return whole("\n".join(lines), errors)
