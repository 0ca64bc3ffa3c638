"""The command ``dynconf``, in a module with a unique name: another project is called ``dynconf``, too.

If that project, or a file ``dynconf.py``, came first on the path, none of our code would run, and the command
would end in a traceback. ``python -m torch_dynconf`` is the same command.
"""

import sys
from importlib.util import find_spec


def main() -> None:
    """Run the command line, unless ``dynconf`` is not ours."""
    # Found out without importing: the other project may need missing packages, or an older Python.
    spec = find_spec("dynconf")
    get_source = getattr(spec and spec.loader, "get_source", lambda _: None)
    source = get_source("dynconf")  # None where only compiled code is there
    if spec is None or (source is not None and "torch.compile" not in source):
        found = spec.origin or "a folder" if spec else "nothing"
        print(
            f"dynconf: error: `import dynconf` finds {found}, which is not torch-dynconf: rename or remove "
            "it, or install torch-dynconf again if it has been replaced",
            file=sys.stderr,
        )
        sys.exit(2)
    from dynconf.cli import main as command_line

    command_line()


if __name__ == "__main__":
    main()
