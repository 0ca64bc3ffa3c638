"""``dynconf bisect``."""

import shlex
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Literal, get_args

import click

from dynconf.catalogue.flags.types import Mismatch
from dynconf.cli import completion, options
from dynconf.cli.command import command
from dynconf.cli.options import Words
from dynconf.cli.output import STYLES, Styled, complain, print_facts, print_json, print_line, print_table
from dynconf.cli.progress import progress
from dynconf.errors import InvalidValueError
from dynconf.release import Release
from dynconf.sources.gather import gather
from dynconf.state import State
from dynconf.tools.bisect.ahead import Ahead
from dynconf.tools.bisect.command import Command, Process
from dynconf.tools.bisect.failure import Condition, Failure, Hang
from dynconf.tools.bisect.result import HEADERS, BisectResult
from dynconf.tools.bisect.resuming import resumed, subject_of, write_trials
from dynconf.tools.bisect.search import Search
from dynconf.tools.bisect.space import Space, need_differences, with_defaults_of
from dynconf.tools.bisect.trials import Run, overlap
from dynconf.tools.pasted.pasted import read_side

_SECONDS = click.FloatRange(0, min_open=True)

_STEPS_SINCE = (2, 6)
"""The release that has torch's own bisector; `_RUNS_SINCE` is known to have one that runs a command."""
_RUNS_SINCE = (2, 13)


@command(
    "dynconf bisect --defaults 2.8 --fail-if 'step_time > 0.9' -- python bench.py",
    "dynconf bisect good.json bad.json -- pytest -x tests/test_loss.py",
    "dynconf bisect --drop dynconf.toml --timeout 600 -- python train.py",
)
@click.option("--defaults", **options.RELEASE, help="Search the defaults that changed since this torch.")
@click.option("--drop", **options.FILE, help="Search the flags that a settings file sets.")
@click.option(
    "--fail-on",
    metavar="CODE",
    help="Exit codes that are failures: nonzero (the default), zero, signal (or 128 + N), or a number.",
)
@click.option(
    "--fail-if",
    metavar="'NAME > NUMBER'",
    help="A run fails if this is true of the number that COMMAND prints after NAME=; units are ignored.",
)
@click.option("--repeat", type=click.IntRange(1), default=1, help="By how many runs a verdict has to lead.")
@click.option("-j", "--jobs", type=click.IntRange(1), default=1, metavar="N", help="Run N states at once.")
@click.option("--timeout", type=_SECONDS, metavar="SECONDS", help="End a run that takes longer.")
@click.option("--hang", type=click.Choice(get_args(Hang)), default="fail", help="How a timeout counts.")
@click.option("--share-caches", is_flag=True, help="Use your caches of compiled code, not empty ones.")
@click.option("--resume", **options.FILE, help="Record the trials in a file, and continue from it.")
@options.output(help="Write a state that reproduces the failure to a file.")
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
    between, and prints a minimal set of flags with which it fails. With --defaults, GOOD has the defaults of
    an older release, as far as this one can restore them. With --drop, GOOD has none of the flags of a file;
    COMMAND may fail with them or without them.

    Each run has its own process and caches. Exit code 125 means that a run cannot be judged. If no flag is
    set, use torch's own bisector: `python -m torch._inductor.compiler_bisector run COMMAND`.
    """
    condition = None if fail_if is None else Condition.parse(fail_if)
    failure = Failure(fail_on or ("nonzero" if condition is None else ""), condition, hang)
    files, program = _files_and_program(words, defaults, drop)
    space = _space(defaults, drop, files, trust=trust)
    command = Command(program, failure, timeout, share_caches)
    if own := ", ".join(command.set_by_itself(space)):
        complain("note", f"the program itself sets {own}, in every trial: search a copy of it that does not")
    result, found = _search(space, command, repeat, jobs, either_way=drop is not None, resume=resume)
    # First of all, because a search may have taken hours, and writing the file may fail.
    if output_format == "json":
        print_json({**result.as_json(), "cured": found.is_cured})
    else:
        _print(result, found)
    if output:
        result.save(output)
        trusting = " --trust" if trust else ""
        complain("note", f"dynconf run --config {shlex.quote(str(output))}{trusting} ... reproduces it")
    is_plain = found.is_minimal and not found.is_flipped and failure == Failure(hang=hang)
    if output_format == "text" and is_plain:
        _print_next_step(result, program)
    return 0 if found.is_minimal else 1


def _files_and_program(words: Words, defaults: str | None, drop: Path | None) -> tuple[Words, Words]:
    count = 2 if defaults is None and drop is None else 0
    if defaults is not None and drop is not None:
        raise InvalidValueError("--defaults and --drop are two searches: choose one")
    if len(words) <= count:
        raise InvalidValueError(
            "dynconf bisect needs a command after --, and before it what to search: --drop dynconf.toml,"
            " --defaults RELEASE, or two files GOOD BAD; if no flag is set, torch has its own bisector:"
            " python -m torch._inductor.compiler_bisector run COMMAND"
        )
    if count and not Path(words[1]).exists():
        raise InvalidValueError(f"{words[1]} is not a file: expected GOOD BAD -- COMMAND, or --drop FILE")
    return words[:count], words[count:]


def _space(defaults: str | None, drop: Path | None, files: Words, *, trust: bool) -> Space:
    at = options.release(None)
    read = partial(read_side, release=at, warn=partial(complain, "warning"), trust=trust)
    if defaults is not None:
        bad = gather(at).checked()
        reading = with_defaults_of(defaults, bad)
        good = reading.state
        if count := len(reading.warnings):
            complain("note", f"{count} defaults of torch {defaults} cannot be restored in torch {at.version}")
    else:
        good, bad = map(read, files) if drop is None else (State(at), read(drop))
    space = Space(good, bad, as_data=True)
    complain("note", *(f"{each.newest} is left out: {why}" for each, why in space.left_out.items()))
    need_differences(space)
    return space


def _print(result: BisectResult, found: Search) -> None:
    """Print the flags, and how to see both outcomes; they are a cure if their good values alone suffice."""
    print_line(Styled(result.summary, STYLES["ok" if result.is_minimal else "warning"]))
    print_table(HEADERS, result.rows(), fixed=3)
    bad, good = ("as with all", "as without") if found.is_flipped else ("fails with", "works with")
    facts = [(bad, _options(result, "bad")), (good, _options(result, "good"))]
    if found.is_cured is False:
        facts.append(("but", "in the bad state, these good values change nothing: others do it as well"))
    print_facts(facts)


def _options(result: BisectResult, side: Literal["good", "bad"]) -> str:
    """Return the values of one side as options, but for those that have no text."""
    words = []
    for each in result.differences:
        with suppress(Mismatch):
            words += ["--set", f"{each.name}={each.setting.type.to_text(getattr(each, side).value)}"]
    return shlex.join(words)


def _print_next_step(result: BisectResult, program: Sequence[str]) -> None:
    """Name torch's own bisector, which finds the pass or the kernel that a flag of Inductor changes."""
    release = Release.at_hand().minor
    if release >= _STEPS_SINCE and any(each.setting.module == "inductor" for each in result.differences):
        step = f"run {shlex.join(program)}" if release >= _RUNS_SINCE else "start"
        bisector = f"-m torch._inductor.compiler_bisector {step}"
        print_facts([("next", f"dynconf run {_options(result, 'bad')} {bisector}")])


def _search(
    space: Space, command: Command, repeat: int, jobs: int, *, either_way: bool, resume: Path | None
) -> tuple[BisectResult, Search]:
    """Search with progress, and return the result; end the command if there is none.

    Each trial is written into the file *resume*, whose trials are not repeated. For *repeat* and *jobs* see
    `Ahead`, for *either_way* `Search`.
    """
    subject = subject_of(space, command, repeat)
    trials = resumed(resume, subject) if resume else []
    search = partial(Search, space.weights, either_way=either_way)
    at_ends: dict[frozenset[str], Process | Run] = {}  # only theirs: each keeps megabytes of output

    def start(names: frozenset[str]) -> Process | Run:
        begun = space.run(partial(Process, command), names)
        if len(names) in (0, len(space.differences)):
            at_ends[names] = begun
        return begun

    ahead = Ahead(search, start, repeat=repeat, jobs=jobs)
    noise = ""
    with progress(plain=False) as step, ahead.interruptible(), suppress(KeyboardInterrupt):
        while (names := search(trials).wanted) is not None:
            step(f"trial {len(trials) + 1}: {_share(len(names), space)}")
            trials.append(trial := ahead.trial(names, trials))
            step("")
            complain("note", f"trial {len(trials)}: {_share(len(names), space)}: {trial}")
            if resume:
                write_trials(resume, subject, trials)
            ends = search(trials).ends
            if ends and not noise and (noise := overlap(*ends)):
                complain("warning", f"{noise}; --repeat {2 * repeat + 1} tells them apart more surely")
    found = search(trials)
    if found.ends is None:
        complain("note", "interrupted before both ends were known: nothing is found yet")
        raise click.exceptions.Exit(130)
    if found.problem:
        complain("error", found.problem)
        good, bad = found.ends
        process = at_ends.get(frozenset(good.flags if good.verdict != "good" else bad.flags))
        if isinstance(process, Process):
            complain("note", *process.output.splitlines()[-10:])
        raise click.exceptions.Exit(1)
    return BisectResult.of(space, trials, found), found


def _share(count: int, space: Space) -> str:
    return f"{count} of {len(space.differences)} flags as in the bad state"
