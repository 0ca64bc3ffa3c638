"""Code that torch has compiled: where a module keeps it, and how to drop it all."""

from typing import Any


def compiled_call(module: Any) -> str | None:
    """Return the attribute in which a ``torch.nn.Module`` keeps its compiled call, if it has one.

    ``torch.compile(module)`` keeps it in ``forward`` of a module of its own, ``module.compile()`` beside it.
    """
    if hasattr(module, "_torchdynamo_orig_callable"):
        return "forward"
    return "_compiled_call_impl" if getattr(module, "_compiled_call_impl", None) is not None else None


def drop_compiled_code() -> None:
    """Have Dynamo compile everything again, in the whole process."""
    import torch._dynamo

    torch._dynamo.reset()
