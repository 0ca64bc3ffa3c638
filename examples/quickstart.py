"""A compiled function under different flags, and where each value comes from.

Run: python examples/quickstart.py
"""

import torch

import dynconf


def model(x: torch.Tensor) -> torch.Tensor:
    """Return a small computation of *x* ``[n]``, of the same shape."""
    return torch.sin(x) ** 2 + torch.cos(x) ** 2


def show(*flags: str) -> None:
    """Print the value of each flag and where it came from."""
    values = dynconf.snapshot()
    for flag in flags:
        print(f"  {flag:20} {values[flag]!s:6} {dynconf.origin(flag)}")


def main() -> None:
    """Compile and run the model under several flags, and show what is in force."""
    x = torch.linspace(0, 1, 8)
    compiled = torch.compile(model, backend="eager")

    with dynconf.patch(verify_correctness=True, recompile_limit=4):
        assert torch.allclose(compiled(x), torch.ones(8))
        print("compiled and verified under a patch:")
        show("verify_correctness", "recompile_limit", "suppress_errors")

    print("after the patch:")
    show("verify_correctness")

    print("mistakes are reported right where they are made:")
    for wrong in ({"verify_corectness": True}, {"optimize_ddp": "ddp_optimiser"}):
        try:
            dynconf.patch(wrong)
        except dynconf.DynconfError as error:
            print(f"  {type(error).__name__}: {error}")

    with dynconf.install(recompile_limit=16):
        print("installed for the whole process, so that every thread sees it:")
        show("recompile_limit")


if __name__ == "__main__":
    main()
