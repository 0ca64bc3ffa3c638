"""How `click` runs the commands of dynconf: each imported when it is used, with examples in its help."""

from collections.abc import Sequence
from importlib import import_module
from typing import Any

import click

from dynconf.spelling import nearest

CONTEXT: dict[str, Any] = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


class Command(click.Command):
    """A command with examples, which refuses an option that is given twice.

    Args:
        *args: For `click.Command`.
        examples: Command lines to show at the end of the help.
        **settings: For `click.Command`.
    """

    def __init__(self, *args: Any, examples: Sequence[str] = (), **settings: Any) -> None:
        super().__init__(*args, **{"context_settings": CONTEXT, **settings})
        self.examples = examples

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        # click silently takes the last of `--config a --config b`; here each value counts, or is refused.
        _, _, given = self.make_parser(ctx).parse_args(list(args))
        for option in given:
            single = isinstance(option, click.Option) and not (option.multiple or option.is_flag)
            if single and given.count(option) > 1 and not ctx.resilient_parsing:
                ctx.fail(f"Option {option.opts[-1]!r} is given twice: keep one of them.")
        return super().parse_args(ctx, args)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        if self.examples:
            with formatter.section("Examples"):
                formatter.write(
                    "".join(f"{' ' * formatter.current_indent}{line}\n" for line in self.examples)
                )


class CommandGroup(click.Group):
    """Commands that are modules of this package, each with a command of the same name.

    Args:
        *args: For `click.Group`.
        names: The names of the commands, in the order of the help.
        **settings: For `click.Group`.
    """

    def __init__(self, *args: Any, names: Sequence[str], **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.names = names

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(self.names)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in self.names:
            return None
        command: click.Command = getattr(import_module(f"dynconf.cli.{cmd_name}"), cmd_name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        # click suggests only commands that have been imported, and before 8.4 none at all.
        if args[0] not in self.names and not ctx.resilient_parsing:
            near = nearest(args[0], self.names)
            ctx.fail(f"No such command {args[0]!r}.{f' Did you mean {near!r}?' if near else ''}")
        return super().resolve_command(ctx, args)
