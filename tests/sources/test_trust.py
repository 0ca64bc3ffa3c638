"""Trust: what a file may set that somebody else may have written, and whose file it is that was found."""

import json
import os
import tempfile
import traceback
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from access_lists import STRANGER, two_users
from plain_models import reading
from pydantic import ValidationError
from states import values_of

from dynconf.catalogue.catalogue import Setting
from dynconf.catalogue.flags.flag import Flag
from dynconf.catalogue.flags.types import Bool, Int, Named, Opaque, Text
from dynconf.catalogue.modules import MODULES, catalogue
from dynconf.errors import DynconfError, EnvironmentWarning, InvalidValueError, StateFileError
from dynconf.release import Release
from dynconf.settings import DynamoSettings, FileSource
from dynconf.sources.gather import gather
from dynconf.sources.ownership import writable_by_others
from dynconf.sources.trust import risks_of
from dynconf.store.diff import read_for_diff
from dynconf.store.saving import read_state
from dynconf.tools.lint.environment import check_environment

AT = Release.named("2.13")
PROGRAM = ">=0:cpp.cxx=/path/evil.sh"

DANGEROUS = {
    "debug_inductor_config_override": (PROGRAM, "run a program or load code"),
    "debug_dynamo_config_override": ("0:dynamo_profiler=/x", "write a path"),
    "dynamo_profiler": ("/some/file", "write a path"),
    "debug_dir_root": ("/some/folder", "write a path"),
    "ignore_logging_functions": (["__main__:verify"], "call or skip objects"),
    "reorderable_logging_functions": (["__main__:verify"], "call or skip objects"),
    "functorch.joint_custom_pass": ("package:function", "call or skip objects"),
    "functorch.activation_memory_budget_solver": ("package:function", "call or skip objects"),
    "functorch.memory_budget_pareto_dir": ("/some/folder", "write a path"),
    "automatic_dynamic_remote_pgo": (True, "contact a host"),
    "inductor.assert_indirect_indexing": (False, "switch off a safety check"),
    "inductor.compile_threads": (100_000, "take time or memory without bound"),
    "base_dir": ("/x", "is internal to torch"),
    "_autograd_backward_strict_mode_banned_ops": ([], "is internal to torch"),
}
"""Values by which torch does more than compiling, and what."""

HARMLESS = {
    "dynamo_profiler": True,
    "debug_inductor_config_override": "",
    "debug_dir_root": None,
    "ignore_logging_functions": ["logging:Logger.info"],
    "reorderable_logging_functions": ["builtins:print", "warnings:warn"],
    "functorch.activation_memory_budget_solver": "greedy",
    "functorch.memory_budget_pareto_dir": None,
    "recompile_limit": 3,
}
"""Values that name nothing of the kind, of flags most of which could."""


def state(flags: dict[str, object], **more: object) -> str:
    """Return the text of a saved state."""
    entries = {name: {"value": value, **more} for name, value in flags.items()}
    return json.dumps({"dynconf": 1, "torch": "2.13.0", "flags": entries})


@pytest.mark.parametrize("name", DANGEROUS)
def test_a_state_that_reaches_further_is_refused(name):
    """By load, diff and --config, naming the flag, what it does and how to accept it all the same."""
    value, said = DANGEROUS[name]
    Path("state.json").write_text(state({"verbose": True, name: value}))
    for read in (
        lambda: read_state("state.json", AT),
        lambda: gather(AT, environ={}, config="state.json").checked(),
        lambda: gather(AT, environ={"DYNCONF_CONFIG": "state.json"}).checked(),
    ):
        with pytest.raises((StateFileError, InvalidValueError)) as refused:
            read()
        assert f"{name}: " in str(refused.value)
        assert said in str(refused.value)
        assert "a file that is named may be anyone's: if you know who wrote it, " in str(refused.value)
        assert "add --trust, or trust=True in Python, or set DYNCONF_TRUST=1" in str(refused.value)
    (finding,) = check_environment({}, torch="2.13", config="state.json").findings
    assert finding.level == "error"
    assert said in finding.message


@pytest.mark.parametrize("name", DANGEROUS)
def test_trust_lets_it_through(name):
    """What it sets is what the file says."""
    Path("state.json").write_text(state({name: DANGEROUS[name][0]}))
    reading = gather(AT, environ={}, config="state.json", trust=True)
    assert [setting.qualified for setting in reading.state] == [name]
    (finding,) = check_environment({}, torch="2.13", config="state.json", trust=True).findings
    assert (finding.code, finding.level) == ("DC503", "note")


@pytest.mark.parametrize("name", HARMLESS)
def test_values_that_name_nothing_need_no_trust(name):
    """A flag that could name a path may be switched on, and logging functions may be named."""
    Path("state.json").write_text(state({name: HARMLESS[name]}))
    assert list(values_of(read_state("state.json", AT))) == [name]


def test_what_a_state_only_shows_is_left_out():
    """A state of all flags has paths of the machine where it was written; nobody had set them."""
    flags = {name: value for name, (value, _) in DANGEROUS.items()}
    Path("state.json").write_text(state(flags, origin={"kind": "default"}))
    assert values_of(read_state("state.json", AT)) == {}


FORMS = {
    "state.json": state({"debug_inductor_config_override": PROGRAM}),
    "settings.json": json.dumps({"debug_inductor_config_override": PROGRAM}),
    "settings.toml": f'debug_inductor_config_override = "{PROGRAM}"',
    "pyproject.toml": f'[tool.dynconf]\ndebug_inductor_config_override = "{PROGRAM}"',
}
"""The same value in every form that a file can have."""


def doors(name: str) -> dict[str, Callable[..., object]]:
    """Return all that read a file by its name, by what they are called."""
    return {
        "--config": lambda **trust: gather(AT, environ=dict(os.environ), config=name, **trust).checked(),
        "DYNCONF_CONFIG": lambda **trust: gather(
            AT, environ={**os.environ, "DYNCONF_CONFIG": name}, **trust
        ).checked(),
        "load": lambda **trust: read_state(name, AT, **trust).checked(),
        "diff": lambda **trust: read_for_diff(name, AT, "error", str, **trust),
        "FileSource": lambda **trust: settings_of(name, **trust),
    }


def settings_of(name: str, *, trust: bool = False) -> object:
    """Return settings that read this file."""
    try:
        return reading(DynamoSettings, [lambda cls: FileSource(cls, name, trust=trust)])(_torch="2.13")
    except ValidationError as error:
        raise StateFileError(str(error)) from None


@pytest.mark.since("2.11")  # the flag of these files
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("door", doors(""))
def test_a_named_file_needs_trust_whatever_its_form(door, form, monkeypatch):
    """Whoever wrote the file has chosen its form; the caller or a variable says that the author is known."""
    received = Path("received", form)  # where no search from here would find it
    received.parent.mkdir()
    received.write_text(FORMS[form])
    read = doors(str(received.absolute()))[door]
    with pytest.raises(
        (StateFileError, InvalidValueError), match=f"{form}.* is refused: it would make torch run a program"
    ):
        read()
    assert read(trust=True)
    monkeypatch.setenv("DYNCONF_TRUST", "1")
    assert read()
    monkeypatch.setenv("DYNCONF_TRUST", "0")
    with pytest.raises((StateFileError, InvalidValueError), match="is refused"):
        read()


@pytest.mark.parametrize("form", FORMS)
def test_a_found_file_of_the_user_may_set_everything(form):
    """In either form, by whoever it was saved: it counts because it is in the user's hands."""
    text = FORMS[form]
    if form == "state.json":
        text = f'dynconf = 1\n[flags.debug_inductor_config_override]\nvalue = "{PROGRAM}"'
    if not form.endswith(".json") or form == "state.json":
        Path("pyproject.toml" if form == "pyproject.toml" else "dynconf.toml").write_text(text)
        assert [value for value, _ in gather(AT, environ={}).state.values()] == [PROGRAM]


def test_check_lists_such_flags_with_their_place():
    """Whether they come from a file that was found or from one that was named."""
    Path("dynconf.toml").write_text(f'verbose = true\ndebug_inductor_config_override = "{PROGRAM}"')
    (finding,) = check_environment({}, torch="2.13").findings
    assert (finding.code, finding.flag) == ("DC503", "debug_inductor_config_override")
    assert (finding.file, finding.line) == (str(Path("dynconf.toml").absolute()), 2)
    assert finding.facts == {"reach": ["run a program or load code", "write a path"]}


def test_nobody_knows_what_flags_newer_than_the_catalogue_do():
    """A number may be a thread count, and True may contact a host: any value but the default needs trust."""
    for kind, value in ((Text(), "/x"), (Int(), 3), (Bool(), True), (Opaque(), ["x"])):
        flag = Flag(name="flag_of_tomorrow", type=kind, default=None)
        setting = Setting(flag, flag.name, AT)
        assert "newer than dynconf's catalogue" in risks_of(setting, value)[0]
        assert risks_of(setting, None) == ()


def test_texts_of_flags_that_nobody_has_described_need_trust():
    """What a path or a name in them would do is not known; the others are reviewed."""
    undescribed = replace(catalogue("inductor").flags["cutlass.cutlass_enabled_ops"], summary="")
    setting = Setting(undescribed, undescribed.name, AT)
    assert "not described" in risks_of(setting, "/x")[0]
    assert risks_of(setting, 3) == ()


def test_records_that_name_paths_and_callables_say_so():
    """Every public flag whose values are paths, callables or rules tells what they lead to."""
    for module in MODULES:
        for setting in catalogue(module).at(AT).settings.values():
            for value in (Named("package", "function"), "/a/path"):
                is_path = "path" in setting.type.expected and isinstance(value, str)
                is_callable = "of a callable" in setting.type.expected and isinstance(value, Named)
                if setting.public and not setting.inert and (is_path or is_callable):
                    assert risks_of(setting, value), setting


# Who owns a file.


def status(uid: int, gid: int, mode: int) -> os.stat_result:
    """Return what the system says of a file."""
    return os.stat_result((mode, 1, 1, 1, uid, gid, 0, 0, 0, 0))


def test_files_of_the_user_and_of_root_are_in_good_hands(monkeypatch):
    """Unless somebody else may write to them; the user's own group is nobody else."""
    monkeypatch.setattr(os, "geteuid", lambda: 4242)
    assert writable_by_others(status(4242, 4242, 0o100644), "it") == ""
    assert writable_by_others(status(0, 0, 0o100664), "it") == ""
    assert writable_by_others(status(4243, 4242, 0o100600), "it") == "it belongs to another user (uid 4243)"
    assert writable_by_others(status(4242, 4242, 0o100646), "it") == "it is writable by anyone"
    assert writable_by_others(status(4242, 4242, 0o100664), "it") == "it is writable by its group (gid 4242)"


def test_a_group_of_the_user_alone_is_nobody_else(monkeypatch):
    """Many systems give each user such a group, and let it write by default."""
    grp, pwd = pytest.importorskip("grp"), pytest.importorskip("pwd")
    monkeypatch.setattr(os, "geteuid", lambda: 4244)
    monkeypatch.setattr(pwd, "getpwuid", lambda uid: pwd.struct_passwd(("me", "", uid, 9001, "", "", "")))
    groups = {9001: ("me", "", 9001, []), 9002: ("me", "", 9002, ["me", "you"]), 9003: ("all", "", 9003, [])}
    groups[9004] = ("me", "", 9004, [])
    others = [("me", "", 4244, 9001, "", "", ""), ("you", "", 4245, 9004, "", "", "")]
    monkeypatch.setattr(pwd, "getpwall", lambda: [pwd.struct_passwd(each) for each in others])
    monkeypatch.setattr(grp, "getgrgid", lambda gid: grp.struct_group(groups[gid]))
    assert writable_by_others(status(4244, 9001, 0o100664), "it") == ""
    assert "by its group" in writable_by_others(status(4244, 9002, 0o100664), "it")
    assert "by its group" in writable_by_others(status(4244, 9003, 0o100664), "it")
    assert "by its group" in writable_by_others(
        status(4244, 9004, 0o100664), "it"
    )  # the primary group of somebody else


def test_where_there_are_no_owners_nothing_is_doubted(monkeypatch):
    """As on Windows."""
    monkeypatch.delattr(os, "geteuid")
    assert writable_by_others(status(5, 5, 0o100666), "it") == ""


VICTIM = 64_102
"""Another user; no such account is needed."""


@pytest.fixture
def shared() -> Iterator[Path]:
    """Return a folder that both users can reach, which pytest's own are not."""
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


def gathered_as(user: int, folder: Path) -> list[str]:
    """Return what a process of that user gets from files found from a folder, line by line."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        code = 1
        try:
            os.write(writing, "\n".join(_gathered(user, folder)).encode())
            code = 0
        except BaseException:  # noqa: BLE001  a fork must not run on into pytest, whatever happens
            traceback.print_exc()
        os._exit(code)
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as lines:
        found = lines.read().splitlines()
    assert os.waitpid(child, 0)[1] == 0
    return found


def _gathered(user: int, folder: Path) -> list[str]:
    for text in ("verbose = true", "verbos = true"):  # later, no module may be readable
        Path("settings.toml").write_text(text)
        with suppress(DynconfError):
            gather(AT, environ={}, config="settings.toml").checked()
    os.environ["HOME"] = "/nonexistent"
    os.chdir(folder)
    os.setgroups([])
    os.setgid(user)
    os.setuid(user)
    reading = gather(AT, environ={})
    notes = [f"{type(note).__name__} {note}" for note in reading.warnings]
    return [str([setting.name for setting in reading.state]), *notes]


def plant(path: Path, owner: int) -> Path:
    """Write a file with a program in it, which belongs to *owner*."""
    text = f'debug_inductor_config_override = "{PROGRAM}"\n'
    path.write_text(f"[tool.dynconf]\n{text}" if path.name == "pyproject.toml" else text)
    os.chown(path, owner, owner)
    return path


@two_users
@pytest.mark.parametrize("name", ["dynconf.toml", "pyproject.toml"])
def test_a_planted_file_is_skipped_with_one_warning(shared: Path, name: str) -> None:
    """A stranger puts a file above the working directory of another user: it counts for the stranger only."""
    shared.chmod(0o1777)
    work = shared / "work"
    work.mkdir()
    os.chown(work, VICTIM, VICTIM)
    planted = plant(shared / name, STRANGER)
    values, *warned = gathered_as(VICTIM, work)
    assert values == "[]"
    (line,) = [each for each in warned if str(planted) in each]
    assert line.startswith(f"EnvironmentWarning {planted} is skipped: its folder is writable by anyone")
    shared.chmod(0o755)
    values, *warned = gathered_as(VICTIM, work)
    assert values == "[]"
    assert f"it belongs to another user (uid {STRANGER})" in "".join(warned)
    os.chown(planted, VICTIM, VICTIM)
    values, *warned = gathered_as(VICTIM, work)
    assert (values, warned) == ("['debug_inductor_config_override']", [])


@two_users
def test_a_file_of_root_counts_for_everyone(shared: Path) -> None:
    """Root could do anything anyway; root itself does not take files of others."""
    shared.chmod(0o755)
    planted = plant(shared / "dynconf.toml", 0)
    assert gathered_as(VICTIM, shared)[0] == "['debug_inductor_config_override']"
    os.chown(planted, STRANGER, STRANGER)
    assert gathered_as(0, shared)[0] == "[]"


@two_users
def test_an_unreadable_or_broken_project_of_others_stops_nobody(shared: Path) -> None:
    """It is passed over, and named."""
    shared.chmod(0o755)
    project = shared / "pyproject.toml"
    project.write_text("[tool.dynconf\nbroken = ")
    os.chown(project, STRANGER, STRANGER)
    for mode in (0o600, 0o644):
        project.chmod(mode)
        values, *warned = gathered_as(VICTIM, shared)
        assert values == "[]"
        assert str(project) in "".join(warned)


def test_a_skipped_file_is_told_once_and_listed():
    """A program hears of it as a warning; `check` has it in its report, with the reason."""
    Path("dynconf.toml").write_text("verbose = true")
    Path("dynconf.toml").chmod(0o666)
    reading = gather(AT, environ={})
    assert not reading.state
    (note,) = reading.warnings
    assert isinstance(note, EnvironmentWarning)
    report = check_environment({}, torch="2.13")
    (finding,) = report.findings
    assert (finding.code, finding.level, finding.message) == ("DC502", "warning", str(note))
    assert report.as_json()["skipped"][0] == {
        "file": str(Path("dynconf.toml").absolute()),
        "reason": "it is writable by anyone",
    }
