"""The JSON form of a snapshot."""

import json
import logging

from dynconf.catalogue import FLAGS
from dynconf.provenance import Origin
from dynconf.references import Named
from dynconf.sources.layer import Layer
from dynconf.state.snapshot import Snapshot, effective
from dynconf.state.store import document, shown_as_json
from dynconf.versions import asked

AT = asked("2.13.0")


def test_the_form_is_that_of_the_design():
    """Format number, release, and for each flag value, default and origin."""
    snapshot = effective(AT, Layer({"verbose": True}, {"verbose": Origin("env", "TORCHDYNAMO_VERBOSE", "1")}))
    assert document(snapshot, ["verbose", "disable"]) == {
        "dynconf": 1,
        "torch": "2.13.0",
        "flags": {
            "verbose": {
                "value": True,
                "default": False,
                "origin": {"kind": "env", "name": "TORCHDYNAMO_VERBOSE", "raw": "1"},
            },
            "disable": {"value": False, "default": False, "origin": {"kind": "default"}},
        },
    }


def test_marks_are_further_entries():
    """Only of the flags that are written."""
    snapshot = effective(AT, Layer())
    marked = document(
        snapshot, ["verbose"], {"verbose": {"torch_reads": True}, "disable": {"torch_reads": 1}}
    )
    assert marked["flags"]["verbose"]["torch_reads"] is True
    assert list(marked["flags"]) == ["verbose"]


def test_every_default_is_json():
    """Sets as sorted lists, nothing that JSON lacks."""
    snapshot = effective(AT, Layer())
    whole = document(snapshot, snapshot.values)
    assert json.loads(json.dumps(whole, allow_nan=False)) == whole
    default = whole["flags"]["allowed_functions_module_string_ignorelist"]["value"]
    assert default == sorted(default)


def test_objects_are_names_or_else_shown():
    """A lambda has no name to be found again by; looking at a state must not fail for it."""
    name = "reorderable_logging_functions"
    assert shown_as_json(name, {print, logging.info}) == ["builtins:print", "logging:info"]
    assert shown_as_json(name, {Named("a", "b")}) == ["a:b"]
    (text,) = shown_as_json(name, {lambda: 1})
    assert text.startswith("<function")
    assert shown_as_json("_custom_ops_profile", object).startswith("<class")


def test_flags_beyond_the_catalogue_are_shown():
    """They have no default that would be known."""
    assert "brand_new" not in FLAGS
    snapshot = Snapshot("2.16.0", {"brand_new": {1}}, {"brand_new": Origin("default")})
    assert document(snapshot, ["brand_new"])["flags"]["brand_new"] == {
        "value": ["1"],
        "origin": {"kind": "default"},
    }
