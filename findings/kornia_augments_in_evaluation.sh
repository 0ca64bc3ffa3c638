#!/usr/bin/env bash
# Guess: kornia's augmentations are modules, to be put in front of a model so that they run on its device; as dropout, they
# do nothing once the model is in evaluation mode.
# Seen: they go on. eval() reaches them and changes nothing: each evaluation and each prediction is of images that are
# changed at random, and nothing is said. The containers do the same.
# kornia 0.9.0, torch 2.13.0, numpy 2.4.6, CPU. Prints what leaves an image as it is in evaluation: flip, noise, erasing and
# container False, dropout True.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0 numpy==2.4.6 kornia==0.9.0
env/bin/python - <<'PROGRAM'
import torch
from kornia import augmentation

image = torch.rand(1, 3, 8, 8, generator=torch.Generator().manual_seed(0))
flip = augmentation.RandomHorizontalFlip(p=1.0)
modules = {
    "flip": flip,
    "noise": augmentation.RandomGaussianNoise(p=1.0),
    "erasing": augmentation.RandomErasing(p=1.0),
    "container": augmentation.AugmentationSequential(augmentation.RandomVerticalFlip(p=1.0), data_keys=["input"]),
    "dropout": torch.nn.Dropout(0.5),
}
left_alone = {}
for name, module in modules.items():
    model = torch.nn.Sequential(module).eval()
    assert not module.training
    left_alone[name] = torch.equal(model(image), image)
print(left_alone)
assert left_alone == {"flip": False, "noise": False, "erasing": False, "container": False, "dropout": True}
PROGRAM
