#!/usr/bin/env bash
# Guess: TORCHINDUCTOR_CACHE_DIR moves all that Inductor keeps on disk, so that /tmp may be small, or thrown away.
# Seen: the C++ header that Inductor compiles beforehand, more than 100 MB for each set of compiler options, stays in the
# system's folder for temporary files, in torchinductor_USER; the code that is kept elsewhere is compiled with it.
# torch 2.13.0, CPU, with g++. Prints the megabytes in the cache and, of headers, in the temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0
mkdir tmp
TMPDIR=$folder/tmp TORCHINDUCTOR_CACHE_DIR=$folder/cache env/bin/python - <<'EOF'
import os
import pathlib
import tempfile

import torch


def megabytes(folder, pattern):
    return sum(each.stat().st_size for each in pathlib.Path(folder).rglob(pattern) if each.is_file()) // 10**6


torch.compile(lambda x: (x.sin() + 1).sum())(torch.ones(1000))
kept = megabytes(os.environ["TORCHINDUCTOR_CACHE_DIR"], "*")
headers = megabytes(tempfile.gettempdir(), "*.gch")
print("cache", kept, "MB; headers in the temporary folder", headers, "MB")
assert kept < 10 and headers > 100
EOF
