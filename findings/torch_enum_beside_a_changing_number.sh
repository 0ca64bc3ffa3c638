#!/usr/bin/env bash
# Guess: a member of an IntEnum is an int, so `kind != Kind.SUM` means in a compiled function what `kind != 2` means,
# whether kind is always the same or changes from call to call, and the same as `not kind == Kind.SUM`.
# Seen: once the number changes, `!=` holds always, `not in` and list.count() find no member either, and `==` is False where
# it is returned or kept; an `if` with `==` is right. Nothing is said. It is so for IntFlag, and for sizes, which change as
# soon as a second shape comes. An order, `kind < Kind.SUM`, is an internal error. Kind.SUM.value does well in all of them.
# torch 2.15.0 does the same.
# torch 2.13.0, CPU, backend eager. Prints for 1, 3 and 2 what each says of the member 2: plain !=: True True False,
# compiled True True True, for a size True True True, `not in` True True True, count 0 0 0, == as a value False False False,
# in an `if` False False True, by .value True True False; the order: a bool, then errors.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0
env/bin/python - <<'PROGRAM'
from enum import IntEnum, IntFlag

import torch


class Kind(IntEnum):
    SUM = 2


class Flags(IntFlag):
    SUM = 2


def unequal(x, number):
    return x + 1, number != Kind.SUM


def unequal_flag(x, number):
    return x + 1, number != Flags.SUM


def unequal_size(x, number):
    return (x + 1, "other") if x.shape[0] != Kind.SUM else (x, "sum")


def absent(x, number):
    return x + 1, number not in (Kind.SUM,)


def count(x, number):
    return x + 1, [Kind.SUM].count(number)


def equal(x, number):
    return x + 1, number == Kind.SUM


def equal_in_if(x, number):
    return (x + 1, True) if number == Kind.SUM else (x, False)


def by_value(x, number):
    return x + 1, number != Kind.SUM.value


def less(x, number):
    return x + 1, number < Kind.SUM


def answers(function):
    found = []
    for number in (1, 3, 2) if function is not unequal_size else (4, 3, 2):
        try:
            found.append(function(torch.zeros(number), number)[1])
        except torch._dynamo.exc.InternalTorchDynamoError:
            found.append("error")
    return found


def compiled(function):
    torch._dynamo.reset()
    return answers(torch.compile(function, backend="eager"))


torch._logging.set_logs(all=50)
expected = {
    unequal: ([True, True, False], [True, True, True]),
    unequal_flag: ([True, True, False], [True, True, True]),
    unequal_size: (["other", "other", "sum"], ["other", "other", "other"]),
    absent: ([True, True, False], [True, True, True]),
    count: ([0, 0, 1], [0, 0, 0]),
    equal: ([False, False, True], [False, False, False]),
    equal_in_if: ([False, False, True], [False, False, True]),
    by_value: ([True, True, False], [True, True, False]),
    less: ([True, False, False], [True, "error", "error"]),
}
for function, both in expected.items():
    plain, found = answers(function), compiled(function)
    print(f"{function.__name__}: plain {plain}, compiled {found}")
    assert (plain, found) == both
PROGRAM
