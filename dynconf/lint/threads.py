"""Which flags that are set another thread would not see."""

import importlib
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

from dynconf.errors import InvalidValueError
from dynconf.finding import Finding, Report
from dynconf.flags.types import same, shown
from dynconf.names import show_data


def check_threads(*modules: str) -> Report:
    """Check which flags, of those that the running thread or task has set, another thread would not see.

    It reads them in a thread that it starts. From torch 2.12 on what is patched or assigned belongs to the
    thread or task that did it; what is installed for the process, and what variables set, belongs to all.

    Args:
        *modules: Modules to import first, as the program does whose threads it is about; they are looked for
            in the working directory, too.

    Returns:
        A warning ``thread-only`` for each such flag, with the values ``here`` and ``there`` and the origin.

    Raises:
        InvalidValueError: A module cannot be imported.

    Example:
        >>> import dynconf, torch
        >>> with dynconf.patch(recompile_limit=64):
        ...     report = dynconf.check_threads()
        >>> [finding.flag for finding in report.findings] == ["recompile_limit"] or torch.__version__ < "2.12"
        True
    """
    from dynconf.live.threads import set_here

    _import(modules)
    origins = set_here()
    there: list[Any] = []
    thread = threading.Thread(target=lambda: there.extend(slot.read() for slot in origins))
    thread.start()
    thread.join()
    found = []
    for (slot, origin), other in zip(origins.items(), there, strict=True):
        name, value = slot.setting.qualified, slot.read()
        if same(value, other):
            continue
        found.append(
            Finding(
                "thread-only",
                "warning",
                f"{name}: {shown(value)} here ({origin}), but {shown(other)} in another thread;"
                " dynconf.install sets it for all threads, dynconf.propagate carries it to one",
                name,
                facts={
                    "here": show_data(name, value),
                    "there": show_data(name, other),
                    "origin": origin.as_json(),
                },
            )
        )
    return Report(tuple(found))


def _import(modules: tuple[str, ...]) -> None:
    folder = str(Path.cwd())
    sys.path.insert(0, folder)
    try:
        for module in modules:
            try:
                importlib.import_module(module)
            except (Exception, SystemExit) as error:
                why = "it ends the program" if isinstance(error, SystemExit) else error
                raise InvalidValueError(f"{shown(module)} cannot be imported: {why}") from error
    finally:
        with suppress(ValueError):  # a module may have changed sys.path itself
            sys.path.remove(folder)
