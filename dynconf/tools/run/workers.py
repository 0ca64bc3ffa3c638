"""Handing the settings that are installed to the workers of pytest-xdist, to which pytest sends data."""

import sys

from dynconf.catalogue.modules import MODULES, module_path
from dynconf.errors import DynconfError, EnvironmentWarning
from dynconf.provenance import Caller
from dynconf.release import Release
from dynconf.sources.discovery import CONFIG_VARIABLE, Found, inherited_document
from dynconf.sources.gather import read_found
from dynconf.state import State
from dynconf.store.snapshot import live_state
from dynconf.tools.run.children import environment_to_follow
from dynconf.tools.run.installing import install_on_import

_INSTALLED = ("install", "file", "env", "option", "class", "source", "inherited", "hold")
"""The kinds of origin that an installed value may have."""


def installed_settings() -> str | None:
    """Return the settings that are installed in this process, for `install_in_worker`, if there are any."""
    state = _installed(Release.at_hand())
    return environment_to_follow(state, {})[0].get(CONFIG_VARIABLE) if state else None


def install_in_worker(text: str, line: Caller) -> None:
    """Install the settings of the process that started this one, unless this one has installed its own."""

    def warn(error: DynconfError) -> None:
        line.warn(EnvironmentWarning(f"this process does not follow pytest's own: {error}"))

    release = Release.at_hand()
    try:
        state = read_found(Found(inherited=inherited_document(text)), release).checked()
    except DynconfError as error:
        warn(error)
    else:
        install_on_import(state.without(_installed(release)), line, warn)


def _installed(release: Release) -> State:
    if not any(module_path(module) in sys.modules for module in MODULES):
        return State(release)
    state = live_state()
    return state.select(lambda each: state.origin(each).kind in _INSTALLED)
