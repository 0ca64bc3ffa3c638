#!/usr/bin/env bash
# Guess: a compiled function that is given a float which changes from call to call, a learning rate or a loss, and gives a
# number made of it back beside a tensor, or keeps it on an object, gives the number for this call, since it gives the
# tensor for this call.
# Seen: under inductor the number stays that of the second call, while the tensor is right. Nothing warns, and nothing is
# compiled again. The backends eager and aot_eager are right, and so is inductor where the number comes from an integer,
# or with the flag specialize_float. torch 2.11.0 and 2.14.1 do the same, and 2.15.0 does not.
# torch 2.13.0, CPU, with g++. Prints, for 1.5, 2.5, 3.5 and 4.5, the tensor and the double of the float: inductor tensor
# 1.5 2.5 3.5 4.5, number 3 5 5 5, kept 3 5 5 5; the number by eager 3 5 7 9, by aot_eager 3 5 7 9, with specialize_float
# 3 5 7 9; of the integers 2 to 5: 4 6 8 10.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0
env/bin/python - <<'EOF'
import torch


class Log:
    last = None


log = Log()


def double(x, rate):
    log.last = rate * 2
    return x * rate, rate * 2


def results(numbers, backend, **flags):
    torch._dynamo.reset()
    compiled = torch.compile(double, backend=backend)
    found = []
    with torch._dynamo.config.patch(**flags):
        for number in numbers:
            tensor, doubled = compiled(torch.ones(1), number)
            found.append((tensor.item(), doubled, log.last))
    tensors, doubled, kept = zip(*found)
    assert list(tensors) == list(numbers)
    assert kept == doubled
    print(backend, flags, *doubled)
    return list(doubled)


floats = [1.5, 2.5, 3.5, 4.5]
unchanged = {"specialize_float": torch._dynamo.config.specialize_float}
assert results(floats, "inductor", **unchanged) == [3, 5, 5, 5]
assert results(floats, "eager", **unchanged) == [3, 5, 7, 9]
assert results(floats, "aot_eager", **unchanged) == [3, 5, 7, 9]
assert results(floats, "inductor", specialize_float=True) == [3, 5, 7, 9]
assert results([2, 3, 4, 5], "inductor", **unchanged) == [4, 6, 8, 10]
EOF
