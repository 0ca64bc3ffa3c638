"""The rules over several flags on the live module, and that torch does what they say."""

import warnings

import pytest
import torch
from live_state import RawState, bind, config
from rule_examples import BROKEN, SOUND

import dynconf
from dynconf.errors import ConflictError, ConflictWarning

RULES = bind().view.rules
"""The rules that apply in this release."""


@pytest.mark.parametrize("here", RULES, ids=lambda here: here.rule.code)
def test_a_patch_is_judged(here):
    """A patch that breaks a rule is refused at that line, leaving nothing behind, or warned of there."""
    code, flags = here.rule.code, BROKEN[here.rule.code]
    before = RawState()
    if here.level == "error":
        with pytest.raises(ConflictError, match=code) as caught:
            dynconf.patch(flags)
        assert __file__ in str(caught.value)
        assert RawState() == before
    else:
        with pytest.warns(ConflictWarning, match=code) as caught:
            patch = dynconf.patch(flags)
        assert [each.filename for each in caught] == [__file__]
        with patch:
            assert {flag: bind().slot(flag).read() for flag in here.rule.flags} == flags


@pytest.mark.parametrize("here", RULES, ids=lambda here: here.rule.code)
def test_a_sound_patch(here):
    """A patch that keeps the rules is accepted without a word."""
    dynconf.patch(SOUND[here.rule.code])


@pytest.mark.since("2.8")
def test_the_other_half_may_be_live_already():
    """What is assigned, patched or installed counts as the other half, with its origin."""
    config().compiled_autograd = True
    with pytest.raises(ConflictError, match=r"compiled_autograd=True \(assignment"):
        dynconf.patch(optimize_ddp=False)
    dynconf.reset("compiled_autograd")
    with (
        dynconf.patch(compiled_autograd=True),
        pytest.raises(ConflictError, match=r"compiled_autograd=True \(patch at .*test_rules\.py"),
    ):
        dynconf.patch(optimize_ddp=False)
    with (
        dynconf.install(compiled_autograd=True),
        pytest.raises(ConflictError, match=r"compiled_autograd=True \(install at .*test_rules\.py"),
    ):
        dynconf.patch(optimize_ddp=False)
    dynconf.patch(optimize_ddp=False)


@pytest.mark.since("2.8")
@pytest.mark.parametrize("enter", ["anew", "install", "__enter__"])
def test_an_installation_is_judged_again_on_entering(enter):
    """Where the other half came in the meantime, it is refused, and nothing of it stays."""
    flags = {"optimize_ddp": False, "verify_correctness": True}
    made = dynconf.install(flags)
    made.uninstall()
    with dynconf.patch(compiled_autograd=True):
        before = RawState()
        with pytest.raises(ConflictError, match=r"optimize_ddp=False \(install at .*test_rules\.py"):
            dynconf.install(flags) if enter == "anew" else getattr(made, enter)()
        assert RawState() == before
        assert not made.is_installed()
    with made:
        assert config().verify_correctness is True


def test_nothing_is_said_of_flags_that_are_not_set():
    """A patch is not blamed for a broken rule in which none of its flags takes part."""
    config().optimize_ddp = False
    config().compiled_autograd = True
    with dynconf.patch(verify_correctness=True, guard_nn_modules=False):
        pass


def test_raw_nonsense_is_not_judged():
    """A value that no flag accepts, assigned behind dynconf's back, does not make a patch fail."""
    config().compiled_autograd = "perhaps"
    setattr(config(), bind().slot("accumulated_recompile_limit").name, "many")
    dynconf.patch(optimize_ddp=False, recompile_limit=1000)


def test_install_warns_once():
    """What was said while the values were gathered is not said again when they are installed."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        dynconf.install(recompile_limit=1000).uninstall()
    assert [(type(each.message), each.filename) for each in caught] == [(ConflictWarning, __file__)]


@pytest.mark.real_torch
@pytest.mark.since("2.7")
def test_torch_refuses_what_is_an_error():
    """torch.compile itself refuses suppress_errors with fail_on_recompile_limit_hit (DC001)."""
    config().suppress_errors = config().fail_on_recompile_limit_hit = True
    with pytest.raises(AssertionError, match="fail_on_recompile_limit_hit"):
        torch.compile(lambda x: x, backend="eager")


@pytest.mark.real_torch
def test_the_lower_limit_stops_recompilation():
    """With accumulated_recompile_limit below it, recompile_limit is never reached (DC005)."""
    torch._dynamo.reset()
    graphs = []

    def backend(graph, inputs):
        graphs.append(graph)
        return graph.forward

    @torch.compile(backend=backend, dynamic=False)
    def double(x):
        return x * 2

    with pytest.warns(ConflictWarning, match="DC005"):
        patch = dynconf.patch(recompile_limit=5, accumulated_recompile_limit=2)
    with patch:
        for size in range(2, 8):
            double(torch.ones(size))
    assert len(graphs) == 2


@pytest.mark.real_torch
def test_suppressed_errors_swallow_recompile_errors():
    """With suppress_errors, error_on_recompile raises nothing (DC012)."""

    def double(x):
        return x * 2

    def on_a_second_shape():
        torch._dynamo.reset()
        compiled = torch.compile(double, backend="eager", dynamic=False)
        compiled(torch.ones(2))
        return compiled(torch.ones(3))

    with dynconf.patch(error_on_recompile=True), pytest.raises(torch._dynamo.exc.RecompileError):
        on_a_second_shape()
    with pytest.warns(ConflictWarning, match="DC012"):
        patch = dynconf.patch(error_on_recompile=True, suppress_errors=True)
    with patch:
        assert torch.equal(on_a_second_shape(), torch.full((3,), 2.0))


@pytest.mark.real_torch
def test_scalars_break_the_graph_without_their_flag():
    """A size that depends on data is captured, but reading it with .item() breaks the graph (DC006)."""

    def selected(x):
        return x.nonzero() * x.sum().item()

    with pytest.warns(ConflictWarning, match="DC006"):
        alone = dynconf.patch(capture_dynamic_output_shape_ops=True)
    both = dynconf.patch(capture_dynamic_output_shape_ops=True, capture_scalar_outputs=True)
    breaks = []
    for patch in (alone, both):
        torch._dynamo.reset()
        with patch:
            breaks.append(torch._dynamo.explain(selected)(torch.ones(3)).graph_break_count)
    assert breaks == [1, 0]


@pytest.mark.real_torch
@pytest.mark.since("2.12")  # 2.11 goes on, too, but then fails on a guard of its own
def test_forced_compilation_raises_nothing_in_a_trace():
    """With force_compile_during_fx_trace, error_on_nested_fx_trace has no effect (DC007)."""
    from torch.fx.experimental.proxy_tensor import make_fx

    torch._dynamo.reset()
    compiled = torch.compile(lambda x: x * 2, backend="eager")
    with pytest.raises(RuntimeError, match="symbolically trace"):
        make_fx(compiled)(torch.ones(2))
    with pytest.warns(ConflictWarning, match="DC007"):
        patch = dynconf.patch(force_compile_during_fx_trace=True)
    with patch:
        make_fx(compiled)(torch.ones(2))
