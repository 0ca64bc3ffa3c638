"""The settings in force in the running process, with those that something overruled.

`dynconf dump` says what would be put in force, and `origin` where one value came from. This is both for the
running process, with the losers: a user who set 8 and reads 1 wants to see the line that set the 1.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from dynconf.catalogue.catalogue import Setting
from dynconf.catalogue.flags.types import Mismatch
from dynconf.catalogue.names import in_order
from dynconf.live.in_force import state_in_force
from dynconf.live.origin import origin_of
from dynconf.provenance import Origin
from dynconf.state import SettingValue, State
from dynconf.text import printable
from dynconf.tools.audit.overruled import overruled_settings
from dynconf.tools.audit.summary import shown_path
from dynconf.tools.report.start_log import facts_of, in_words
from dynconf.tools.report.waiting import missing_modules, waiting_state


@dataclass(frozen=True, slots=True)
class Outcome:
    """The settings of one process."""

    state: State  # those that are set, with the values in force; first those that overrule others
    overruled: Mapping[Setting, tuple[SettingValue, ...]]  # explicit ones not in force, the latest first
    waiting: Mapping[Setting, Sequence[str]]  # the modules to import before a setting is in force

    def __str__(self) -> str:
        """Return a line about the process, and a table of its settings."""
        head = in_words(facts_of(self.state))
        if not self.state:
            return f"{head}: nothing is set"
        rows = [("flag", "value", "origin"), *map(self._row, self.state)]
        # A cell that is wider moves the rest of its own row, not of all others.
        widths = [min(max(map(len, column)), 40) for column in zip(*rows)]
        lines = ("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)
        return "\n".join([f"{head}:", *lines])

    def _row(self, setting: Setting) -> tuple[str, str, str]:
        value, origin = self.state[setting]
        losers = self.overruled.get(setting, ())
        values = [*(setting.text(each.value) for each in reversed(losers)), setting.text(value)]
        why = _short(origin)
        if losers:
            by = why.removeprefix("assignment at ")
            why = f"{'; '.join(_short(each.origin) for each in losers)}, overruled by {by}"
        if modules := self.waiting.get(setting):
            why += f", once {', '.join(modules)} is imported"
        return setting.newest, printable(" -> ".join(values)), why


def outcome() -> Outcome:
    """Return the settings in force in the running thread or task, with those that they overrule.

    Under `dynconf run`, those that wait for modules are in it, too: nothing is imported for them.
    """
    losers = overruled_settings()
    overruled = {slot.setting: tuple(found) for slot, found in losers.items()}
    winners = {slot.setting: SettingValue(slot.read(), origin_of(slot)) for slot in losers}
    state = waiting_state().with_entries(state_in_force(()).with_entries(winners))
    for setting, (_, origin) in state.items():
        if origin.at_start is not None:
            before: Any = origin.at_start  # the text, if it gave the flag no value
            with suppress(Mismatch):
                before = setting.type.parse(origin.at_start)
            loser = SettingValue(before, replace(origin, raw=origin.at_start, at_start=None))
            overruled[setting] = (*overruled.get(setting, ()), loser)
    ordered = sorted(in_order(state), key=lambda each: each not in overruled)
    return Outcome(
        State(state.release, {each: state[each] for each in ordered}), overruled, missing_modules()
    )


def _short(origin: Origin) -> str:
    """Return an origin as short as can be: a file without the key, relative to a folder of the program's."""
    short = origin.file and shown_path(origin.file)
    return str(replace(origin, file=short, name=None if origin.kind == "file" else origin.name))
