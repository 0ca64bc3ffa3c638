"""Flags in an interactive session: in completion, and set by ``%dynconf``."""

import functools
import re
import shlex
from collections.abc import Callable
from typing import Any

from dynconf.catalogue.flags.flag import BARE_MODULE
from dynconf.catalogue.modules import MODULES, catalogue
from dynconf.catalogue.names import split
from dynconf.errors import DynconfError
from dynconf.provenance import caller
from dynconf.release import Release
from dynconf.sources.calls import read_options
from dynconf.sources.gather import judge_rules
from dynconf.store.snapshot import Snapshot, snapshot

# Text before the cursor: in an argument or index that is a name of a flag, and of which namespace.
_TAKES_NAMES = re.compile(r"""(?:\b(?:origin|reset|patch)\s*\(|\bFLAGS\s*\[|,)\s*["']([\w.]*)$""")
_NAMESPACE = re.compile(rf"\bdynconf\.(?:({'|'.join(MODULES)})\.)?")


def load_ipython_extension(shell: Any) -> None:
    """Have ``%load_ext dynconf`` add the magic, and complete flags in ``dynconf.origin("`` and the like."""
    matcher = _matcher()
    if matcher not in shell.Completer.custom_matchers:  # `%reload_ext` loads it again
        shell.Completer.custom_matchers.append(matcher)
    shell.register_magic_function(_magic, magic_name="dynconf")


@functools.cache
def _matcher() -> Callable[..., Any]:
    from IPython.core.completer import SimpleCompletion, context_matcher

    @context_matcher()  # type: ignore[untyped-decorator, unused-ignore]
    def flags(context: Any) -> dict[str, Any]:
        line = context.line_with_cursor[: context.cursor_position]
        typed, namespaces = _TAKES_NAMES.search(line), _NAMESPACE.findall(line)
        if typed is None or not namespaces:
            return {"completions": []}
        module, bare = split(typed[1], namespaces[-1] or BARE_MODULE)
        start = bare.rpartition(".")[0]
        names = (name for name in catalogue(module).flags if name.startswith(bare))
        return {"completions": [SimpleCompletion(name.removeprefix(f"{start}.")) for name in names]}

    return flags  # type: ignore[no-any-return, unused-ignore]


# An equals sign with the spaces around it that people leave; quoted text stays as it is.
_AROUND_EQUALS = re.compile(r"""("[^"]*"|'[^']*')|\s*(=)\s*""")


def _magic(line: str) -> Snapshot | None:
    """Set flags for the process; without any, show those that are set.

    ``%dynconf recompile_limit=64 inductor.max_autotune=true``: the values are written as for ``--set``.
    """
    from IPython.core.error import UsageError

    from dynconf.live.install import install_state

    if not line.strip():
        return snapshot()
    cell = caller()
    try:
        words = shlex.split(_AROUND_EQUALS.sub(r"\1\2", line))
        reading = read_options(words, Release.at_hand(), "%dynconf", cell.origin("install"))
        install_state(judge_rules(reading).used_by(cell), cell)
    except (DynconfError, ValueError) as error:
        raise UsageError(str(error)) from None
    return None
