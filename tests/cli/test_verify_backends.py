"""``dynconf verify --list`` and ``--try``: table, JSON, exit codes."""

import json
import sys

import pytest

pytest.importorskip("torch.nn", reason="needs all of torch")

import torch._dynamo

pytestmark = [
    pytest.mark.real_torch,
    pytest.mark.filterwarnings("ignore:Failed to initialize NumPy"),
]


def test_json_lists_every_backend(run_cli):
    """Each registered backend has name, tags, available and a result, empty without --try; exit 0."""
    done = run_cli("verify", "--list", "--format", "json")
    backends = json.loads(done.out)["backends"]
    assert done.code == 0
    assert [each["name"] for each in backends] == torch._dynamo.list_backends(exclude_tags=None)
    assert all({"name", "tags", "available", "result"} <= set(each) for each in backends)
    assert {each["result"] for each in backends} == {None}
    tried = run_cli("verify", "--try", "-b", "eager", "--format", "json")
    assert (tried.code, json.loads(tried.out)["backends"][0]["result"]) == (0, "ok")


def test_the_table_shows_what_is_missing(run_cli):
    """A backend whose package is not there says so in its row."""
    done = run_cli("verify", "--list")
    rows = {line.split()[0]: line for line in done.out.splitlines()[1:]}
    assert "not installed" in rows["openxla"]
    assert "inductor" in rows


def test_a_try_that_fails_exits_1_and_keeps_stdout_clean(run_cli, register):
    """A wrong answer exits 1 and names the backend; what a backend prints does not mix with the result."""

    def always_wrong(graph, inputs, *, options=None):
        sys.stdout.write("about to be wrong")
        return lambda *args: [each + 1 for each in graph(*args)]

    done = run_cli("verify", "--try", "-b", register(always_wrong), "--format", "json")
    assert done.code == 1
    assert json.loads(done.out)["backends"][0]["result"] == "wrong"
    assert "always_wrong" in done.err
    assert "about to be wrong" in done.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--list", "-b", "inducter"), "did you mean 'inductor'"),
        (("--try", "-b", "no-such"), "there is no backend 'no-such'"),
        (("--try", "-d", "cpu"), "they take no --device"),
    ],
)
def test_wrong_usage_exits_2(run_cli, arguments, words):
    """A backend that does not exist or an option that makes no sense is told, with exit 2."""
    assert words in run_cli("verify", *arguments).refused()
