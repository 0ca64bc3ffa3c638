"""Every exception and warning of dynconf, as one tree.

::

    DynconfError                      what dynconf refuses; catch this to catch all
    ├── UnknownFlagError              also AttributeError: no flag of that name in this release
    ├── InvalidValueError             also ValueError: the flag exists, the value does not suit it
    ├── ConflictError                 also ValueError: values that cannot hold together
    └── StateFileError                also ValueError: a file that cannot be read as settings
    DynconfWarning                    also UserWarning: accepted, but not what it seems
    ├── ConflictWarning               values that torch takes but that do not go together
    ├── ForcedFlagWarning             an environment variable beats the value that was set
    ├── InertFlagWarning              the flag does nothing in this release
    ├── EnvironmentWarning            a variable or file entry that takes no effect
    └── UncataloguedFlagWarning       the flag is newer than dynconf's catalogue

A refused call changes nothing.
"""

from collections.abc import Sequence


class DynconfError(Exception):
    """Something that dynconf refuses.

    Attributes:
        errors: The single mistakes, where one call made several; otherwise only the error itself.
        flag: The flag that it is about, where there is one.
    """

    def __init__(
        self, message: str, errors: "Sequence[DynconfError]" = (), *, flag: str | None = None
    ) -> None:
        super().__init__(message)
        self.errors: tuple[DynconfError, ...] = tuple(errors) or (self,)
        self.flag = flag


class UnknownFlagError(DynconfError, AttributeError):
    """No flag of that name exists in the release at hand."""


class InvalidValueError(DynconfError, ValueError):
    """The value, or its text, does not suit the flag."""


class ConflictError(DynconfError, ValueError):
    """Values that torch cannot hold together, or two names of one flag with different values."""


class StateFileError(DynconfError, ValueError):
    """A file that cannot be read as settings or as a saved state."""


class DynconfWarning(UserWarning):
    """Something that is accepted but does not do what it seems to.

    Attributes:
        flag: The flag that it is about, where there is one.
    """

    def __init__(self, message: str, *, flag: str | None = None) -> None:
        super().__init__(message)
        self.flag = flag


class ConflictWarning(DynconfWarning):
    """Values that torch takes, but one of which undoes or misses what the other is for."""


class ForcedFlagWarning(DynconfWarning):
    """An environment variable that torch puts above every assignment beats the value."""


class InertFlagWarning(DynconfWarning):
    """The flag is kept by torch for old programs and does nothing any more."""


class EnvironmentWarning(DynconfWarning):
    """A variable or a file entry that takes no effect in the release at hand."""


class UncataloguedFlagWarning(DynconfWarning):
    """The flag is newer than the catalogue; it is checked against its live default only."""


def combined(errors: Sequence[DynconfError]) -> DynconfError:
    """Return one error that tells of all *errors*, a line each.

    Errors of one class give that class; mixed ones give `InvalidValueError`, since all of them say
    that the input is wrong.
    """
    if len(errors) == 1:
        return errors[0]
    classes = {type(error) for error in errors}
    whole = classes.pop() if len(classes) == 1 else InvalidValueError
    return whole("\n".join(str(error) for error in errors), errors)


_said: set[tuple[type[DynconfWarning], str]] = set()


def warn_once(warning: DynconfWarning, stacklevel: int = 2) -> None:
    """Issue *warning* unless this process has issued the same one before.

    Args:
        warning: What to say.
        stacklevel: As for `warnings.warn`, counted from the caller.
    """
    import warnings  # noqa: PLC0415  keeps `import dynconf` cheap

    key = (type(warning), str(warning))
    if key not in _said:
        _said.add(key)
        warnings.warn(warning, stacklevel=stacklevel + 1)
