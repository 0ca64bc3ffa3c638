"""Run all benchmarks: ``make bench``, or ``python benchmarks patch files`` for some of them.

It prints one table, with the machine and the date, writes it to ``benchmarks/figures.json``, and draws
``docs/images/speed.svg``. The exit code is 1 if a bound is missed. With some of the benchmarks alone it only
prints. ``--check`` measures nothing: it compares the figures in documents with the file.
"""

import json
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence

from documents import FIGURES, PLOT, stale, write
from ratio import HEADER, HERE, Ratio, machine, row

NAMES = (
    "patch",
    "generic",
    "states",
    "settings",
    "files",
    "startup",
    "pytest_plugin",
    "audit",
    "bisection",
    "ranks",
    "lint",
)


def measured(name: str) -> Iterator[Ratio]:
    """Yield the ratios of a benchmark, as its process prints them."""
    command = [sys.executable, HERE / f"{name}.py", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout or ():
            yield Ratio(**json.loads(line))
    if process.returncode not in (0, 1):
        sys.exit(f"{name}.py failed")


GROWING = re.compile(r"(.*?)(one|three|[\d,]+) (flag|file)s? / .*")
"""The name of a ratio that is measured with more and more flags or files."""


def growth(found: Sequence[Ratio]) -> dict[str, list[tuple[int, float]]]:
    """Return the ratios by how many flags or files they are about, where there are several."""
    lines: dict[str, list[tuple[int, float]]] = {}
    for each in found:
        if match := GROWING.fullmatch(each.name):
            work, count, noun = match.groups()
            number = {"one": 1, "three": 3}.get(count) or int(count.replace(",", ""))
            lines.setdefault(f"{work}N {noun}s", []).append((number, each.ratio))
    return {name: sorted(points) for name, points in lines.items() if points[1:]}


def draw(found: Sequence[Ratio]) -> None:
    """Draw each ratio as a part of its bound, and those that grow by what they grow with."""
    import matplotlib as mpl  # pyright: ignore[reportMissingImports]  with the extra "bench"

    mpl.use("svg")
    from matplotlib import pyplot as plt  # pyright: ignore[reportMissingImports]

    mpl.rcParams.update({"svg.hashsalt": "dynconf", "svg.fonttype": "none", "font.family": "sans-serif"})
    height = 0.3 * len(found) + 1
    figure, (axes, below) = plt.subplots(
        2, figsize=(10, height + 4), height_ratios=(height, 4), layout="constrained"
    )
    names = [each.name for each in found]
    parts = [each.ratio / each.bound for each in found]
    axes.barh(names, parts, color=["#c0392b" if each.missed else "#2e7d6b" for each in found])
    for place, each in enumerate(found):
        text = f"{each.ratio:.3g} of at most {each.bound:.3g}"
        axes.text(1.02, place, text, fontsize=8, verticalalignment="center")
    axes.axvline(1, color="#555555", linewidth=1)
    axes.set_xlim(0, 1.4)
    axes.margins(y=0.01)
    axes.set_xlabel("ratio / promised bound")
    axes.invert_yaxis()
    axes.tick_params(axis="y", labelsize=8)
    for name, points in growth(found).items():
        below.plot(*zip(*points, strict=True), marker="o", label=name)
    below.set(xscale="log", yscale="log", xlabel="N", ylabel="ratio")
    below.legend(fontsize=8)
    figure.savefig(PLOT, metadata=dict.fromkeys(("Date", "Creator", "Format", "Type")))


def main() -> int:
    """Measure, print, write and draw; or check."""
    if sys.argv[1:] == ["--check"]:
        for path in stale():
            print(f"{path} does not have the figures that were measured: run `make pictures`")
        return int(any(stale()))
    if sys.argv[1:] == ["--write"]:
        write()
        return 0
    about = machine()
    print(", ".join(f"{name} {value}" for name, value in about.items()))
    print(HEADER)
    found = []
    for name in sys.argv[1:] or NAMES:
        for each in measured(name):
            print(row(each), flush=True)
            found.append(each)
    if not sys.argv[1:]:
        rows = [vars(each) for each in found]
        FIGURES.write_text(json.dumps({"machine": about, "ratios": rows}, indent=1) + "\n", encoding="utf-8")
        draw(found)
        write()
    return int(any(each.missed for each in found))


if __name__ == "__main__":
    sys.exit(main())
