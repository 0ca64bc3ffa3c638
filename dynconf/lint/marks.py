"""What bare torch would read differently from the same environment, flag by flag."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dynconf.flags.types import shown
from dynconf.names import views
from dynconf.release import Release
from dynconf.sources.environment import read_environment, torch_disagrees, torch_reading
from dynconf.sources.layer import merged


@dataclass(frozen=True, slots=True)
class Mark:
    """What bare torch makes of the environment for a flag, where dynconf makes something else of it.

    Attributes:
        reads: The value that it gives the flag, as JSON data.
        error: The error that its import fails with, if it gives none.
    """

    reads: Any = None
    error: str = ""

    def __str__(self) -> str:
        """Say it in a few words."""
        return f"bare torch: {self.error}" if self.error else f"bare torch reads {shown(self.reads)}"

    def as_json(self) -> dict[str, Any]:
        """Return ``torch_error`` or ``torch_reads``, as a JSON object."""
        return {"torch_error": self.error} if self.error else {"torch_reads": self.reads}


def marks(release: Release, environ: Mapping[str, str] | None = None) -> dict[str, Mark]:
    """Return what bare torch would read differently from dynconf, by the qualified name of the flag.

    Args:
        release: The release.
        environ: The environment; that of the process if None.

    Example:
        >>> print(marks(Release.named("2.13"), {"TORCHDYNAMO_VERBOSE": "true"})["verbose"])
        bare torch reads False
    """
    environ = os.environ if environ is None else environ
    present, here = frozenset(environ), views(release)
    values = merged(read_environment(environ, here)).values
    found = {}
    for view in here:
        if present.isdisjoint(view.variables) and present.isdisjoint(view.uniform_variables):
            continue
        for setting in view.settings.values():
            reading = torch_reading(setting, environ)
            value = values[setting] if setting in values else setting.default_value()
            if torch_disagrees(setting, reading, value):
                found[setting.qualified] = Mark(setting.type.show_data(reading.value), reading.error)
    return found
