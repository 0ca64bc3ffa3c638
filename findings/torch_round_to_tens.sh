#!/usr/bin/env bash
# Guess: round(n, -1) gives tens in a compiled function, of an argument as of a size, so that lengths can be put into
# buckets.
# Seen: as soon as n changes, the -1 is dropped: round(82, -1) is 82. The first call, when n is still compiled in as it
# is, gives tens, and so does (n + 5) // 10 * 10 always. For floats the digits are heeded.
# torch 2.13.0, CPU, backend eager. Prints: argument 70 82 93, size 10 13 14, by // 70 80 90, float 1.23 2.35 3.46.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0
env/bin/python - <<'EOF'
import torch


def results(function, *calls):
    torch._dynamo.reset()
    function = torch.compile(function, backend="eager")
    found = [function(*call)[1] for call in calls]
    print(*found)
    return found


numbers = [(torch.ones(1), number) for number in (71, 82, 93)]
sizes = [(torch.ones(size),) for size in (12, 13, 14)]
floats = [(torch.ones(1), number) for number in (1.234, 2.349, 3.456)]
assert results(lambda x, n: (x * n, round(n, -1)), *numbers) == [70, 82, 93]
assert results(lambda x: (x * 2, round(x.shape[0], -1)), *sizes) == [10, 13, 14]
assert results(lambda x, n: (x * n, (n + 5) // 10 * 10), *numbers) == [70, 80, 90]
assert results(lambda x, n: (x * n, round(n, 2)), *floats) == [1.23, 2.35, 3.46]
EOF
