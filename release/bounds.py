"""Print requirements for the oldest or the newest dependencies that are allowed, but for torch.

``pip install $(python release/bounds.py oldest)``: of ``rich>=13`` the oldest is 13.0, in its last patch
release; the newest is whatever pip finds. What torch needs as well is left out: its own bound counts.
"""

import re
import sys
from importlib.metadata import requires

from clone import ROOT, requirements


def main() -> None:
    """Print them on a line."""
    oldest = sys.argv[1:] == ["oldest"]
    shared = {re.split(r"[ (<>=!~;]", each)[0] for each in requires("torch") or ()}
    for requirement in requirements((ROOT / "pyproject.toml").read_text(encoding="utf-8")):
        name, least = re.split(r">=", requirement.partition(";")[0])
        pinned = ".".join([*least.strip().split("."), "0"][:2])
        if ";" not in requirement and name not in shared:
            print(f"{name}=={pinned}.*" if oldest else name, end=" ")


if __name__ == "__main__":
    main()
