"""`preserve`: whatever a block changes is undone, in every config module, and told as data."""

import asyncio
import os

import pytest
from live_state import (
    LIMIT,
    RawState,
    config,
    default_of,
    dynconf_warnings_ignored,
    result_in_thread,
    snapshot_values,
    torch_reads,
)

import dynconf

DEFAULT = default_of(LIMIT)
MODULES = ("dynamo", "inductor", "functorch")


@pytest.fixture(autouse=True)
def _nothing_left():
    """Each test ends with the state that it began with."""
    override, values = RawState().raw[LIMIT], [snapshot_values(module)[0] for module in MODULES]
    yield
    assert RawState().raw[LIMIT] == override
    assert [snapshot_values(module)[0] for module in MODULES] == values


def library():
    """Change flags in every way that foreign code does, and leave them so."""
    setattr(config(), LIMIT, 64)
    config("inductor").max_autotune = True
    config("inductor").triton.cudagraphs = True
    config("functorch").functionalize_rng_ops = True
    dynconf.install(verbose=True)
    with dynconf_warnings_ignored():
        dynconf.hold(suppress_errors=True)
    dynconf.defaults(specialize_int=True)
    dynconf.patch(cache_size_limit=65).__enter__()
    torch_reads("reorderable_logging_functions").add(print)
    del config().repro_level


def test_everything_is_undone_in_all_modules():
    """Overrides exactly, containers with their content, and flags that were deleted; it is given as data.

    There is an entry for each flag with another value, with the line that set it.
    """
    with dynconf.preserve() as undone:
        assert undone == []
        library()
    assert torch_reads(LIMIT) == result_in_thread(lambda: torch_reads(LIMIT)) == DEFAULT
    assert torch_reads("reorderable_logging_functions") == set()
    assert torch_reads("verbose") is torch_reads("suppress_errors") is torch_reads("specialize_int") is False
    assert dynconf.origin("recompile_limit").kind == "default"
    assert torch_reads("repro_level") == default_of("repro_level")
    dynconf.reset("reorderable_logging_functions")  # of which reading stored a copy
    found = {each.flag: (each.before, each.after) for each in undone}
    assert found["recompile_limit"] == (DEFAULT, 65)
    assert found["inductor.triton.cudagraphs"] == (False, True)
    assert found["functorch.functionalize_rng_ops"] == (False, True)
    assert found["verbose"] == found["suppress_errors"] == found["specialize_int"] == (False, True)
    assert found["reorderable_logging_functions"] == (set(), {print})
    assert found["torch._dynamo.config.repro_level"][1] is None
    origin = next(each.origin for each in undone if each.flag == "inductor.max_autotune")
    assert (origin.kind, origin.file) == ("assignment", __file__)


def test_after_an_error_too():
    """The error comes through, and the list is complete."""
    found = []

    def fail():
        with dynconf.preserve() as undone:
            found.append(undone)
            setattr(config(), LIMIT, 64)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert [each.flag for each in found[0]] == ["recompile_limit"]


def test_nested_blocks_undo_their_own():
    """The same object may be entered again."""
    preserve = dynconf.preserve()
    with preserve as outer:
        setattr(config(), LIMIT, 64)
        with preserve as inner:
            setattr(config(), LIMIT, 65)
        assert torch_reads(LIMIT) == 64
    assert [(each.before, each.after) for each in inner] == [(64, 65)]
    assert [(each.before, each.after) for each in outer] == [(DEFAULT, 64)]


def test_as_a_decorator():
    """Of functions and coroutine functions, which stay what they are."""

    @dynconf.preserve()
    def quantize(value):
        setattr(config(), LIMIT, value)
        return torch_reads(LIMIT)

    @dynconf.preserve()
    async def served(value):
        setattr(config(), LIMIT, value)
        await asyncio.sleep(0)
        return torch_reads(LIMIT)

    assert quantize(64) == asyncio.run(served(64)) == 64
    assert asyncio.iscoroutinefunction(served)
    assert quantize.__name__ == "quantize"
    assert torch_reads(LIMIT) == DEFAULT


@pytest.mark.parametrize(
    "target",
    [lambda: (yield), dict, 5, type("Test", (), {"test_it": lambda _: None}), staticmethod(len)],
    ids=["generator", "class", "number", "test class", "static method"],
)
def test_anything_else_cannot_be_decorated(target):
    """A generator's body runs while others run, whose changes it would undo."""
    with pytest.raises(TypeError, match="cannot decorate"):
        dynconf.preserve()(target)


def test_variables_are_left_alone():
    """Torch reads them only while it is imported."""
    with dynconf.preserve():
        os.environ["TORCHINDUCTOR_MAX_AUTOTUNE"] = "1"
    assert os.environ.pop("TORCHINDUCTOR_MAX_AUTOTUNE") == "1"
