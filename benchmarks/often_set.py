"""What the flags that people set do to compile time, run time and memory: ``python benchmarks/often_set.py``.

It takes some ten minutes. Each model is compiled in a process of its own with empty caches, with torch's
defaults and then with each flag, in several rounds. It writes ``benchmarks/often_set.json``, of which
``python benchmarks --write`` makes the picture and the tables of docs/often-set.md.
"""

import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from typing import Any

from ratio import HERE, machine

from dynconf.catalogue.modules.often_set import OFTEN_SET
from dynconf.catalogue.names import newest_record

MEASURED = HERE / "often_set.json"

ROUNDS = 2

AGAIN = "restart"

MODELS = {
    "training": "a training step of a transformer block",
    AGAIN: "the same in a second process, which finds what the first has left in the caches",
    "inference": "two transformer blocks without gradients",
    "convolutions": "three convolutions, two of them of size 1",
    "lengths": "a transformer block without gradients, for sequences of four lengths",
    "variants": "one function with twelve activations by name, more than are compiled by default",
    "scalars": "a function that scales by `tensor.max().item()`",
    "selection": "a function that goes on with `x[x > 0]`",
    "counting": "a module that counts its calls in an attribute",
    "batches": "as training, with batches that take as much memory as torch itself",
}

CASES: dict[str, dict[str, Any]] = {
    "training": {"inductor.compile_threads": 1, "disable": True},
    AGAIN: {
        "inductor.fx_graph_cache": False,
        "functorch.enable_autograd_cache": False,
        "compiler.force_disable_caches": True,
    },
    "inference": {"inductor.max_autotune": True, "inductor.freezing": True},
    "convolutions": {"inductor.conv_1x1_as_mm": True},
    "lengths": {"automatic_dynamic_shapes": False},
    "variants": {"recompile_limit": 64},
    "scalars": {"capture_scalar_outputs": True},
    "selection": {"capture_dynamic_output_shape_ops": True},
    "counting": {"allow_unspec_int_on_nn_module": True},
    "batches": {"functorch.activation_memory_budget": 0.5, "functorch.donated_buffer": False},
}
"""The value that people give to a flag, by the model of `often_set_models.py` that shows what it does.

A flag that is not here acts on GPUs alone, on several processes, or on failures.
"""

SIDES = {"compile time": 1.1, "run time": 1.1, "memory": 1.02}
"""What is measured, and the ratio to the default below which it is the same: what is left to chance."""


def _measured(model: str, flags: dict[str, Any], cache: str) -> list[float]:
    """Return the figures of a model in a process of its own."""
    environ = {name: text for name, text in os.environ.items() if not name.startswith(("TORCH", "DYNCONF"))}
    done = subprocess.run(
        [sys.executable, HERE / "often_set_models.py", model, json.dumps(flags)],
        env={**environ, "TORCHINDUCTOR_CACHE_DIR": cache}, text=True, check=True, stdout=subprocess.PIPE,
    )  # fmt: skip
    found: list[float] = json.loads(done.stdout.splitlines()[-1])
    return found


def _turn() -> Iterator[tuple[str, str, list[float]]]:
    """Yield models, flags, "" for the defaults, and figures: both sides soon after each other."""
    for model, flags in CASES.items():
        with tempfile.TemporaryDirectory() as shared:
            name = "training" if model == AGAIN else model
            if model == AGAIN:
                _measured(name, {}, shared)
            for flag, value in {"": None, **flags}.items():
                with tempfile.TemporaryDirectory() as empty:
                    cache = shared if model == AGAIN else empty
                    yield model, flag, _measured(name, {flag: value} if flag else {}, cache)


def measure() -> None:
    """Measure all of it, and write the figures after each round."""
    defaults: dict[str, list[list[float]]] = {}
    flags: dict[str, list[list[float]]] = {}
    is_busy = os.getloadavg()[0] > 1
    for _ in range(ROUNDS):
        for model, flag, figures in _turn():
            print(f"{model:24} {flag:40}", *(f"{each:10.4g}" for each in figures), flush=True)
            if flag:
                usual = defaults[model][-1]
                ratios = [round(one / other, 3) for one, other in zip(figures, usual, strict=True)]
                flags.setdefault(flag, []).append(ratios)
            else:
                defaults.setdefault(model, []).append([round(each, 5) for each in figures])
        data = {"machine": machine(), "busy": is_busy, "defaults": defaults, "flags": flags}
        MEASURED.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


def _ratios() -> dict[str, list[float]]:
    """Return the ratios to the default of each flag: that nearest 1, or 1 where rounds disagree."""
    data = json.loads(MEASURED.read_text(encoding="utf-8"))
    return {
        flag: [
            min(each, key=lambda ratio: abs(math.log(ratio)))
            if min(each) > limit or max(each) < 1 / limit
            else 1
            for each, limit in zip(zip(*rounds, strict=True), SIDES.values(), strict=True)
        ]
        for flag, rounds in data["flags"].items()
    }


_SCALE = 24
"""How long a bar is that means twice the default, or half of it."""


def picture() -> str:
    """Return a bar for each difference: to the right for more than the default, to the left for less."""
    ratios, one, y = _ratios(), 230, 46
    rows = ['<text x="8" y="18">less than the default</text><text x="390" y="18">more</text>']
    for flag in filter(ratios.__contains__, OFTEN_SET):
        rows.append(f'<text x="8" y="{y}" class="flag">{flag}</text>')
        differing = [(side, ratio) for side, ratio in zip(SIDES, ratios[flag], strict=True) if ratio != 1]
        for side, ratio in differing:
            y += 17
            length = round(_SCALE * math.log2(ratio))
            colour = {"compile time": "#2e7d6b", "run time": "#b9770e", "memory": "#5867b0"}[side]
            bar = f'x="{min(one, one + length)}" y="{y - 10}" width="{abs(length)}" height="12"'
            place = 'x="238"' if ratio < 1 else 'x="222" text-anchor="end"'
            rows.append(f'<rect {bar} fill="{colour}"/><text {place} y="{y}">{side} {ratio:.3g} x</text>')
        if not differing:
            y += 17
            rows.append(f'<text x="238" y="{y}">no difference</text>')
        y += 25
    style = (
        "text { font: 12px sans-serif; fill: #222 } "
        ".flag { font: 12px monospace; paint-order: stroke; stroke: #fff; stroke-width: 4px }"
    )
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 430 {y}" width="430" height="{y}">',
            f'<style>{style}</style><rect width="430" height="{y}" fill="#fff"/>',
            f'<path d="M{one} 26V{y - 20}" stroke="#777"/>',
            *rows,
            "</svg>\n",
        ]
    )


def table() -> str:
    """Return the flags with what they do, as a table in Markdown, and what the models cost by default."""
    data = json.loads(MEASURED.read_text(encoding="utf-8"))
    about, ratios = data["machine"], _ratios()
    busy = " Other programs ran meanwhile, so these figures are rough." if data["busy"] else ""
    models = {flag: (model, value) for model, flags in CASES.items() for flag, value in flags.items()}
    lines = [
        f"Measured on {about['date']}, without a GPU: {about['processor']}, torch {about['torch']}.{busy}",
        "",
        "| flag | set by | measured on a CPU |",
        "|---|---|---|",
    ]
    for flag, count in OFTEN_SET.items():
        effect = "none measured on a CPU"
        if flag in ratios:
            model, value = models[flag]
            parts = [
                f"{side} {each:.3g} x" for side, each in zip(SIDES, ratios[flag], strict=True) if each != 1
            ]
            effect = f"`{value}`, {model}: {', '.join(parts) or 'the same'}"
        summary = newest_record(flag).summary
        lines.append(f"| {{dynconf:flag}}`{flag}`: {summary} | {count} | {effect} |")
    lines += [
        "",
        "| model, with torch's defaults | what it is | compiles in | runs in | memory |",
        "|---|---|---|---|---|",
    ]
    for model, rounds in data["defaults"].items():
        compiling, running, memory = map(statistics.median, zip(*rounds, strict=True))
        lines.append(
            f"| {model} | {MODELS[model]} | {compiling:.3g} s | {1000 * running:.3g} ms | {memory:.3g} MiB |"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    measure()
