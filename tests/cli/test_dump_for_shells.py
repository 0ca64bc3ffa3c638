"""Tests of ``dynconf dump --format env``."""

import os
import subprocess
from pathlib import Path

import pytest
from conftest import fresh_config
from hypothesis import given, settings
from hypothesis import strategies as st
from states import assigned
from strategies import values

from dynconf.catalogue.catalogue import Setting
from dynconf.catalogue.flags.types import Bool, is_same_value
from dynconf.catalogue.modules import MODULES, catalogue
from dynconf.catalogue.names import module_views
from dynconf.release import Release
from dynconf.sources.environment import read_environment
from dynconf.tools.show.exports import to_shell


def shell(lines: str, environ: dict[str, str] | None = None) -> dict[str, str]:
    """Return the environment after a shell has run the lines."""
    script = f"{lines}\nenv -0"
    environ = {"PATH": os.environ["PATH"], **(environ or {})}
    done = subprocess.run(["sh", "-c", script], env=environ, check=True, capture_output=True)
    pairs = (entry.partition("=") for entry in done.stdout.decode().split("\0") if entry)
    return {name: value for name, _, value in pairs}


def test_what_no_variable_can_express_is_named(run_cli) -> None:
    """No text means a path called none; a note names flag and value, and the rest is printed."""
    Path("my.json").write_text('{"debug_dir_root": "none", "recompile_limit": 3}')
    done = run_cli("dump", "--format", "env", "--config", "my.json", "--trust", "--torch", "2.13")
    assert done.out == "export TORCHDYNAMO_RECOMPILE_LIMIT=3\n"
    assert "debug_dir_root is left out: no variable can express 'none'" in done.err


def test_variables_that_only_dynconf_reads_are_named(run_cli) -> None:
    """In one note; torch's own variables need none, and neither does one that is unset."""
    words = (
        "--set",
        "recompile_limit=4",
        "--set",
        "rewrite_assert_with_torch_assert=0",
        "--set",
        "verbose=1",
    )
    for form in ("env", "fish"):
        done = run_cli("dump", "--format", form, *words, "--torch", "2.13")
        assert done.err.startswith(
            "dynconf: note: bare torch does not read TORCHDYNAMO_RECOMPILE_LIMIT, TORCH"
        )
        assert (len(done.err.splitlines()), "VERBOSE" in done.err) == (1, False)
    assert run_cli("dump", "--format", "env", "--set", "verbose=1", "--torch", "2.13").err == ""


def _public() -> list[Setting]:
    return [
        each for view in module_views(Release.at_hand()) for each in view.settings.values() if each.public
    ]


@settings(max_examples=40)  # each runs a shell
@given(data=st.data())
def test_a_shell_brings_the_value_back(data: st.DataObject) -> None:
    """After the lines are run, dynconf reads the very value, whatever the environment had before."""
    setting = data.draw(st.sampled_from(_public()))
    value = data.draw(values(setting.type))
    release = Release.at_hand()
    lines = to_shell(assigned({setting: value}, release=release)).text
    if not lines:
        return
    after = shell(lines, {variable.name: "1" for variable in setting.variables})
    read = read_environment(after, release).state.value(setting)
    assert is_same_value(_by_name(setting, read), _by_name(setting, value))


def _by_name(setting: Setting, value: object) -> object:
    """Return the value with objects replaced by the names that they have in variables."""
    value = setting.type.by_name(value)
    return float(value) if isinstance(value, float) else value


@pytest.mark.parametrize("module", MODULES)
def test_bare_torch_sees_what_its_own_variables_say(run_cli, module: str) -> None:
    """A release's own module, run in the exported environment, has the values."""
    pytest.importorskip(catalogue(module).module, reason="the release does not have the module")
    wanted = {
        setting: not setting.default_value()
        for setting in _public()
        if setting.module == module and setting.variables and isinstance(setting.type, Bool)
    }
    done = run_cli(
        "dump",
        "--format",
        "env",
        *(f"--set={setting.qualified}={value}" for setting, value in wanted.items()),
    )
    assert done.code == 0, done.err
    environ = shell(done.out)
    with fresh_config(environ, module=module) as live:
        read = {setting: bool(getattr(live, setting.name)) for setting in wanted}
    for setting, value in wanted.items():
        if setting.variables[0].name in environ:
            assert read[setting] is value, setting
