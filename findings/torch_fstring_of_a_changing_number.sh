#!/usr/bin/env bash
# Guess: f"{number:03d}" is a text in a compiled function, whether the number is always the same or changes from call to
# call.
# Seen: from the second number on it is the number itself, where the f-string is nothing but the one field: neither
# formatted nor a text. As a key it finds nothing, "==" with a text does not hold, join() is a TypeError, and the names
# that it makes for a log are numbers. format(number, "03d") drops what it is told at the first number, and is an internal
# error at the second. With one more character in the f-string, and with str(), all is well. torch 2.14.1 and 2.15.0 end
# the call with an error instead.
# torch 2.13.0, CPU, backend eager. Prints for 7, 8 and 9: the f-string '007' 8 9, of a float '1.50' 2.5 3.5, as a key
# found, missing, missing; with a letter 'n007' 'n008' 'n009'; format() '7', error, error.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0
env/bin/python - <<'EOF'
import logging

import torch

logging.disable(logging.CRITICAL)


def results(function, numbers=(7, 8, 9)):
    torch._dynamo.reset()
    function = torch.compile(function, backend="eager")
    found = []
    for number in numbers:
        try:
            found.append(function(torch.ones(1), number)[1])
        except RuntimeError:
            found.append("error")
    print(*map(repr, found))
    return found


known = {"7": "found", "8": "found", "9": "found"}
assert results(lambda x, number: (x * number, f"{number:03d}")) == ["007", 8, 9]
assert results(lambda x, number: (x * number, f"{number:.2f}"), (1.5, 2.5, 3.5)) == ["1.50", 2.5, 3.5]
assert results(lambda x, number: (x * number, known.get(f"{number}", "missing"))) == ["found", "missing", "missing"]
assert results(lambda x, number: (x * number, f"n{number:03d}")) == ["n007", "n008", "n009"]
assert results(lambda x, number: (x * number, format(number, "03d"))) == ["7", "error", "error"]
EOF
