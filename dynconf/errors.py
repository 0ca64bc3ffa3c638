"""Every exception and warning of dynconf, as one tree.

::

    DynconfError                      whatever dynconf refuses; catch this to catch everything
    ├── UnknownFlagError              also AttributeError: this release has no flag of that name
    ├── InvalidValueError             also ValueError: the flag exists but does not accept the value
    ├── ConflictError                 also ValueError: values that contradict each other
    └── StateFileError                also ValueError: a file that cannot be read as settings
    DynconfWarning                    also UserWarning: accepted, but will not do what you expect
    ├── ConflictWarning               torch accepts the values, but one defeats the other
    ├── ForcedFlagWarning             an environment variable overrides the value
    ├── InertFlagWarning              the flag does nothing in this release
    ├── EnvironmentWarning            a variable or file entry that has no effect
    └── UncataloguedFlagWarning       the flag is newer than dynconf's catalogue

A refused call changes nothing. What is not printable in a message is escaped, because messages quote files and
variables: each stays on one line and does nothing to a terminal.
"""

from collections.abc import Sequence

from dynconf.escaping import printable


class DynconfError(Exception):
    """Something that dynconf refuses.

    Attributes:
        errors: The individual mistakes if the call made several; otherwise just the error itself.
        flag: The flag it is about, if there is one.
    """

    def __init__(
        self, message: str, errors: "Sequence[DynconfError]" = (), *, flag: str | None = None
    ) -> None:
        # A message that tells of several mistakes has a line for each, which are escaped already.
        super().__init__(message if errors else printable(message))
        self.errors: tuple[DynconfError, ...] = tuple(errors) or (self,)
        self.flag = flag


class UnknownFlagError(DynconfError, AttributeError):
    """No flag of that name exists in the release at hand."""


class InvalidValueError(DynconfError, ValueError):
    """The flag does not accept the value, or the text does not mean one."""


class ConflictError(DynconfError, ValueError):
    """Values that torch rejects together, or two names of one flag with different values."""


class StateFileError(DynconfError, ValueError):
    """A file that cannot be read as settings or as a saved state, or cannot be written."""


class DynconfWarning(UserWarning):
    """Something that is accepted but will not do what you expect.

    Attributes:
        flag: The flag it is about, if there is one.
    """

    def __init__(self, message: str, *, flag: str | None = None) -> None:
        super().__init__(printable(message))
        self.flag = flag


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


def combined(errors: Sequence[DynconfError]) -> DynconfError:
    """Return one error that lists all *errors*, one per line.

    Errors of one class give an error of that class; a mixture gives an `InvalidValueError`.
    """
    if len(errors) == 1:
        return errors[0]
    classes = {type(error) for error in errors}
    whole = classes.pop() if len(classes) == 1 else InvalidValueError
    return whole("\n".join(str(error) for error in errors), errors)
