"""Options for torch.compile: checked, in torch's own names, merged with a mode, taken by torch."""

import contextlib
import doctest
import inspect
import sys
import types
import typing
import warnings
from pathlib import Path

import pytest
import torch
from live_state import (
    RawState,
    accepted_values,
    bind,
    config,
    dynconf_warnings_ignored,
    executed,
    result_in_thread,
)

import dynconf
from dynconf.catalogue import names
from dynconf.catalogue.flags.flag import within
from dynconf.catalogue.modules import catalogue
from dynconf.errors import (
    ConflictWarning,
    EnvironmentWarning,
    ForcedFlagWarning,
    InertFlagWarning,
    UncataloguedFlagWarning,
)
from dynconf.live import binding as binding_module

# torch's own, while it imports what compiles.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:torch")

options = dynconf.inductor.options
MODES = ("default", "reduce-overhead", "max-autotune-no-cudagraphs", "max-autotune")
GRAPHS = "triton.cudagraphs"


def inductor():
    """Return the binding to the config of inductor."""
    return bind("inductor")


def declared(name):
    """Return the type with which torch.compile compares an option."""
    return config("inductor").get_type(name)


def is_taken(name, value):
    """Tell whether torch.compile takes the option: by the value in force, later by the declared type."""
    if not hasattr(config("inductor"), "get_type"):
        return type(value) is type(inductor().slot(name).read())
    with contextlib.suppress(TypeError):  # where the declared type is none
        return bool(typing.get_origin(declared(name))) or isinstance(value, declared(name))
    return False


@pytest.fixture
def _types_put_back():
    """Put back the types that torch declares."""
    entries = {slot.name: slot.record for slot in inductor().flags() if hasattr(slot.record, "value_type")}
    kept = {name: entry.value_type for name, entry in entries.items()}
    yield
    for name, entry in entries.items():
        entry.value_type = kept[name]


# -- names and values --------------------------------------------------------------------------------------


def test_every_way_to_name_a_flag_gives_the_same_options():
    """Dotted, in its group, with the module in front, with dashes, in a mapping, in settings."""
    wanted = {GRAPHS: True, "max_autotune": True}
    for made in (
        options(max_autotune=True, **{GRAPHS: True}),
        options(max_autotune=True, triton={"cudagraphs": True}),
        options(**{"inductor.max_autotune": True, f"inductor.{GRAPHS}": True}),
        options(**{"max-autotune": True, GRAPHS: True}),
        options({"max_autotune": True, GRAPHS: True}),
        options({"max_autotune": True, "triton": {"cudagraphs": True}}),
        options(dynconf.InductorSettings(max_autotune=True, **{GRAPHS: True})),
    ):
        assert made == wanted


def test_options_are_a_plain_dict_of_the_caller_s_own():
    """Changing the dict, or the argument that it was made from, changes nothing else."""
    given = ["a"]
    name = next(
        each.name for each in inductor().view.settings.values() if each.type.expected == "a list of strings"
    )
    with dynconf_warnings_ignored():
        made = options({name: given})
    assert type(made) is dict
    assert made == {name: ["a"]}
    assert made[name] is not given
    assert options() == {}


def test_all_mistakes_are_reported_at_once_with_suggestions():
    """The live module stays as it was, bit by bit."""
    before = RawState("inductor")
    with pytest.raises(dynconf.DynconfError) as refused:
        options(max_autotun=True, max_autotune="yes", max_fusion_size=0, triton={"cudagraph": True})
    text = str(refused.value)
    assert len(refused.value.errors) == 4
    assert len(text) < 500
    assert "'max_autotun': did you mean 'inductor.max_autotune'?" in text
    assert "'yes' is not valid: expected True or False" in text
    assert "0 is not valid: expected a whole number, 1 or more" in text
    assert "'triton.cudagraph': did you mean 'inductor.triton.cudagraphs'?" in text
    assert RawState("inductor") == before


def test_values_are_what_torch_stores():
    """A whole number is a float where torch wants one, and `at_least` becomes the limit that results."""
    limit = config("inductor").max_fusion_size
    made = options(max_fusion_size=dynconf.at_least(1), max_autotune_subproc_result_timeout_seconds=60)
    assert made == {"max_fusion_size": limit, "max_autotune_subproc_result_timeout_seconds": 60.0}
    assert [type(value) for value in made.values()] == [int, float]
    with dynconf.inductor.patch(max_fusion_size=300):
        assert options(max_fusion_size=dynconf.at_least(200)) == {"max_fusion_size": 300}


def test_two_names_of_one_flag_must_agree():
    """If they do not, neither is taken."""
    with pytest.raises(dynconf.ConflictError, match="given twice"):
        options(max_autotune=True, **{"inductor.max_autotune": False})


def test_old_and_new_names_become_the_release_s_own():
    """Every flag that was renamed inside inductor may go by any of its names."""
    here = inductor()
    found = 0
    for newest, family in catalogue("inductor").families.items():
        setting = here.view.settings.get(newest)
        if len(family) > 1 and setting is not None and not here.alias_of(setting.name):
            for name in family:
                assert options({name: setting.default_value()}) == {setting.name: setting.default_value()}
                found += 1
    assert found >= 6


def moved():
    """Return a name of each flag that is in another module in this release, with its qualified name there."""
    known = catalogue("inductor").flags
    found = {name: names.find(name, inductor().release, "inductor") for name in known}
    return {name: each for name, each in found.items() if each is not None and each.module != "inductor"}


def test_flags_of_other_modules_are_refused_by_name():
    """Those that left inductor, which can be skipped, and those of others; with where they are set."""
    for name, setting in moved().items():
        if name in inductor().names() and inductor().release.minor >= (2, 15):
            assert options({name: setting.default_value()}) == {name: setting.default_value()}
            continue
        with pytest.raises(dynconf.UnknownFlagError) as refused:
            options({name: setting.default_value()})
        assert setting.qualified in str(refused.value)
        assert "dynconf.install" in str(refused.value)
        assert options({name: setting.default_value()}, missing="skip") == {}
    with pytest.raises(dynconf.UnknownFlagError, match=r"verbose is a dynamo flag: dynconf\.dynamo\.patch"):
        options(verbose=True, missing="skip")
    with pytest.raises(dynconf.UnknownFlagError, match=r"functorch\.cse is not a flag of inductor"):
        options(functorch={"cse": False}, missing="skip")


def absent():
    """Return a flag that other releases have and this one does not."""
    view = inductor().view
    return next(
        name for name in catalogue("inductor").flags if not names.find(name, view.release, "inductor")
    )


def test_a_flag_that_the_release_lacks_is_an_error_unless_asked_otherwise():
    """It can be left out with a warning at the caller's line, or silently; a misspelt name cannot."""
    name = absent()
    with pytest.raises(dynconf.UnknownFlagError, match=f"'inductor.{name}'"):
        options(max_autotune=True, **{name: 1})
    line = inspect.currentframe().f_lineno + 2
    with pytest.warns(EnvironmentWarning, match=f"'inductor.{name}'.*; skipped") as caught:
        made = options(missing="warn", max_autotune=True, **{name: 1})
    assert [(each.filename, each.lineno) for each in caught] == [(__file__, line)]
    assert made == options(missing="skip", max_autotune=True, **{name: 1}) == {"max_autotune": True}
    with pytest.raises(dynconf.UnknownFlagError, match="did you mean"):
        options(missing="skip", max_autotun=True)
    with pytest.raises(dynconf.InvalidValueError, match="missing: 'ignore' is not valid"):
        options(missing="ignore")


@pytest.mark.parametrize(
    ("name", "value", "since"), [("guard_filter_fn", len, "2.8"), ("use_aoti", True, "2.10")]
)
def test_what_torch_compile_keeps_for_itself_is_passed_on(name, value, since):
    """Such an option is checked, and passed on from the release that has it."""
    if within(inductor().release.minor, since, ""):
        assert options({name: value}) == {name: value}
        with pytest.raises(dynconf.InvalidValueError, match=f"{name}: 3 is not valid"):
            options({name: 3})
    else:
        with pytest.raises(dynconf.UnknownFlagError, match=f"it came with torch {since}"):
            options({name: value})
        assert options({name: value}, missing="skip") == {}


def test_wrong_calls_are_type_errors():
    """The message names the function."""
    for wrong in (
        ((3,), {}),
        (({"max_autotune": True},), {"max_fusion_size": 7}),
        (("default",), {"mode": "default"}),
    ):
        with pytest.raises(TypeError, match=r"dynconf\.inductor\.options"):
            options(*wrong[0], **wrong[1])


def test_rules_over_several_flags_are_judged_over_what_is_live():
    """A combination that torch rejects is an error."""
    flags = ("aot_inductor.force_mmap_weights", "aot_inductor.package_constants_on_disk_format")
    if not all(flag in inductor().names() for flag in flags):
        pytest.skip("this release lacks them")
    with pytest.raises(dynconf.ConflictError, match="DC201"):
        options(dict(zip(flags, (True, "binary_blob"), strict=True)))
    with dynconf.inductor.patch({flags[0]: True}), pytest.raises(dynconf.ConflictError, match="DC201"):
        options({flags[1]: "binary_blob"})


def test_a_flag_that_does_nothing_is_warned_of():
    """The warning is the one that a patch gives."""
    inert = [each.name for each in inductor().view.settings.values() if each.inert]
    for name in inert:
        with pytest.warns(InertFlagWarning, match="does nothing in torch|nothing in torch .* reads"):
            options({name: inductor().slot(name).read()})


def test_a_value_that_another_one_overrules_is_warned_of():
    """Flags of torch 2.15 imply others, also in one call; a flag that no longer does is not named."""
    implications = inductor().storage.implications
    if not implications:
        pytest.skip("no flag implies another in this release")
    for name, rules in implications.items():
        for source, condition, implied in rules:
            with pytest.warns(ForcedFlagWarning, match=f"the flag inductor.{source} forces {implied}"):
                options({source: condition, name: not implied})
            assert options({source: condition, name: implied})
            with dynconf.inductor.patch({source: condition}):
                assert options({source: inductor().slot(source).default(), name: not implied})
                with pytest.warns(ForcedFlagWarning, match=f"the flag inductor.{source} forces {implied}"):
                    options({name: not implied})


# -- their effect in torch.compile ---------------------------------------------------------------------


def accepted():
    """Return pairs of a flag and a value that it accepts, several for each."""
    return [(slot.name, value) for slot in inductor().flags() for value in accepted_values(slot)]


@pytest.mark.known_shape
@pytest.mark.usefixtures("_types_put_back")
def test_torch_takes_whatever_a_flag_accepts():
    """Also where its declaration is wrong; 2.4 and 2.5 go by the value in force: the rest is an error."""
    declares, has_all_of_torch = hasattr(config("inductor"), "get_type"), hasattr(torch, "compile")
    mended, whole = set(), {}
    for name, value in accepted():
        was_taken = is_taken(name, value)
        if not was_taken and has_all_of_torch:
            with pytest.raises((RuntimeError, TypeError)):
                torch.compile(squared, options={name: value})
        if was_taken or declares:
            whole[name] = value
            with dynconf_warnings_ignored():
                assert options({name: value}) == {name: value}
            assert is_taken(name, value)
            assert was_taken or not has_all_of_torch or taken({name: value}) == {name: value}
        else:
            error = rf"inductor\.{name}: torch .* takes only a \w+ as an"
            with pytest.raises(dynconf.InvalidValueError, match=error):
                options({name: value})
            assert options({name: value}, missing="skip") == {}
        if not was_taken:
            mended.add(name)
    assert len(mended) >= 10
    if has_all_of_torch:
        assert taken(whole) == {name: each for name, each in whole.items() if name not in dropped_by_torch()}


@pytest.mark.known_shape
@pytest.mark.usefixtures("_types_put_back")
def test_a_declaration_that_is_right_stays():
    """It stays for values that torch accepts anyway, and after a call that is refused."""
    if not hasattr(config("inductor"), "get_type"):
        pytest.skip("this release declares no types")
    wrong, value = next(pair for pair in accepted() if not is_taken(*pair))
    before = declared(wrong), declared("max_autotune")
    options(max_autotune=True)
    with pytest.raises(dynconf.InvalidValueError):
        options({wrong: value, "max_autotune": 3})
    assert (declared(wrong), declared("max_autotune")) == before
    with dynconf_warnings_ignored():
        options({wrong: value, "max_autotune": True})
    assert (declared(wrong), declared("max_autotune")) == (object, before[1])


def test_options_that_torch_drops_are_warned_of_by_name():
    """Those whose declared type is generic, in torch 2.6; other releases drop none. No-ops have their own."""
    dropped = set()
    active = {slot.name: slot for slot in inductor().flags() if not slot.setting.inert}
    for name, slot in active.items():
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            with contextlib.suppress(dynconf.InvalidValueError):
                assert options({name: slot.read()}) == {name: slot.read()}
        dropped |= {each.message.flag for each in caught if each.category is InertFlagWarning}
    assert dropped == {f"inductor.{name}" for name in dropped_by_torch() & active.keys()}
    assert (len(dropped) > 30) is (inductor().release.minor == (2, 6))


def dropped_by_torch():
    """Return the options that torch takes and drops: in 2.6, those whose declared type is generic."""
    if inductor().release.minor != (2, 6):
        return set()
    return {name for name in inductor().names() if typing.get_origin(declared(name))}


def test_a_flag_newer_than_the_catalogue_works_by_name(monkeypatch, tmp_path):
    """It has the type of its default, and a warning."""
    source = Path(config("inductor").__file__).read_text(encoding="utf-8")
    module = executed(source.replace("\nmax_fusion_size", "\nfuture_size = 1\nmax_fusion_size", 1), tmp_path)
    newer = binding_module.Binding(module, catalogue("inductor"))
    monkeypatch.setitem(binding_module._bindings, "inductor", newer)
    with pytest.warns(UncataloguedFlagWarning, match=r"inductor\.future_size is newer"):
        assert options(future_size=7) == {"future_size": 7}
    with pytest.raises(dynconf.InvalidValueError, match="future_size"):
        options(future_size="7")


def test_options_of_a_device_go_to_its_own_config(monkeypatch, tmp_path):
    """Torch 2.15 takes ``<device>.<flag>`` for devices that bring a config; it is typed by its default."""
    source = (
        "import sys\nfrom torch.utils._config_module import install_config_module\ntiles = 4\nfast = False\n"
    )
    module = executed(f"{source}install_config_module(sys.modules[__name__])\n", tmp_path)
    registry = types.ModuleType("torch._inductor.codegen.common")
    registry.init_backend_registration = lambda: None
    registry.get_compile_option_owner = {"npu.tiles": (module, "tiles"), "npu.fast": (module, "fast")}.get
    monkeypatch.setitem(sys.modules, registry.__name__, registry)
    with pytest.warns(UncataloguedFlagWarning, match=r"npu\.tiles"):
        assert options({"npu.tiles": 8, "max_autotune": True}) == {"npu.tiles": 8, "max_autotune": True}
    with pytest.warns(UncataloguedFlagWarning, match=r"npu\.fast"):
        assert options(**{"npu.fast": True}, missing="error") == {"npu.fast": True}
    with pytest.raises(dynconf.InvalidValueError, match=r"npu\.tiles: 'many' is not valid"):
        options({"npu.tiles": "many"})
    with pytest.raises(dynconf.UnknownFlagError, match=r"no inductor flag 'npu\.tile'"):
        options({"npu.tile": 8})
    registry.get_compile_option_owner = lambda _: (module, "")  # whatever the flag
    with pytest.raises(dynconf.UnknownFlagError, match=r"no inductor flag 'npu\.slow'"):
        options(**{"npu.slow": True})


# -- with all of torch ---------------------------------------------------------------------------------------


def squared(x):
    """Compute something with a backward."""
    return x @ x


def taken(made):
    """Return the options as torch.compile has them after its own check."""
    return torch._TorchCompileInductorWrapper(None, made, None).config


@pytest.mark.real_torch
def test_a_mode_means_what_it_means_to_torch():
    """Each mode, alone and with options, which win; torch itself refuses the two together."""
    modes = torch._inductor.list_mode_options()
    assert set(MODES) <= modes.keys()
    for mode, of_mode in modes.items():
        with dynconf_warnings_ignored():
            assert options(mode) == options(mode=mode) == options({}, mode=mode) == of_mode
            made = options(mode, max_fusion_size=7, triton={"cudagraphs": False})
            assert options({"max_fusion_size": 7, GRAPHS: False}, mode=mode) == made
        assert made == of_mode | {"max_fusion_size": 7, GRAPHS: False}
        assert taken(made) == made
        with pytest.raises(RuntimeError, match="Either mode or options"):
            torch.compile(squared, mode=mode, options=made)
    assert modes == torch._inductor.list_mode_options()


@pytest.mark.real_torch
def test_the_example_in_the_docstring_runs():
    """It runs as it is printed."""
    (example,) = doctest.DocTestFinder().find(options, "options", globs={})
    runner = doctest.DocTestRunner()
    runner.run(example)
    assert (runner.tries, runner.failures) == (2, 0)


@pytest.mark.real_torch
def test_an_unknown_mode_is_reported_with_the_other_mistakes():
    """The modes of this torch are listed."""
    with pytest.raises(dynconf.InvalidValueError) as refused:
        options("max-autotun", max_autotun=True)
    assert "mode: 'max-autotun' is not valid: expected one of 'default'" in str(refused.value)
    assert "did you mean 'max-autotune'?" in str(refused.value)
    assert len(refused.value.errors) == 2


@pytest.mark.real_torch
def test_rules_know_what_the_mode_sets():
    """A flag that only matters together with one of the mode's is no mistake then."""
    of_mode = torch._inductor.list_mode_options("max-autotune")
    if "coordinate_descent_tuning" not in of_mode:
        pytest.skip("no mode of this release sets a flag that another one needs")
    with pytest.warns(ConflictWarning, match="DC204"):
        options(coordinate_descent_check_all_directions=True)
    options("max-autotune", coordinate_descent_check_all_directions=True)


@pytest.mark.real_torch
def test_the_lite_mode_runs_with_options_and_needs_both_of_its_switches():
    """Either graph is compiled by options that the mode was merged with; half of the mode is warned of."""
    if "lite" not in torch._inductor.list_mode_options():
        pytest.skip("this release has no such mode")

    def layer(x, weight):
        return torch.relu(x @ weight.t()).sum()

    x, weight = torch.randn(8, 4, requires_grad=True), torch.randn(8, 4)
    torch._dynamo.reset()
    torch.compile(layer, options=options("lite", max_fusion_size=3))(x, weight).backward()
    compiled, x.grad = x.grad, None
    layer(x, weight).backward()
    torch.testing.assert_close(compiled, x.grad)
    with pytest.warns(ConflictWarning, match="DC209"):
        half = options("lite", fallback_by_default=False)
    torch._dynamo.reset()
    with pytest.raises(torch._inductor.exc.InductorError, match="both a fallback and a decomp"):
        torch.compile(layer, options=half)(x, weight)


@pytest.fixture
def compiled_with():
    """Return a list to which inductor adds ``max_fusion_size`` whenever it compiles a graph."""
    torch._dynamo.reset()
    seen = []

    def record(_):
        seen.append(config("inductor").max_fusion_size)

    # Trying out the vector instructions of the machine would take ten compilations.
    with dynconf.inductor.install({"post_grad_custom_post_pass": record, "cpp.vec_isa_ok": False}):
        yield seen
    torch._dynamo.reset()


@pytest.mark.real_torch
@pytest.mark.parametrize("mode", [None, "reduce-overhead"])
def test_options_reach_forward_and_backward(compiled_with, mode):
    """However late the backward is compiled, and with a mode; results stay right."""
    compiled = torch.compile(squared, options=options(mode, max_fusion_size=7))
    x = torch.randn(8, 8, requires_grad=True)
    y = compiled(x)
    assert compiled_with == [7]
    y.sum().backward()
    assert compiled_with == [7, 7]
    torch.testing.assert_close(y, squared(x))
    expected = torch.autograd.grad(squared(x).sum(), x)[0]
    torch.testing.assert_close(x.grad, expected)


@pytest.mark.real_torch
def test_options_win_over_a_patch_and_last_as_long_as_the_compiled_function(compiled_with):
    """They are the compiled function's own, in every thread, and others do not get them."""
    compiled = torch.compile(lambda x: x @ x, options=options(max_fusion_size=7))
    with dynconf.inductor.patch(max_fusion_size=9):
        result_in_thread(lambda: compiled(torch.ones(4, 4)))
        torch.compile(lambda x: x @ x.t())(torch.ones(4, 4))
    assert compiled_with == [7, 9]


def test_an_argument_of_torch_compile_is_no_option():
    """The message says where it belongs."""
    with pytest.raises(dynconf.UnknownFlagError, match=r"torch.compile\(..., fullgraph=...\)"):
        dynconf.inductor.options(fullgraph=True)
