"""Flags in the signatures of functions that take them as keywords, for help and completion."""

import inspect
from collections.abc import Callable
from typing import Any

from dynconf.catalogue.flags.flag import BARE_MODULE
from dynconf.catalogue.modules import MODULES, catalogue


class _WithFlags(inspect.Signature):
    """A signature whose text leaves the flags out, so that help fits a screen."""

    def _without(self) -> inspect.Signature:
        shown = [each for each in self.parameters.values() if each.default is not ...]
        return inspect.Signature(shown, return_annotation=self.return_annotation)

    def __str__(self) -> str:
        return str(self._without())

    def format(self, **options: Any) -> str:  # which Python 3.13 and its help call
        return self._without().format(**options)  # type: ignore[attr-defined, no-any-return, unused-ignore]


def with_flags(function: Callable[..., Any], module: str = BARE_MODULE) -> Callable[..., Any]:
    """Return *function* with the flags that it takes as keywords listed in its signature."""
    if hasattr(function, "__signature__"):
        return function
    signature = inspect.signature(function)
    flags = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=..., annotation=annotation)
        for name, annotation in sorted(annotations_of(module).items())
    ]
    *before, last = signature.parameters.values()
    # By name, because another thread may have added the flags meanwhile.
    named = {each.name: each for each in (*before, *flags)}
    function.__signature__ = _WithFlags(  # type: ignore[attr-defined]
        [*named.values(), last], return_annotation=signature.return_annotation
    )
    return function


def annotations_of(module: str) -> dict[str, str]:
    """Return the keywords of a function that takes flags of the module, with their annotations."""
    known = catalogue(module)
    # A function of bare names, which are dynamo's, also takes the other modules, as in inductor={...}.
    groups = (*known.groups, *(MODULES[1:] if module == BARE_MODULE else ()))
    return dict.fromkeys(groups, "dict[str, Any]") | {
        name: flag.type.annotation
        for name, flag in known.flags.items()
        if known.flags[known.canonical(name)].public and name.isidentifier() and name[0] != "_"
    }
