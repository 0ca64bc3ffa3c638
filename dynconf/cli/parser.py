"""How a command line is read: commands, the declarations of their options, and their help."""

import shutil
import textwrap
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

_WIDEST = 100
"""How many columns help takes at most, however wide the terminal is."""


@dataclass(frozen=True, slots=True)
class Option:
    """An option or an argument of a command.

    Attributes:
        names: Its spellings, or the parameter that an argument is for.
        settings: What `ArgumentParser.add_argument` is told of it.
    """

    names: tuple[str, ...]
    settings: dict[str, Any]

    @property
    def is_argument(self) -> bool:
        """Whether it goes by its place and not by a name."""
        return not self.names[0].startswith("-")


def option(*names: str, **settings: Any) -> Option:
    """Declare an option, or an argument if the name has no dash."""
    return Option(names, settings)


def switch(name: str, parameter: str, text: str) -> Option:
    """Declare an option without a value, which makes a parameter True."""
    return option(name, action="store_true", dest=parameter, help=text)


def repeatable(name: str, parameter: str, metavar: str, text: str) -> Option:
    """Declare an option that may be given several times; the parameter is the list of its values."""
    return option(name, action="append", default=[], dest=parameter, metavar=metavar, help=text)


@dataclass(frozen=True, slots=True)
class Command:
    """A command of the program.

    Attributes:
        name: Its name.
        function: Runs it, with a parameter for each option; returns the exit code, or None for 0.
        options: The declarations of its options and arguments.
    """

    name: str
    function: Callable[..., int | None]
    options: Sequence[Option]

    @property
    def summary(self) -> str:
        """What it does, in a line."""
        return self._paragraphs()[0]

    def run(self, words: list[str]) -> int:
        """Run the command as *words* say, and return the exit code.

        Raises:
            SystemExit: The words ask for help, or are not a use of the command.
        """
        parser = self._parser()
        # Mixing options with arguments, argparse loses track of what follows a lone --.
        parse = parser.parse_args if "--" in words else parser.parse_intermixed_args
        return self.function(**vars(parse(words))) or 0

    def _paragraphs(self) -> list[str]:
        return [" ".join(paragraph.split()) for paragraph in (self.function.__doc__ or "").split("\n\n")]

    def _parser(self) -> ArgumentParser:
        arguments = [each for each in self.options if each.is_argument]
        forms = {None: "{}", "*": "[{} ...]"}
        places = [forms[each.settings.get("nargs")].format(each.settings["metavar"]) for each in arguments]
        parser = ArgumentParser(
            prog=f"dynconf {self.name}",
            usage=" ".join([f"dynconf {self.name} [OPTIONS]", *places]),
            description="\n\n".join(_filled(each) for each in self._paragraphs()),
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


class _Formatter(RawDescriptionHelpFormatter):
    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=30, width=_width())


def overview(commands: Iterable[Command]) -> str:
    """Return the help of the program: a line for each command."""
    lines = [f"  {command.name:<9} {command.summary}" for command in commands]
    head = "Typed, validated, explainable configuration for torch.compile."
    return "\n".join(["usage: dynconf COMMAND [OPTIONS]", "", head, "", "Commands:", *lines])


def _filled(paragraph: str) -> str:
    return textwrap.fill(paragraph, _width(), break_on_hyphens=False)


def _width() -> int:
    return min(shutil.get_terminal_size().columns, _WIDEST) - 2
