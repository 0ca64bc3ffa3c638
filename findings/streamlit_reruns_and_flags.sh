#!/usr/bin/env bash
# Guess: in a Streamlit app, a flag of torch that is set in a function under `st.cache_resource`, the place for what is
# set up once, holds for all later runs of the script.
# Seen: it holds in the first run only. Each run of the script is a thread of its own, and from torch 2.12 on a flag
# belongs to the thread that set it; the cached function is not called again.
# torch 2.13.0, streamlit 1.67.0. Prints: first run 99, second run 8.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0 streamlit==1.67.0
cat > app.py <<'EOF'
import streamlit as st
import torch._dynamo.config as config


@st.cache_resource
def set_up():
    config.recompile_limit = 99


set_up()
st.write(str(config.recompile_limit))
EOF
env/bin/python - <<'EOF'
from streamlit.testing.v1 import AppTest

app = AppTest.from_file("app.py", default_timeout=120)
runs = [app.run().markdown[0].value for _ in range(2)]
print("first run", runs[0], "second run", runs[1])
assert runs == ["99", "8"]
EOF
