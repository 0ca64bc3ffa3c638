#!/usr/bin/env bash
# Guess: `inductor_configs=` of torch._inductor.aoti_compile_and_package() takes what `options=` of torch.compile takes, and
# refuses what that refuses.
# Seen: torch.compile refuses "no" for a boolean and "lots" for an integer. The package is built with both: "no" is a text,
# so it counts as true. The other way round, a name with dashes, which torch.compile takes, is an error here.
# torch 2.13.0, CPU, with g++. Prints for each what torch.compile and the package make of it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0
cat > check.py <<'EOF'
import warnings

import torch
import torch._inductor.config as config
from torch._inductor.custom_graph_pass import CustomGraphPass

warnings.simplefilter("ignore")
seen = []


class Look(CustomGraphPass):
    def __call__(self, graph):
        seen.append((bool(config.epilogue_fusion), config.max_fusion_size))

    def uuid(self):
        return None


class Model(torch.nn.Module):
    def forward(self, x):
        return x.relu() + 1


config.post_grad_custom_pre_pass = Look()
exported = torch.export.export(Model(), (torch.ones(3),))


def compiled(options):
    torch.compile(Model(), options=options)


def packaged(options):
    torch._inductor.aoti_compile_and_package(exported, package_path="model.pt2", inductor_configs=options)


def taken(build, options):
    try:
        build(options)
    except (RuntimeError, AttributeError):
        return "refused"
    return "taken"


cases = {
    ("epilogue_fusion", "no"): ("refused", "taken"),
    ("max_fusion_size", "lots"): ("refused", "taken"),
    ("max-fusion-size", 7): ("taken", "refused"),
}
for (name, value), expected in cases.items():
    found = taken(compiled, {name: value}), taken(packaged, {name: value})
    print(f"{name}={value!r}: torch.compile, package: {found}")
    assert found == expected
print("epilogue_fusion, max_fusion_size when packaged:", seen)
assert seen == [(True, 64), (True, "lots")]
EOF
env/bin/python check.py
