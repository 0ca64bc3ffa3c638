"""Tests of ``dynconf env``."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import fresh_config
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import values

from dynconf.catalogue.names import canonical, settings_of
from dynconf.cli.exports import print_exports
from dynconf.provenance import Origin
from dynconf.sources.env import read_environment
from dynconf.sources.layer import Layer
from dynconf.state.snapshot import effective
from dynconf.values import same
from dynconf.versions import at_hand

Cli = Callable[..., Any]


def shell(lines: str, environ: dict[str, str] | None = None) -> dict[str, str]:
    """Return the environment after a shell has run the lines."""
    script = f"{lines}\nenv -0"
    done = subprocess.run(
        ["sh", "-c", script],
        env={"PATH": os.environ["PATH"], **(environ or {})},
        check=True,
        capture_output=True,
    )
    pairs = (entry.partition("=") for entry in done.stdout.decode().split("\0") if entry)
    return {name: value for name, _, value in pairs}


def test_what_is_set_is_exported(run_cli: Cli) -> None:
    """Each flag that something sets is one line; torch's own variable is used where it says the same."""
    Path("dynconf.toml").write_text("recompile_limit = 64\nverbose = true\n")
    done = run_cli("env", "--set", "disable=yes", "--torch", "2.13")
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines() == [
        "export TORCH_COMPILE_DISABLE=1",
        "export TORCHDYNAMO_RECOMPILE_LIMIT=64",
        "export TORCHDYNAMO_VERBOSE=1",
    ]


def test_nothing_set_prints_nothing(run_cli: Cli) -> None:
    """Defaults need no variable."""
    assert run_cli("env").out == ""


def test_what_no_variable_can_say_is_named(run_cli: Cli) -> None:
    """An empty set has no text; the note names flag and value, and the rest is printed."""
    Path("my.toml").write_text("ignore_logging_functions = []\nrecompile_limit = 3\n")
    done = run_cli("env", "--config", "my.toml", "--torch", "2.13")
    assert done.out == "export TORCHDYNAMO_RECOMPILE_LIMIT=3\n"
    assert "ignore_logging_functions is left out: no variable can say set()" in done.err


def test_a_default_that_torchs_variable_cannot_say_is_unset(run_cli: Cli) -> None:
    """Any text of TORCHDYNAMO_SUPPRESS_ERRORS is True to torch, so False is said by leaving it unset."""
    done = run_cli("env", "--set", "suppress_errors=0", "--torch", "2.13")
    assert done.out == "unset TORCHDYNAMO_SUPPRESS_ERRORS\n"


def test_the_uniform_variable_is_not_shadowed(run_cli: Cli) -> None:
    """Where only the uniform variable can say a value, torch's own, which would win, is unset."""
    done = run_cli("env", "--set", "debug_dir_root=/a b", "--torch", "2.13")
    assert done.out == "unset TORCH_COMPILE_DEBUG_DIR\nexport TORCHDYNAMO_DEBUG_DIR_ROOT='/a b'\n"


@settings(max_examples=40)  # each runs a shell
@given(data=st.data())
def test_a_shell_brings_the_value_back(data: st.DataObject) -> None:
    """After the lines are run, dynconf reads the very value, whatever stood in the environment before."""
    at = at_hand()
    flag = data.draw(st.sampled_from([each for each in settings_of(at.minor) if each.public]))
    value = data.draw(values(flag.type))
    name = canonical(flag.name)
    state = effective(at, Layer({name: value}, {name: Origin("assignment")}))
    with pytest.MonkeyPatch.context() as patch:
        lines: list[str] = []
        patch.setattr("builtins.print", lambda *texts, **_: lines.append(texts[0]))
        print_exports(state, state.names_set())
    exported = [line for line in lines if not line.startswith("dynconf: note")]
    if not exported:
        return
    before = {variable.name: "1" for variable in flag.variables_in(at.minor)}
    after = shell("\n".join(exported), before)
    ordinary, forced = read_environment(after, at)
    whole = {**effective(at, ordinary).values, **forced.values}
    assert same(_plain(whole[flag.name]), _plain(value))


def _plain(value: object) -> object:
    """Return the value with objects replaced by the names that they go by in variables."""
    from dynconf.catalogue.value_types import Reference, SetOf
    from dynconf.values import as_json

    if isinstance(value, set):
        return as_json(SetOf(Reference("callable")), value)
    return float(value) if isinstance(value, float) else value


def test_bare_torch_sees_what_its_own_variables_say(run_cli: Cli) -> None:
    """A release's own module, run in the exported environment, has the value."""
    at = at_hand()
    for flag in settings_of(at.minor):
        wanted = not flag.default_in(at.minor)
        if (
            not flag.public
            or not flag.variables_in(at.minor)
            or flag.default_in(at.minor) not in (True, False)
        ):
            continue
        done = run_cli("env", "--set", f"{flag.name}={wanted}")
        variable = flag.variables_in(at.minor)[0].name
        if f"export {variable}=" not in done.out:
            continue
        with fresh_config({variable: shell(done.out)[variable]}) as module:
            assert bool(getattr(module, flag.name)) is wanted, flag.name


def test_a_wrong_value_exits_with_2(run_cli: Cli) -> None:
    """Bad input prints no lines that a shell could run."""
    done = run_cli("env", "--set", "verbose=loud")
    assert (done.code, done.out) == (2, "")
