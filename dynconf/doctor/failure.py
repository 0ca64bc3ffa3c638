"""The few lines of an exception that tell people the cause."""

import itertools

_TORCH_ADVICE = ("Set TORCHDYNAMO_VERBOSE", "You can suppress this exception", "For even more developer")
"""How torch's general advice begins, which it appends to most errors; the checks have advice of their own."""


def key_lines(error: BaseException, limit: int = 6) -> list[str]:
    """Return the most telling lines of the message of *error*, at most *limit*; the first names its class."""
    # Dynamo wraps the exception of a backend in its own, whose message is mostly about the wrapping.
    cause = getattr(error, "inner_exception", None) or error
    lines = itertools.takewhile(lambda line: not line.startswith(_TORCH_ADVICE), str(cause).splitlines())
    kept = [line.rstrip() for line in lines if line.strip()]
    if len(kept) > limit:
        # The first line names the failed step, the last ones the reason: compilers complain at the end.
        kept = [kept[0], "...", *kept[2 - limit :]]
    name = type(cause).__name__
    return [f"{name}: {kept[0]}", *kept[1:]] if kept else [name]


def in_one_line(error: BaseException) -> str:
    """Return the key lines of *error* as one line."""
    return " ".join(line.strip() for line in key_lines(error, 3))
