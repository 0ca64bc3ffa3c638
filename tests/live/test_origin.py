"""`origin`: every place that a live value can come from, each with what is known of it."""

import os
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import ExitStack

import pytest
from conftest import fresh_config
from live_state import (
    LIMIT,
    PER_CONTEXT,
    RawState,
    bind,
    bound_in_place_of_dynamo,
    changed_at_each_instruction,
    config,
    known,
    patch_of_anything,
    result_in_thread,
    snapshot_values,
    torch_reads,
)

import dynconf
from dynconf.provenance import DEFAULT, Origin
from dynconf.release import Release

HERE = __file__


@pytest.mark.parametrize("module", ["dynamo", "functorch", "inductor", "fx"])
def test_every_flag_begins_with_its_default(module):
    """Nothing is set, and reading a flag does not change that."""
    for setting in known(module):
        assert dynconf.origin(setting.qualified) == Origin("default"), setting
        torch_reads(setting.qualified)
        assert dynconf.origin(setting.qualified) == Origin("default"), setting


def test_patches(here):
    """The file and the line of the call, in the innermost patch; one level up once it is left."""
    one, line = dynconf.patch(recompile_limit=3), here()
    with one:
        assert dynconf.origin("recompile_limit") == Origin("patch", file=HERE, line=line)
        with dynconf.patch({LIMIT: 4}):
            assert dynconf.origin(LIMIT) == Origin("patch", file=HERE, line=here() - 1)
        assert dynconf.origin(LIMIT).line == line
        assert result_in_thread(lambda: dynconf.origin(LIMIT).kind) == ("default" if PER_CONTEXT else "patch")
        assert str(dynconf.origin(LIMIT)) == f"patch at {HERE}:{line}"
    assert one(lambda: dynconf.origin(LIMIT))().line == line  # not of the line that calls the function
    assert dynconf.origin(LIMIT).kind == "default"


def test_installations(monkeypatch, tmp_path):
    """A keyword is told by the line that installs, a variable with its text, a file with its line."""
    (tmp_path / "dynconf.toml").write_text("\nspecialize_int = true\n", encoding="utf-8")
    monkeypatch.setenv("TORCHDYNAMO_VERIFY_CORRECTNESS", "yes")
    with dynconf.install(recompile_limit=3):
        limit = dynconf.origin("recompile_limit")
        assert (limit.kind, limit.file) == ("install", HERE)
        assert dynconf.origin("verify_correctness") == Origin("env", "TORCHDYNAMO_VERIFY_CORRECTNESS", "yes")
        entry = dynconf.origin("specialize_int")
        assert entry.kind == "file"
        assert os.path.basename(entry.file) == "dynconf.toml"
        assert entry.line == 2
        assert result_in_thread(lambda: dynconf.origin("recompile_limit")) == limit
        with dynconf.patch(recompile_limit=4):
            assert dynconf.origin("recompile_limit").kind == "patch"
        assert dynconf.origin("recompile_limit") == limit
        found, origins = snapshot_values()
        assert (found[LIMIT], origins[LIMIT]) == (3, limit)
    assert dynconf.origin("recompile_limit").kind == "default"


def test_assignments():
    """Whatever was written from outside dynconf, by torch's own patch too; a default that was set as well."""
    config().verify_correctness = True
    assert dynconf.origin("verify_correctness").kind == "assignment"
    assert snapshot_values()[1]["verify_correctness"].kind == "assignment"
    with dynconf.patch(verify_correctness=False):
        assert dynconf.origin("verify_correctness").kind == "patch"
        config().verify_correctness = True
        assert dynconf.origin("verify_correctness").kind == "assignment"
    assert dynconf.origin("verify_correctness").kind == "assignment"
    dynconf.reset()
    with config().patch(specialize_int=True):
        assert dynconf.origin("specialize_int").kind == "assignment"


def test_aliases():
    """An old name that torch forwards says so."""
    if not bind().alias_of("cache_size_limit"):
        pytest.skip("torch forwards old names from 2.7 on")
    assert dynconf.origin("cache_size_limit") == Origin("alias", "recompile_limit")
    assert dynconf.origin("dynamo.cache_size_limit") == Origin("alias", "recompile_limit")
    assert "cache_size_limit" not in snapshot_values()[1]


def test_unknown_flags():
    """There is no origin of what does not exist."""
    with pytest.raises(dynconf.UnknownFlagError, match="did you mean 'verbose'"):
        dynconf.origin("verbos")


TEXTS = {
    "equals_one": ("1",),
    "not_zero": ("0",),
    "truthy": ("0",),
    "text": ("7",),
    "integer": ("3",),
    "integer_or_none": ("3",),
    "tristate": ("1", "0"),
    "default": ("1", "0"),
    "force": ("1", "0"),
    "debug_dir": ("/x",),
}
"""Texts that variables may have, by how torch reads them."""

READ = [
    (setting.name, variable.name, raw)
    for setting in bind().view.settings.values()
    for variable in setting.variables
    for raw in TEXTS[variable.rule]
    if setting.name != "repro_after"
]
"""Flags of the release with a variable that torch reads for them, and a text."""
VARIABLE, RAW = next(each[1:] for each in READ if each[0] == "verbose")


@pytest.mark.known_shape
@pytest.mark.parametrize(("name", "variable", "raw"), READ)
def test_what_torch_read_from_the_environment(monkeypatch, name, variable, raw):
    """A config module imported in that environment: variable and raw text, or the default if equal."""
    monkeypatch.setenv(variable, raw)
    with fresh_config() as module:
        slot = bound_in_place_of_dynamo(monkeypatch, module).slot(name)
        found = dynconf.origin(name)
        value, default = slot.read(), slot.setting.default_value()
        assert (type(value), value) == (type(getattr(module, name)), getattr(module, name))
        assert snapshot_values()[1][name] == found
        assert slot.value_at_import() == value
        if any(each.name == variable and each.rule == "force" for each in slot.setting.variables):
            assert found == Origin("forced", variable, raw)
        elif found.kind == "default":
            assert value == default
        else:
            assert found == Origin("env", variable, raw)
        if value != default:
            assert found.kind != "default"


@pytest.mark.parametrize("raw", ["", " "])
def test_an_empty_variable_sets_nothing(monkeypatch, raw):
    """Where torch makes nothing of it either, the flag has its default."""
    monkeypatch.setenv(VARIABLE, raw)
    with fresh_config() as module:
        bound_in_place_of_dynamo(monkeypatch, module)
        assert dynconf.origin("verbose") == Origin("default")


@pytest.mark.catalogued
@pytest.mark.parametrize("now", [None, "0", ""])
def test_a_variable_that_changed_after_import(monkeypatch, now):
    """It is still named as the source, without the text that nobody knows any longer."""
    with fresh_config({VARIABLE: RAW}) as module:
        monkeypatch.delenv(VARIABLE, raising=False)
        if now is not None:
            monkeypatch.setenv(VARIABLE, now)
        made = bound_in_place_of_dynamo(monkeypatch, module)
        assert made.slot("verbose").read() is True
        assert dynconf.origin("verbose") == Origin("env", VARIABLE)


@pytest.mark.catalogued
def test_a_default_beyond_the_catalogue_is_set_by_nobody(monkeypatch):
    """A newer torch may have another default; a value that no variable explains is not set by one."""
    with fresh_config({VARIABLE: RAW}) as module:
        monkeypatch.delenv(VARIABLE, raising=False)
        slot = bound_in_place_of_dynamo(monkeypatch, module).slot("verbose")
    assert slot.origin_at_import().kind == "env"
    monkeypatch.setattr(Release, "is_beyond_catalogue", True)
    assert slot.origin_at_import() is DEFAULT
    assert slot.read() is True


@pytest.mark.catalogued
def test_an_empty_variable_that_torch_reads_as_something(monkeypatch):
    """Where torch only asks whether a text is "1", an empty one switches the flag off, and is named."""
    name, variable = "fake_tensor_cache_enabled", "TORCH_FAKE_TENSOR_DISPATCH_CACHE"
    monkeypatch.setenv(variable, "")
    with fresh_config() as module:
        bound_in_place_of_dynamo(monkeypatch, module)
        assert getattr(module, name) is False
        assert dynconf.origin(name) == Origin("env", variable, "")


def test_assignments_and_patches_over_a_variable(monkeypatch):
    """Each while it holds; the variable again after it."""
    monkeypatch.setenv(VARIABLE, RAW)
    with fresh_config() as module:
        slot = bound_in_place_of_dynamo(monkeypatch, module).slot("verbose")
        kept = slot.stored()
        module.verbose = False
        assert dynconf.origin("verbose").kind == "assignment"
        slot.store(kept)
        assert dynconf.origin("verbose") == Origin("env", VARIABLE, RAW)
        with patch_of_anything(verbose=False):
            assert dynconf.origin("verbose").kind == "patch"
        assert dynconf.origin("verbose") == Origin("env", VARIABLE, RAW)
        with dynconf.install(verbose=False):
            assert module.verbose is False
            assert slot.value_at_import() is True


def test_a_default_that_a_library_sets_while_somebody_asks(monkeypatch):
    """Later states have it, at whatever moment another thread has asked for the origin of torch's."""
    made = []

    def set_default():
        made.append(dynconf.defaults(verbose=True))

    def ask():
        assert dynconf.origin("verbose") is not None

    def prepare():
        modules.close()
        bound_in_place_of_dynamo(monkeypatch, modules.enter_context(fresh_config()))

    with ExitStack() as modules:
        prepare()
        for line in changed_at_each_instruction(ask, set_default, unit="line"):
            assert snapshot_values()[0]["verbose"] is True, line
            made.pop().uninstall()
            assert snapshot_values()[0]["verbose"] is False, line
            prepare()


def test_a_patch_that_another_thread_enters_meanwhile():
    """The origin is that of one of the patches; before torch 2.12 both count here."""
    found, entering, before = [], [], RawState()

    def patch_elsewhere():
        entering.append(pool.submit(others.__enter__))
        wait(entering, 0.005)  # in vain while this thread has the lock

    others = dynconf.patch(recompile_limit=65)
    with ThreadPoolExecutor(1) as pool, dynconf.patch(recompile_limit=64):
        for line_number in changed_at_each_instruction(
            lambda: found.append(dynconf.origin("recompile_limit").kind), patch_elsewhere, unit="line"
        ):
            entering.pop().result(20)
            pool.submit(others.__exit__, None, None, None).result(20)
            assert found.pop() == "patch", line_number
    assert RawState() == before
