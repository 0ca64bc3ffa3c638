#!/usr/bin/env bash
# Guess: pytest's `monkeypatch.setattr(torch._inductor.config, "max_fusion_size", 3)` puts the flag back after the test.
# Seen: it deletes the flag. pytest 9.2 looks whether the object itself holds the attribute, finds nothing because torch
# looks flags up in __getattr__, and undoes by delattr, which torch takes as "this flag is gone": the next reader of the
# flag, torch's own code included, gets an AttributeError. pytest 9.0 assigns the old value.
# torch 2.13.0. Prints: pytest 9.0.2: 2 passed; pytest 9.2.0: 1 failed, 1 passed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0 pytest==9.0.2
cat > test_flags.py <<'EOF'
import torch._inductor.config as config


def test_with_another_value(monkeypatch):
    monkeypatch.setattr(config, "max_fusion_size", 3)
    assert config.max_fusion_size == 3


def test_with_the_default():
    assert config.max_fusion_size == 64
EOF
env/bin/python -m pytest --quiet test_flags.py | tee old.txt | tail -1
grep --quiet "2 passed" old.txt
env/bin/python -m pip install --quiet pytest==9.2.0
(env/bin/python -m pytest --quiet test_flags.py || true) | tee new.txt | tail -2
grep --quiet "1 failed, 1 passed" new.txt
grep --quiet "max_fusion_size does not exist" new.txt
