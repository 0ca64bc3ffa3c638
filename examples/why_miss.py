"""Why was a graph not in the cache? `dynconf.why_miss` names the parts in which two keys differ.

Run: python examples/why_miss.py
For two real runs: TORCH_TRACE=first python train.py; TORCH_TRACE=second python train.py;
dynconf why-miss first second
"""

import tempfile
from pathlib import Path

import dynconf


def main() -> None:
    """Save the states of two runs, and compare them."""
    with tempfile.TemporaryDirectory() as folder:
        first, second = Path(folder, "first.json"), Path(folder, "second.json")
        with dynconf.patch(inductor={"max_fusion_size": 32}):
            dynconf.save(first)
        with dynconf.patch(inductor={"max_fusion_size": 64, "verbose_progress": True}):
            dynconf.save(second)
        for difference in dynconf.why_miss(first, second):
            print(f"{difference.name}: {difference.before} -> {difference.after}: {difference.verdict}")


if __name__ == "__main__":
    main()
