"""Executed by each Python that a program under `dynconf run` starts: see `dynconf.tools.run.children`.

Python imports ``sitecustomize`` as it starts, and the folder of this file is first on ``PYTHONPATH``. It may
be any Python 3: of an environment without dynconf, or for a program without torch. So nothing of dynconf is
imported before the program looks for torch, and no harm is done if dynconf is not there. The
``sitecustomize`` that Python would have found without this one is executed as well.

Python 2 cannot parse this file: it says that the import failed, and goes on.
"""

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:  # importing typing would be most of what this file takes
    from typing import Any


class _BeforeTorch:
    """A finder that finds nothing itself, but installs the settings before the program imports torch.

    Many programs only ask whether there is a torch, so it waits until the module is about to be executed.
    """

    def find_spec(self, name: str, path: "Any" = None, target: "Any" = None) -> "Any":
        if name != "torch":
            return None
        behind = sys.meta_path[sys.meta_path.index(self) + 1 :] if self in sys.meta_path else ()
        spec = _search(behind, name, path, target)
        if spec is not None and spec.loader is not None:
            execute = spec.loader.exec_module

            def follow_and_execute(module: "Any") -> None:
                if self not in sys.meta_path:  # a spec that was found before, and is used again
                    execute(module)
                    return
                sys.meta_path.remove(self)
                # dynconf waits for the import of torch with a finder of its own, so it must not have begun.
                sys.modules.pop(name, None)
                _follow()
                sys.modules[name] = module
                _search(sys.meta_path, name, path, target).loader.exec_module(module)

            # Python removes the frames of its import system from a traceback, and takes this for one of them.
            code = follow_and_execute.__code__.replace(co_filename="<frozen importlib._bootstrap>")
            follow_and_execute.__code__ = code
            spec.loader.exec_module = follow_and_execute
        return spec


def _search(finders: "Any", *wanted: "Any") -> "Any":
    # Python passes over finders without the method, too.
    specs = (finder.find_spec(*wanted) for finder in finders if hasattr(finder, "find_spec"))
    return next((each for each in specs if each is not None), None)


def _follow() -> None:
    try:
        from dynconf.tools.run.children import follow
    except (ImportError, SyntaxError):  # another version of dynconf, or for a newer Python, or none
        return
    follow()


def _execute_next() -> None:
    """Execute the next ``sitecustomize`` on the path; afterwards, ``sys.path`` is the program's own."""
    folder = os.path.dirname(__file__)
    sys.path[:] = [each for each in sys.path if each != folder]
    own = sys.modules.pop(__name__)
    try:
        __import__(__name__)
    except ImportError as problem:
        if problem.name != __name__:
            raise
        sys.modules[__name__] = own


if sys.version_info >= (3, 10):  # noqa: UP036  for older ones there is no dynconf
    sys.meta_path.insert(0, _BeforeTorch())
_execute_next()
