#!/usr/bin/env bash
# Guess: with unsloth, as without, config.recompile_limit = 64 is an override, in the thread that assigns it from torch 2.12 on.
# Seen: `import unsloth` wraps __setattr__ of torch's config modules, so that what is assigned is torch's default from then on:
# every thread reads it, deleting the flag brings it back, and codegen_config() does not name it, as nobody seems to have set it.
# What unittest.mock puts back is assigned, and so is a default, too; what config.patch sets is none.
# unsloth 2026.10.9 (the file with the function alone, because the package needs a GPU), torch 2.13.0, packaging 26.0, numpy
# 2.4.6, CPU. Prints: another thread reads 64; after del 64; torch's codegen_config() names no recompile_limit.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0 packaging==26.0 numpy==2.4.6
env/bin/python -m pip install --quiet --no-deps unsloth==2026.10.9
env/bin/python - <<'PROGRAM' 2> errors.txt || { cat errors.txt; exit 1; }
import importlib.metadata
import importlib.util
import threading

import torch._dynamo.config as config

file = importlib.metadata.distribution("unsloth").locate_file("unsloth/import_fixes.py")
spec = importlib.util.spec_from_file_location("import_fixes", file)
fixes = importlib.util.module_from_spec(spec)
spec.loader.exec_module(fixes)
fixes.fix_dynamo_config_thread_visibility()

config.recompile_limit = 64
with config.patch(recompile_limit=32):
    pass
seen = []
thread = threading.Thread(target=lambda: seen.append(config.recompile_limit))
thread.start()
thread.join()
del config.recompile_limit
default = config._config["recompile_limit"].default
named = "recompile_limit" in config.codegen_config()
print(f"another thread reads {seen[0]}; after del {default}; codegen_config() names it: {named}")
assert (seen, default, named) == ([64], 64, False)
PROGRAM
