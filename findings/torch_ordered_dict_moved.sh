#!/usr/bin/env bash
# Guess: the order of a dict that a compiled function loops over is guarded, so OrderedDict.move_to_end(), by which a
# cache or a list of priorities keeps its order, is seen like any other change.
# Seen: it is not: loops, list(d.values()) and next(iter(d)) go on in the order of the first call, and so does a
# concatenation of tensors. An entry that is popped and put in again is seen, in an OrderedDict and in a dict, and so is
# another object in another order.
# torch 2.13.0, CPU, backend eager. Prints the order of a and b once a is the last: moved, plain ba, compiled ab; popped
# and put in again ba; another object ba.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0
env/bin/python - <<'EOF'
from collections import OrderedDict

import torch


def order(x, entries):
    return x * 2, "".join(entries)


compiled = torch.compile(order, backend="eager")
x = torch.ones(1)
entries = OrderedDict(a=1, b=2)
assert compiled(x, entries)[1] == "ab"
entries.move_to_end("a")
found = [order(x, entries)[1], compiled(x, entries)[1]]
print("moved: plain, compiled", *found)
assert found == ["ba", "ab"]
torch._dynamo.reset()
entries = OrderedDict(a=1, b=2)
assert compiled(x, entries)[1] == "ab"
entries["a"] = entries.pop("a")
found = compiled(x, entries)[1]
print("popped and put in again:", found)
assert found == "ba"
torch._dynamo.reset()
assert compiled(x, OrderedDict(a=1, b=2))[1] == "ab"
found = compiled(x, OrderedDict(b=2, a=1))[1]
print("another object:", found)
assert found == "ba"
EOF
