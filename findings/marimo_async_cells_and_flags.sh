#!/usr/bin/env bash
# Guess: a marimo notebook computes the same as a script and as an exported page.
# Seen: what an asynchronous cell assigns to a flag of torch holds in the next cell only where the notebook runs as a
# script. In an export that cell is a task of its own, and from torch 2.12 on the flag ends with it.
# torch 2.13.0, marimo 0.25.2. Prints: script True, export False.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0 marimo==0.25.2
cat > notebook.py <<'EOF'
import marimo

app = marimo.App()


@app.cell
async def _():
    import asyncio

    import torch._dynamo.config as config

    await asyncio.sleep(0)
    config.verbose = True
    return (config,)


@app.cell
def _(config):
    print("verbose is", config.verbose)
    return


if __name__ == "__main__":
    app.run()
EOF
script=$(env/bin/python notebook.py)
env/bin/marimo --quiet --yes export html notebook.py --output notebook.html
export_=$(grep --only-matching "verbose is [A-Za-z]*" notebook.html | head -1)
echo "script: $script; export: $export_"
test "$script" = "verbose is True"
test "$export_" = "verbose is False"
