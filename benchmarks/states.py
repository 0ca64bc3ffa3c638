"""What saving, fingerprints and differences cost, compared with the least that such work takes."""

import functools
import json
import tempfile
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

from ratio import Ratio, in_turns, report, seconds, unchanged_flags

import dynconf
from dynconf.live.binding import loaded

Work = Callable[[], object]


def read_each_flag() -> None:
    """Read each flag of the modules that are loaded, once."""
    for binding in loaded():
        for name in binding.storage.records:
            getattr(binding.storage.module, name, None)


def cases(folder: Path) -> Iterator[tuple[str, Work, Work, float]]:
    """Yield what is compared: dynconf's side, the other one, and the ratio that must not be exceeded."""
    one, other, written = (folder / name for name in ("one.json", "other.json", "written.json"))
    for path, limit in (one, 64), (other, 65):
        with dynconf.patch(recompile_limit=limit):
            dynconf.save(path)
    data = json.loads(one.read_text(encoding="utf-8"))

    def load() -> None:
        for path in (one, other):
            json.loads(path.read_text(encoding="utf-8"))

    def dump(data: object) -> None:
        with written.open("w", encoding="utf-8") as file:
            json.dump(data, file, indent=2)

    save = functools.partial(dynconf.save, written)
    yield "save() of one flag / json.dump of it", save, functools.partial(dump, data), 8
    for count, bound in (10, 6), (100, 4.5):
        flags = unchanged_flags(count)
        dynconf.save(written, flags)
        data = json.loads(written.read_text(encoding="utf-8"))
        save = functools.partial(dynconf.save, written, flags)
        yield f"save() of {count} flags / json.dump of them", save, functools.partial(dump, data), bound
    yield "load() of one flag / json.loads of it", functools.partial(dynconf.load, one), load, 5
    yield "diff() of two files / json.loads of both", functools.partial(dynconf.diff, one, other), load, 40
    yield "fingerprint() / one read of each flag", dynconf.fingerprint, read_each_flag, 0.8


def ratios() -> Iterator[Ratio]:
    """Measure all of it while one flag is set."""
    warnings.simplefilter("ignore")  # of deprecated flags, which are read here
    with tempfile.TemporaryDirectory() as folder, dynconf.patch(recompile_limit=64):
        for name, ours, theirs, bound in cases(Path(folder)):
            mine, other = (functools.partial(seconds, side, 20) for side in (ours, theirs))
            yield in_turns(name, mine, other, rounds=30, bound=bound, scale=1e6, unit="us")


if __name__ == "__main__":
    report(ratios())
