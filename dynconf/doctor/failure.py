"""What to show of an exception: the lines that tell what broke."""

import traceback

LINES = 6
"""How many lines of a message are shown."""

_ADVICE_OF_TORCH = ("Set TORCHDYNAMO_VERBOSE", "You can suppress this exception", "For even more developer")


def useful_lines(error: BaseException, limit: int = LINES) -> list[str]:
    """Return the last lines of what *error* says that tell something, its class first.

    What torch wraps around the cause is left out, and so is its advice on how to see more.
    """
    cause = getattr(error, "inner_exception", None) or error
    lines = [line.rstrip() for line in str(cause).splitlines()]
    told: list[str] = []
    for line in lines:
        if line.startswith(_ADVICE_OF_TORCH):
            break
        if line.strip():
            told.append(line)
    name = type(cause).__name__
    if not told:
        return [name]
    if len(told) <= limit:
        return [f"{name}: {told[0]}", *told[1:]]
    # The first line says what failed, the last ones why: a compiler's complaints stand at the end.
    return [f"{name}: {told[0]}", "...", *told[2 - limit :]]


def in_one_line(error: BaseException) -> str:
    """Return what *error* says, on one line."""
    return " ".join(line.strip() for line in useful_lines(error, 3))


def full_traceback(error: BaseException) -> str:
    """Return the traceback of *error* and of what caused it."""
    return "".join(traceback.format_exception(error))
