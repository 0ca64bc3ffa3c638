"""The readings of variables by the real config modules."""

from collections.abc import Iterator
from operator import attrgetter
from typing import Any

from conftest import fresh_config

from dynconf.catalogue.catalogue import Setting, View
from dynconf.catalogue.flags.variable import IMPORT_ERRORS
from dynconf.tools.show.bare_torch import torch_reading


def real_readings(view: View, raw: str) -> Iterator[tuple[dict[str, str], Setting, Any]]:
    """Yield the value of each flag when one of its variables has that text, or the error of the import.

    All variables are set at once, but for those that end the import, and those that a stronger one hides.

    Args:
        view: The module, in the release at hand.
        raw: The text.

    Yields:
        An environment, a flag that follows one of its variables, and its value there.
    """
    alone = {
        name
        for name, followers in view.followers.items()
        if any(torch_reading(setting, {name: raw}).error for setting, _ in followers)
    }
    alone |= {each.name for setting in view.settings.values() for each in setting.variables[1:]}
    together = dict.fromkeys(view.followers.keys() - alone, raw)
    for environ in (together, *({name: raw} for name in alone)):
        followers = dict.fromkeys(setting for name in environ for setting, _ in view.followers[name])
        if not followers:
            continue
        try:
            with fresh_config(environ, module=view.catalogue.name) as config:
                values = {setting: attrgetter(setting.name)(config) for setting in followers}
        except IMPORT_ERRORS as error:
            values = dict.fromkeys(followers, error)
        for setting, value in values.items():
            yield environ, setting, value
