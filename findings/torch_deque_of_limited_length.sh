#!/usr/bin/env bash
# Guess: a window over the last values, deque(maxlen=3), moves on in a compiled function as everywhere: append() to a full
# one drops the oldest, so a mean over it, a loss scale or a stack of frames is of three.
# Seen: until the function ends, a full deque that was there before holds one more: sums and means are of four, window[0]
# is the one that should be gone, and a stack of frames has a frame too many. After the call append() has kept three;
# appendleft() is lost altogether, and the window stays as it was. A deque that is made in the function is right.
# torch 2.13.0, CPU, backend eager, fullgraph=True. Prints lengths and oldest values in three calls, and the window after
# appendleft(): plain 3 3 3, 2 3 7, [7, 1, 2]; compiled 4 4 4, 1 2 3, [1, 2, 3]; made inside: 3.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0
env/bin/python - <<'EOF'
from collections import deque

import torch


def compiled(function):
    torch._dynamo.reset()
    return torch.compile(function, backend="eager", fullgraph=True)


def plain(function):
    return function


def windows(how):
    window, other = deque([1, 2, 3], maxlen=3), deque([1, 2, 3], maxlen=3)

    def step(x):
        window.append(7)
        return x * len(window), x * window[0]

    def step_left(x):
        other.appendleft(7)
        return x + 1

    run = how(step)
    found = [run(torch.ones(1)) for _ in range(3)]
    assert list(window) == [7, 7, 7]
    how(step_left)(torch.ones(1))
    return [int(length) for length, _ in found], [int(oldest) for _, oldest in found], list(other)


def inside(x):
    window = deque([1, 2, 3], maxlen=3)
    window.append(7)
    return x * len(window)


found = windows(plain), windows(compiled)
print("plain:", *found[0])
print("compiled:", *found[1])
assert found == (([3, 3, 3], [2, 3, 7], [7, 1, 2]), ([4, 4, 4], [1, 2, 3], [1, 2, 3]))
made = int(compiled(inside)(torch.ones(1)))
print("made inside:", made)
assert made == 3
EOF
