"""The command ``dynconf``, in a module with a name of its own: another project is called ``dynconf``, too.

Where that one, or a file ``dynconf.py``, comes first on the path, nothing of ours would run, and the command
would end in a traceback about a module that is plainly installed. Also ``python -m torch_dynconf``.
"""

import sys


def main() -> None:
    """Run the command line, unless ``dynconf`` is not ours."""
    import dynconf

    if "DynamoSettings" not in getattr(dynconf, "__all__", ()):
        found = getattr(dynconf, "__file__", None) or ", ".join(dynconf.__path__)
        sys.exit(_refuse(found))
    from dynconf.cli import main as command_line

    command_line()


def _refuse(found: str) -> int:
    print(
        f"dynconf: error: `import dynconf` finds {found}, which is not torch-dynconf: rename or remove it, "
        "or install torch-dynconf again where it replaced it",
        file=sys.stderr,
    )
    return 2


if __name__ == "__main__":
    main()
