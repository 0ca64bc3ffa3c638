"""``dynconf run``."""

import os
import sys
from collections.abc import Collection, Iterable
from contextlib import suppress
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from dynconf.catalogue.flags.types import is_same_value
from dynconf.catalogue.modules import module_path
from dynconf.catalogue.names import find
from dynconf.cli import completion, options
from dynconf.cli.command import Command, command
from dynconf.cli.options import Sources, Words
from dynconf.cli.output import complain, complain_of, print_changes
from dynconf.errors import DynconfError, StateFileError
from dynconf.provenance import launched_rank
from dynconf.release import Release
from dynconf.sources.calls import read_options
from dynconf.sources.candidate import Skipped
from dynconf.sources.discovery import AUDIT_VARIABLE, REPORT_VARIABLE, find_upwards, searches
from dynconf.sources.gather import judge_rules
from dynconf.sources.reading import Reading, merge
from dynconf.tools.at_exit import at_exit
from dynconf.tools.lint.environment import variable_findings
from dynconf.tools.report.waiting import missing_modules
from dynconf.tools.run.children import hand_on
from dynconf.tools.run.installing import FirstLine, install_on_import
from dynconf.tools.run.program import Program
from dynconf.tools.run.show import SHOW_VARIABLE, When, show_outcome, write_report
from dynconf.tools.show.finding import Finding

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


class _ProgramCommand(Command):
    """A command whose options end where the program begins; the words after that are the program's own."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        # click would stop at SCRIPT by itself, but takes `-m` and `-c` for unknown options of dynconf.
        own = [each for each in self.params if isinstance(each, click.Option) and not each.is_flag]
        with_value = {name for option in own for name in option.opts}
        args = [*args]
        at = 0
        while at < len(args) and args[at].startswith("-"):
            if args[at].startswith(("-m", "-c")):
                break
            if args[at] == "--":
                return super().parse_args(ctx, args)
            if args[at] == "--mode":
                ctx.fail(
                    "--mode is for torch.compile(mode=...); the flags to --set are in `dynconf explain mode`"
                )
            if args[at] == "--show":
                args[at] = "--show=exit"  # or click would take the program for its value
            at += 2 if args[at] in with_value else 1
        if at > len(args):  # the last option lacks its value, and would take the `--` for it
            return super().parse_args(ctx, args)
        return super().parse_args(ctx, [*args[:at], "--", *args[at:]])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> "list[CompletionItem[Any]]":
        if ctx.params["program"]:
            return completion.files(ctx, self.params[-1], incomplete)
        return super().shell_complete(ctx, incomplete)


@command(
    "dynconf run train.py --epochs 3",
    "dynconf run --set recompile_limit=64 -m package.train",
    "dynconf run --hold inductor.compile_threads=8 serve.py",
    "dynconf run --show=compile train.py",
    "dynconf run --audit -- train.py",
    "dynconf run --report report.md train.py",
    "dynconf run torchrun --nproc-per-node 2 train.py",
    "torchrun --nproc-per-node 2 -m dynconf run train.py",
    cls=_ProgramCommand,
)
@options.sources
@options.assignments("--hold", metavar="FLAG[=VALUE]", help="Hold a flag: libraries cannot change it.")
@click.option(
    "--show",
    type=click.Choice(("exit", "compile")),
    metavar="[=exit|compile]",
    help="List on stderr which settings ended up in force, at the end or at the first compilation.",
)
@click.option(
    "--audit", is_flag=True, help="List on stderr who changed which flag in this process, when it ends."
)
@click.option(
    "--audit-file",
    **{**options.FILE, "type": str},  # a Path has no slash at its end, which stands for a folder
    envvar=AUDIT_VARIABLE,
    help="Write these changes to FILE, with rank and pid in its name, or into a folder/.",
)
@options.everything(help="Also list the changes that torch makes for its own use.")
@click.option(
    "--report",
    **options.FILE,
    help="Write a report for an issue when the program ends; each rank writes its own, with its number.",
)
@click.option("-q", "--quiet", is_flag=True, help="Do not print what `dynconf check` would find.")
@click.option("--no-children", is_flag=True, help="Do not pass the settings on to child processes.")
@click.argument(
    "program",
    metavar="(SCRIPT | COMMAND | -m MODULE | -c CODE) [ARG]...",
    nargs=-1,
    type=click.UNPROCESSED,
    shell_complete=completion.files,
)
def run(
    *,
    sources: Sources,
    hold: Words,
    show: When | None,
    audit: bool,
    audit_file: str | None,
    everything: bool,
    report: Path | None,
    quiet: bool,
    no_children: bool,
    program: Words,
) -> Program:
    """Give the program and its arguments as you would to python; COMMAND is a program installed by pip, such
    as pytest. dynconf reads files, the environment and --set, and exits before the program starts if they
    are wrong. It then runs the program in this process as `python SCRIPT` would, with the settings installed
    for it, and for every Python process that it starts.
    """
    if report is not None and not os.access(report.absolute().parent, os.W_OK | os.X_OK):
        raise StateFileError(f"{report}: a report cannot be created there")
    at = options.release(None)
    config = options.config_of(sources.config, at)
    reading = judge_rules(merge((sources._replace(config=config).read(at), read_options(hold, at, "--hold"))))
    state = reading.checked()
    wanted = Program.named(program)
    complain("warning", *reading.warnings)
    if not quiet:
        _point_to_findings(variable_findings(os.environ, at), [*map(str, reading.warnings)])
        if config is not None:
            _name_own(reading, str(sources.config))
        _name_unread(wanted, program, is_named=config is not None)
    shown = show or os.environ.get(SHOW_VARIABLE, "")
    if not no_children:
        wishes = {
            SHOW_VARIABLE: shown,
            AUDIT_VARIABLE: audit_file and str(Path(audit_file).absolute()),
            REPORT_VARIABLE: None if report is None or launched_rank() else str(report.absolute()),
        }
        hand_on(state, wishes, partial(complain, "warning"), has_config=sources.config is not None)
    if audit or everything or audit_file is not None:
        _audit(audit_file, table=audit or everything, everything=everything)
    line = FirstLine.at(sys.argv[0], 1)
    install_on_import(state, line, _end_process)
    show_outcome(shown, line)
    if report is not None:
        write_report(str(report.absolute()))
    at_exit("the search for settings without effect", _warn_of_waiting_flags)
    return wanted


def _point_to_findings(found: Iterable[Finding], said: Collection[str]) -> None:
    """Say what is wrong with variables, or how much is; of settings all has been said."""
    news = (each for each in found if each.level != "note" and each.message not in said)
    if beyond := sorted({f"{each.code} {each.message}" for each in news}):
        text = (
            beyond[0] if len(beyond) == 1 else f"{len(beyond)} findings about variables: see `dynconf check`"
        )
        complain("warning", f"{text}; -q silences this")


def _name_own(reading: Reading, there: str) -> None:
    """Name the variables that set what the file of --config, such as a colleague's report, does not."""
    for setting, (value, origin) in reading.state.items():
        lost = next(iter(reading.beaten.get(setting, ())), None)
        if origin.kind == "env" and not (lost and is_same_value(lost.value, value)):
            says = f"{setting.newest} is {setting.text(value)} by {origin}"
            instead = f"not {setting.text(lost.value)} as in {there}" if lost else f"and not in {there}"
            complain("note", f"{says}, {instead}")


def _name_unread(wanted: Program, words: Words, *, is_named: bool) -> None:
    """Name settings that look as if they counted: a file beside the script, and --set behind it."""
    for option, value in pairwise(wanted.arguments):
        if option == "--set" and find(value.partition("=")[0], Release.at_hand()):
            complain("note", f"--set {value} is an option of the program; those of dynconf come before it")
    if wanted.kind == "script" and wanted.target in words and not is_named and searches(os.environ):
        with suppress(DynconfError):  # of a file that does not count, mistakes do not matter
            beside = find_upwards(Path(wanted.target).parent).document
            if beside and not find_upwards().document:
                where = "it is beside the program, and the search begins in the working directory"
                complain("note", str(Skipped(beside.name, f"{where}; --config reads it")))


def _end_process(error: DynconfError) -> NoReturn:
    with suppress(AttributeError, OSError, ValueError):  # the program may have closed stderr
        complain_of(error.errors)
    raise SystemExit(2)


def _warn_of_waiting_flags() -> None:
    for setting, modules in missing_modules().items():
        if module_path(setting.module) not in modules:
            never = ", ".join(modules)
            complain("warning", f"{setting.newest} had no effect: the program never imported {never}")


def _audit(file: str | None, *, table: bool, everything: bool) -> None:
    """Note every change from now on, and list them at the end."""
    from dynconf.tools.audit.audit import Audit

    log = Audit(file=file).__enter__()

    def report() -> None:
        log.__exit__()
        if table and sys.stderr:
            none = " in this process; --audit-file also logs the processes that it starts"
            print_changes(log.summary, partial(complain, "note"), sys.stderr, none, everything=everything)
        if log.file and log.file.lost:
            complain("warning", f"{log.file.lost} changes could not be written to {file}")

    at_exit("--audit", report)
