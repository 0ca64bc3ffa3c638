"""A state as lines for a shell and for TOML: what can be written there, the rest named on stderr."""

import shlex
from collections.abc import Iterable
from typing import Any

from dynconf.catalogue import FLAGS
from dynconf.catalogue.names import canonical, default_of
from dynconf.checks.variables import DISABLE_SWITCH, text_for
from dynconf.cli.output import complain
from dynconf.state.snapshot import Snapshot, meant
from dynconf.values import Mismatch, as_json, as_text, same, shown
from dynconf.versions import Minor


def settable(snapshot: Snapshot, names: Iterable[str]) -> dict[str, Any]:
    """Return the flags that a user can set, as JSON data; the others are named on stderr."""
    entries = {}
    for name in names:
        if snapshot.origins[name].kind == "alias":
            continue
        if name not in FLAGS or not FLAGS[canonical(name)].public:
            complain("note", f"{name} is left out: it is torch's own")
            continue
        try:
            entries[name] = as_json(FLAGS[name].type, meant(name, snapshot.values[name]))
        except Mismatch as problem:
            complain("note", f"{name} is left out: {problem}")
    return entries


def print_exports(snapshot: Snapshot, names: Iterable[str]) -> None:
    """Print the lines by which a shell sets the flags."""
    for name in settable(snapshot, names):
        value = meant(name, snapshot.values[name])
        lines = _lines(name, value, snapshot.minor)
        for line in lines:
            print(line)
        if not lines:
            complain("note", f"{name} is left out: no variable can say {shown(value)}")


def _lines(name: str, value: Any, release: Minor) -> list[str]:
    """Return the lines of a shell that give the flag that value; none where no variable can.

    torch's own variable is preferred, so that bare torch sees the value too, where both read the same text
    alike; otherwise it is the uniform one, unless torch would read that one as something else.
    """
    flag = FLAGS[name]
    own = next(iter(flag.variables_in(release)), None)
    if own is not None:
        text = text_for(flag, own.rule, flag.default_in(release), value)
        if text is not None:
            return [f"export {own.name}={shlex.quote(text)}"]
        if same(value, default_of(name, release)):
            return [f"unset {own.name}"]
    if flag.uniform_variable in (DISABLE_SWITCH, own.name if own else ""):
        return []
    try:
        line = f"export {flag.uniform_variable}={shlex.quote(as_text(flag.type, value))}"
    except Mismatch:
        return []
    # torch's own variable, which cannot say the value, would win over the uniform one.
    return [line] if own is None else [f"unset {own.name}", line]
