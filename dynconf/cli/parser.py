"""How a command line is read: commands, the declarations of their options, and their help."""

import argparse
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NoReturn, get_args, get_origin

from dynconf.cli.output import complain
from dynconf.spelling import nearest

if TYPE_CHECKING:
    from dynconf.run import Program

_WIDEST = 100
"""The largest width of help, in columns, however wide the terminal is."""

PROGRAM = "SCRIPT | -m MODULE | -c CODE"
"""The metavar of a program whose own arguments are left alone."""


@dataclass(frozen=True, slots=True)
class Option:
    """An option or an argument of a command.

    Attributes:
        names: Its spellings; none for an argument.
        settings: The keywords for `ArgumentParser.add_argument`; the metavar says what to complete, too.
    """

    names: tuple[str, ...]
    settings: dict[str, Any]

    @property
    def usage(self) -> str:
        """What the usage says of an argument."""
        name = self.settings["metavar"]
        if name == PROGRAM:
            return f"({name}) [ARG ...]"
        return f"[{name} ...]" if self.settings["nargs"] else name

    def of(self, parameter: str, kind: Any, default: Any) -> "Option":
        """Return it with what follows from the parameter that it sets: the type and the default."""
        kinds = (kind, get_origin(kind), *get_args(kind))
        settings = {"dest": parameter, "default": default, **self.settings}
        if bool in kinds:
            settings["action"] = argparse.BooleanOptionalAction if default else "store_true"
            settings["default"] = bool(default)
        elif not self.names:
            settings["nargs"] = "*" if list in kinds else None
        elif list in kinds:
            settings |= {"action": "append", "default": [], "help": f"{settings['help']} Repeatable."}
        else:
            settings["action"] = _Once
            if default is not None:
                settings["help"] = f"{settings['help'].removesuffix('.')}; by default, {default}."
        for each in kinds:
            if each in (int, Path):
                settings["type"] = each
            if get_origin(each) is Literal:
                settings["choices"] = get_args(each)
        return Option(self.names, settings)


def option(spec: str, text: str, **settings: Any) -> Option:
    """Declare ``-o --option VALUE``, or an argument if the spec has no dash, beside the type of a parameter.

    A bool makes it a switch, a list an option that may be repeated, and a `Literal` lists its choices.
    """
    names = tuple(word for word in spec.split() if spec.startswith("-") and word.startswith("-"))
    metavar = spec.removeprefix(" ".join(names)).strip()
    return Option(names, {"help": text, **({"metavar": metavar} if metavar else {}), **settings})


@dataclass(frozen=True, slots=True)
class Command:
    """A command of the program.

    Attributes:
        function: Runs it, with a parameter for each option, or for a dataclass whose fields declare several;
            returns the exit code, None for 0, or a program that is to be run.
        examples: Command lines to show in its help.
    """

    function: "Callable[..., int | Program | None]"
    examples: Sequence[str] = ()

    @property
    def name(self) -> str:
        """Its name."""
        return self.function.__name__

    @property
    def options(self) -> list[Option]:
        """Its options and arguments, in the order of the parameters."""
        defaults = self.function.__kwdefaults__ or {}
        declared: dict[str, Any] = {}
        for name, each in self._parameters().items():
            declared |= each.__annotations__ if isinstance(each, type) else {name: each}
        return [
            each.__metadata__[0].of(name, each.__origin__, defaults.get(name))
            for name, each in declared.items()
        ]

    @property
    def taking(self) -> dict[str, Option]:
        """The options that a value follows, by their names."""
        taking = [each for each in self.options if each.settings.get("action") in (_Once, "append")]
        return {name: each for each in taking for name in each.names}

    @property
    def summary(self) -> str:
        """What it does, in a line."""
        return self._paragraphs()[0]

    @property
    def takes_program(self) -> bool:
        """Whether its last argument is a program, whose own arguments are left alone."""
        return any(each.settings.get("metavar") == PROGRAM for each in self.options)

    def run(self, words: list[str]) -> "int | Program":
        """Run the command as *words* say, and return the exit code, or the program that is to be run.

        Raises:
            SystemExit: The words ask for help, or are wrong.
        """
        parser = self._parser()
        if self.takes_program:
            own, program = self.split(words)
            given = vars(parser.parse_args([*own, "--", *program]))
        else:
            if words[-1:] == ["--"]:
                words = words[:-1]
            # Where options may come between arguments, argparse loses track of what follows a lone --.
            parse = parser.parse_args if "--" in words else parser.parse_intermixed_args
            given = vars(parse(words))
        for name, each in self._parameters().items():
            if isinstance(each, type):
                given[name] = each(**{field: given.pop(field) for field in each.__annotations__})
        return self.function(**given) or 0

    def split(self, words: Sequence[str]) -> tuple[list[str], list[str]]:
        """Return the words for the command itself, and those of the program that it is to run."""
        taking, at = self.taking, 0
        while at < len(words) and words[at].startswith("-"):
            if words[at] == "--" or words[at].startswith(("-m", "-c")):
                break
            at += 2 if words[at] in taking else 1
        program = words[at + 1 :] if words[at : at + 1] == ["--"] else words[at:]
        return list(words[:at]), list(program)

    def _parameters(self) -> dict[str, Any]:
        return {name: each for name, each in self.function.__annotations__.items() if name != "return"}

    def _paragraphs(self) -> list[str]:
        return [" ".join(paragraph.split()) for paragraph in (self.function.__doc__ or "").split("\n\n")]

    def _parser(self) -> argparse.ArgumentParser:
        options = self.options
        usage = [f"dynconf {self.name} [OPTIONS]", *(each.usage for each in options if not each.names)]
        parser = _Parser(
            prog=f"dynconf {self.name}",
            usage=" ".join(usage),
            description="\n\n".join(
                textwrap.fill(each, _width(), break_on_hyphens=False) for each in self._paragraphs()
            ),
            epilog="\n  ".join(["Examples:", *self.examples]) if self.examples else "",
            formatter_class=_Formatter,
            add_help=False,
            allow_abbrev=False,
        )
        first = parser.add_argument_group("Arguments")
        second = parser.add_argument_group("Options")
        for each in options:
            (second if each.names else first).add_argument(*each.names, **each.settings)
        second.add_argument("-h", "--help", action="help", help="Show this help.")
        return parser


class _Once(argparse.Action):
    """Stores the value of an option that may be given only once."""

    given: object = None

    def __call__(self, _parser: object, namespace: object, values: object, *_: object) -> None:
        if self.given is not None:
            raise argparse.ArgumentError(
                self, f"given twice, as {self.given} and as {values}; keep one of them"
            )
        self.given = values
        setattr(namespace, self.dest, values)


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """Say what is wrong, with a suggestion for a misspelt option, and exit with 2."""
        what, _, words = message.partition(": ")
        if what == "unrecognized arguments":
            known = [name for name in self._option_string_actions if name.startswith("--")]
            unknown = words.partition(" ")[0]
            near = nearest(unknown, known) if unknown.startswith("--") else None
            message = f"there is no option {unknown}" if unknown.startswith("-") else message
            message += f": did you mean {near}?" if near else ""
        message = message.removeprefix("argument ").replace("expected one argument", "expected a value")
        self.print_usage(sys.stderr)
        complain("error", message)
        self.exit(2)


class _Formatter(argparse.RawDescriptionHelpFormatter):
    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=30, width=_width())

    def _format_action_invocation(self, action: argparse.Action) -> str:
        """Say ``-o, --output FILE`` where argparse says ``-o FILE, --output FILE``."""
        if not action.option_strings or action.nargs == 0:
            return super()._format_action_invocation(action)
        value = self._format_args(action, self._get_default_metavar_for_optional(action))
        return f"{', '.join(action.option_strings)} {value}"


def overview(commands: Iterable[Command]) -> str:
    """Return the help of the program: a line for each command."""
    lines = [f"  {command.name:<9} {command.summary}" for command in commands]
    head = "Typed, validated, explainable configuration for torch.compile."
    options = [f"  {spec:<29} {text}" for spec, text in _OPTIONS.items()]
    return "\n".join(
        ["usage: dynconf COMMAND [OPTIONS]", "", head, "", "Commands:", *lines, "", "Options:", *options]
    )


_OPTIONS = {
    "-h, --help": "Show this help; after a command, its own.",
    "-V, --version": "Show the versions of dynconf and torch.",
    "--install-completion [SHELL]": "Complete commands in bash, zsh or fish.",
    "--show-completion [SHELL]": "Print the script that does it.",
}

OPTIONS = [word.strip(",") for spec in _OPTIONS for word in spec.split() if word.startswith("-")]
"""What may take the place of a command."""


def _width() -> int:
    return min(shutil.get_terminal_size().columns, _WIDEST) - 2
