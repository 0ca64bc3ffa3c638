"""Printing the settings that a program ended up with: ``dynconf run --show``."""

import atexit
import io
import json
import os
import sys
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, get_args

from dynconf.after_import import after_import
from dynconf.catalogue import Setting
from dynconf.cli.output import Styled, complain, is_terminal, origin_text, print_line, print_table
from dynconf.origin import Origin
from dynconf.state import State

if TYPE_CHECKING:
    from dynconf.outcome import Outcome

When = Literal["exit", "compile"]

SHOW_VARIABLE = "DYNCONF_SHOW"
"""The variable that hands ``--show`` on: ``exit`` or ``compile``, and ``,json`` for that form."""

_COMPILATION = "torch._dynamo.callback"
"""torch's module of functions that are called when a compilation starts; in all releases."""


def show_outcome(
    when: When | None,
    installing: State,
    waiting: Mapping[Setting, Collection[str]],
    *,
    as_json: bool = False,
) -> None:
    """Have this process show its settings, and those that it starts, if *when* or the variable says so."""
    word, _, form = os.environ.get(SHOW_VARIABLE, "").partition(",")
    if when is not None:
        word, form = when, "json" if as_json else ""
        os.environ[SHOW_VARIABLE] = f"{word},{form}".rstrip(",")
    if word and word not in get_args(When):
        complain("warning", f"{SHOW_VARIABLE}={word}: expected {' or '.join(get_args(When))}")
    elif word:
        _Show(installing, waiting, at_compilation=word == "compile", as_json=form == "json")


class _Show:
    """Shows the settings of this process on stderr, once: at the end, or when it first compiles."""

    def __init__(
        self,
        installing: State,
        waiting: Mapping[Setting, Collection[str]],
        *,
        at_compilation: bool,
        as_json: bool,
    ) -> None:
        self._installing = installing
        self._waiting = waiting
        self._as_json = as_json
        self._shown = False
        self._process = os.getpid()
        atexit.register(self._at_exit)
        if at_compilation:
            after_import(_COMPILATION, self._at_compilation)

    def _at_compilation(self) -> None:
        # torch._dynamo.reset() forgets it again; the table then comes at the end.
        sys.modules[_COMPILATION].on_compile_start(lambda *_: self.show("at the first compilation"))

    def _at_exit(self) -> None:
        # A fork has the settings of its parent, and shows them if it compiles.
        if os.getpid() == self._process:
            self.show("at the end")

    def show(self, when: str) -> None:
        """Show the settings, unless they have been shown."""
        if self._shown or sys.stderr is None:
            return
        self._shown = True
        try:
            print_outcome(self._installing, self._waiting, when, as_json=self._as_json)
        except Exception as error:  # noqa: BLE001  it must not end the program's compilation
            with suppress(OSError, ValueError):  # the program may have closed stderr
                complain("error", f"the settings cannot be shown: {type(error).__name__}: {error}")


def print_outcome(
    installing: State, waiting: Mapping[Setting, Collection[str]], when: str, *, as_json: bool
) -> None:
    """Print the settings that are in force now on stderr, in one piece, with those that they overrule."""
    from dynconf.outcome import outcome

    found = outcome(installing, waiting)
    # Several processes may print at once; a terminal gets its colours all the same.
    stream = sys.stderr if is_terminal(sys.stderr) else io.StringIO()
    if as_json:
        print(json.dumps(found.as_json()), file=stream)
    else:
        who = f"rank {found.rank}, pid {found.pid}" if found.rank else f"pid {found.pid}"
        facts = f"torch {found.state.release.version}, fingerprint {found.fingerprint}"
        print_line("dynconf: ", Styled("in force", "bold"), f" {when} ({who}, {facts}):", stream=stream)
        if not found.state:
            print_line("nothing is set", stream=stream)
        else:
            rows = [_row(found, setting) for setting in found.state]
            print_table(("flag", "value", "origin"), rows, fixed=2, stream=stream)
    if isinstance(stream, io.StringIO):
        sys.stderr.write(stream.getvalue())


def _row(found: "Outcome", setting: Setting) -> tuple[str, ...]:
    value, origin = found.state[setting]
    losers = found.overruled.get(setting, ())
    values = [*(setting.text(each.value) for each in reversed(losers)), setting.text(value)]
    why = _place(origin)
    if losers:
        by = why.removeprefix("assignment at ")
        why = f"{'; '.join(_place(each.origin) for each in losers)}, overruled by {by}"
    if modules := found.waiting.get(setting):
        why += f", once {', '.join(modules)} is imported"
    style = "yellow" if losers else "cyan"
    return Styled(setting.newest, "bold"), Styled(" -> ".join(values), "green"), Styled(why, style)


def _place(origin: Origin) -> str:
    """Return an origin as short as can be: a file without the key, relative to a folder of ``sys.path``."""
    file = origin.file
    folders = (f"{folder.rstrip(os.sep)}{os.sep}" for folder in sys.path if folder)
    short = file and min((file.removeprefix(each) for each in folders), key=len, default=file)
    return origin_text(replace(origin, file=short, name=None if origin.kind == "file" else origin.name))
