"""``dynconf bisect``."""

import shlex
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import get_args

import click

from dynconf.cli import completion, options
from dynconf.cli.command import Command
from dynconf.cli.options import Words
from dynconf.cli.output import STYLES, Styled, complain, print_facts, print_json, print_line, print_table
from dynconf.cli.progress import Progress
from dynconf.diff import read_for_diff
from dynconf.doctor.bisect.command import Command as Runner
from dynconf.doctor.bisect.failure import Condition, Failure, Hang
from dynconf.doctor.bisect.result import HEADERS, BisectResult, narrowed, why_ends_are_equal
from dynconf.doctor.bisect.resuming import read_trials, subject_of, write_trials
from dynconf.doctor.bisect.space import Difference, Space, need_differences, with_defaults_of
from dynconf.doctor.bisect.trials import OutOfTrials, Trial, Trials, overlap
from dynconf.errors import InvalidValueError
from dynconf.flags.types import Mismatch
from dynconf.release import Release
from dynconf.sources.gather import gather
from dynconf.state import SettingValue, State

_SHOWN_LINES = 10
"""How many lines of its output are shown of a command that ends as nobody expects."""

_STEPS_SINCE = (2, 6)
"""The release that has torch's own bisector; `_RUNS_SINCE` is known to have one that runs a command."""
_RUNS_SINCE = (2, 13)


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
    help="Exit codes that fail: nonzero (the default), zero, signal, or a number.",
)
@click.option("--fail-if", metavar="'NAME > NUMBER'", help="A number, printed as NAME=NUMBER, that fails.")
@click.option(
    "--repeat",
    type=click.IntRange(1),
    default=1,
    help="How many runs more have to go one way than the other.",
)
@click.option("--trials", type=click.IntRange(2), metavar="N", help="Try at most this many states.")
@click.option("--timeout", type=click.FloatRange(0, min_open=True), metavar="SECONDS", help="End a run then.")
@click.option(
    "--hang", type=click.Choice(get_args(Hang)), default="fail", help="The meaning of a run that is ended."
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
    command = Runner(program, space, failure, timeout, share_caches)
    subject = subject_of(space, program, str(failure), repeat)
    known = read_trials(resume, subject) if resume else []
    tails: dict[tuple[str, ...], list[str]] = {}
    with Progress(plain=False) as progress, _ended_by_signals():

        def report(event: frozenset[str] | Trial) -> None:
            if not isinstance(event, Trial):
                count = f"{len(event)} of {len(space.differences)}"
                progress.start(f"trial {len(judged.history) + 1}: {count} flags as in the bad state")
                return
            progress.finish()
            complain(
                "note", f"trial {len(judged.history)}: {len(event.flags)} flags as in the bad state: {event}"
            )
            tails[event.flags] = command.output.splitlines()[-_SHOWN_LINES:]
            if resume:
                write_trials(resume, subject, judged.history)

        judged = Trials(command.run, repeat=repeat, most=trials, done=known, report=report)
        try:
            problem = why_ends_are_equal(space, judged, either_way=drop is not None)
        except KeyboardInterrupt:
            complain("note", "interrupted before both ends were known: nothing is found yet")
            return 130
        good, bad = (judged.trial(names) for names in (frozenset[str](), space.names))
        if problem:
            complain("error", problem)
            complain("note", *tails.get((good if good.verdict != "good" else bad).flags, ()))
            return 1
        if noise := overlap(good, bad):
            complain("warning", f"{noise}; --repeat {2 * repeat + 1} tells them apart more surely")
        result = narrowed(space, judged, (OutOfTrials, KeyboardInterrupt))
        is_cured = _is_cured(result, space, judged)
        result = replace(result, history=tuple(judged.history))
    if output:
        result.save(output)
    if output_format == "json":
        print_json({**result.as_json(), "cured": is_cured})
    else:
        _print(result, is_cured=is_cured, judged=judged, output=output)
        if not judged.is_flipped and failure == Failure(hang=hang):
            _print_next_step(result, program)
    return 0 if result.is_minimal else 1


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
    read = partial(read_for_diff, release=at, missing="warn", warn=partial(complain, "warning"), trust=trust)
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


@contextmanager
def _ended_by_signals() -> Iterator[None]:
    """Have the signals that ask a process to end interrupt it, so that it ends what it has started."""
    names = [name for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {name: signal.signal(getattr(signal, name), signal.default_int_handler) for name in names}
    try:
        yield
    finally:
        for name, handler in before.items():
            signal.signal(getattr(signal, name), handler)


def _is_cured(result: BisectResult, space: Space, judged: Trials) -> bool | None:
    """Tell whether the bad state is good with the good values of these flags; None if that is not known."""
    with suppress(OutOfTrials, KeyboardInterrupt):
        if result.is_minimal:
            return judged.judge(space.names.difference(result.flags)) == "good"
    return None


def _print(result: BisectResult, *, is_cured: bool | None, judged: Trials, output: Path | None) -> None:
    print_line(Styled(result.summary, STYLES["ok" if result.is_minimal else "warning"]))
    rows = [(Styled(name, "bold"), *rest) for name, *rest in result.rows()]
    print_table(HEADERS, rows, fixed=3)
    bad, good = ("fails with", "works with") if not judged.is_flipped else ("as with all", "as without")
    facts = [
        (bad, _as_options(result, lambda each: each.bad)),
        (good, _as_options(result, lambda each: each.good)),
    ]
    if is_cured is False:
        facts.append(
            ("but", "in the bad state, these good values alone change nothing: others do it as well")
        )
    if output:
        facts.append(("file", f"dynconf run --config {shlex.quote(str(output))} ... reproduces it"))
    print_facts(facts)


def _as_options(result: BisectResult, side: Callable[[Difference], SettingValue]) -> str:
    """Return the values of one side as options of ``dynconf run``, but for those that have no text."""
    words = []
    for each in result.differences:
        with suppress(Mismatch):
            words += ["--set", f"{each.name}={each.setting.type.to_text(side(each).value)}"]
    return shlex.join(words)


def _print_next_step(result: BisectResult, program: Words) -> None:
    """Name torch's own bisector, which finds the pass or the kernel in what a flag of Inductor changes."""
    release = Release.at_hand().minor
    if release < _STEPS_SINCE or all(each.setting.module != "inductor" for each in result.differences):
        return
    step = f"run {shlex.join(program)}" if release >= _RUNS_SINCE else "start"
    settings = _as_options(result, lambda each: each.bad)
    print_facts([("next", f"dynconf run {settings} -m torch._inductor.compiler_bisector {step}")])
