"""What a program ended up with: the settings in force, and those that something overruled.

`dynconf dump` says what would be put in force, and `origin` where one value came from. This is both for the
running process, with the losers: a user who set 8 and reads 1 wants to see the line that set the 1.
"""

import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from dynconf.catalogue import Setting
from dynconf.flags.types import Mismatch
from dynconf.live.in_force import state_in_force
from dynconf.live.origin import origin_of
from dynconf.live.overruled import overruled_settings
from dynconf.names import in_order
from dynconf.origin import Origin
from dynconf.saving import document
from dynconf.start_log import fingerprint_of, rank
from dynconf.state import SettingValue, State


@dataclass(frozen=True, slots=True)
class Outcome:
    """The settings of one process.

    Attributes:
        rank: The rank of the process, if a launcher gave it one.
        fingerprint: See `dynconf.fingerprint`; None if a value, such as a lambda, allows none.
        state: The settings that are set, with the values in force; first those that overrule others.
        overruled: The explicit settings that are not in force because of these, the latest first.
        waiting: The modules that the program has to import before a setting is in force.
    """

    rank: str | None
    pid: int
    fingerprint: str | None
    state: State
    overruled: Mapping[Setting, tuple[SettingValue, ...]]
    waiting: Mapping[Setting, tuple[str, ...]]

    def as_json(self) -> dict[str, Any]:
        """Return it as a JSON object: the form of a state, with the rest beside it."""
        marks: dict[str, dict[str, Any]] = {}
        for setting, settings in self.overruled.items():
            shown = [
                {"value": setting.type.show_data(value), "origin": origin.as_json()}
                for value, origin in settings
            ]
            marks[setting.newest] = {"overruled": shown}
        for setting, modules in self.waiting.items():
            marks.setdefault(setting.newest, {})["waits_for"] = list(modules)
        who = {"rank": self.rank, "pid": self.pid, "fingerprint": self.fingerprint}
        return who | document(self.state, marks)


def outcome(
    installing: State | None = None, waiting: Mapping[Setting, Collection[str]] = MappingProxyType({})
) -> Outcome:
    """Return the settings in force in the running thread or task, with those that they overrule.

    Config modules that nobody has imported stay so.

    Args:
        installing: The settings that `dynconf.run.install_on_import` is to put in force.
        waiting: The modules that each of these settings still waits for.
    """
    losers = overruled_settings()
    overruled = {slot.setting: tuple(found) for slot, found in losers.items()}
    winners = {slot.setting: SettingValue(slot.read(), origin_of(slot)) for slot in losers}
    state = state_in_force(()).with_entries(winners)
    to_come = {setting: tuple(sorted(modules)) for setting, modules in waiting.items() if modules}
    if installing is not None:
        state = installing.select(to_come.__contains__).with_entries(state)
    for setting, (_, origin) in state.items():
        if origin.at_start is not None:
            before = _value_at_start(setting, origin, origin.at_start)
            overruled[setting] = (*overruled.get(setting, ()), before)
    ordered = sorted(in_order(state), key=lambda each: each not in overruled)
    state = State(state.release, {each: state[each] for each in ordered})
    return Outcome(rank(), os.getpid(), fingerprint_of(state), state, overruled, to_come)


def _value_at_start(setting: Setting, origin: Origin, text: str) -> SettingValue:
    """Return the value that the variable gave the flag when the process started; the text if it gave none."""
    before = replace(origin, raw=text, at_start=None)
    try:
        return SettingValue(setting.type.parse(text), before)
    except Mismatch:
        return SettingValue(text, before)
