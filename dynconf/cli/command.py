"""How `click` runs the commands of dynconf: each imported when it is used, with examples in its help."""

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from inspect import cleandoc
from typing import Any

import click

from dynconf.text import nearest

GROUPS = {
    "Settings": {
        "run": "Run a program with the settings in force.",
        "dump": "Show or save the effective config, and where each value came from.",
        "explain": "Describe flags: value, type, default, variables and rules.",
        "check": "Find settings that fail, do nothing, or change with an upgrade.",
        "init": "Write a dynconf.toml to start from.",
        "diff": "Compare two states (exit 1 if they differ).",
    },
    "Finding causes": {
        "verify": "Check that torch.compile works on this machine (exit 1 if not).",
        "bisect": "Find the flags that make a command fail (exit 1 if none does).",
        "compare": "Compare a model on two backends (exit 1 if the results differ).",
        "report": "Print the configuration for an issue, or who changed which flag.",
        "why-miss": "Say why a cache missed a graph (exit 1 if the keys differ).",
    },
}
"""The commands by the title of their group, each with the first line of its help."""

SUMMARIES = {name: line for group in GROUPS.values() for name, line in group.items()}

_SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 100, "show_default": True}


class Command(click.Command):
    """A command with its summary and *examples* in its help, which refuses an option that is given twice."""

    def __init__(self, name: str, help: str, examples: Sequence[str] = (), **settings: Any) -> None:  # noqa: A002
        text = f"{SUMMARIES[name]}\n\n{cleandoc(help)}"
        super().__init__(name, help=text, context_settings=_SETTINGS, **settings)
        self.examples = examples

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        # click would silently take the last of `--config a --config b`.
        _, _, in_order = self.make_parser(ctx).parse_args(list(args))
        for option in in_order if not ctx.resilient_parsing else ():
            takes_one = isinstance(option, click.Option) and not (option.multiple or option.is_flag)
            if takes_one and in_order.count(option) > 1:
                ctx.fail(f"Option {option.opts[-1]!r} is given twice: keep one of them.")
        return super().parse_args(ctx, args)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        if self.examples:
            with formatter.section("Examples"):
                formatter.write("".join(f"  {line}\n" for line in self.examples))


def command(*examples: str, cls: type[Command] = Command) -> Callable[[Callable[..., Any]], Command]:
    """Declare a command with *examples* in its help."""
    return click.command(cls=cls, examples=examples)


class CommandGroup(click.Group):
    """The commands, each in a module of this package that has its name.

    A line with a name in *old_names* is refused with the new one; such a name may have an option.
    """

    def __init__(self, name: str, old_names: Mapping[str, str], **settings: Any) -> None:
        super().__init__(name, context_settings=_SETTINGS, **settings)
        self.old_names = old_names

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return [*SUMMARIES]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        width = max(map(len, SUMMARIES))
        for title, summaries in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(f"{name:<{width}}", line) for name, line in summaries.items()])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in SUMMARIES:
            name = cmd_name.replace("-", "_")
            self.add_command(getattr(import_module(f"dynconf.cli.{name}"), name))
        return super().get_command(ctx, cmd_name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        for old, new in self.old_names.items():
            if args[0] == old.split()[0] and {*old.split()} <= {*args}:
                ctx.fail(f"'dynconf {old}' is now 'dynconf {new}'")
        # click suggests only commands that have been imported, and before 8.4 none at all.
        if args[0] not in SUMMARIES and not ctx.resilient_parsing:
            near = nearest(args[0], SUMMARIES, cutoff=0.7)
            ctx.fail(f"No such command {args[0]!r}.{f' Did you mean {near!r}?' if near else ''}")
        return super().resolve_command(ctx, args)
