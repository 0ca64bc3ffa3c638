#!/usr/bin/env bash
# Guess: `%env LOGS="all"` in a notebook sets the variable to all, as the same words behind `export` do in a shell, and what
# follows a hash is a comment.
# Seen: IPython sets it to all that follows the sign: the quotes are a part of the value, and so is the comment. %set_env does
# the same. torch then ends the import with an error about its TORCH_LOGS, and takes TORCHDYNAMO_VERBOSE="1" for off.
# ipython 9.18.1, Python 3.11. Prints the values.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet ipython==9.18.1
cat > cell.ipy <<'IPYTHON'
%env LOGS="all"
%set_env FLAG='1'
%env LIMIT=8  # for small cards
import os
print("found:", [os.environ[name] for name in ("LOGS", "FLAG", "LIMIT")])
IPYTHON
IPYTHONDIR="$folder" env/bin/ipython cell.ipy > log.txt
found=$(grep "^found:" log.txt)
echo "$found"
test "$found" = "found: ['\"all\"', \"'1'\", '8  # for small cards']"
