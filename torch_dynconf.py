"""The command ``dynconf``, in a module with a name of its own: another project is called ``dynconf``, too.

Where that one, or a file ``dynconf.py``, comes first on the path, nothing of ours would run, and the command
would end in a traceback. ``python -m torch_dynconf`` is the same command.
"""

import sys
from importlib.util import find_spec


def main() -> None:
    """Run the command line, unless ``dynconf`` is not ours."""
    # Nothing is imported to find out: the other one may need what is not installed, or an older Python.
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
