"""How a command line is read: commands, the declarations of their options, and their help."""

import shutil
import sys
import textwrap
from argparse import Action, ArgumentError, ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NoReturn

from dynconf.cli.output import complain
from dynconf.spelling import nearest

Values = Literal["", "flag", "assignment", "release", "backend", "device", "file", "shell", "program"]
"""What an option takes, for completion; empty if nothing can be suggested."""

_WIDEST = 100
"""The largest width of help, in columns, however wide the terminal is."""

_PROGRAM = ("-m", "-c")
"""What may replace a script, as with Python itself: a module, or code."""


@dataclass(frozen=True, slots=True)
class Option:
    """An option or an argument of a command.

    Attributes:
        names: Its spellings, or the parameter that an argument is for.
        settings: The keywords for `ArgumentParser.add_argument`.
        values: What it takes.
    """

    names: tuple[str, ...]
    settings: dict[str, Any]
    values: Values = ""

    @property
    def is_argument(self) -> bool:
        """Whether it is positional."""
        return not self.names[0].startswith("-")

    @property
    def takes_value(self) -> bool:
        """Whether a value follows it."""
        return not self.is_argument and self.settings.get("action") not in _SWITCHES


_SWITCHES = ("store_true", "store_false")


def option(*names: str, values: Values = "", **settings: Any) -> Option:
    """Declare an option, or an argument if the name has no dash."""
    if names[0].startswith("-"):
        settings.setdefault("action", _Once)
    return Option(names, settings, values)


def switch(*names: str, parameter: str, text: str) -> Option:
    """Declare an option without a value, which sets a parameter to True."""
    return option(*names, action="store_true", dest=parameter, help=text)


def repeatable(*names: str, parameter: str, metavar: str, text: str, values: Values = "") -> Option:
    """Declare an option that may be given several times; the parameter is the list of its values."""
    return option(
        *names,
        values=values,
        action="append",
        default=[],
        dest=parameter,
        metavar=metavar,
        help=f"{text} Repeatable.",
    )


@dataclass(frozen=True, slots=True)
class Command:
    """A command of the program.

    Attributes:
        name: Its name.
        function: Runs it, with a parameter for each option; returns the exit code, or None for 0.
        options: The declarations of its options and arguments.
        examples: Command lines to show in its help.
    """

    name: str
    function: Callable[..., int | None]
    options: Sequence[Option]
    examples: Sequence[str] = ()

    @property
    def summary(self) -> str:
        """What it does, in a line."""
        return self._paragraphs()[0]

    @property
    def takes_program(self) -> bool:
        """Whether its last argument is a program, whose own arguments are left alone."""
        return bool(self.options) and self.options[-1].values == "program"

    def run(self, words: list[str]) -> int:
        """Run the command as *words* say, and return the exit code.

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
        return self.function(**given) or 0

    def split(self, words: Sequence[str]) -> tuple[list[str], list[str]]:
        """Return the words for the command itself, and those of the program that it is to run."""
        taking = {name for each in self.options if each.takes_value for name in each.names}
        at = 0
        while at < len(words) and words[at].startswith("-") and words[at] != "--":
            word = words[at]
            if word.startswith(_PROGRAM):
                break
            at += 2 if word in taking else 1
        start = at + 1 if words[at : at + 1] == ["--"] else at
        return list(words[:at]), list(words[start:])

    def _paragraphs(self) -> list[str]:
        return [" ".join(paragraph.split()) for paragraph in (self.function.__doc__ or "").split("\n\n")]

    def _parser(self) -> ArgumentParser:
        forms = {None: "{}", "?": "[{}]", "*": "[{} ...]", "+": "{} [...]"}
        arguments = [each for each in self.options if each.is_argument]
        places = [
            f"({each.settings['metavar']}) [ARG ...]"
            if each.values == "program"
            else forms[each.settings.get("nargs")].format(each.settings["metavar"])
            for each in arguments
        ]
        parser = _Parser(
            prog=f"dynconf {self.name}",
            usage=" ".join([f"dynconf {self.name} [OPTIONS]", *places]),
            description="\n\n".join(_filled(each) for each in self._paragraphs()),
            epilog="\n".join(
                ["Examples:", *(f"  {each}" for each in self.examples)] if self.examples else ()
            ),
            formatter_class=_Formatter,
            add_help=False,
            allow_abbrev=False,
        )
        first = parser.add_argument_group("Arguments")
        second = parser.add_argument_group("Options")
        for each in self.options:
            (first if each.is_argument else second).add_argument(*each.names, **each.settings)
        second.add_argument("-h", "--help", action="help", help="Show this help.")
        return parser


class _Once(Action):
    """Stores the value of an option that may be given only once."""

    given: object = None

    def __call__(
        self, _parser: ArgumentParser, namespace: Namespace, values: Any, _name: str | None = None
    ) -> None:
        if self.given is not None:
            raise ArgumentError(self, f"given twice, as {self.given} and as {values}; keep one of them")
        self.given = values
        setattr(namespace, self.dest, values)


class _Parser(ArgumentParser):
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


class _Formatter(RawDescriptionHelpFormatter):
    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=30, width=_width())

    def _format_action_invocation(self, action: Action) -> str:
        """Say ``-o, --output FILE`` where argparse says ``-o FILE, --output FILE``."""
        if not action.option_strings or action.nargs == 0:
            return super()._format_action_invocation(action)
        value = self._format_args(action, self._get_default_metavar_for_optional(action))
        return f"{', '.join(action.option_strings)} {value}"


def overview(commands: Iterable[Command]) -> str:
    """Return the help of the program: a line for each command."""
    lines = [f"  {command.name:<9} {command.summary}" for command in commands]
    head = "Typed, validated, explainable configuration for torch.compile."
    options = [
        "  -h, --help                    Show this help; after a command, its own.",
        "  -V, --version                 Show the versions of dynconf and torch.",
        "  --install-completion [SHELL]  Complete commands in bash, zsh or fish.",
        "  --show-completion [SHELL]     Print the script that does it.",
    ]
    return "\n".join(
        ["usage: dynconf COMMAND [OPTIONS]", "", head, "", "Commands:", *lines, "", "Options:", *options]
    )


def _filled(paragraph: str) -> str:
    return textwrap.fill(paragraph, _width(), break_on_hyphens=False)


def _width() -> int:
    return min(shutil.get_terminal_size().columns, _WIDEST) - 2
