"""The modes of ``optimize_ddp`` and what its values mean."""

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dynconf
from dynconf.catalogue import FLAGS
from dynconf.catalogue.distributed import DDP_MODES
from dynconf.ddp import DdpMode, mode_of, resolve_optimize_ddp
from dynconf.errors import ConflictError, InvalidValueError
from dynconf.provenance import Origin
from dynconf.values import checked

PYTHON_REDUCERS = ("python_reducer", "python_reducer_without_compiled_forward")


def test_modes_are_those_of_the_catalogue():
    """The enum and the catalogue list the same modes, in the same order."""
    assert tuple(mode.value for mode in DdpMode) == DDP_MODES


def test_modes_are_texts():
    """A mode is the text that torch takes, also in messages, copies and pickles."""
    for mode in DdpMode:
        assert mode == mode.value
        assert f"{mode}" == str(mode) == mode.value
        assert hash(mode) == hash(mode.value)
        assert pickle.loads(pickle.dumps(mode)) is copy.deepcopy(mode) is mode  # noqa: S301  our own bytes


def test_exports():
    """The modes and the resolver are names of the package."""
    assert dynconf.DdpMode is DdpMode
    assert dynconf.resolve_optimize_ddp is resolve_optimize_ddp


@pytest.mark.parametrize(
    ("value", "mode"),
    [
        (True, DdpMode.ddp_optimizer),
        (False, DdpMode.no_optimization),
        *[(name, DdpMode(name)) for name in DDP_MODES],
        *[(mode, mode) for mode in DdpMode],
    ],
)
def test_values_and_their_modes(value, mode):
    """True, False, the four names and the modes themselves mean what torch takes them for."""
    assert resolve_optimize_ddp(value) is mode


@pytest.mark.parametrize(
    "value", [1, 0, 1.0, "True", "", None, "ddp_optimiser", "No_Optimization", b"x", [], {}]
)
def test_anything_else_is_refused(value):
    """What is no bool and no mode is an error that shows the value and every mode."""
    with pytest.raises(InvalidValueError) as caught:
        resolve_optimize_ddp(value)
    for shown in (repr(value), "True", "False", *DDP_MODES):
        assert shown in str(caught.value)


@pytest.mark.parametrize(
    ("value", "near"),
    [
        ("ddp_optimiser", "'ddp_optimizer'"),
        ("no_optimisation", "'no_optimization'"),
        ("PYTHON_REDUCER", "'python_reducer'"),
        ("python_reducer_without_compiled", "'python_reducer_without_compiled_forward'"),
        (1, "True"),
        ("True", "True"),
        ("off", "False"),
    ],
)
def test_the_nearest_is_named(value, near):
    """The error for a near miss says what was probably meant."""
    with pytest.raises(InvalidValueError, match=rf"did you mean {near}\?"):
        resolve_optimize_ddp(value)


@given(st.one_of(st.booleans(), st.sampled_from(DDP_MODES), st.text(), st.integers(), st.none(), st.floats()))
def test_the_flag_takes_what_the_resolver_takes(value):
    """A value is valid for the flag exactly if the resolver finds a mode for it, and the errors agree."""
    if value is True or value is False or value in DDP_MODES:
        assert resolve_optimize_ddp(checked(FLAGS["optimize_ddp"], value)) is resolve_optimize_ddp(value)
        return
    with pytest.raises(InvalidValueError) as by_resolver:
        resolve_optimize_ddp(value)
    with pytest.raises(InvalidValueError) as by_flag:
        checked(FLAGS["optimize_ddp"], value)
    assert str(by_resolver.value) == str(by_flag.value)


def test_the_origin_is_named():
    """An error for a value whose origin is known gives it."""
    with pytest.raises(InvalidValueError, match=r"from environment TORCHDYNAMO_OPTIMIZE_DDP=2"):
        mode_of(2, Origin("env", "TORCHDYNAMO_OPTIMIZE_DDP", "2"))


@pytest.mark.parametrize("value", [*PYTHON_REDUCERS, False, "no_optimization"])
def test_compiled_autograd_that_does_not_go_with_the_mode(value):
    """Python reducers without compiled autograd, and no optimization with it, are refused with a way out."""
    wrong = value not in PYTHON_REDUCERS
    with pytest.raises(ConflictError, match="compiled_autograd") as caught:
        resolve_optimize_ddp(value, compiled_autograd=wrong)
    assert mode_of(value).value in str(caught.value)
    assert resolve_optimize_ddp(value, compiled_autograd=not wrong) is mode_of(value)


@pytest.mark.parametrize("compiled_autograd", [True, False])
def test_ddp_optimizer_is_left_to_torch(compiled_autograd):
    """The default mode is taken with compiled autograd and without."""
    for value in (True, "ddp_optimizer"):
        assert resolve_optimize_ddp(value, compiled_autograd=compiled_autograd) is DdpMode.ddp_optimizer


def test_compiled_autograd_is_a_bool():
    """Anything else than a bool for compiled_autograd is refused by the name of that flag."""
    with pytest.raises(InvalidValueError, match="compiled_autograd: 'yes'"):
        resolve_optimize_ddp(True, compiled_autograd="yes")


@pytest.mark.parametrize(
    ("mode", "before", "since"),
    [
        (DdpMode.ddp_optimizer, False, False),
        (DdpMode.python_reducer, True, True),
        (DdpMode.python_reducer_without_compiled_forward, True, False),
        (DdpMode.no_optimization, False, False),
    ],
)
def test_which_modes_turn_the_cpp_reducer_off(mode, before, since):
    """python_reducer_without_compiled_forward selects a Python reducer up to torch 2.6 only."""
    assert mode.has_python_reducer((2, 6)) is before
    assert mode.has_python_reducer((2, 7)) is since
