"""What help and completion show in an interactive session: the flags."""

import inspect
import re
from collections.abc import Callable
from typing import Any

from dynconf.modules import catalogue
from dynconf.names import FLAGS


def with_flags(function: Callable[..., Any]) -> Callable[..., Any]:
    """Have the signature of a function that takes dynamo's flags as keywords list them."""
    if hasattr(function, "__signature__"):
        return function
    whole = inspect.signature(function)
    known = catalogue("dynamo")
    flags = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=..., annotation=flag.type.annotation)
        for name, flag in sorted(FLAGS.items())
        if known.flags[known.canonical(name)].public and name.isidentifier()
    ]
    parameters = list(whole.parameters.values())
    function.__signature__ = whole.replace(  # type: ignore[attr-defined]
        parameters=[*parameters[:-1], *flags, parameters[-1]]
    )
    return function


_TAKES_NAMES = re.compile(r"""(?:\b(?:origin|reset|patch)\s*\(|\bFLAGS\s*\[|,)\s*["']([\w.]*)$""")


def load_ipython_extension(shell: Any) -> None:
    """Have ``%load_ext dynconf`` complete flags in ``dynconf.origin("``, ``dynconf.FLAGS["`` and the like."""
    from IPython.core.completer import SimpleCompletion, context_matcher

    @context_matcher()  # type: ignore[untyped-decorator, unused-ignore]
    def flags(context: Any) -> dict[str, Any]:
        line = context.line_with_cursor[: context.cursor_position]
        typed = _TAKES_NAMES.search(line)
        if typed is None or "dynconf." not in line:
            return {"completions": []}
        start = typed[1].rpartition(".")[0]
        names = (name for name in FLAGS if name.startswith(typed[1]))
        return {"completions": [SimpleCompletion(name.removeprefix(f"{start}.")) for name in names]}

    shell.Completer.custom_matchers.append(flags)
