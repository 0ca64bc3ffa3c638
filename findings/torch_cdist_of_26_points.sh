#!/usr/bin/env bash
# Guess: torch.cdist(x, x) is zero on the diagonal, and otherwise right to the accuracy of its type; the documentation says
# that more than 25 points are computed by a matrix product, which is a matter of speed.
# Seen: with the 26th point the distances of all others change. The product subtracts squares of the coordinates, so what is
# left is their rounding: of points near 1000 that are about 1 apart, as positions in metres are, some are 0.7 from
# themselves. compute_mode="donot_use_mm_for_euclid_dist" is right; compiled it is the same. Points that are moved to their
# mean beforehand do well.
# torch 2.13.0, numpy 2.4.6, CPU, with g++. Prints the largest distance of a point to itself among 25 points: 0, 26 points:
# more than 0.1, compiled more than 0.1, without the product 0; and the largest error of all: 25: 0, 26: more than 0.1,
# moved to their mean: less than 0.001.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0 numpy==2.4.6
env/bin/python - <<'PROGRAM'
import torch

points = torch.rand(26, 3, generator=torch.Generator().manual_seed(0)) + 1000


def exact(x):
    return (x[:, None].double() - x[None].double()).norm(dim=-1)


def own(distances):
    return distances.diagonal().max().item()


def error(distances, x):
    return (distances - exact(x)).abs().max().item()


few, many = torch.cdist(points[:25], points[:25]), torch.cdist(points, points)
compiled = torch.compile(torch.cdist)(points, points)
slow = torch.cdist(points, points, compute_mode="donot_use_mm_for_euclid_dist")
moved = points - points.mean(0)
print(f"own: 25 {own(few)}, 26 {own(many):.2f}, compiled {own(compiled):.2f}, without the product {own(slow)}")
assert own(few) == own(slow) == 0 and own(many) > 0.1 and own(compiled) > 0.1
errors = error(few, points[:25]), error(many, points), error(torch.cdist(moved, moved), moved)
print("errors: 25 {:.6f}, 26 {:.2f}, moved {:.6f}".format(*errors))
assert errors[0] < 1e-5 and errors[1] > 0.1 and errors[2] < 1e-3
PROGRAM
