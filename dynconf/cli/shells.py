"""click's scripts for the shells, with ``--set FLAG=VALUE`` completed on both sides of the equals sign."""

import os
from typing import Any

from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ShellComplete,
    ZshComplete,
    add_completion_class,
    split_arg_string,
)


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
