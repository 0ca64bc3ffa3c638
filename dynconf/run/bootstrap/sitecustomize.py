"""Executed by each Python that a program under `dynconf run` starts: see `dynconf.run.children`.

Python imports ``sitecustomize`` as it starts, and the folder of this file is first on ``PYTHONPATH``. It may
be any Python: of an environment without dynconf, or for a program without torch. So nothing of dynconf is
imported before the program looks for torch, and no harm is done if dynconf is not there. The
``sitecustomize`` that Python would have found without this one is executed as well.
"""

import os
import sys


class _BeforeTorch:
    """A finder that finds nothing, but installs the settings when the program first looks for torch."""

    def find_spec(self, name: str, _path: object = None, _target: object = None) -> None:
        if name == "torch" and self in sys.meta_path:
            sys.meta_path.remove(self)
            try:
                from dynconf.run.children import follow
            except (ImportError, SyntaxError):  # another version of dynconf, or for a newer Python, or none
                return
            follow()


def _execute_next() -> None:
    """Execute the next ``sitecustomize`` on the path; afterwards, ``sys.path`` is the program's own."""
    folder = os.path.dirname(__file__)  # noqa: PTH120  importing pathlib may take longer than all of this
    sys.path[:] = [each for each in sys.path if each != folder]
    own = sys.modules.pop(__name__)
    try:
        __import__(__name__)
    except ImportError as problem:
        if problem.name != __name__:
            raise
        sys.modules[__name__] = own


sys.meta_path.insert(0, _BeforeTorch())
_execute_next()
