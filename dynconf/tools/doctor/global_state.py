"""Leaving the process as it was after a check that compiled and computed in it.

=======================  ===================================================================================
state                    how it is restored
=======================  ===================================================================================
random numbers           the states of Python's generator, NumPy's (if loaded), and torch's on every device
deterministic mode       the mode and warn-only
environment variables    every value or its absence; ``CUBLAS_WORKSPACE_CONFIG`` is set, others by Inductor
anomaly mode             the mode and its check for NaN
denormal numbers         whether this thread has them: some compilers' code, once loaded, turns them to zero
flags                    all of them, as `dynconf.preserve` does: torch's own code leaves some set
counters, shape profile  their contents, which are Dynamo's
compiled code            functions that a check compiled lose theirs; all others keep theirs
=======================  ===================================================================================

Only the last line is not exact, and on a machine with CUDA that is initialized, because the states of its
random numbers cannot be read otherwise: processes that are forked later cannot use it. Nothing is dropped
while other threads run compiled code all the time (see `dynconf.live.torch.compiled`), and torch can drop the
compiled code of a function only as a whole. A check compiles code objects of its own, into which Dynamo
inlines the model. If the graph breaks inside the model, one of the caller's functions is compiled by itself;
if the caller had compiled it before, it is compiled again on its next call. ``torch._dynamo.reset()`` is not
used, because it would drop everything, and can end a process in which other threads run compiled code.
"""

import copy
import os
import random
import sys
from collections.abc import Iterator, Mapping, MutableMapping
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from types import CodeType
from typing import Any

from dynconf.errors import DynconfError
from dynconf.live.layers import INSTALLED
from dynconf.live.torch.compiled import codes_seen_by_dynamo, drop_versions
from dynconf.sources.discovery import find_settings
from dynconf.tools.baseline import Baseline


def idle_settings() -> Iterator[str]:
    """Yield a note if there are settings here that are not in force in this process."""
    with suppress(DynconfError):
        document = find_settings(os.environ).document
        if document is not None and not INSTALLED.entered:
            yield f"{document.name} is in force here only with `dynconf run dynconf ...`"


@contextmanager
def preserved_process() -> Iterator[None]:
    """Restore the process afterwards, whatever happens inside; see the table above."""
    with ExitStack() as stack:
        for restore, *state in _restorers():
            stack.callback(restore, *state)
        yield


def seed(number: int) -> None:
    """Seed the generators of Python, NumPy (if loaded), and torch on every device."""
    import torch

    random.seed(number)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(number)
    torch.manual_seed(number)


def use_deterministic_algorithms() -> None:
    """Have torch use deterministic algorithms where it has them, and warn where it has none."""
    import torch

    # Under two settings cuBLAS computes the same bits every time; the first is the faster one.
    if os.environ.get("CUBLAS_WORKSPACE_CONFIG") not in (":4096:8", ":16:8"):
        os.environ["CUBLAS_WORKSPACE_CONFIG"] = ":4096:8"
    torch.use_deterministic_algorithms(mode=True, warn_only=True)


def _restorers() -> Iterator[tuple[Any, ...]]:
    """Yield functions that restore the present state, each with its arguments, to be called last to first."""
    import torch
    from torch._dynamo.utils import counters

    yield random.setstate, random.getstate()
    yield torch.set_rng_state, torch.get_rng_state()
    if "numpy" in sys.modules:
        numpy = sys.modules["numpy"].random
        yield numpy.set_state, numpy.get_state()
    for module in (torch.cuda, torch.xpu):
        if module.is_available():
            yield module.set_rng_state_all, module.get_rng_state_all()
    if torch.backends.mps.is_available():
        yield torch.mps.set_rng_state, torch.mps.get_rng_state()
    # There is nothing to ask for the mode. An older g++ sets it in what Inductor has it compile.
    yield torch.set_flush_denormal, sys.float_info.min / 2 == 0
    anomaly = torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled()
    yield torch.autograd.set_detect_anomaly, *anomaly
    # Yielded before the mode, and so restored after it: setting the mode sets a flag of Inductor, too.
    yield (Baseline().put_back,)
    warn_only = torch.is_deterministic_algorithms_warn_only_enabled()
    set_mode = partial(torch.use_deterministic_algorithms, warn_only=warn_only)
    yield set_mode, torch.are_deterministic_algorithms_enabled()
    # The dict of counters itself stays: Dynamo's modules have all imported it by name.
    yield _set_content, counters, copy.deepcopy(dict(counters))
    with suppress(ImportError):  # before torch 2.6
        from torch._dynamo import pgo

        # Dynamo remembers which sizes vary, and makes them dynamic in later compilations.
        yield setattr, pgo, "_CODE_STATE", copy.deepcopy(pgo._CODE_STATE)
    # By identity: two functions may have equal code objects, each with compiled code of its own.
    yield _drop_new_code, {id(code): (code, count) for code, count in _compiled_functions()}
    yield _set_content, os.environ, dict(os.environ)


def _set_content(mapping: MutableMapping[str, Any], content: Mapping[str, Any]) -> None:
    for name in mapping.keys() - content.keys():
        del mapping[name]
    mapping.update({name: value for name, value in content.items() if mapping.get(name) != value})


def _compiled_functions() -> list[tuple[CodeType, int]]:
    """Return the code objects that Dynamo has seen, each with its present number of compiled versions."""
    from torch._dynamo.eval_frame import _debug_get_cache_entry_list

    return [(code, len(_debug_get_cache_entry_list(code))) for code in codes_seen_by_dynamo()]


def _drop_new_code(before: Mapping[int, tuple[CodeType, int]]) -> None:
    """Drop the compiled code of functions compiled since; *before* keeps code alive, so ids are unique."""

    def compiled_since() -> list[CodeType]:
        found = _compiled_functions()
        return [code for code, count in found if id(code) not in before or before[id(code)][1] != count]

    drop_versions(compiled_since)
