"""Completion for bash, zsh and fish: the values that options take, and the scripts of the shells.

`click.shell_completion` asks dynconf itself for the words that may follow, so it offers exactly those that
the commands declare. Its scripts are changed, so that ``--set FLAG=VALUE`` is completed on both sides of the
equals sign.
"""

import os
from collections.abc import Callable
from typing import Any

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ShellComplete,
    ZshComplete,
    add_completion_class,
    shell_complete,
    split_arg_string,
)

from dynconf.release import RELEASES

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
    return [CompletionItem(start, type="file")]


def _words(*words: str) -> Callable[..., list[str]]:
    return lambda _context, _parameter, start: [word for word in words if word.startswith(start)]


releases = _words(*(each.rpartition(".")[0] for each in RELEASES))
devices = _words("cpu", "cuda", "mps", "xpu")
# Those that torch itself registers everywhere; only torch could say which others exist here.
backends = _words("aot_eager", "cudagraphs", "eager", "inductor", "openxla", "tvm")


class _WholeWords(ShellComplete):
    def get_completions(self, args: list[str], incomplete: str) -> "list[CompletionItem[Any]]":
        items = super().get_completions(args, incomplete)
        option, equals, _ = incomplete.partition("=")
        # For `--set=verb` click offers `verbose=`, but a shell replaces the whole word.
        for item in items if equals and option.startswith("-") else ():
            item.value = f"{option}={item.value}"
        return items


@add_completion_class
class Bash(_WholeWords, BashComplete):
    """Bash, which ends words at an equals sign: it passes `--set`, `verbose`, `=` and `1`."""

    # After `--set recompile_limit=` a value follows, not a space.
    source_template = BashComplete.source_template.replace(
        "COMPREPLY+=($value)", "COMPREPLY+=($value); [[ $value == *= ]] && compopt -o nospace"
    )
    _kept = 0

    def get_completion_args(self) -> tuple[list[str], str]:
        current = int(os.environ["COMP_CWORD"])
        words = split_arg_string(os.environ["COMP_WORDS"])[1 : current + 1]
        joined: list[str] = []
        for word in words:
            if joined and (word == "=" or joined[-1].endswith("=")):
                joined[-1] += word
            else:
                joined.append(word)
        if len(words) < current:  # the last word is still empty
            return joined, ""
        incomplete = joined.pop()
        self._kept = len(incomplete) - len(words[-1].removeprefix("="))
        return joined, incomplete

    def get_completions(self, args: list[str], incomplete: str) -> "list[CompletionItem[Any]]":
        items = super().get_completions(args, incomplete)
        for item in items:
            item.value = item.value[self._kept :]
        return items


@add_completion_class
class Zsh(_WholeWords, ZshComplete):
    """Zsh, where completion may not be set up yet, and no space follows an equals sign either."""

    source_template = (
        ZshComplete.source_template.replace(
            "\n\n", "\n\n(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }\n\n", 1
        ).replace("compadd -U", 'compadd -S "${${completions[1]:#*=}:+ }" -U')
    )  # fmt: skip


@add_completion_class
class Fish(_WholeWords, FishComplete):
    """Fish, where a help text may contain a comma."""

    source_template = FishComplete.source_template.replace('string split ","', 'string split --max 1 ","')


CLASSES: dict[str, type[ShellComplete]] = {each.name: each for each in (Bash, Zsh, Fish)}


def answer(command: click.Command, instruction: str) -> int:
    """Print the answer to a shell's script, and return the exit code."""
    try:
        return shell_complete(command, {}, "dynconf", VARIABLE, instruction)
    except (LookupError, ValueError):  # asked without COMP_WORDS or COMP_CWORD, by no script
        return 1


def script_of(shell: str) -> str:
    """Return the script of a shell."""
    return CLASSES[shell](click.Command("dynconf"), {}, "dynconf", VARIABLE).source()
