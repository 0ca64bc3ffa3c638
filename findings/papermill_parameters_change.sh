#!/usr/bin/env bash
# Guess: the parameters that papermill hands to a notebook arrive as they were given, or are refused where they cannot be
# written into a cell; and -p on its command line tells numbers and booleans from texts as YAML does.
# Seen: by execute_notebook() a tuple arrives as a text, in a list too, and the whole numbers that are keys of a dict as
# texts. By -p, 007 is the integer 7, 12e03, say a commit, is a number, and so is infinity; False is a boolean, but false is
# a text, which counts as true.
# papermill 2.7.0. Prints what the notebook sees.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet papermill==2.7.0 ipykernel==7.4.0
cat > make.py <<'EOF'
import nbformat

cell = nbformat.v4.new_code_cell("pass", metadata={"tags": ["parameters"]})
show = nbformat.v4.new_code_cell("import json; print(json.dumps([repr(each) for each in (a, b, c, d, e)]))")
kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
nbformat.write(nbformat.v4.new_notebook(cells=[cell, show], metadata={"kernelspec": kernel}), "in.ipynb")
EOF
cat > call.py <<'EOF'
import papermill

values = {"a": (1, 2), "b": [(1, 2)], "c": {1: 2}, "d": [1, 2], "e": True}
papermill.execute_notebook("in.ipynb", "out.ipynb", values, progress_bar=False)
EOF
cat > show.py <<'EOF'
import json
import sys

import nbformat

found = json.loads(nbformat.read("out.ipynb", 4).cells[-1].outputs[0].text)
print(*found)
assert found == sys.argv[1:]
EOF
env/bin/python make.py
env/bin/python -m ipykernel install --sys-prefix > log.txt 2>&1
env/bin/python call.py > log.txt 2>&1
env/bin/python show.py "'(1, 2)'" "['(1, 2)']" "{'1': 2}" "[1, 2]" True
env/bin/papermill in.ipynb out.ipynb -p a 007 -p b 12e03 -p c infinity -p d false -p e False > log.txt 2>&1
env/bin/python show.py 7 12000.0 inf "'false'" False
