#!/usr/bin/env bash
# Guess: `torch._dynamo.config.recompile_limit = 99` in a cell holds in the next one, whatever the kernel's version.
# Seen: with ipykernel 7.0.1 the next cell reads 8 again: each cell runs in a context of its own, and from torch 2.12 on
# flags are context variables. ipykernel 6.31.0 and 7.4.0 keep one context.
# torch 2.13.0. Prints: 6.31.0 99, 7.0.1 8, 7.4.0 99.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0 nbclient==0.10.2 nbformat==5.10.4
cat > cells.py <<'EOF'
import nbclient
import nbformat

cells = ["import torch._dynamo.config as config\nconfig.recompile_limit = 99", "print(config.recompile_limit)"]
notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
nbclient.NotebookClient(notebook, kernel_name="python3", timeout=300).execute()
print(notebook.cells[1].outputs[0].text.strip())
EOF

for pair in 6.31.0=99 7.0.1=8 7.4.0=99; do
    env/bin/python -m pip install --quiet "ipykernel==${pair%=*}"
    env/bin/python -m ipykernel install --sys-prefix > log.txt 2>&1
    found=$(env/bin/python cells.py 2>> log.txt)
    echo "${pair%=*} $found"
    test "$found" = "${pair#*=}"
done
