"""Completion for bash, zsh and fish: the values that options take, and the scripts of the shells.

`click.shell_completion` asks dynconf itself for the words that may follow, so it offers exactly those that
the commands declare.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from dynconf.release import RELEASES

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

VARIABLE = "_DYNCONF_COMPLETE"
"""The environment variable with which a shell's script asks, as for every program that uses click."""


def flags(_context: click.Context, _parameter: click.Parameter, start: str) -> list[str]:
    """Return the flags that users set, by their full newest names."""
    from dynconf.tools.show.search import newest_flags

    return [each.qualified for each in newest_flags() if each.public and each.qualified.startswith(start)]


def assignments(context: click.Context, parameter: click.Parameter, start: str) -> list[str]:
    """Return ``FLAG=`` for each flag, or ``FLAG=VALUE`` for the words that the flag in *start* accepts."""
    from dynconf.catalogue.names import FLAGS

    name, equals, _ = start.partition("=")
    if not equals:
        return [f"{flag}=" for flag in flags(context, parameter, start)]
    if name not in FLAGS:
        return []
    kind = FLAGS[name].type
    values = [f"{name}={word}" for word in (*kind.choices, *["true", "false"] * ("bool" in kind.annotation))]
    return [value for value in values if value.startswith(start)]


def files(_context: click.Context, _parameter: click.Parameter, start: str) -> "list[CompletionItem[str]]":
    """Have the shell complete the names of files."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(start, type="file")]


def _words(*words: str) -> Callable[..., list[str]]:
    return lambda _context, _parameter, start: [word for word in words if word.startswith(start)]


releases = _words(*(each.rpartition(".")[0] for each in RELEASES))
devices = _words("cpu", "cuda", "mps", "xpu")
# Those that torch itself registers everywhere; only torch could say which others exist here.
backends = _words("aot_eager", "cudagraphs", "eager", "inductor", "openxla", "tvm")


def answer(command: click.Command, instruction: str) -> int:
    """Print the answer to a shell's script, and return the exit code."""
    from click.shell_completion import shell_complete

    import dynconf.cli.shells  # noqa: F401  registers the classes that shell_complete() finds

    try:
        return shell_complete(command, {}, "dynconf", VARIABLE, instruction)
    except (LookupError, ValueError):  # asked without COMP_WORDS or COMP_CWORD, by no script
        return 1


def script_of(shell: str) -> str:
    """Return the script of a shell."""
    from dynconf.cli.shells import CLASSES

    return CLASSES[shell](click.Command("dynconf"), {}, "dynconf", VARIABLE).source()
