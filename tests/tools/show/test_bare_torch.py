"""Tests of `dynconf.tools.show.bare_torch`."""

import pytest
from readings import real_readings

from dynconf.catalogue import names
from dynconf.catalogue.flags.types import is_same_value
from dynconf.catalogue.flags.variable import IMPORT_ERRORS, Variable
from dynconf.catalogue.modules import MODULES, catalogue
from dynconf.provenance import Origin
from dynconf.release import Release
from dynconf.sources.calls import read_keywords
from dynconf.sources.environment import read_environment
from dynconf.sources.reading import merge
from dynconf.tools.show.bare_torch import (
    TorchReading,
    bare_torch_values,
    text_for,
    torch_disagrees,
    torch_reading,
)

AT = Release.named("2.13")
FORCED = "TORCH_DYNAMO_AUTOMATIC_DYNAMIC_LOCAL_PGO"
TEXTS = ("0", "1", "true", "false", "2", "abc", "", " 1", "-3")


def setting(name, release=AT):
    """Return a setting of dynamo."""
    return names.setting(name, release)


def found_in(environ: dict[str, str], **flags: object) -> dict[str, TorchReading]:
    """Return the values of bare torch that differ from those that dynconf puts in force."""
    given = read_keywords(flags, AT, Origin("keyword"))
    state = merge((read_environment(environ, AT), given)).state
    return {setting.newest: reading for setting, reading in bare_torch_values(state, environ).items()}


@pytest.mark.parametrize(
    ("environ", "flags", "expected"),
    [
        ({}, {}, {}),
        ({"TORCHDYNAMO_VERBOSE": "1", "TORCHDYNAMO_SUPPRESS_ERRORS": "1"}, {}, {}),
        ({"TORCHDYNAMO_SUPPRESS_ERRORS": "0"}, {}, {"suppress_errors": True}),
        ({"TORCHDYNAMO_RECOMPILE_LIMIT": "64"}, {}, {"recompile_limit": 8}),  # which only dynconf reads
        ({"TORCHFUNCTORCH_DONATED_BUFFER": "0"}, {}, {"functorch.donated_buffer": True}),
        ({"TORCHDYNAMO_VERBOSE": "true"}, {}, {"verbose": False}),
        ({"TORCH_COMPILE_CPROFILE": "1"}, {}, {}),  # a text in place of a bool counts by its truth
        ({"TORCH_COMPILE_CPROFILE": "0"}, {}, {"cprofile": "0"}),
        ({FORCED: "false"}, {}, {"automatic_dynamic_local_pgo": "false"}),
        ({"TORCH_COMPILE_DYNAMO_PROFILER": "0"}, {}, {"dynamo_profiler": "0"}),
        ({}, {"recompile_limit": 64}, {"recompile_limit": 8}),
        ({}, {"recompile_limit": 8}, {}),
    ],
)
def test_the_values_that_a_bare_program_gets(
    environ: dict[str, str], flags: dict[str, object], expected: dict[str, object]
) -> None:
    """Those that differ: by another reading of a text, and the default of what a file or an option sets."""
    assert found_in(environ, **flags) == {name: TorchReading(value) for name, value in expected.items()}


@pytest.mark.filterwarnings("ignore::FutureWarning")
@pytest.mark.parametrize("module", MODULES)
def test_torchs_reading_is_what_the_installed_torch_reads(module):
    """For every variable of every flag and various texts, the real module agrees, errors included."""
    view = catalogue(module).at(Release.at_hand())
    pytest.importorskip(view.catalogue.module)
    wrong = []
    for raw in TEXTS:
        for environ, setting, real in real_readings(view, raw):
            ours = torch_reading(setting, environ)
            is_error = isinstance(real, IMPORT_ERRORS)
            torchs = TorchReading(error=f"{type(real).__name__}: {real}") if is_error else TorchReading(real)
            if ours.error != torchs.error or not is_same_value(ours.value, torchs.value):
                wrong.append(f"{setting.name}: {raw!r} is {torchs} to torch, {ours} to us")
    assert wrong == []


def test_a_release_is_read_by_its_own_rules():
    """`disable` took any text up to torch 2.7, and only 1 from 2.8 on."""
    environ = {"TORCH_COMPILE_DISABLE": "0"}
    assert torch_reading(setting("disable", Release.named("2.7")), environ).value == "0"
    assert torch_reading(setting("disable", Release.named("2.8")), environ).value is False


def test_a_text_that_both_read_alike_is_found_if_there_is_one():
    """Not every value can be given to torch by its own variable."""
    wanted = {
        ("suppress_errors", True): "1",
        ("suppress_errors", False): None,  # any text is True to torch
        ("verbose", False): "0",
        ("repro_level", 3): "3",
        ("dynamo_profiler", "/x"): "/x",
        ("dynamo_profiler", None): None,
    }
    assert text_for(setting("ignore_logging_functions"), Variable("X", "text"), set()) is None
    for (flag, value), text in wanted.items():
        variable = setting(flag).variables[0]
        assert text_for(setting(flag), variable, value) == text, (flag, value)
        if text is not None:
            assert not torch_disagrees(
                setting(flag), torch_reading(setting(flag), {variable.name: text}), value
            )
