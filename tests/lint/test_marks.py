"""Tests of `dynconf.lint.marks`."""

from dynconf.lint.marks import Mark, marks
from dynconf.origin import Origin
from dynconf.release import Release
from dynconf.sources.calls import read_keywords
from dynconf.sources.environment import read_environment
from dynconf.sources.reading import merge

AT = Release.named("2.13")


def found_in(environ: dict[str, str], **flags: object) -> dict[str, Mark]:
    """Return the marks of what that environment and these flags set."""
    given = read_keywords(flags, AT, Origin("keyword"))
    return marks(AT, merge((*read_environment(environ, AT), given)).state.bare_values(), environ)


def test_what_both_read_alike_has_no_mark() -> None:
    """Neither an empty environment nor a text that means the same to torch and dynconf is marked."""
    assert found_in({}) == {}
    assert found_in({"TORCHDYNAMO_VERBOSE": "1", "TORCHDYNAMO_SUPPRESS_ERRORS": "1"}) == {}


def test_a_mark_has_the_value_that_torch_reads() -> None:
    """It is shown in a few words, and as JSON data."""
    mark = found_in({"TORCHDYNAMO_SUPPRESS_ERRORS": "0"})["suppress_errors"]
    assert str(mark) == "only with dynconf.install() or dynconf run; bare torch reads True"
    assert mark.as_json() == {"torch_reads": True}


def test_a_mark_has_the_error_that_the_import_fails_with() -> None:
    """An empty variable counts as unset to dynconf, but can stop the import of torch."""
    mark = found_in({"TORCHDYNAMO_REPRO_LEVEL": ""})["repro_level"]
    assert str(mark).startswith("bare torch: ValueError: invalid literal for int()")
    assert mark.as_json() == {"torch_error": mark.error}


def test_what_only_dynconf_reads_is_marked_in_every_module() -> None:
    """Flags of modules other than dynamo go by their full names."""
    environ = {"TORCHDYNAMO_RECOMPILE_LIMIT": "64", "TORCHFUNCTORCH_DONATED_BUFFER": "0"}
    found = {name: mark.reads for name, mark in found_in(environ).items()}
    assert found == {"recompile_limit": 8, "functorch.donated_buffer": True}


def test_what_a_file_or_an_option_sets_is_marked() -> None:
    """A bare program gets torch's default; what has the default anyway has no mark."""
    assert found_in({}, recompile_limit=64)["recompile_limit"].reads == 8
    assert found_in({}, recompile_limit=8) == {}
