#!/usr/bin/env bash
# Guess: loading in a process what `save_config()` has just given there changes nothing.
# Seen: from then on every flag counts as set: `_is_default` is False for all of them, `codegen_config()` writes a line for
# each that is not marked as deprecated, and deprecated flags that nobody has touched warn.
# torch 2.13.0. Prints: set before 0, set after more than 100, warnings of deprecated flags 1 or more.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0
env/bin/python - <<'EOF'
import warnings

import torch._dynamo.config as config


def count():
    return sum(not config._is_default(name) for name in config.get_config_copy())


before = count()
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    config.load_config(config.save_config())
deprecated = [each for each in told if issubclass(each.category, FutureWarning)]
print(f"set before {before}, set after {count()}, warnings of deprecated flags {len(deprecated)}")
assert before == 0
assert count() > 100
assert deprecated
EOF
