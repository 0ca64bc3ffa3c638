"""Find flags that are set for the running thread or task only."""

import importlib
from concurrent.futures import ThreadPoolExecutor
from operator import methodcaller
from pathlib import Path

from dynconf.catalogue.flags.types import is_same_value, short_repr
from dynconf.tools.doctor.importing import running
from dynconf.tools.show.finding import Finding, Report


def check_threads(*modules: str) -> Report:
    """Report flags that the running thread or task has set and that another thread would not see.

    The flags are read again in a thread that this function starts. From torch 2.12 on, a patch or an
    assignment applies only to its own thread or task; installations for the process and variables apply to
    all of them.

    Args:
        *modules: The modules that configure the program, imported first; they are looked for in the working
            directory, too.

    Returns:
        A warning ``DC504`` for each such flag, with the values ``here`` and ``there`` and the origin.

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

    for module in modules:
        with running(short_repr(module), Path()):
            importlib.import_module(module)
    # Which flags are set here is known only to this thread, and their values there only to another one.
    origins = set_here()
    with ThreadPoolExecutor(1) as pool:
        others = list(pool.map(methodcaller("read"), origins))
    findings = []
    for (slot, origin), other in zip(origins.items(), others, strict=True):
        name, value, show = slot.setting.newest, slot.read(), slot.setting.type.show_data
        if not is_same_value(value, other):
            message = (
                f"{name}: {short_repr(value)} here ({origin}), but {short_repr(other)} in another thread;"
                " dynconf.install sets it for all threads, dynconf.propagate carries it to one"
            )
            facts = {"here": show(value), "there": show(other), "origin": origin.as_json()}
            findings.append(Finding("DC504", "warning", message, name, facts=facts))
    return Report(tuple(findings))
