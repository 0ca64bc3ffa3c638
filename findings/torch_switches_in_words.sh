#!/usr/bin/env bash
# Guess: a switch of torch's in the environment that is set to 0, false or nothing is off, and one that is set to true is on.
# Seen: it depends on the switch. TORCHDYNAMO_SUPPRESS_ERRORS is on for every text but none, 0 and false included.
# TORCHINDUCTOR_FORCE_DISABLE_CACHES takes 1 and 0, and any other text as the value itself: "false" is a text that counts as
# true, so it disables all caches. TORCHINDUCTOR_MAX_AUTOTUNE is off for all but 1, so true leaves it off.
# torch 2.13.0. Prints, for 0, false, true and nothing, what counts as on.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0
for text in 0 false true ""; do
    TORCHDYNAMO_SUPPRESS_ERRORS=$text TORCHINDUCTOR_FORCE_DISABLE_CACHES=$text TORCHINDUCTOR_MAX_AUTOTUNE=$text \
        env/bin/python - "$text" <<'EOF'
import sys

import torch._dynamo.config as dynamo
import torch._inductor.config as inductor
import torch.compiler.config as compiler

found = bool(dynamo.suppress_errors), bool(compiler.force_disable_caches), bool(inductor.max_autotune)
print(f"{sys.argv[1]!r}: suppress_errors, force_disable_caches, max_autotune:", found)
expected = {"0": (True, False, False), "": (False, False, False)}
assert found == expected.get(sys.argv[1], (True, True, False))
EOF
done
