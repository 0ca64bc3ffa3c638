"""Completion for bash, zsh and fish: the values that options take, and the scripts of the shells.

`click.shell_completion` asks dynconf itself for what may follow, so that it offers what the commands declare.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dynconf.cli.output import complain
from dynconf.errors import InvalidValueError
from dynconf.release import RELEASES

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

VARIABLE = "_DYNCONF_COMPLETE"
"""The environment variable in which a shell's script says what it wants, as in all programs with click."""

SHELLS = ("bash", "zsh", "fish")


# The values of options and arguments.


def flags(_context: click.Context, _parameter: click.Parameter, start: str) -> list[str]:
    """Return the flags that users set, by their full newest names."""
    from dynconf.modules import MODULES, catalogue

    return [
        flag.qualified
        for module in MODULES
        for name, flag in sorted(catalogue(module).flags.items())
        if flag.public and catalogue(module).canonical(name) == name and flag.qualified.startswith(start)
    ]


def assignments(context: click.Context, parameter: click.Parameter, start: str) -> list[str]:
    """Return ``FLAG=`` for each flag, and ``FLAG=VALUE`` for the words that the flag in *start* accepts."""
    from dynconf.names import FLAGS

    name, equals, _ = start.partition("=")
    if not equals:
        return [f"{flag}=" for flag in flags(context, parameter, start)]
    flag = FLAGS.get(name)
    if flag is None:
        return []
    words = (*flag.type.choices, *(("true", "false") if "bool" in flag.type.annotation else ()))
    return [f"{name}={word}" for word in words if f"{name}={word}".startswith(start)]


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


# The scripts.


def option(name: str, act: Callable[[str], None], text: str) -> Callable[..., Any]:
    """Declare an option that acts for a shell, that of the user if none is named, and ends dynconf."""

    def callback(ctx: click.Context, _option: click.Parameter, shell: str | None) -> None:
        if shell is None or ctx.resilient_parsing:
            return
        shell = shell or Path(os.environ.get("SHELL", "")).name
        if shell not in SHELLS:
            reason = f", not for {shell!r}" if shell else ": name one, since SHELL is not set"
            raise InvalidValueError(f"completion is available for bash, zsh and fish{reason}")
        act(shell)
        ctx.exit()

    return click.option(
        name,
        is_flag=False,
        flag_value="",
        is_eager=True,
        expose_value=False,
        metavar="[SHELL]",
        callback=callback,
        shell_complete=_words(*SHELLS),
        help=text,
    )


def answer(command: click.Command, instruction: str) -> int:
    """Print the answer to a shell's script, and return the exit code."""
    from click.shell_completion import shell_complete

    import dynconf.cli.shells  # noqa: F401  registers the classes that shell_complete() finds

    return shell_complete(command, {}, "dynconf", VARIABLE, instruction)


def show(shell: str) -> None:
    """Print the script of a shell."""
    print(_script(shell), end="")


def install(shell: str) -> None:
    """Write the script where the shell finds it."""
    config = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    file = config / ("fish/completions/dynconf.fish" if shell == "fish" else f"dynconf/completion.{shell}")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(_script(shell), encoding="utf-8")
    if shell != "fish":
        start = Path.home() / f".{shell}rc"
        line = f'source "{file}"'
        before = start.read_text(encoding="utf-8") if start.exists() else ""
        if line not in before.splitlines():
            with start.open("a", encoding="utf-8") as opened:
                opened.write("\n" * (before[-1:] not in ("", "\n")) + f"{line}\n")
    complain("note", f"completion for {shell} is in {file}; it works in new shells")


def _script(shell: str) -> str:
    from dynconf.cli.shells import CLASSES

    return CLASSES[shell](click.Command("dynconf"), {}, "dynconf", VARIABLE).source()
