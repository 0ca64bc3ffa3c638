"""`compare`: one model on two backends, or under two sets of flags, with the same seeds."""

import warnings
from collections.abc import Callable, Mapping
from typing import Any

from dynconf.catalogue.flags.types import Float, Int, OrNone
from dynconf.errors import DynconfError
from dynconf.live.patch import Patch, patch
from dynconf.tools.doctor.comparison import Comparison
from dynconf.tools.doctor.compiling import AnyBackend, CountingBackend, backend_name
from dynconf.tools.doctor.global_state import idle_settings, preserved_process, use_deterministic_algorithms


def compare(
    model: Callable[..., Any],
    example_inputs: Any,
    *,
    base: AnyBackend = "eager",
    control: AnyBackend = "inductor",
    base_flags: Mapping[str, object] | None = None,
    control_flags: Mapping[str, object] | None = None,
    iterations: int = 10,
    precision: float | None = 1e-4,
    optimizer: bool = True,
    started: Callable[[str], object] | None = None,
) -> Comparison:
    """Run a model on two backends, or under two sets of flags, and compare all results.

    Each side gets its own copy of model and inputs, the same seeds, and deterministic algorithms where torch
    has them (a note says where it has none); Inductor draws its random numbers as eager torch does. Each
    iteration compares outputs; inputs (a model may change them), parameters and buffers after the call;
    gradients of parameters and inputs for one random weighting of the outputs; and parameters after one step
    of SGD (learning rate 0.01). An exception on one side is a difference too. Afterwards the process is as it
    was; see `dynconf.tools.doctor.global_state`.

    Args:
        model: An ``nn.Module`` or a function. A module is copied; objects that a function uses are shared.
        example_inputs: Positional arguments as a tuple or list, keyword arguments as a mapping, or one
            tensor.
        base: The backend of the base side: the name of a registered one, or a backend itself. ``"eager"``
            is PyTorch without ``torch.compile``, so that Dynamo is compared too; with *base_flags*, which
            only Dynamo reads, it is Dynamo's backend of that name.
        control: The backend of the control side, which always runs under Dynamo.
        base_flags: Flags, as for `dynconf.patch`, for the base side.
        control_flags: Flags for the control side.
        iterations: The number of iterations, at least 1; one with a difference is the last.
        precision: The relative and absolute tolerance; None for that of ``torch.testing.assert_close``, which
            depends on the dtype. That also counts where a dtype cannot hold the *precision*.
        optimizer: Whether to take steps; without them, each iteration starts from the same parameters.
        started: Called with the name of each iteration before it begins.

    Raises:
        InvalidValueError: The model cannot be copied, its copies share memory, or an argument is wrong.
        DynconfError: A flag is wrong.

    Example:
        >>> import torch
        >>> model = torch.nn.Linear(3, 2)
        >>> compare(model, (torch.randn(4, 3),), control="aot_eager", iterations=2).ok
        True
    """
    import torch

    from dynconf.tools.doctor.runner import Iterations, Side, reject_shared_memory

    Int(1).check_argument("iterations", iterations)
    OrNone(Float(0)).check_argument("precision", precision)
    model = getattr(model, "_orig_mod", model)  # of a model that torch.compile has wrapped
    is_plain = base == "eager" and not base_flags
    setups = [
        ("base", None if is_plain else CountingBackend(base), _patch("base", base_flags)),
        ("control", CountingBackend(control), _patch("control", control_flags)),
    ]
    recorder = warnings.catch_warnings(record=True)
    # Inside the caller's inference mode or no_grad, there would be no gradients to compare.
    with preserved_process(), torch.inference_mode(mode=False), torch.enable_grad(), recorder as recorded:
        warnings.simplefilter("default")
        use_deterministic_algorithms()
        sides = [Side(name, model, example_inputs, backend, flags) for name, backend, flags in setups]
        reject_shared_memory(sides, model)
        run = Iterations(sides, precision)
        while run.iterations < iterations and all(each.ok for each in run.compared.values()):
            if started is not None:
                started(f"iteration {run.iterations + 1} of {iterations}")
            run.iterate(optimizer=optimizer)
    return Comparison(
        backend_name(base),
        backend_name(control),
        run.iterations,
        {side.name: side.graphs or 0 for side in sides},
        tuple(run.compared.values()),
        (*idle_settings(), *run.notes(str(each.message) for each in recorded)),
    )


def _patch(side: str, flags: Mapping[str, object] | None) -> Patch:
    try:
        # A side that fails to compile has to fail, and not to run as plain Python.
        return patch({"suppress_errors": False, **(flags or {})})
    except DynconfError as error:
        raise type(error)(f"{side}_flags: {error}", flag=error.flag) from None
