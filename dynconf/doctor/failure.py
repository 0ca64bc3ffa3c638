"""What to show of an exception: the lines that say what broke."""

import itertools
import traceback

_TORCH_ADVICE = ("Set TORCHDYNAMO_VERBOSE", "You can suppress this exception", "For even more developer")


def key_lines(error: BaseException, limit: int = 6) -> list[str]:
    """Return the most telling lines of what *error* says, at most *limit*, beginning with its class."""
    cause = getattr(error, "inner_exception", None) or error  # what Dynamo wrapped in its own
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
