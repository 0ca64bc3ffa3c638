"""Real torch.compile code under a patch, and where each value comes from.

Run: python examples/quickstart.py
"""

import torch

import dynconf


def model(x: torch.Tensor) -> torch.Tensor:
    """Return a small computation of *x* ``[n]``, of the same shape."""
    return torch.sin(x) ** 2 + torch.cos(x) ** 2


def main() -> None:
    """Compile and run the model under several flags, and show what is in force."""
    x = torch.linspace(0, 1, 8)
    compiled = torch.compile(model, backend="eager")

    with dynconf.patch(verify_correctness=True, recompile_limit=4):
        assert torch.allclose(compiled(x), torch.ones(8))
        print("compiled and verified under a patch:")
        for name in ("verify_correctness", "recompile_limit", "suppress_errors"):
            print(f"  {name:20} {dynconf.snapshot().values[name]!s:6} {dynconf.origin(name)}")

    print("after it:")
    print(f"  {'verify_correctness':20} {dynconf.snapshot().values['verify_correctness']!s:6}")

    print("a mistake is told where it is made:")
    try:
        dynconf.patch(verify_corectness=True)  # type: ignore[call-overload]
    except dynconf.UnknownFlagError as error:
        print(f"  {error}")
    try:
        dynconf.patch(optimize_ddp="ddp_optimiser")  # type: ignore[call-overload]
    except dynconf.InvalidValueError as error:
        print(f"  {error}")

    with dynconf.DynamoSettings(recompile_limit=16).install():
        print("installed for the process, seen by every thread:")
        print(
            f"  recompile_limit      {dynconf.snapshot().values['recompile_limit']}     "
            f" {dynconf.origin('recompile_limit')}"
        )


if __name__ == "__main__":
    main()
