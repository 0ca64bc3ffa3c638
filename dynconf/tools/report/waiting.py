"""The settings of `dynconf run` that wait for modules which the program has not imported yet.

`dynconf.tools.run.installing` notes them here.
"""

from typing import TYPE_CHECKING

from dynconf.catalogue.catalogue import Setting
from dynconf.release import Release
from dynconf.state import State

if TYPE_CHECKING:
    from dynconf.live.install import Installation

states: list[State] = []
"""What this process is to put in force."""

missing_of: dict[Setting, set[str]] = {}
"""The modules that each setting waits for; the sets shrink as modules are imported."""

installations: "list[Installation]" = []
"""What has been put in force of them, whatever the program was doing when it imported the modules."""


def is_installing() -> bool:
    """Tell whether this process has settings of `dynconf run`, be they in force yet or not."""
    return bool(states)


def missing_modules() -> dict[Setting, list[str]]:
    """Return the settings that are still to be put in force, with the modules that each waits for."""
    return {setting: sorted(modules) for setting, modules in missing_of.items() if modules}


def waiting_state() -> State:
    """Return the settings that are still to be put in force."""
    waiting = State(Release.at_hand())
    for state in states:
        waiting = waiting.with_entries(state.select(missing_modules().__contains__))
    return waiting
