"""What to show of an exception: the lines that say what broke."""

import itertools
import traceback

_MAX_LINES = 6
_TORCH_ADVICE = ("Set TORCHDYNAMO_VERBOSE", "You can suppress this exception", "For even more developer")


def key_lines(error: BaseException, limit: int = _MAX_LINES) -> list[str]:
    """Return the most telling lines of what *error* says, at most *limit*, beginning with its class.

    The exception that Dynamo wraps around the original one is left out, and so is torch's advice on how to
    see more.
    """
    cause = getattr(error, "inner_exception", None) or error
    lines = itertools.takewhile(lambda line: not line.startswith(_TORCH_ADVICE), str(cause).splitlines())
    kept = [line.rstrip() for line in lines if line.strip()]
    if len(kept) > limit:
        # The first line says what failed, the last ones why: compilers put their complaints at the end.
        kept = [kept[0], "...", *kept[2 - limit :]]
    name = type(cause).__name__
    return [f"{name}: {kept[0]}", *kept[1:]] if kept else [name]


def in_one_line(error: BaseException) -> str:
    """Return what *error* says, shortened to one line."""
    return " ".join(line.strip() for line in key_lines(error, 3))


def full_traceback(error: BaseException) -> str:
    """Return the traceback of *error* and of the exceptions that caused it."""
    return "".join(traceback.format_exception(error))
