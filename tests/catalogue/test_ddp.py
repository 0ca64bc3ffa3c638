"""The modes of ``optimize_ddp``, and the meanings of its values."""

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynconf.catalogue import names
from dynconf.catalogue.ddp import DdpMode, mode_of, resolve_optimize_ddp
from dynconf.catalogue.flags.types import Mismatch, is_same_value
from dynconf.catalogue.modules.dynamo.facts import DDP_MODES
from dynconf.errors import ConflictError, InvalidValueError
from dynconf.provenance import Origin
from dynconf.release import Release

OPTIMIZE_DDP = names.setting("optimize_ddp", Release.at_hand())
PYTHON_REDUCERS = ("python_reducer", "python_reducer_without_compiled_forward")


def test_modes_are_strings():
    """A mode is the string that torch accepts, in messages, copies, pickles, and as the flag holds it."""
    assert tuple(mode.value for mode in DdpMode) == DDP_MODES
    for mode in DdpMode:
        assert is_same_value(OPTIMIZE_DDP.type.check(mode), mode.value)
        assert mode == mode.value
        assert f"{mode}" == str(mode) == mode.value
        assert hash(mode) == hash(mode.value)
        assert pickle.loads(pickle.dumps(mode)) is copy.deepcopy(mode) is mode  # noqa: S301  our own bytes


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
    """True, False, the four names and the modes themselves mean the same to torch."""
    assert resolve_optimize_ddp(value) is mode


@pytest.mark.parametrize(
    ("value", "near"),
    [
        ("ddp_optimiser", "'ddp_optimizer'"),
        ("no_optimisation", "'no_optimization'"),
        ("PYTHON_REDUCER", "'python_reducer'"),
        ("python_reducer_without_compiled", "'python_reducer_without_compiled_forward'"),
        *((1, "True"), ("True", "True"), (0, "False"), ("off", "False")),
        *((value, "") for value in (1.0, "", None, b"x", [], {})),
    ],
)
def test_anything_else_is_refused(value, near):
    """The error shows the value and every mode, and suggests the closest one."""
    with pytest.raises(InvalidValueError) as caught:
        resolve_optimize_ddp(value)
    for shown in (repr(value), "True", "False", *DDP_MODES):
        assert shown in str(caught.value)
    assert not near or f"did you mean {near}?" in str(caught.value)


@given(st.one_of(st.booleans(), st.sampled_from(DDP_MODES), st.text(), st.integers(), st.none(), st.floats()))
def test_the_flag_accepts_what_the_resolver_accepts(value):
    """A value is valid for the flag exactly if the resolver finds a mode for it, and the errors agree."""
    try:
        stored = OPTIMIZE_DDP.type.check(value)
    except Mismatch as problem:
        expected = str(OPTIMIZE_DDP.invalid(value, problem))
        with pytest.raises(InvalidValueError) as refused:
            resolve_optimize_ddp(value)
        assert str(refused.value) == expected
    else:
        assert value is True or value is False or value in DDP_MODES
        assert resolve_optimize_ddp(stored) is resolve_optimize_ddp(value)


def test_the_error_tells_where_a_value_came_from():
    """If that is known."""
    with pytest.raises(InvalidValueError, match=r"from environment TORCHDYNAMO_OPTIMIZE_DDP=2"):
        mode_of(2, Origin("env", "TORCHDYNAMO_OPTIMIZE_DDP", "2"))


@pytest.mark.parametrize("value", [*PYTHON_REDUCERS, False, "no_optimization"])
def test_a_mode_that_compiled_autograd_rules_out_or_needs(value):
    """Python reducers without compiled autograd, and no optimization with it, are refused with advice."""
    wrong = value not in PYTHON_REDUCERS
    with pytest.raises(ConflictError, match="compiled_autograd") as caught:
        resolve_optimize_ddp(value, compiled_autograd=wrong)
    assert mode_of(value).value in str(caught.value)
    assert resolve_optimize_ddp(value, compiled_autograd=not wrong) is mode_of(value)


@pytest.mark.parametrize("compiled_autograd", [True, False])
def test_ddp_optimizer_is_left_to_torch(compiled_autograd):
    """The default mode is accepted with compiled autograd and without."""
    for value in (True, "ddp_optimizer"):
        assert resolve_optimize_ddp(value, compiled_autograd=compiled_autograd) is DdpMode.ddp_optimizer


def test_compiled_autograd_is_a_bool():
    """Anything else is refused under the name of that flag."""
    for value in ("yes", 1, 0):
        with pytest.raises(InvalidValueError, match=f"compiled_autograd: {value!r}"):
            resolve_optimize_ddp(True, compiled_autograd=value)


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
    """`python_reducer_without_compiled_forward` selects a Python reducer up to torch 2.6 only."""
    assert mode.has_python_reducer((2, 6)) is before
    assert mode.has_python_reducer((2, 7)) is since
