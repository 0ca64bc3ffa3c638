"""Rules that select graphs, in torch's own grammar."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import values

from dynconf.flags.types import GraphRules, Mismatch


def test_rules_are_kept_as_they_are():
    """They are checked, not rewritten."""
    text = "0-5,>=10:eager; <3:inductor"
    assert GraphRules("backend").parse(text) == GraphRules("backend").check(text) == text


@pytest.mark.parametrize(
    ("of", "text", "problem"),
    [
        ("backend", "eager", "'eager' has no value"),
        ("backend", "0:", "'0:' has no value"),
        ("backend", "x:eager", "'x' does not select a graph"),
        ("backend", ":eager", "'' does not select a graph"),
        ("backend", "0,,1:eager", "'' does not select a graph"),
        ("backend", "-1:eager", "'-1' does not select a graph"),
        ("backend", ">1-2:eager", "'>1-2' does not select a graph"),
        ("settings", "0:eager", "'eager' is not of the form key=value"),
        ("settings", "0:a=1,b", "'b' is not of the form key=value"),
        ("settings", "0:a=1\n2", "'a=1\\n2' is not of the form key=value"),
    ],
)
def test_rules_follow_torchs_grammar(of, text, problem):
    """A rule that torch would drop with a line in its log is an error that quotes the part."""
    with pytest.raises(Mismatch, match=re.escape(problem)):
        GraphRules(of).check(text)


def test_a_long_mistake_is_quoted_in_part():
    """The message stays short."""
    with pytest.raises(Mismatch) as refused:
        GraphRules("backend").check("x" * 100_000)
    assert len(str(refused.value)) < 200


@pytest.mark.real_torch
@given(values(GraphRules("settings")), st.integers(0, 60))
def test_torch_accepts_every_rule(text, graph):
    """Torch's own parser makes a rule of each rule, and complains of none."""
    graph_id_filter = pytest.importorskip("torch._dynamo.graph_id_filter")
    GraphRules("settings").check(text)
    for rule in filter(None, text.split(";")):
        router = graph_id_filter.GraphConfigRouter(rule)
        assert len(router._rules) == 1
        filters, _, assigned = rule.partition(":")
        assert len(router._rules[0][1]) == len({pair.partition("=")[0] for pair in assigned.split(",")})
        assert (graph in graph_id_filter.GraphIdFilter(filters)) == (graph in router._rules[0][0])
