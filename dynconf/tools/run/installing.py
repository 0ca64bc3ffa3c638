"""Installing settings as soon as the program has imported the config modules that they are for."""

from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

from dynconf.catalogue.flags.types import Named
from dynconf.catalogue.flags.types.reference import HARMLESS, leaves
from dynconf.catalogue.modules import module_path
from dynconf.errors import DynconfError, DynconfWarning
from dynconf.live.after_import import after_import
from dynconf.provenance import Caller
from dynconf.sources.reading import Reading
from dynconf.state import SettingValue, State
from dynconf.tools.at_exit import say
from dynconf.tools.report.start_log import log_start
from dynconf.tools.report.waiting import installations, missing_of, states

if TYPE_CHECKING:
    from dynconf.catalogue.catalogue import Setting


class FirstLine(Caller):
    """The first line of a program that knows nothing of dynconf: where warnings are errors, it goes on."""

    __slots__ = ()

    def warn(self, warning: DynconfWarning) -> None:
        """Issue *warning*, or print it."""
        try:
            super().warn(warning)
        except DynconfWarning:
            say(f"warning: {warning}")


def install_on_import(state: State, calling_line: Caller, on_error: Callable[[DynconfError], object]) -> None:
    """Install a state for the process, each flag as soon as its config module has been imported.

    A flag whose value names objects, such as ``logging:Logger.info``, also waits for their modules: a file
    must not make dynconf import anything. If there is no such object, *on_error* is called.
    """
    # The assignments of the program are recorded, so that a state that it saves has its pins.
    after_import("torch", lambda: import_module("dynconf.live.assignments").watch_assignments())
    log_start(state, calling_line)
    # Flags that wait for the same modules are installed together, so that rules see them together.
    parts: dict[frozenset[str], dict[Setting, SettingValue]] = {}
    for setting, each in state.items():
        # Those in HARMLESS are loaded in every program.
        named = {leaf.module for leaf in leaves(each.value) if isinstance(leaf, Named)} - HARMLESS.keys()
        modules = frozenset({module_path(setting.module), *named})
        parts.setdefault(modules, {})[setting] = each
    for modules, part in parts.items():
        missing = set(modules)
        missing_of.update(dict.fromkeys(part, missing))
        reading = Reading(State(state.release, part))

        def install(module: str, missing: set[str] = missing, reading: Reading = reading) -> None:
            missing.discard(module)
            if not missing:
                from dynconf.live.install import install_state

                import_module("dynconf.tools.audit.overruled")  # which joins those that are told
                log_start(state, calling_line)  # the program may have configured its logger by now
                try:
                    installations.append(install_state(reading.resolved(), calling_line))
                except DynconfError as error:
                    on_error(error)

        for module in sorted(modules):
            after_import(module, partial(install, module))
    states.append(state)  # a process is under `dynconf run` from here on, and to its end
