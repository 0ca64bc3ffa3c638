"""Tests of `dynconf.lint.marks`."""

from dynconf.lint.marks import marks
from dynconf.release import Release

AT = Release.named("2.13")


def test_what_both_read_alike_has_no_mark() -> None:
    """Neither an empty environment nor a text that means the same to torch and dynconf is marked."""
    assert marks(AT, {}) == {}
    assert marks(AT, {"TORCHDYNAMO_VERBOSE": "1", "TORCHDYNAMO_SUPPRESS_ERRORS": "1"}) == {}


def test_a_mark_has_the_value_that_torch_reads() -> None:
    """It is shown in a few words, and as JSON data."""
    mark = marks(AT, {"TORCHDYNAMO_SUPPRESS_ERRORS": "0"})["suppress_errors"]
    assert str(mark) == "bare torch reads True"
    assert mark.as_json() == {"torch_reads": True}


def test_a_mark_has_the_error_that_the_import_fails_with() -> None:
    """An empty variable counts as unset to dynconf, but can stop the import of torch."""
    mark = marks(AT, {"TORCHDYNAMO_REPRO_LEVEL": ""})["repro_level"]
    assert str(mark).startswith("bare torch: ValueError: invalid literal for int()")
    assert mark.as_json() == {"torch_error": mark.error}


def test_what_only_dynconf_reads_is_marked_in_every_module() -> None:
    """Flags of modules other than dynamo go by their full names."""
    environ = {"TORCHDYNAMO_RECOMPILE_LIMIT": "64", "TORCHFUNCTORCH_DONATED_BUFFER": "0"}
    found = {name: mark.reads for name, mark in marks(AT, environ).items()}
    assert found == {"recompile_limit": 8, "functorch.donated_buffer": True}
