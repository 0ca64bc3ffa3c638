"""What a program that does not use dynconf gets instead, flag by flag."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dynconf.catalogue import Setting
from dynconf.flags.types import spelled
from dynconf.modules import MODULES, set_by
from dynconf.names import views
from dynconf.release import Release
from dynconf.sources.environment import torch_disagrees, torch_reading


@dataclass(frozen=True, slots=True)
class Mark:
    """What a bare ``python script.py`` gets for a flag, where dynconf would put something else in force.

    That is a value, as JSON data and as text, or the error that the import of torch fails with. *installed*
    tells whether dynconf puts its own value in force in programs that ask for it.
    """

    reads: Any
    error: str
    installed: bool
    text: str

    def __str__(self) -> str:
        bare = f"bare torch: {self.error}" if self.error else f"bare torch reads {self.text}"
        return f"only with dynconf.install() or dynconf run; {bare}" if self.installed else bare

    def as_json(self) -> dict[str, Any]:
        """Return ``torch_error`` or ``torch_reads``, as a JSON object."""
        return {"torch_error": self.error} if self.error else {"torch_reads": self.reads}


def marks(
    release: Release, values: Mapping[Setting, Any], environ: Mapping[str, str] | None = None
) -> dict[str, Mark]:
    """Return what bare torch would not get, by the newest name of the flag.

    Args:
        release: The release.
        values: What dynconf would put in force, wherever it comes from; everything else has its default.
        environ: The environment; that of the process if None.

    Example:
        >>> print(marks(Release.named("2.13"), {}, {"TORCHDYNAMO_VERBOSE": "true"}).get("verbose"))
        None
        >>> print(marks(Release.named("2.13"), {}, {"TORCHDYNAMO_SUPPRESS_ERRORS": "0"})["suppress_errors"])
        bare torch reads True
    """
    environ = os.environ if environ is None else environ
    present = frozenset(environ)
    found = {}
    modules = {*set_by(present), *(setting.module for setting in values)}
    for view in views(release, [module for module in MODULES if module in modules]):
        read = {setting for name in present & view.followers.keys() for setting, _ in view.followers[name]}
        for setting in [each for each in view.settings.values() if each in values or each in read]:
            reading = torch_reading(setting, environ)
            value = values[setting] if setting in values else setting.default_value()
            if torch_disagrees(setting, reading, value):
                data = setting.type.show_data(reading.value)
                text = spelled(data, reading.value)
                found[setting.newest] = Mark(data, reading.error, setting in values, text)
    return found
