#!/usr/bin/env bash
# Guess: it is all the same to a compiled function whether something that cannot be traced, a print() say, stands in a
# method or in a property: one graph break, and what comes after it is compiled as a second graph.
# Seen: in a property, in what `in` or `if` call, and in functools.cached_property on CPython 3.11 (for its lock), the break
# ends compilation: all that comes after it in the function runs eagerly, in each call. counters["graph_break"] stays empty,
# and explain() counts one graph and no break. getattr() in place of the dot keeps the second graph.
# torch 2.13.0, CPython 3.11, backend eager. Prints, of five operations, those compiled, and the breaks that are told.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0
cat > check.py <<'EOF'
import functools
import warnings

import torch
from torch._dynamo.testing import CompileCounter
from torch._dynamo.utils import counters

warnings.simplefilter("ignore")


class Settings:
    def method(self):
        print(end="")
        return 2.0

    @property
    def by_property(self):
        return self.method()

    @functools.cached_property
    def cached(self):
        return 2.0

    def __contains__(self, name):
        return bool(self.method())

    def __bool__(self):
        return bool(self.method())


def check(name, read, expected):
    # The reading is written into the function itself: a lambda would be one more call, and that can be resumed from.
    source = f"""def function(x):
    y = torch.relu(x) + 1
    z = y * ({read})
    return torch.sin(z) + 1
"""
    space = {"torch": torch, "settings": Settings()}
    exec(source, space)
    torch._dynamo.reset()
    counters.clear()
    counter = CompileCounter()
    torch.compile(space["function"], backend=counter)(torch.ones(3))
    told = sum(counters["graph_break"].values())
    space["settings"] = Settings()
    assert torch._dynamo.explain(space["function"])(torch.ones(3)).graph_break_count == told
    print(f"{name}: {counter.op_count} of 5 compiled, {told} told")
    assert (counter.op_count, told) == expected


check("method", "settings.method()", (5, 1))
check("getattr", "getattr(settings, 'by_property')", (5, 1))
check("property", "settings.by_property", (2, 0))
check("in", "2.0 if 'scale' in settings else 1.0", (2, 0))
check("if", "2.0 if settings else 1.0", (2, 0))
check("cached_property", "settings.cached", (2, 0))
EOF
env/bin/python check.py
