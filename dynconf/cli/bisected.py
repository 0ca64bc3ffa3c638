"""The parts that the commands which bisect share: a search with progress, and printing its result."""

import shlex
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import FrameType

from dynconf.catalogue.flags.types import Mismatch
from dynconf.cli.output import STYLES, Styled, complain, print_facts, print_json, print_line, print_table
from dynconf.cli.progress import Progress
from dynconf.release import Release
from dynconf.state import SettingValue
from dynconf.tools.bisect.command import Command
from dynconf.tools.bisect.result import HEADERS, BisectResult, narrowed, why_ends_are_equal
from dynconf.tools.bisect.resuming import read_trials, subject_of, write_trials
from dynconf.tools.bisect.space import Difference, Space
from dynconf.tools.bisect.trials import OutOfTrials, Trial, Trials, overlap

_SHOWN_LINES = 10
"""How many lines of its output are shown of a run that ends as nobody expects."""

_STEPS_SINCE = (2, 6)
"""The release that has torch's own bisector; `_RUNS_SINCE` is known to have one that runs a command."""
_RUNS_SINCE = (2, 13)


@dataclass(frozen=True, slots=True)
class Answer:
    """The end of a search.

    Attributes:
        result: The smallest set that was found.
        is_cured: Whether the bad state is good with the good values of these flags; None if that is unknown.
        is_flipped: Whether it fails in the good state, and works in the bad one.
    """

    result: BisectResult
    is_cured: bool | None
    is_flipped: bool

    def print(self, output_format: str, output: Path | None) -> int:
        """Print it and write the file that reproduces it; return the exit code."""
        # First of all, because a search may have taken hours, and writing the file may fail.
        if output_format == "json":
            print_json({**self.result.as_json(), "cured": self.is_cured})
        else:
            self._print()
        if output:
            self.result.save(output)
            complain("note", f"dynconf run --config {shlex.quote(str(output))} ... reproduces it")
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


def search(
    space: Space, command: Command, *, repeat: int, most: int | None, either_way: bool, resume: Path | None
) -> Answer | int:
    """Search with progress; return the exit code if there is nothing to find.

    Each trial is written into the file *resume*, whose trials are not repeated. For *repeat* and *most*, see
    `Trials`, for *either_way*, `why_ends_are_equal`.
    """
    subject = subject_of(space, command, repeat)
    known = read_trials(resume, subject) if resume else []
    if resume:
        write_trials(resume, subject, known)  # what cannot be written is an error before the first trial
    tails: dict[tuple[str, ...], list[str]] = {}
    with Progress(plain=False) as progress, _handled_signals(command.interrupt):

        def report(event: frozenset[str] | Trial) -> None:
            if not isinstance(event, Trial):
                progress.start(f"trial {len(judged.history) + 1}: {_share(len(event), space)}")
                return
            progress.finish()
            complain("note", f"trial {len(judged.history)}: {_share(len(event.flags), space)}: {event}")
            tails[event.flags] = command.output.splitlines()[-_SHOWN_LINES:]
            if resume:
                write_trials(resume, subject, judged.history)

        run = partial(space.run, command.run)
        judged = Trials(run, repeat=repeat, most=most, done=known, report=report)
        try:
            problem = why_ends_are_equal(space, judged, either_way=either_way)
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
        is_cured = None
        with suppress(OutOfTrials, KeyboardInterrupt):
            if result.is_minimal:
                is_cured = judged.judge(space.names.difference(result.flags)) == "good"
        return Answer(replace(result, history=tuple(judged.history)), is_cured, judged.is_flipped)


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
