"""The config modules by name, and `dynconf.install` over all of them."""

import functools
import warnings
from pathlib import Path
from unittest import mock

import pytest

import dynconf
from dynconf import settings
from dynconf.catalogue.modules import MODULES, catalogue
from dynconf.catalogue.names import find, name_in
from dynconf.errors import InertFlagWarning
from dynconf.live.binding import bind
from dynconf.provenance import Origin

LIMIT = bind().slot("recompile_limit").name


@pytest.mark.parametrize("module", MODULES)
def test_every_module_has_a_namespace(module):
    """It has the module's flags and models, under the short name."""
    namespace = getattr(dynconf, module)
    assert dict(namespace.FLAGS) == dict(catalogue(module).flags)
    for kind in ("Flags", "Settings"):
        assert getattr(namespace, kind) is getattr(settings, f"{module.capitalize()}{kind}")
    assert set(namespace.snapshot()) == {name_in(module, slot.setting) for slot in bind(module).flags()}
    assert namespace.snapshot().module == module
    assert repr(namespace) == f"<dynconf.{module}, the flags of {catalogue(module).module}>"
    flag = next(name for name in namespace.FLAGS if name[0] != "_")
    with pytest.raises(AttributeError, match=rf"{flag!r}; the flag is in dynconf\.{module}\.snapshot\(\)$"):
        getattr(namespace, flag)
    assert not hasattr(namespace, "shape")


def test_a_namespace_takes_no_values():
    """An assigned flag would stay as it is, and read as if it were set; methods can be replaced in tests."""
    with pytest.raises(AttributeError, match=r"set the flag with dynconf\.inductor\.install\(max_autotune="):
        dynconf.inductor.max_autotune = True
    with pytest.raises(AttributeError, match="cannot be assigned: it has no such attribute"):
        dynconf.inductor.max_autotun = True
    with mock.patch.object(dynconf.inductor, "patch", "other"):
        assert dynconf.inductor.patch == "other"
    assert callable(dynconf.inductor.patch)
    assert bind("inductor").slot("max_autotune").read() is False


def test_patch_takes_the_same_forms_as_dynconf_patch():
    """Bare names are the module's own; the origin is the line that makes the patch."""
    for patch in (
        dynconf.functorch.patch(static_weight_shapes=False),
        dynconf.functorch.patch({"static_weight_shapes": False}),
        dynconf.functorch.patch("static_weight_shapes", False),
    ):
        assert patch.changes == {"functorch.static_weight_shapes": False}
        assert patch.origin.file == __file__
        with patch:
            assert bind("functorch").module.static_weight_shapes is False
            assert dynconf.functorch.origin("static_weight_shapes") == patch.origin
        assert bind("functorch").module.static_weight_shapes is True
    with pytest.raises(TypeError, match=r"dynconf\.functorch\.patch"):
        dynconf.functorch.patch("static_weight_shapes", False, static_weight_shapes=True)


def test_install_reads_what_files_and_environment_say(monkeypatch, here):
    """Of the module alone, or as one installation of all; each value names its source."""
    Path("dynconf.toml").write_text("verify_correctness = true\n[functorch]\nstatic_weight_shapes = false\n")
    monkeypatch.setenv("TORCHFUNCTORCH_CSE", "0")
    with dynconf.functorch.install(view_replay_for_aliased_outputs=False) as installation:
        line = here() - 1
        flags = {"cse", "static_weight_shapes", "view_replay_for_aliased_outputs"}
        assert set(installation.changes) == {f"functorch.{flag}" for flag in flags}
        assert dynconf.functorch.origin("cse") == Origin("env", "TORCHFUNCTORCH_CSE", "0")
        assert dynconf.functorch.origin("static_weight_shapes").line == 3
        origin = dynconf.functorch.origin("view_replay_for_aliased_outputs")
        assert origin == Origin("install", file=__file__, line=line)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        both = dynconf.install(recompile_limit=64, dynamic_shapes=True)
    (warning,) = caught
    assert (warning.category, warning.filename) == (InertFlagWarning, __file__)
    files = {"functorch.cse": False, "functorch.static_weight_shapes": False, "verify_correctness": True}
    assert both.changes == {"recompile_limit": 64, "dynamic_shapes": True, **files}
    both.uninstall()
    assert list(dynconf.snapshot().only_set()) == []


def test_install_takes_a_file_and_a_scope():
    """It accepts the same file and the same scopes as the settings models."""
    Path("other.toml").write_text("recompile_limit = 64\n")
    with dynconf.install(config="other.toml") as installation:
        assert installation.changes == {"recompile_limit": 64}
    with pytest.raises(dynconf.InvalidValueError, match="scope: 'thread' is not valid"):
        dynconf.install(scope="thread", recompile_limit=64)


def test_reset_is_for_the_module_alone():
    """One flag or all are reset; other modules keep their values."""
    with dynconf.patch(verify_correctness=True):
        bind("functorch").module.static_weight_shapes = False
        bind("functorch").module.cse = False
        dynconf.functorch.reset("cse")
        assert list(dynconf.functorch.snapshot().only_set()) == ["static_weight_shapes"]
        dynconf.functorch.reset()
        assert list(dynconf.snapshot().only_set()) == ["verify_correctness"]


def test_flags_of_inductor_may_be_named_in_several_ways():
    """Dotted, in their group, or in full; by `patch` and by `install`, of the namespace and of dynconf."""
    wanted = {"inductor.max_autotune": True, "inductor.triton.cudagraphs": True}
    given = {"max_autotune": True, "triton.cudagraphs": True}
    grouped = {"max_autotune": True, "triton": {"cudagraphs": True}}
    config = bind("inductor").module
    for make in (dynconf.patch, dynconf.install):
        forms = [
            functools.partial(make, form) for form in (wanted, {"inductor": given}, {"inductor": grouped})
        ]
        own = getattr(dynconf.inductor, make.__name__)
        forms += [functools.partial(own, form) for form in (given, grouped, wanted)]
        forms += [functools.partial(make, inductor=grouped), functools.partial(own, **grouped)]
        for form in forms:
            made = form()
            assert made.changes == wanted
            with made:
                assert (config.max_autotune, config.triton.cudagraphs) == (True, True)
                origin = dynconf.inductor.origin("triton.cudagraphs")
                assert origin == dynconf.origin("inductor.triton.cudagraphs")
                assert origin.file == __file__
            assert (config.max_autotune, config.triton.cudagraphs) == (False, False)


def test_settings_and_snapshots_of_a_module_may_stand_under_its_name():
    """The flags set in them count, as if they were passed alone; defaults are left alone."""
    settings = dynconf.functorch.Settings(static_weight_shapes=False)
    functorch = bind("functorch").module
    with dynconf.patch(recompile_limit=3, functorch=settings) as both:
        assert both.changes == {"recompile_limit": 3, "functorch.static_weight_shapes": False}
        assert functorch.static_weight_shapes is False
        snapshot = dynconf.functorch.snapshot()
    assert dynconf.patch(functorch=snapshot).changes == {"functorch.static_weight_shapes": False}
    limit = dynconf.DynamoSettings(recompile_limit=3)
    assert dynconf.patch({"functorch": settings, "dynamo": limit}).changes == both.changes
    for state in (settings, snapshot):
        with dynconf.install(recompile_limit=3, functorch=state):
            assert (getattr(bind().module, LIMIT), functorch.static_weight_shapes) == (3, False)
        assert functorch.static_weight_shapes is True
    for take in (dynconf.patch, dynconf.install):
        with pytest.raises(dynconf.UnknownFlagError, match="recompile_limit"):
            take(functorch=dynconf.DynamoSettings(recompile_limit=3))


def test_a_group_may_be_reset_flag_by_flag():
    """A name that the group does not have is reported as misspelt."""
    config = bind("inductor").module
    config.triton.cudagraphs = True
    dynconf.inductor.reset("triton.cudagraphs")
    assert list(dynconf.inductor.snapshot().only_set()) == []
    for wrong, said in (
        ({"cudagraph": True}, r"did you mean 'inductor\.triton"),
        (True, "'triton' is a group"),
    ):
        with pytest.raises(dynconf.UnknownFlagError, match=said):
            dynconf.inductor.patch(triton=wrong)


def test_a_flag_that_moved_to_another_module_is_followed():
    """Its old module sets it in every release that has it in either."""
    release = bind().release
    followed = 0
    for name in catalogue("inductor").flags:
        setting = find(name, release, "inductor")
        if setting is not None and setting.module != "inductor":
            patch = dynconf.inductor.patch({name: setting.default_value()})
            assert patch.changes == {setting.qualified: setting.default_value()}
            followed += 1
    assert followed or release.minor < (2, 8)
