"""Completion for bash, zsh and fish: what may follow the words of a command line, and the shells' scripts.

The scripts are a few lines that ask dynconf itself, so that what they offer is what the commands declare.
"""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from dynconf.cli.output import complain
from dynconf.cli.parser import OPTIONS, Command, Option
from dynconf.errors import InvalidValueError
from dynconf.modules import MODULES, catalogue
from dynconf.names import FLAGS
from dynconf.release import RELEASES

SCRIPTS = {
    "bash": """\
_dynconf() {
    local line="${COMP_LINE:0:COMP_POINT}" before current found IFS=$' \\t\\n'
    current="${line##* }"
    read -ra before <<< "${line% *}"
    found="$(dynconf --complete "${before[@]:1}" "$current")"
    IFS=$'\\n'
    COMPREPLY=($(compgen -W "$found" -- "$current"))
    if [[ $current == *=* && ${COMP_WORDBREAKS} == *=* ]]; then
        COMPREPLY=("${COMPREPLY[@]#"${current%"${current##*=}"}"}")
    fi
    [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace
}
complete -o default -F _dynconf dynconf
""",
    "zsh": """\
#compdef dynconf
_dynconf() {
    local -a found
    found=("${(@f)$(dynconf --complete "${(@)words[2,CURRENT]}")}")
    found=(${found:#})
    if (( ${#found} )); then
        compadd -S "" -- ${(M)found:#*=}
        compadd -- ${found:#*=}
    else
        _files
    fi
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
compdef _dynconf dynconf
""",
    "fish": """\
function __dynconf
    set -l words (commandline -opc) (commandline -ct)
    dynconf --complete $words[2..-1]
end
complete -c dynconf -f -a '(__dynconf)'
complete -c dynconf -F -n 'test -z "$(__dynconf)"'
""",
}


def run(option: str, words: Sequence[str], commands: Sequence[Command]) -> int:
    """Run ``--complete``, ``--show-completion`` or ``--install-completion``, and return the exit code."""
    if option == "--complete":
        print("\n".join(candidates(words, commands)))
        return 0
    shell = words[0] if words else Path(os.environ.get("SHELL", "")).name
    if shell not in SCRIPTS:
        what = f", not for {shell!r}" if shell else ": name one, since SHELL is not set"
        raise InvalidValueError(f"completion is available for bash, zsh and fish{what}")
    if option == "--show-completion":
        print(SCRIPTS[shell], end="")
    else:
        complain("note", f"completion for {shell} is in {_install(shell)}; it works in new shells")
    return 0


def candidates(words: Sequence[str], commands: Sequence[Command]) -> list[str]:
    """Return the completions of the last of the words after ``dynconf``, which may be empty or incomplete."""
    *before, last = words or [""]
    names = {command.name: command for command in commands}
    if not before:
        found: Iterable[str] = [*names, *(each for each in OPTIONS if each.startswith("--"))]
    elif before[0] in ("--install-completion", "--show-completion"):
        found = SCRIPTS
    elif before[0] in names:
        found = _of_command(names[before[0]], before[1:], last)
    else:
        found = ()
    return [each for each in found if each.startswith(last)]


def _of_command(command: Command, before: Sequence[str], last: str) -> Iterable[str]:
    if command.takes_program and command.split([*before, last])[1] not in ([], [last]):
        return ()
    if before and before[-1] in command.taking:
        return _values(command.taking[before[-1]], last)
    if last.startswith("-"):
        name, equals, start = last.partition("=")
        if equals and name in command.taking:
            return [f"{name}={each}" for each in _values(command.taking[name], start)]
        return [*(name for each in command.options if each.names for name in each.names), "--help"]
    argument = next((each for each in command.options if not each.names), None)
    return () if argument is None else _values(argument, last)


def _values(option: Option, start: str) -> Iterable[str]:
    """Return the values of an option; none if they are files, which shells complete themselves."""
    if option.settings.get("choices"):
        return [str(each) for each in option.settings["choices"]]
    match option.settings.get("metavar"):
        case "FLAG" | "PATTERN":
            return _flags()
        case "FLAG=VALUE":
            name, equals, _ = start.partition("=")
            return (
                [f"{name}={each}" for each in _choices(name)] if equals else [f"{each}=" for each in _flags()]
            )
        case "RELEASE":
            return [each.rpartition(".")[0] for each in RELEASES]
        case "BACKEND":
            # Those that torch itself registers everywhere; only torch could say which others exist here.
            return ("aot_eager", "cudagraphs", "eager", "inductor", "openxla", "tvm")
        case "DEVICE":
            return ("cpu", "cuda", "mps", "xpu")
        case _:
            return ()


def _flags() -> list[str]:
    """Return the flags that users set, by their full newest names."""
    return [
        flag.qualified
        for module in MODULES
        for name, flag in sorted(catalogue(module).flags.items())
        if flag.public and catalogue(module).canonical(name) == name
    ]


def _choices(name: str) -> Sequence[str]:
    """Return the words that a flag accepts."""
    flag = FLAGS.get(name)
    if flag is None:
        return ()
    return (*flag.type.choices, *(("true", "false") if "bool" in flag.type.annotation else ()))


def _install(shell: str) -> Path:
    """Write the script where the shell finds it, and return the file."""
    config = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    file = config / ("fish/completions/dynconf.fish" if shell == "fish" else f"dynconf/completion.{shell}")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(SCRIPTS[shell], encoding="utf-8")
    if shell != "fish":
        start = Path.home() / f".{shell}rc"
        line = f'source "{file}"'
        before = start.read_text(encoding="utf-8") if start.exists() else ""
        if line not in before.splitlines():
            with start.open("a", encoding="utf-8") as opened:
                opened.write("\n" * (before[-1:] not in ("", "\n")) + f"{line}\n")
    return file
