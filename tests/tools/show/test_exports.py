"""States in the languages that can set them: for a shell, as TOML, as a Python program.

The tests of ``dynconf dump`` run the lines in a real shell.
"""

import ast
import logging
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from states import AT, SETTINGS, assigned, newer, state_of
from strategies import values

from dynconf.catalogue import names
from dynconf.catalogue.flags.types import Named, is_same_value
from dynconf.catalogue.modules import module_path
from dynconf.release import RELEASES, Release
from dynconf.sources.environment import read_environment
from dynconf.store.saving import read_state
from dynconf.store.snapshot import Snapshot, default_state
from dynconf.tools.show.exports import to_python, to_shell, to_toml

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


def test_a_shell_prefers_torchs_own_variables():
    """If torch reads the same text alike; otherwise the uniform one is set and torch's own is unset."""
    state = state_of(recompile_limit=64, disable=True, suppress_errors=False, debug_dir_root="/a b")
    assert to_shell(state.only_set()).text.splitlines() == [
        "unset TORCH_COMPILE_DEBUG_DIR",
        "export TORCHDYNAMO_DEBUG_DIR_ROOT='/a b'",
        "export TORCH_COMPILE_DISABLE=1",
        "export TORCHDYNAMO_RECOMPILE_LIMIT=64",
        "unset TORCHDYNAMO_SUPPRESS_ERRORS",
    ]


def test_toml_has_tables_for_other_modules():
    """None is written as a word, and a comment notes each value that TOML cannot hold."""
    state = state_of(
        verbose=True,
        repro_after=None,
        compiled_autograd_kwargs_override={"a": None},
        pt2_compile_id_prefix="none",
        **{"functorch.donated_buffer": False},
    )
    export = to_toml(state.only_set())
    assert tomllib.loads(export.text) == {
        "verbose": True,
        "repro_after": "none",
        "functorch": {"donated_buffer": False},
    }
    assert export.notes == (
        "compiled_autograd_kwargs_override is left out: TOML cannot express {'a': None}",
        "pt2_compile_id_prefix is left out: TOML cannot express 'none'",
    )


@given(st.data())
def test_toml_is_a_settings_file(data):
    """Read back, it gives the same values."""
    setting = data.draw(st.sampled_from(SETTINGS))
    state = state_of(**{setting.name: data.draw(values(setting.type))})
    export = to_toml(state.only_set())
    Path("out.toml").write_text(export.text, encoding="utf-8")
    loaded = Snapshot(read_state("out.toml", AT, trust=True).state)
    for name, value in loaded.items():
        assert is_same_value(setting.type.check(state.value(setting)), value), name
    assert loaded or export.notes or setting.inert or not state.only_set()


def test_python_needs_torch_alone():
    """Objects and config modules are imported, and each flag is assigned under its full name."""
    state = state_of(
        recompile_limit=64,
        reorderable_logging_functions={print, logging.info},
        **{"functorch.donated_buffer": False, "functorch.joint_custom_pass": Named("pytest", "importorskip")},
    )
    export = to_python(state.only_set())
    assert export.notes == ()
    assert (
        export.text
        == """import builtins
import logging
import pytest
import torch._dynamo.config
import torch._functorch.config

torch._dynamo.config.recompile_limit = 64
torch._dynamo.config.reorderable_logging_functions = {builtins.print, logging.info}
torch._functorch.config.donated_buffer = False
torch._functorch.config.joint_custom_pass = pytest.importorskip
"""
    )


@pytest.mark.parametrize("version", RELEASES)
def test_python_has_every_default_as_torch_stores_it(version: str) -> None:
    """With its type, too: where torch has a tuple, a list is another value."""
    state = default_state(version).state
    done = to_python(state)
    assignments = (line.partition(" = ") for line in done.text.partition("\n\n")[2].splitlines())
    literals = {path: literal for path, _, literal in assignments}
    for setting in state.keys() - done.left_out.keys():
        literal = literals[f"{module_path(setting.module)}.{setting.name}"]
        assert is_same_value(ast.literal_eval(literal), state.value(setting)), setting


@pytest.mark.parametrize("write", [to_shell, to_toml, to_python])
def test_what_users_cannot_set_is_noted(write):
    """Internal flags, objects without a name, and flags newer than the catalogue."""
    state = state_of(cache_size_limit=8, base_dir="/", ignore_logging_functions={lambda: 1}).only_set()
    notes = write(state.with_entries(newer(1))).notes
    assert [note.partition(" is left out: ")[0] for note in notes if "left out" in note] == [
        "base_dir",
        "flag_of_tomorrow",
        "ignore_logging_functions",
    ]
    assert notes[1].endswith(": it is newer than the catalogue")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("not_imported_anywhere:function", "is not imported"),
        ("pytest:no_such_function", "does not exist"),
    ],
)
def test_python_names_only_what_is_there(name, said):
    """A program that imports whatever a file names would run that."""
    module, _, function = name.partition(":")
    state = state_of(
        ignore_logging_functions={Named(module, function)}, **{"functorch.joint_custom_pass": None}
    )
    state = state.select(lambda setting: setting.name == "ignore_logging_functions")
    export = to_python(state)
    assert export.text == ""
    (note,) = export.notes
    assert said in note


@pytest.mark.parametrize(
    ("chosen", "lines"),
    [
        ({"inductor.max_autotune": True}, ["export TORCHINDUCTOR_MAX_AUTOTUNE=1"]),
        (
            {"inductor.trace.enabled": True},
            ["unset TORCH_COMPILE_DEBUG", "export TORCHINDUCTOR_TRACE_ENABLED=1"],
        ),
        (
            {"inductor.trace.enabled": True, "inductor.trace.provenance_tracking_level": 1},
            ["export TORCH_COMPILE_DEBUG=1", "export INDUCTOR_PROVENANCE=1"],
        ),
    ],
)
def test_a_variable_that_sets_several_flags_is_used_only_for_all_of_them(chosen, lines):
    """Otherwise the uniform one sets the flag alone."""
    wanted = {names.setting(name, AT): value for name, value in chosen.items()}
    text = to_shell(assigned(wanted)).text
    assert text.splitlines() == lines
    environ = dict(line.removeprefix("export ").split("=") for line in lines if line.startswith("export"))
    found = read_environment(environ, AT).state
    assert {each: value for each, (value, _) in found.items()} == wanted


@pytest.mark.parametrize(
    ("name", "value", "environ", "lines"),
    [
        (
            "recompile_limit",
            64,
            ["TORCHDYNAMO_CACHE_SIZE_LIMIT", "TORCHDYNAMO_RECOMPILE_LIMIT"],
            ["unset TORCHDYNAMO_CACHE_SIZE_LIMIT", "export TORCHDYNAMO_RECOMPILE_LIMIT=64"],
        ),
        # No text of torch's own variable means the default: leaving out all of them does.
        (
            "cprofile",
            False,
            ["TORCHDYNAMO_CPROFILE"],
            ["unset TORCH_COMPILE_CPROFILE", "unset TORCHDYNAMO_CPROFILE"],
        ),
        # Neither of torch's two can say that a list is empty.
        (
            "inductor.cuda.cutlass_dynamic_cluster_fallback",
            (),
            [],
            [
                "unset TORCHINDUCTOR_CUTLASS_DYNAMIC_CLUSTER_FALLBACK",
                "unset TORCHINDUCTOR_CUTLASS_DYNAMIC_CLUSTER_SHAPE",
                "export TORCHINDUCTOR_CUDA_CUTLASS_DYNAMIC_CLUSTER_FALLBACK='[]'",
            ],
        ),
    ],
)
def test_variables_that_get_in_the_way_are_unset(
    name: str, value: object, environ: list[str], lines: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """All of torch's own, and of dynconf's those that are set; where there is none, no line speaks of it."""
    for each in environ:
        monkeypatch.setenv(each, "1")
    release = Release.named("2.15")
    text = to_shell(assigned({names.setting(name, release): value}, release=release)).text
    assert text.splitlines() == lines
