"""How `click` runs the commands of dynconf: each imported when it is used, with examples in its help."""

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

import click

from dynconf.text import nearest

_SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 100, "show_default": True}


class Command(click.Command):
    """A command with *examples* in its help, which refuses an option that is given twice."""

    def __init__(self, name: str, examples: Sequence[str] = (), **settings: Any) -> None:
        super().__init__(name, context_settings=_SETTINGS, **settings)
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


class CommandGroup(click.Group):
    """Commands by the title of their group, each in a module of this package that has its name.

    A line with a name in *old_names* is refused with the new one; such a name may have an option.
    """

    def __init__(
        self, name: str, groups: Mapping[str, Sequence[str]], old_names: Mapping[str, str], **settings: Any
    ) -> None:
        super().__init__(name, context_settings=_SETTINGS, **settings)
        self.groups, self.old_names = groups, old_names
        self.names = [each for names in groups.values() for each in names]

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return self.names

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(map(len, self.names))
        for title, names in self.groups.items():
            commands = filter(None, (self.get_command(ctx, each) for each in names))
            with formatter.section(title):
                formatter.write_dl(
                    [(f"{each.name:<{width}}", each.get_short_help_str(limit=100)) for each in commands]
                )

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in self.names:
            return None
        name = cmd_name.replace("-", "_")
        command: click.Command = getattr(import_module(f"dynconf.cli.{name}"), name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        for old, new in self.old_names.items():
            if args[0] == old.split()[0] and {*old.split()} <= {*args}:
                ctx.fail(f"'dynconf {old}' is now 'dynconf {new}'")
        # click suggests only commands that have been imported, and before 8.4 none at all.
        if args[0] not in self.names and not ctx.resilient_parsing:
            near = nearest(args[0], self.names)
            ctx.fail(f"No such command {args[0]!r}.{f' Did you mean {near!r}?' if near else ''}")
        return super().resolve_command(ctx, args)
