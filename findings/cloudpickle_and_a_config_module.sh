#!/usr/bin/env bash
# Guess: a function that mentions a module travels by cloudpickle, and so to joblib's, Dask's or Ray's workers, since
# cloudpickle sends modules by name: `torch._dynamo.config` is no different from `torch._dynamo.utils`.
# Seen: TypeError. torch gives each config module a class of its own, and cloudpickle knows modules by their exact class. It
# does not help to write `torch._dynamo.config.recompile_limit` in full: cloudpickle sends the submodules along that a
# function names. Only an import inside the function does.
# torch 2.13.0, cloudpickle 3.1.1. Prints: utils: sent; config: refused; in full: refused; imported inside: sent.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0 cloudpickle==3.1.1
env/bin/python - <<'EOF'
import cloudpickle
import torch
from torch._dynamo import config, utils


def by_utils():
    return utils.counters


def by_config():
    return config.recompile_limit


def in_full():
    return torch._dynamo.config.recompile_limit


def inside():
    from torch._dynamo import config as imported

    return imported.recompile_limit


def sent(function):
    try:
        cloudpickle.dumps(function)
    except TypeError as error:
        assert "ConfigModuleInstance" in str(error)
        return "refused"
    return "sent"


found = {each.__name__: sent(each) for each in (by_utils, by_config, in_full, inside)}
print(found)
assert found == {"by_utils": "sent", "by_config": "refused", "in_full": "refused", "inside": "sent"}
EOF
