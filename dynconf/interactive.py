"""Showing the flags in an interactive session: in help, and in completion."""

import inspect
import re
from collections.abc import Callable
from typing import Any

from dynconf.flags.flag import BARE_MODULE
from dynconf.modules import MODULES, catalogue
from dynconf.names import split


def with_flags(function: Callable[..., Any], module: str = BARE_MODULE) -> Callable[..., Any]:
    """Return *function* with the flags that it takes as keywords listed in its signature."""
    if hasattr(function, "__signature__"):
        return function
    signature = inspect.signature(function)
    known = catalogue(module)
    # A function of bare names, which are dynamo's, also takes the other modules, as in inductor={...}.
    groups = (*known.groups, *(MODULES[1:] if module == MODULES[0] else ()))
    annotations = dict.fromkeys(groups, "dict[str, Any]") | {
        name: flag.type.annotation
        for name, flag in known.flags.items()
        if known.flags[known.canonical(name)].public and name.isidentifier()
    }
    flags = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=..., annotation=annotation)
        for name, annotation in sorted(annotations.items())
    ]
    *before, last = signature.parameters.values()
    # By name, because another thread may have added the flags meanwhile.
    named = {each.name: each for each in (*before, *flags)}
    function.__signature__ = signature.replace(  # type: ignore[attr-defined]
        parameters=[*named.values(), last]
    )
    return function


# Text before the cursor: in an argument or index that is a name of a flag, and of which namespace.
_TAKES_NAMES = re.compile(r"""(?:\b(?:origin|reset|patch)\s*\(|\bFLAGS\s*\[|,)\s*["']([\w.]*)$""")
_NAMESPACE = re.compile(rf"\bdynconf\.(?:({'|'.join(MODULES)})\.)?")


def load_ipython_extension(shell: Any) -> None:
    """Have ``%load_ext dynconf`` complete flags in ``dynconf.origin("``, ``dynconf.FLAGS["`` and the like."""
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

    shell.Completer.custom_matchers.append(flags)
