"""Running an action right after a module has been imported, or at once if it already is.

``dynconf run`` must set flags of torch's config modules before the program reads them, but must not import
torch for a program that never does. So a finder at the head of ``sys.meta_path`` waits for the modules. It
leaves the search to the other finders, and only wraps the ``exec_module`` of the loader that they return.

A program whose import fails, or warns, must not see that. Python removes the frames of its own import system
from tracebacks, and ``warnings`` skips them; but both stop at one of ours in between. So ours has their file.
"""

import sys
import threading
import time
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType


def after_import(module: str, action: Callable[[], object]) -> None:
    """Call *action* once *module* has been imported, before the program that imports it goes on.

    If its import has begun already, the program may go on a moment earlier.
    """
    if _FINDER not in sys.meta_path:
        sys.meta_path.insert(0, _FINDER)
    # Another thread may import the module meanwhile, so it is looked for when the action already waits.
    _FINDER.waiting.append((module, action))
    imported = sys.modules.get(module)
    if imported is not None and is_being_imported(imported):
        # The finder may have been asked for the module before this action was added. Why not wait for the
        # import here? This thread may be the one that imports the module.
        threading.Thread(target=_act_after_import, args=(module, imported), daemon=True).start()
    elif imported is not None:
        _FINDER.act(module)


def is_being_imported(module: ModuleType) -> bool:
    """Tell whether some thread is still executing the module, which is in sys.modules meanwhile, too."""
    return getattr(module.__spec__, "_initializing", False)


def _act_after_import(name: str, module: ModuleType) -> None:
    while is_being_imported(module):
        time.sleep(0.001)
    if sys.modules.get(name) is module:  # else its import has failed, and may be tried again
        _FINDER.act(name)


class _Finder:
    """Finds nothing itself, but adds the actions to the loaders that other finders return."""

    def __init__(self) -> None:
        self.waiting: list[tuple[str, Callable[[], object]]] = []

    def act(self, name: str) -> None:
        """Run the actions that wait for the module."""
        for waiting in [each for each in self.waiting if each[0] == name]:
            try:
                self.waiting.remove(waiting)
            except ValueError:  # another thread has taken it
                continue
            waiting[1]()

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the spec of the first finder behind that has one, with a loader that runs the actions."""
        if all(module != name for module, _ in self.waiting):
            return None
        # Those before it have found nothing; one that asks others itself would ask this one again.
        behind = sys.meta_path[sys.meta_path.index(self) + 1 :] if self in sys.meta_path else ()
        # Python passes over finders without the method, too.
        finders = (finder for finder in behind if hasattr(finder, "find_spec"))
        specs = (finder.find_spec(name, path, target) for finder in finders)
        spec = next((each for each in specs if each is not None), None)
        if spec is not None and spec.loader is not None:
            execute = spec.loader.exec_module

            def execute_and_act(module: ModuleType) -> None:
                execute(module)
                self.act(name)

            code = execute_and_act.__code__
            execute_and_act.__code__ = code.replace(co_filename="<frozen importlib._bootstrap>")
            spec.loader.exec_module = execute_and_act  # type: ignore[method-assign]
        return spec


_FINDER = _Finder()
