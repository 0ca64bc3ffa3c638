"""A bool can do harm: values of every type in data from others; ``sources/test_trust.py`` is about files."""

import json
from typing import Any

import pytest
from pydantic import ValidationError

import dynconf
from dynconf import CompileFlags
from dynconf.catalogue.names import setting
from dynconf.release import Release

AT = Release.named("2.13")

HOST, CHECK = "contact a host", "switch off a safety check"
COST = "take time or memory without bound"

HARMFUL: dict[str, tuple[object, str]] = {
    "automatic_dynamic_remote_pgo": (True, HOST),
    "inductor.global_cache_dir": ("/evil/x", "read a path"),
    "inductor.assert_indirect_indexing": (False, CHECK),
    "inductor.compile_threads": (100_000, COST),
}
"""A value of each type; ``catalogue/modules/test_risks.py`` has all that were once accepted from anybody."""


def as_data(name: str, value: object) -> dict[str, Any]:
    """Return the flag as the data of `CompileFlags`."""
    found = setting(name, AT)
    return {found.module: {found.name: value}}


@pytest.mark.since("2.7")
@pytest.mark.filterwarnings("ignore:nothing in torch")
@pytest.mark.parametrize("name", HARMFUL)
def test_request_bodies_set_no_harmful_value(name: str) -> None:
    """Python data and JSON; a caller who trusts the data says so, and a call in code is trusted."""
    value, harm = HARMFUL[name]
    data = as_data(name, value)
    for validate in (
        lambda: CompileFlags.model_validate(data),
        lambda: CompileFlags.model_validate_json(json.dumps(data)),
    ):
        with pytest.raises(ValidationError) as refused:
            validate()
        [entry] = refused.value.errors()
        assert (entry["type"], entry["input"]) == ("untrusted", value)
        assert f"{name}: {value!r} is refused in data from others" in entry["msg"]
        assert f"it would make torch {harm}" in entry["msg"]
        assert "context={'trust': True}" in entry["msg"]
    CompileFlags.model_validate(data, context={"trust": True})
    CompileFlags(**data)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("inductor.fx_graph_remote_cache", "yes"),
        ("inductor.fx_graph_remote_cache", 1),
        ("inductor.assert_indirect_indexing", "off"),
        ("inductor.compile_threads", "100000"),
        ("inductor.compile_threads", 100000.0),
    ],
)
def test_another_spelling_is_the_same_value(name: str, value: object) -> None:
    """The value that the flag would get is judged, not its text."""
    with pytest.raises(ValidationError, match="would make torch"):
        CompileFlags.model_validate(as_data(name, value))


def test_the_record_of_a_flag_tells_which_values_are_harmful(run_cli) -> None:
    """So do explain, for people and as JSON, and the descriptions for editors."""
    [risk] = dynconf.FLAGS["automatic_dynamic_remote_pgo"].risks
    assert (risk.kind, risk.values.text) == (HOST, "True")
    done = run_cli("explain", "inductor.compile_threads")
    assert f"a number above 256 would make torch {COST}" in " ".join(done.out.split())
    explained = json.loads(run_cli("explain", "inductor.assert_indirect_indexing", "--format", "json").out)
    assert explained["reach"] == [{"kind": CHECK, "values": "False"}]
    schema = json.loads(run_cli("init", "--schema").out)
    described = schema["properties"]["inductor"]["properties"]["assert_indirect_indexing"]["description"]
    assert described.endswith(f"It needs trust if it comes from others: False would make torch {CHECK}.")
