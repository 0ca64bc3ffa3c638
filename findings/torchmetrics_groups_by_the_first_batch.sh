#!/usr/bin/env bash
# Guess: a torchmetrics MetricCollection computes for each metric what the metric computes alone; metrics that are
# configured differently, with another threshold or ignore_index, have nothing to share.
# Seen: after the first update() those whose states are equal by then become a group, and from then on only the first of
# them is updated; its state is the others'. A first batch in which no score lies between two thresholds, or no ignored
# class occurs, makes one metric of both for the whole run, and nothing is said. compute_groups=False keeps them apart.
# torchmetrics 1.9.0, torch 2.13.0, numpy 2.4.6, CPU. Prints by collection and alone: thresholds 0.5 and 0.8: 0.5 0.5, alone
# 0.5 0.83; ignore_index: 0.67 0.67, alone 0.67 1.0; with compute_groups=False as alone.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0 numpy==2.4.6 torchmetrics==1.9.0
env/bin/python - <<'EOF'
import torch
from torchmetrics import MetricCollection
from torchmetrics.classification import BinaryAccuracy, MulticlassAccuracy


def results(metrics, batches, **options):
    collection = MetricCollection({name: metric.clone() for name, metric in metrics.items()}, **options)
    for predictions, labels in batches:
        collection.update(torch.tensor(predictions), torch.tensor(labels))
    return [round(value.item(), 2) for value in collection.compute().values()]


def by_itself(metrics, batches):
    return [results({name: metric}, batches)[0] for name, metric in sorted(metrics.items())]


thresholds = {"at_50": BinaryAccuracy(threshold=0.5), "at_80": BinaryAccuracy(threshold=0.8)}
scores = [([0.9, 0.1], [1, 0]), ([0.6, 0.6, 0.6, 0.6], [0, 0, 0, 1])]
classes = {
    "all": MulticlassAccuracy(3, average="micro"),
    "without_2": MulticlassAccuracy(3, average="micro", ignore_index=2),
}
labels = [([0], [0]), ([1, 1], [2, 1])]
for metrics, batches, expected in (
    (thresholds, scores, ([0.5, 0.5], [0.5, 0.83])),
    (classes, labels, ([0.67, 0.67], [0.67, 1.0])),
):
    found = results(metrics, batches), by_itself(metrics, batches)
    print(list(metrics), "together, alone:", *found)
    assert found == expected
    assert results(metrics, batches, compute_groups=False) == found[1]
EOF
