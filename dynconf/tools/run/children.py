"""Child processes: an environment with which they find the settings, and interpreters that follow it.

A program starts others, most of which know nothing of dynconf: the ranks of torchrun, the workers of a pool,
the kernel of a notebook. `dynconf run` reaches those that are Python as tracers such as ``ddtrace-run`` do::

    dynconf run --set recompile_limit=64 -m torch.distributed.run train.py

1. `environment_to_follow` puts the settings into ``DYNCONF_CONFIG``, with the origin of each, and the folder
   ``bootstrap`` first on ``PYTHONPATH``. Variables are what every way of starting a process passes on.
2. Each child executes ``bootstrap/sitecustomize.py`` as it starts, which waits for an import of torch.
3. Before that import, `follow` reads the sources as `dynconf run` does, and has `install_on_import` install.

A child under ``-I``, ``-S`` or ``-E``, or with its own ``PYTHONPATH``, cannot follow: `warn_of_isolation`.
"""

import itertools
import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from operator import attrgetter
from pathlib import Path
from typing import Any

from dynconf.catalogue.catalogue import Setting
from dynconf.catalogue.flags.flag import BARE_MODULE
from dynconf.catalogue.flags.types import Mismatch, is_same_value, short_repr
from dynconf.catalogue.modules import MODULES, module_path, modules_set_by
from dynconf.catalogue.names import module_views, split
from dynconf.errors import DynconfError, EnvironmentWarning, ForcedFlagWarning
from dynconf.provenance import Caller, Origin, caller, launched_rank
from dynconf.release import Release
from dynconf.sources.discovery import (
    AUDIT_VARIABLE,
    CONFIG_VARIABLE,
    INHERITED,
    REPORT_VARIABLE,
    Found,
    find_settings,
    find_upwards,
    inherited_document,
    searches,
)
from dynconf.sources.environment import read_environment
from dynconf.sources.gather import gather, read_found
from dynconf.state import State
from dynconf.text import MOST_SHOWN
from dynconf.tools.report.waiting import is_installing, waiting_state
from dynconf.tools.run.installing import FirstLine, install_on_import
from dynconf.tools.run.show import SHOW_VARIABLE, show_outcome, write_report

_MAX_VALUE = 16_000
"""Characters of a value that is passed on: with a variable of 128 KiB, Linux starts no process at all."""


def child_env(environ: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return an environment in which a child process finds the settings of this one.

    The flags that are set in the running thread or task are in its ``DYNCONF_CONFIG``, which the child's own
    `dynconf.install`, `dynconf.DynamoSettings` or ``dynconf run`` read. It lacks variables that would
    override them. A value that cannot be written as data, such as a lambda, or is too long for a variable
    is left out with a warning.

    Args:
        environ: The environment to add to; that of the process if None.

    Raises:
        DynconfError: No config module is loaded yet, and the settings of this process contain a mistake.

    Example:
        >>> import dynconf
        >>> with dynconf.patch(recompile_limit=64):
        ...     dynconf.child_env({})
        {'DYNCONF_CONFIG': '{"recompile_limit": 64}'}
    """
    environ = os.environ if environ is None else environ
    release, calling_line = Release.at_hand(), caller()
    if (live := _live_state()) is not None:
        # A library sets its defaults in the child itself.
        ours = live.select(lambda each: live.origin(each).kind not in ("default", "defaults"))
        state = waiting_state().with_entries(ours)
    elif is_installing():
        state = read_environment(os.environ, release).checked().with_entries(waiting_state())
    else:
        state = gather(release).checked()  # nothing can be set yet but by files and the environment
    result, lost = child_environment(state.select(lambda each: each.is_catalogued), environ)
    for setting in lost:
        calling_line.warn(
            EnvironmentWarning(
                f"{setting.newest} is not passed on: {short_repr(state.value(setting))} cannot be written as"
                " data, or is too large",
                flag=setting.newest,
            )
        )
    return result


def _live_state() -> State | None:
    """Return the settings in force; None as long as no config module is loaded."""
    if not any(module_path(module) in sys.modules for module in MODULES):
        return None
    from dynconf.store.snapshot import live_state

    return live_state()


def child_environment(
    state: State, environ: Mapping[str, str], inherited: Mapping[str, Any] | None = None
) -> tuple[dict[str, str], list[Setting]]:
    """Return *environ* with ``DYNCONF_CONFIG`` for a state, and the settings that it cannot express.

    With *inherited*, the child's own settings file counts, too: see `dynconf.sources.discovery.INHERITED`.
    """
    lost: list[Setting] = []
    held: list[str] = []
    tables: dict[str, Any] = {}
    for setting in filter(attrgetter("public"), state):
        try:
            data = setting.type.to_data(state.value(setting))
            if len(json.dumps(data)) > _MAX_VALUE:
                raise Mismatch("too long")
        except Mismatch:
            lost.append(setting)
            continue
        # The newest names, as in every file: the child may run another release of torch.
        module, name = split(setting.newest)
        table = tables if module == BARE_MODULE else tables.setdefault(module, {})
        table[name] = data
        held += [setting.newest] if state.origin(setting).held else []
    # A DYNCONF_CONFIG that sets nothing stays: with `{}`, no file is searched for.
    if not tables and (not inherited or environ.get(CONFIG_VARIABLE, "").strip()):
        return dict(environ), lost
    if held:
        tables["hold"] = held
    # Variables beat DYNCONF_CONFIG. So those that say something else have to go, all of a flag together:
    # without torch's own variable, the uniform one would count.
    overridden = {
        setting
        for setting, (value, _) in read_environment(environ, state.release).state.items()
        if setting in state and not is_same_value(value, state.value(setting))
    }
    overriding = {
        name
        for view in module_views(state.release, modules_set_by(environ.keys()))
        for name in environ
        if any(setting in overridden for setting, _ in view.followers.get(name, ()))
        or view.uniform_variables.get(name) in overridden
    }
    kept = {name: text for name, text in environ.items() if name not in overriding}
    document = tables if inherited is None else {**tables, INHERITED: inherited}
    return {**kept, CONFIG_VARIABLE: json.dumps(document)}, lost


def environment_to_follow(state: State, environ: Mapping[str, str]) -> tuple[dict[str, str], list[Setting]]:
    """Return *environ* for child interpreters that follow, and the settings that it cannot express."""
    inherited: dict[str, Any] = {}
    if origins := {each.newest: _handed_on(origin).as_json() for each, (_, origin) in state.items()}:
        inherited["origins"] = origins
    with suppress(DynconfError):  # a mistake in a file that does not count
        if not searches(environ):
            inherited["file"] = None
        elif found := find_upwards().document:
            inherited["file"] = found.name
    handed_on, lost = child_environment(state, environ, inherited)
    # Even where nothing is set: a child may find a file of its own. An empty entry is the working directory,
    # but an empty variable is none.
    path = environ.get("PYTHONPATH")
    others = [each for each in path.split(os.pathsep) if each != _BOOTSTRAP] if path else []
    handed_on["PYTHONPATH"] = os.pathsep.join([_BOOTSTRAP, *others])
    return handed_on, lost


_BOOTSTRAP = str(Path(__file__).parent / "bootstrap")


def _handed_on(origin: Origin) -> Origin:
    """Return an origin as another process names it, which may have another working directory."""
    file = origin.file and (os.path.abspath(origin.file) if Path(origin.file).exists() else origin.file)
    raw = origin.raw and origin.raw[: MOST_SHOWN + 1]  # it only describes the value, and room is scarce
    origin = replace(origin, file=file, raw=raw, held=False)  # the key `hold` says that
    # The line that installed it there is not the line that installs it in the other process.
    is_call = origin.kind in ("install", "patch", "keyword", "assignment", "hold")
    return Origin("inherited", str(origin), None, file, origin.line) if is_call else origin


# In the child.


def follow() -> None:
    """Install the settings that this process inherits, and others that it finds, when it imports torch.

    Nothing here may end the child: it would have run without dynconf.
    """
    if is_installing():  # it is under `dynconf run` itself
        return
    line = FirstLine.at(sys.argv[0] if getattr(sys, "argv", None) else "<unknown>", 1)

    def warn(error: DynconfError) -> None:
        line.warn(EnvironmentWarning(f"this process does not get the settings of `dynconf run`: {error}"))

    if path := os.environ.get(AUDIT_VARIABLE):
        from dynconf.tools.audit.audit import Audit

        try:
            Audit(file=path).__enter__()
        except DynconfError as error:
            line.warn(EnvironmentWarning(f"the changes in this process are not recorded: {error}"))
    try:
        has_own_file = find_settings(os.environ).document is not None
        reading = gather(Release.at_hand())
        state = reading.checked()
    except DynconfError as error:
        warn(error)
        return
    for warning in reading.warnings:
        # What concerns values that are inherited was said in the process that they come from. A value that
        # loses to one of those is new.
        if has_own_file or isinstance(warning, (EnvironmentWarning, ForcedFlagWarning)):
            line.warn(warning)
    install_on_import(state, line, warn)
    show_outcome(os.environ.get(SHOW_VARIABLE, ""), line)
    # The processes that a rank starts have its number, and no report of their own.
    if launched_rank() and (report := os.environ.pop(REPORT_VARIABLE, "")):
        write_report(report)


# Children that cannot follow.

_STARTS = {"subprocess.Popen": (0, 1, 3), "os.posix_spawn": (0, 1, 2), "os.exec": (0, 1, 2)}
"""The audit events of Python for new processes: where program, arguments and environment are in each."""

_SPAWNERS = frozenset(
    f"multiprocessing.popen_{kind}" for kind in ("forkserver", "spawn_posix", "spawn_win32")
)
"""The modules that start Python with the options of this one, without an audit event; imported when used."""

_PYTHON = re.compile(r"(python|pypy)[\d.]*t?(\.exe)?$", re.IGNORECASE)


def hand_on(
    state: State, wishes: Mapping[str, str | None], warn: Callable[[str], object], *, has_config: bool
) -> None:
    """Have processes that this one starts follow the state, and give them the *wishes* that have a text.

    With *has_config*, its file counts in place of the variable, and of the file that a process would find.
    """
    wanted = {name: text for name, text in wishes.items() if text}
    before = {**os.environ, **wanted, **({CONFIG_VARIABLE: "{}"} if has_config else {})}
    environ, lost = environment_to_follow(state, before)
    for setting in lost:
        warn(f"{setting.newest} is not passed on to processes that the program starts")
    for name in os.environ.keys() - environ.keys():
        del os.environ[name]
    os.environ.update(environ)
    if needed := [*([CONFIG_VARIABLE] if len(lost) < len(state) else []), *wanted]:
        warn_of_isolation(needed, warn)


def warn_of_isolation(variables: Iterable[str], warn: Callable[[str], object]) -> None:
    """Call *warn* once for each reason why an interpreter, which needs the *variables*, cannot follow."""
    reasons: set[str] = set()

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        # This runs within calls of the program, which must not fail for anything that it passes to them, nor
        # because it has closed stderr.
        with suppress(Exception):
            reason = _why_isolated(event, arguments, variables)
            if reason and reason not in reasons:
                reasons.add(reason)
                warn(f"a Python that the program starts does not get the settings: {reason}")

    sys.addaudithook(hook)


def _why_isolated(event: str, arguments: tuple[Any, ...], variables: Iterable[str]) -> str:
    """Return why the interpreter of an audit event does not get the settings; else an empty text."""
    if event == "import" and arguments[0] in _SPAWNERS:
        flags = {"I": sys.flags.isolated, "S": sys.flags.no_site, "E": sys.flags.ignore_environment}
        letters = "".join(letter for letter, is_given in flags.items() if is_given)
    elif event in _STARTS:
        program, words, environ = (arguments[at] for at in _STARTS[event])
        first, *others = map(os.fsdecode, words)
        if not _PYTHON.search(os.path.basename(os.fsdecode(program or first))):
            return ""
        environ = os.environ if environ is None else environ
        given = {os.fsdecode(name): os.fsdecode(text) for name, text in environ.items()}
        if lacking := next((each for each in variables if each not in given), ""):
            return f"its environment lacks {lacking}; env=dynconf.child_env() has it"
        path = given.get("PYTHONPATH", "").split(os.pathsep)
        if _BOOTSTRAP not in path and path != sys.path:  # which torch gives to its own workers
            return f"its PYTHONPATH lacks {_BOOTSTRAP}; extend the variable instead of replacing it"
        options = itertools.takewhile(lambda word: word[:1] == "-" and word[:2] not in ("-c", "-m"), others)
        letters = "".join(re.split("[cmWX]", each)[0] for each in options)
    else:
        return ""
    return next((f"-{each} {_ISOLATED}" for each in "ISE" if each in letters), "")


_ISOLATED = (
    "keeps it from PYTHONPATH or sitecustomize; dynconf.install() in its code reaches it, and so do"
    " torch's own variables, as `dynconf dump --format env` prints them"
)

_INSTALLED = ("install", "file", "env", "option", "class", "source", "inherited", "hold")
"""The kinds of origin that an installed value may have."""


def installed_settings() -> str | None:
    """Return the settings that are installed in this process, for `install_in_worker`, if there are any."""
    state = _installed(Release.at_hand())
    return environment_to_follow(state, {})[0].get(CONFIG_VARIABLE) if state else None


def install_in_worker(text: str, line: Caller) -> None:
    """Install the settings of the process that started this one, unless this one has installed its own."""

    def warn(error: DynconfError) -> None:
        line.warn(EnvironmentWarning(f"this process does not get the settings of pytest's process: {error}"))

    release = Release.at_hand()
    try:
        state = read_found(Found(inherited=inherited_document(text)), release).checked()
    except DynconfError as error:
        warn(error)
    else:
        install_on_import(state.without(_installed(release)), line, warn)


def _installed(release: Release) -> State:
    state = _live_state() or State(release)
    return state.select(lambda each: state.origin(each).kind in _INSTALLED)
