"""What a patch and reads cost in a module that dynconf does not know, compared with torch's own."""

import functools
from collections.abc import Iterator

from patch import ONE, ROUNDS, built, calls_in
from ratio import Ratio, in_turns, report, seconds
from torch._dynamo import config

import dynconf
from dynconf.live import binding


def read_another() -> None:
    """Read ten times a flag that is not installed."""
    for _ in range(10):
        _ = config.verify_correctness


def ratios() -> Iterator[Ratio]:
    """Measure both as if no config module had a known shape."""
    binding._bindings.clear()
    binding.known_storage = lambda _module, _release: None  # type: ignore[assignment]
    binding._told.append("the benchmarks")
    ours, theirs = built(dynconf.patch, ONE), built(config.patch, ONE)
    mine, other = (functools.partial(seconds, side, calls_in(theirs)) for side in (ours, theirs))
    name = "a patch of one flag, unknown module / torch's"
    yield in_turns(name, mine, other, rounds=ROUNDS, bound=1.1, scale=1e6, unit="us")
    kind = type(config)
    bare = seconds(read_another, 2000)
    with dynconf.install(recompile_limit=64):
        assert type(config) is not kind
        found = seconds(read_another, 2000)
    name = "ten reads of another flag, unknown module installed / bare"
    yield Ratio(name, found * 1e6, bare * 1e6, "us", found / bare, 1.5)


if __name__ == "__main__":
    report(ratios())
