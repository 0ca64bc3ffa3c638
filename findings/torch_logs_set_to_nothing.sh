#!/usr/bin/env bash
# Guess: TORCH_LOGS= and TORCH_LOGS_OUT= in an environment file or a Dockerfile mean the same as no such variable.
# Seen: `import torch` ends with an error that names neither: with an AttributeError about a dict that has no log levels,
# and with an IsADirectoryError about the working directory, which torch takes for the file.
# torch 2.13.0. Prints the last lines of both errors.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0
fails() {
    env "$1=" env/bin/python -c "import torch" 2> log.txt && { echo "$1=: torch can be imported now"; exit 1; }
    tail -1 log.txt
    grep --quiet "$2" log.txt
}
fails TORCH_LOGS "AttributeError: 'dict' object has no attribute 'get_log_level_pairs'"
fails TORCH_LOGS_OUT "IsADirectoryError"
