"""Tests of `dynconf.tools.lint.bare_torch`."""

from dynconf.provenance import Origin
from dynconf.release import Release
from dynconf.sources.calls import read_keywords
from dynconf.sources.environment import TorchReading, read_environment
from dynconf.sources.reading import merge
from dynconf.tools.lint.bare_torch import bare_torch_values

AT = Release.named("2.13")


def found_in(environ: dict[str, str], **flags: object) -> dict[str, TorchReading]:
    """Return the values of bare torch that differ from those that dynconf puts in force."""
    given = read_keywords(flags, AT, Origin("keyword"))
    state = merge((read_environment(environ, AT), given)).state
    return {setting.newest: reading for setting, reading in bare_torch_values(state, environ).items()}


def test_a_value_that_both_read_alike_is_left_out() -> None:
    """Neither an empty environment nor a text that means the same to torch and dynconf makes a difference."""
    assert found_in({}) == {}
    assert found_in({"TORCHDYNAMO_VERBOSE": "1", "TORCHDYNAMO_SUPPRESS_ERRORS": "1"}) == {}


def test_the_value_that_torch_reads() -> None:
    """A text that dynconf reads as off may be on for torch."""
    assert found_in({"TORCHDYNAMO_SUPPRESS_ERRORS": "0"})["suppress_errors"] == TorchReading(True)


def test_the_error_that_the_import_fails_with() -> None:
    """An empty variable counts as unset to dynconf, but can stop the import of torch."""
    bare = found_in({"TORCHDYNAMO_REPRO_LEVEL": ""})["repro_level"]
    assert bare.error.startswith("ValueError: invalid literal for int()")


def test_variables_that_only_dynconf_reads_count_in_every_module() -> None:
    """Flags of modules other than dynamo go by their full names."""
    environ = {"TORCHDYNAMO_RECOMPILE_LIMIT": "64", "TORCHFUNCTORCH_DONATED_BUFFER": "0"}
    found = {name: bare.value for name, bare in found_in(environ).items()}
    assert found == {"recompile_limit": 8, "functorch.donated_buffer": True}


def test_a_bare_program_gets_the_default_of_a_flag_that_a_file_or_an_option_sets() -> None:
    """A flag that is set to its default is the same to both."""
    assert found_in({}, recompile_limit=64)["recompile_limit"].value == 8
    assert found_in({}, recompile_limit=8) == {}
