"""Fixtures of the tests of the checks."""

import os
import random

import pytest

import dynconf


@pytest.fixture
def registry():
    """Return torch's registry of backends; backends that a test registers are removed again."""
    import torch._dynamo
    from torch._dynamo.backends import registry

    torch._dynamo.list_backends()  # registers torch's own
    # torch 2.4 has one table only.
    tables = [vars(registry)[name] for name in ("_BACKENDS", "_COMPILER_FNS") if name in vars(registry)]
    before = [dict(table) for table in tables]
    yield registry
    for table, content in zip(tables, before, strict=True):
        table.clear()
        table.update(content)


@pytest.fixture
def register(registry):
    """Return a function that registers a backend for one test and returns its name."""
    return lambda compiler: registry.register_backend(compiler).__name__


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
