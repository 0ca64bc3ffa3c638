"""``dynconf bisect``."""

from functools import partial
from pathlib import Path
from typing import get_args

import click

from dynconf.cli import completion, options
from dynconf.cli.bisected import search
from dynconf.cli.command import Command
from dynconf.cli.options import Words
from dynconf.cli.output import complain
from dynconf.errors import InvalidValueError
from dynconf.sources.gather import gather
from dynconf.state import State
from dynconf.tools.bisect.command import Command as Runner
from dynconf.tools.bisect.failure import Condition, Failure, Hang
from dynconf.tools.bisect.space import Space, need_differences, with_defaults_of
from dynconf.tools.pasted.opening import read_side


@click.command(
    cls=Command,
    examples=(
        "dynconf bisect --defaults 2.8 --fail-if 'step_time > 0.9' -- python bench.py",
        "dynconf bisect good.json bad.json -- pytest -x tests/test_loss.py",
        "dynconf bisect --drop dynconf.toml --timeout 600 -- python train.py",
    ),
)
@click.option(
    "--defaults", **options.RELEASE, help="Search the defaults that changed since this torch release."
)
@click.option("--drop", **options.FILE, help="Search the flags that a settings file sets.")
@click.option(
    "--fail-on",
    metavar="CODE",
    help="Exit codes that fail: nonzero (the default), zero, signal (or 128 and its number), or a number.",
)
@click.option(
    "--fail-if",
    metavar="'NAME > NUMBER'",
    help="Fail if the number that COMMAND prints as NAME=NUMBER is so, in whatever unit.",
)
@click.option(
    "--repeat",
    type=click.IntRange(1),
    default=1,
    help="Run each state until one verdict is this many runs ahead.",
)
@click.option("--trials", type=click.IntRange(2), metavar="N", help="Try at most this many states.")
@click.option(
    "--timeout",
    type=click.FloatRange(0, min_open=True),
    metavar="SECONDS",
    help="End a run that takes longer.",
)
@click.option(
    "--hang", type=click.Choice(get_args(Hang)), default="fail", help="How to count a run that took longer."
)
@click.option("--share-caches", is_flag=True, help="Use the caches of compiled code, instead of empty ones.")
@click.option("--resume", **options.FILE, help="Record the trials in a file, and go on with those in it.")
@options.output(help="Write a state that reproduces it to a file.")
@options.trust
@options.output_format()
@click.argument("words", metavar="[GOOD BAD] -- COMMAND...", nargs=-1, shell_complete=completion.files)
def bisect(
    *,
    defaults: str | None,
    drop: Path | None,
    fail_on: str | None,
    fail_if: str | None,
    repeat: int,
    trials: int | None,
    timeout: float | None,
    hang: Hang,
    share_caches: bool,
    resume: Path | None,
    output: Path | None,
    trust: bool,
    output_format: str,
    words: Words,
) -> int:
    """Find the flags that make a command fail (exit 1 if none does).

    Runs COMMAND with the settings of GOOD, of BAD (saved states or settings files), and of states in between,
    and prints the smallest set of flags with which it fails. With --defaults, GOOD has the defaults of an
    older release, as far as this one can put them back. With --drop, GOOD has none of the flags of a file;
    it may fail with them or without.

    Each run has a process and caches of its own. Exit code 125 says that a run cannot be judged.
    """
    condition = None if fail_if is None else Condition.parse(fail_if)
    failure = Failure(fail_on or ("nonzero" if condition is None else ""), condition, hang)
    files, program = _files_and_program(words, defaults, drop)
    space = _space(defaults, drop, files, trust=trust)
    command = Runner(program, failure, timeout, share_caches)
    answer = search(space, command, repeat=repeat, most=trials, either_way=drop is not None, resume=resume)
    if isinstance(answer, int):
        return answer
    code = answer.print(output_format, output)
    if output_format == "text" and failure == Failure(hang=hang):
        answer.print_next_step(program)
    return code


def _files_and_program(words: Words, defaults: str | None, drop: Path | None) -> tuple[Words, Words]:
    count = 2 if defaults is None and drop is None else 0
    if defaults is not None and drop is not None:
        raise InvalidValueError("--defaults and --drop are two searches: choose one")
    if len(words) <= count:
        raise InvalidValueError(
            "dynconf bisect needs a command behind --, and before it --defaults RELEASE, --drop FILE, or two"
            " files: GOOD BAD -- COMMAND"
        )
    return words[:count], words[count:]


def _space(defaults: str | None, drop: Path | None, files: Words, *, trust: bool) -> Space:
    at = options.release(None)
    read = partial(read_side, release=at, warn=partial(complain, "warning"), trust=trust)
    if defaults is not None:
        base = gather(at).state
        reading = with_defaults_of(defaults, base)
        if reading.warnings:
            count = len(reading.warnings)
            complain("note", f"{count} defaults of torch {defaults} cannot be put back in torch {at.version}")
        good, bad = reading.state, base
    elif drop is not None:
        good, bad = State(at), read(drop)
    else:
        good, bad = map(read, files)
    space = Space(good, bad, as_data=True)
    complain("note", *(f"{each.newest} is left out: {why}" for each, why in space.left_out.items()))
    need_differences(space)
    return space
