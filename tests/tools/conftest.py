"""Fixtures of the tests of the checks."""

import os
import random

import pytest

import dynconf


class GraphCounter:
    """A backend that runs graphs as they are and counts them."""

    def __init__(self):
        self.count = 0

    def __call__(self, graph, inputs):
        self.count += 1
        return graph.forward


@pytest.fixture(scope="session")
def graph_counter():
    """Return the class of a backend that counts graphs: it tells whether code was compiled again."""
    return GraphCounter


@pytest.fixture(scope="session")
def process_state():
    """Return a function that returns everything that a check may change, as data."""
    import torch._dynamo

    def state():
        return {
            "python": random.getstate(),
            "torch": torch.get_rng_state().tolist(),
            "deterministic": torch.are_deterministic_algorithms_enabled(),
            "warn_only": torch.is_deterministic_algorithms_warn_only_enabled(),
            "anomaly": (torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled()),
            "gradients": torch.is_grad_enabled(),
            "config": dynconf.snapshot(),
            "variables": {name: text for name, text in os.environ.items() if not name.startswith("PYTEST")},
            "counters": {name: dict(counts) for name, counts in torch._dynamo.utils.counters.items()},
        }

    return state
