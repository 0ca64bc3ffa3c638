"""``dynconf bisect``."""

import shlex
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import FrameType
from typing import get_args

import click

from dynconf.catalogue.flags.types import Mismatch
from dynconf.cli import completion, options
from dynconf.cli.command import Command
from dynconf.cli.options import Words
from dynconf.cli.output import STYLES, Styled, complain, print_facts, print_json, print_line, print_table
from dynconf.cli.progress import Progress
from dynconf.errors import InvalidValueError
from dynconf.release import Release
from dynconf.sources.gather import gather
from dynconf.state import SettingValue, State
from dynconf.tools.bisect.ahead import Ahead
from dynconf.tools.bisect.command import Command as Runner
from dynconf.tools.bisect.failure import Condition, Failure, Hang
from dynconf.tools.bisect.result import (
    HEADERS,
    BisectResult,
    go_through,
    is_cured,
    narrowed,
    why_ends_are_equal,
)
from dynconf.tools.bisect.resuming import read_trials, subject_of, write_trials
from dynconf.tools.bisect.space import Difference, Space, need_differences, with_defaults_of
from dynconf.tools.bisect.trials import Make, OutOfTrials, Trial, Trials, overlap, repeated
from dynconf.tools.pasted.opening import read_side

_SHOWN_LINES = 10
"""How many lines of its output are shown of a run that ends as nobody expects."""

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
@click.option("-j", "--jobs", type=click.IntRange(1), default=1, help="Run this many states side by side.")
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
    jobs: int,
    timeout: float | None,
    hang: Hang,
    share_caches: bool,
    resume: Path | None,
    output: Path | None,
    trust: bool,
    output_format: str,
    words: Words,
) -> int:
    """Runs COMMAND with the settings of GOOD, of BAD (saved states or settings files), and of states in
    between, and prints the smallest set of flags with which it fails. With --defaults, GOOD has the defaults
    of an older release, as far as this one can put them back. With --drop, GOOD has none of the flags of a
    file; it may fail with them or without.

    Each run has a process and caches of its own. Exit code 125 says that a run cannot be judged.
    """
    condition = None if fail_if is None else Condition.parse(fail_if)
    failure = Failure(fail_on or ("nonzero" if condition is None else ""), condition, hang)
    files, program = _files_and_program(words, defaults, drop)
    space = _space(defaults, drop, files, trust=trust)
    command = Runner(program, failure, timeout, share_caches)
    answer = _search(
        space, command, repeat=repeat, most=trials, jobs=jobs, either_way=drop is not None, resume=resume
    )
    if isinstance(answer, int):
        return answer
    code = answer.print(output_format, output, trust=trust)
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


@dataclass(frozen=True, slots=True)
class _Answer:
    """The end of a search.

    Attributes:
        result: The smallest set that was found.
        is_cured: Whether the bad state is good with the good values of these flags; None if that is unknown.
        is_flipped: Whether it fails in the good state, and works in the bad one.
    """

    result: BisectResult
    is_cured: bool | None
    is_flipped: bool

    def print(self, output_format: str, output: Path | None, *, trust: bool) -> int:
        """Print it and write the file that reproduces it, with *trust* if need be; return the exit code."""
        # First of all, because a search may have taken hours, and writing the file may fail.
        if output_format == "json":
            print_json({**self.result.as_json(), "cured": self.is_cured})
        else:
            self._print()
        if output:
            self.result.save(output)
            trusting = " --trust" if trust else ""
            complain("note", f"dynconf run --config {shlex.quote(str(output))}{trusting} ... reproduces it")
        return 0 if self.result.is_minimal else 1

    def _print(self) -> None:
        result = self.result
        print_line(Styled(result.summary, STYLES["ok" if result.is_minimal else "warning"]))
        rows = [(Styled(name, "bold"), *rest) for name, *rest in result.rows()]
        print_table(HEADERS, rows, fixed=3)
        bad, good = ("as with all", "as without") if self.is_flipped else ("fails with", "works with")
        facts = [(bad, self._options(lambda each: each.bad)), (good, self._options(lambda each: each.good))]
        if self.is_cured is False:
            facts.append(
                ("but", "in the bad state, these good values alone change nothing: others do it as well")
            )
        print_facts(facts)

    def _options(self, side: Callable[[Difference], SettingValue]) -> str:
        """Return the values of one side as options, but for those that have no text."""
        words = []
        for each in self.result.differences:
            with suppress(Mismatch):
                words += ["--set", f"{each.name}={each.setting.type.to_text(side(each).value)}"]
        return shlex.join(words)

    def print_next_step(self, program: Sequence[str]) -> None:
        """Name torch's own bisector, which finds the pass or the kernel that a flag of Inductor changes."""
        release = Release.at_hand().minor
        is_inductors = any(each.setting.module == "inductor" for each in self.result.differences)
        is_certain = self.result.is_minimal and not self.is_flipped
        if release < _STEPS_SINCE or not (is_inductors and is_certain):
            return
        step = f"run {shlex.join(program)}" if release >= _RUNS_SINCE else "start"
        bisector = f"-m torch._inductor.compiler_bisector {step}"
        print_facts([("next", f"dynconf run {self._options(lambda each: each.bad)} {bisector}")])


class _Runners:
    """Runs of a command side by side, one for each trial.

    Attributes:
        tails: The last lines of the output of each set's last run.
    """

    def __init__(self, space: Space, command: Runner, repeat: int) -> None:
        self._space, self._command, self._repeat = space, command, repeat
        self._running: list[Runner] = []
        self.tails: dict[frozenset[str], list[str]] = {}

    def start(self) -> tuple[Make, Callable[[], None]]:
        """Return what makes a trial, and what ends it early."""
        self._running.append(runner := replace(self._command))
        if self._command.is_interrupted:  # just now, before it was among those that run
            runner.interrupt()

        def make(names: frozenset[str]) -> Trial:
            try:
                return repeated(partial(self._space.run, runner.run), self._repeat)(names)
            finally:
                self.tails[names] = runner.output.splitlines()[-_SHOWN_LINES:]
                self._running.remove(runner)

        return make, runner.interrupt

    def interrupt(self, *_: object) -> None:
        """End all of them, and those to come, as the handler of a signal."""
        for each in (self._command, *self._running):
            each.interrupt()


def _search(
    space: Space,
    command: Runner,
    *,
    repeat: int,
    most: int | None,
    jobs: int,
    either_way: bool,
    resume: Path | None,
) -> _Answer | int:
    """Search with progress; return the exit code if there is nothing to find.

    Each trial is written into the file *resume*, whose trials are not repeated. For *repeat* see `repeated`,
    for *most* and *jobs* `Ahead`, for *either_way* `why_ends_are_equal`.
    """
    subject = subject_of(space, command, repeat)
    known = read_trials(resume, subject) if resume else []
    if resume:
        write_trials(resume, subject, known)  # what cannot be written is an error before the first trial
    runners, search = _Runners(space, command, repeat), partial(go_through, space, either_way=either_way)
    with (
        Progress(plain=False) as progress,
        _handled_signals(runners.interrupt),
        Ahead(space.weights, search, runners.start, jobs, most, known) as ahead,
    ):

        def report(event: frozenset[str] | Trial) -> None:
            if not isinstance(event, Trial):
                progress.start(f"trial {len(judged.history) + 1}: {_share(len(event), space)}")
                return
            progress.finish()
            complain("note", f"trial {len(judged.history)}: {_share(len(event.flags), space)}: {event}")
            if resume:
                write_trials(resume, subject, judged.history)

        judged = Trials(ahead, most=most, done=known, report=report)
        try:
            problem = why_ends_are_equal(space, judged, either_way=either_way)
        except KeyboardInterrupt:
            complain("note", "interrupted before both ends were known: nothing is found yet")
            return 130
        good, bad = (judged.trial(names) for names in (frozenset[str](), space.names))
        if problem:
            complain("error", problem)
            complain(
                "note", *runners.tails.get(frozenset((good if good.verdict != "good" else bad).flags), ())
            )
            return 1
        if noise := overlap(good, bad):
            complain("warning", f"{noise}; --repeat {2 * repeat + 1} tells them apart more surely")
        result = narrowed(space, judged, (OutOfTrials, KeyboardInterrupt))
        cured = None
        with suppress(OutOfTrials, KeyboardInterrupt):
            if result.is_minimal:
                cured = is_cured(space, judged, result)
        return _Answer(replace(result, history=tuple(judged.history)), cured, judged.is_flipped)


def _share(count: int, space: Space) -> str:
    return f"{count} of {len(space.differences)} flags as in the bad state"


@contextmanager
def _handled_signals(handler: Callable[[int, FrameType | None], object]) -> Iterator[None]:
    """Handle the signals that ask a process to end, but for those that it ignores, as under nohup."""
    numbers = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
    wanted = [number for number in numbers if signal.getsignal(number) is not signal.SIG_IGN]
    before = {number: signal.signal(number, handler) for number in wanted}
    try:
        yield
    finally:
        for number, handler_before in before.items():
            signal.signal(number, handler_before)
