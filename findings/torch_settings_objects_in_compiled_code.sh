#!/usr/bin/env bash
# Guess: a compiled model that reads a number from its settings object is compiled, or has a graph break there, whatever
# library the object is of; and so explain() tells the break.
# Seen: OmegaConf's DictConfig, ml_collections' ConfigDict and a field of a pydantic model are compiled into one graph.
# For an attribute of a python-box Box, and for a private attribute or an extra field of a pydantic model, nothing at all
# is compiled, what comes before and after included. explain() counts no graph and no break, and its list of reasons is
# empty; only fullgraph=True says why.
# torch 2.13.0, CPU, backend eager, python-box 8.0.0, pydantic 2.14.4, omegaconf 2.4.0, ml_collections 1.1.0. Prints the
# graphs: omegaconf 1, ml_collections 1, pydantic field 1, pydantic private 0, pydantic extra 0, box 0; reasons told 0.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0 python-box==8.0.0 pydantic==2.14.4 omegaconf==2.4.0 \
    ml_collections==1.1.0
env/bin/python - <<'EOF'
import logging

import box
import ml_collections
import omegaconf
import pydantic
import torch
from torch._dynamo.testing import CompileCounter

logging.disable(logging.CRITICAL)


class Settings(pydantic.BaseModel):
    scale: float = 2.0
    _private: float = pydantic.PrivateAttr(default=2.0)


class Extra(pydantic.BaseModel):
    model_config = {"extra": "allow"}


def graphs(model):
    torch._dynamo.reset()
    counter = CompileCounter()
    torch.compile(model, backend=counter)(torch.ones(1))
    if counter.frame_count == 0:
        assert torch._dynamo.explain(model)(torch.ones(1)).break_reasons == []
    return counter.frame_count


values = {"scale": 2.0}
hydras, googles, boxed = omegaconf.OmegaConf.create(values), ml_collections.ConfigDict(values), box.Box(values)
settings, extra = Settings(), Extra(**values)
found = {
    "omegaconf": graphs(lambda x: (x + 1).sin() * hydras.scale + 1),
    "ml_collections": graphs(lambda x: (x + 1).sin() * googles.scale + 1),
    "pydantic field": graphs(lambda x: (x + 1).sin() * settings.scale + 1),
    "pydantic private": graphs(lambda x: (x + 1).sin() * settings._private + 1),
    "pydantic extra": graphs(lambda x: (x + 1).sin() * extra.scale + 1),
    "box": graphs(lambda x: (x + 1).sin() * boxed.scale + 1),
}
print(found)
assert list(found.values()) == [1, 1, 1, 0, 0, 0]
EOF
