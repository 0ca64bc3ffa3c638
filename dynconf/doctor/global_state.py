"""Leaving the process as it was, after a check that compiled and computed in it.

========================================  ==================================================================
what                                      how it is put back
========================================  ==================================================================
random numbers                            the states of Python's, NumPy's (where loaded) and torch's
                                          generators, of every accelerator that is there
deterministic mode                        mode, warn-only, and the flag of Inductor that torch sets with it
environment variables                     each text, or its absence (``CUBLAS_WORKSPACE_CONFIG`` is set
                                          for deterministic results; Inductor sets some of its own)
anomaly mode                              mode and check for NaN
Dynamo's counters and shape profile       their contents
Dynamo's compiled code                    functions that a check compiled lose their compiled code; all
                                          others keep theirs
========================================  ==================================================================

The last line is the one thing that cannot be had exactly: torch drops the compiled code of a function only as
a whole. The checks compile code objects of their own, into which Dynamo inlines the model. Only where the
graph breaks inside the model is a function of the caller compiled by itself; had the caller compiled it
before, it is compiled again at its next call. ``torch._dynamo.reset()``, which drops everything, is not used.
"""

import copy
import os
import random
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType

CUBLAS_VARIABLE = "CUBLAS_WORKSPACE_CONFIG"
CUBLAS_DETERMINISTIC = (":4096:8", ":16:8")
"""The settings under which cuBLAS gives the same bits every time, the faster one first."""

Restore = Callable[[], None]


@contextmanager
def undisturbed() -> Iterator[None]:
    """Put the process back as it was, whatever happens inside; the table above says what that covers."""
    restores = [
        _random_numbers(),
        _deterministic_mode(),
        _environment(),
        _anomaly_mode(),
        _counters(),
        _shape_profile(),
        _compiled_code(),
    ]
    try:
        yield
    finally:
        for restore in restores:
            restore()


def seed(number: int) -> None:
    """Seed Python's generator, NumPy's where it is loaded, and torch's on every device."""
    import torch  # noqa: PLC0415

    random.seed(number)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(number)
    torch.manual_seed(number)


def be_deterministic() -> None:
    """Have torch use deterministic algorithms where it has them, and warn where it has none."""
    import torch  # noqa: PLC0415

    if os.environ.get(CUBLAS_VARIABLE) not in CUBLAS_DETERMINISTIC:
        os.environ[CUBLAS_VARIABLE] = CUBLAS_DETERMINISTIC[0]
    torch.use_deterministic_algorithms(mode=True, warn_only=True)


def _random_numbers() -> Restore:
    import torch  # noqa: PLC0415

    python, cpu = random.getstate(), torch.get_rng_state()
    numpy = sys.modules.get("numpy")
    numpy_state = numpy.random.get_state() if numpy else None
    kept = [
        (module, module.get_rng_state_all()) for module in (torch.cuda, torch.xpu) if module.is_available()
    ]
    mps = torch.mps.get_rng_state() if torch.backends.mps.is_available() else None

    def restore() -> None:
        random.setstate(python)
        torch.set_rng_state(cpu)
        if numpy:
            numpy.random.set_state(numpy_state)
        for module, states in kept:
            module.set_rng_state_all(states)
        if mps is not None:
            torch.mps.set_rng_state(mps)

    return restore


def _deterministic_mode() -> Restore:
    import torch  # noqa: PLC0415
    import torch._inductor.config as inductor  # noqa: PLC0415

    mode = torch.are_deterministic_algorithms_enabled()
    warn_only = torch.is_deterministic_algorithms_warn_only_enabled()
    with_it = getattr(inductor, "deterministic", None)

    def restore() -> None:
        torch.use_deterministic_algorithms(mode, warn_only=warn_only)
        if with_it is not None:
            inductor.deterministic = with_it

    return restore


def _environment() -> Restore:
    before = dict(os.environ)

    def restore() -> None:
        for name in os.environ.keys() - before.keys():
            del os.environ[name]
        os.environ.update({name: text for name, text in before.items() if os.environ.get(name) != text})

    return restore


def _anomaly_mode() -> Restore:
    import torch  # noqa: PLC0415

    mode, check_nan = torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled()

    def restore() -> None:
        torch.autograd.set_detect_anomaly(mode, check_nan)

    return restore


def _counters() -> Restore:
    from torch._dynamo.utils import counters  # noqa: PLC0415

    before = copy.deepcopy(dict(counters))

    def restore() -> None:
        counters.clear()
        counters.update(before)

    return restore


def _shape_profile() -> Restore:
    """Keep what Dynamo learnt of sizes that vary: it makes later compilations dynamic (torch 2.6 on)."""
    try:
        from torch._dynamo import pgo  # noqa: PLC0415
    except ImportError:
        return lambda: None
    before = copy.deepcopy(pgo._CODE_STATE)  # noqa: SLF001  torch has no public way

    def restore() -> None:
        pgo._CODE_STATE = before  # noqa: SLF001

    return restore


def _compiled_code() -> Restore:
    from torch._C._dynamo.eval_frame import reset_code  # noqa: PLC0415

    # By identity: equal code objects of two functions have compiled code of their own.
    before = {id(code): (code, entries) for code, entries in _compiled_functions()}

    def restore() -> None:
        for code, entries in _compiled_functions():
            if id(code) not in before or before[id(code)][1] != entries:
                reset_code(code)

    return restore


def _compiled_functions() -> list[tuple[CodeType, int]]:
    """Return the code objects that Dynamo has seen, each with how often it is compiled at present."""
    import torch._dynamo.convert_frame as frames  # noqa: PLC0415
    from torch._dynamo.eval_frame import _debug_get_cache_entry_list  # noqa: PLC0415

    codes = [code for reference in frames.input_codes.seen if (code := reference()) is not None]
    return [(code, len(_debug_get_cache_entry_list(code))) for code in codes]
