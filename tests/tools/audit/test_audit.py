"""Tests of `dynconf.audit`: who changes the configuration, in whatever way, and where."""

import asyncio
import functools
import io
import logging
import os
import sys
import textwrap
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import nullcontext, suppress
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st
from live_state import changed_at_each_instruction, lock_is_free
from warm import Warm, cold

import dynconf
from dynconf.live.assignments import watch_assignments
from dynconf.live.torch.restoring import MECHANICS
from dynconf.release import Release
from dynconf.tools.audit.audit import Audit
from dynconf.tools.audit.file import read
from dynconf.tools.audit.writes import watchers

SHOWN = str(Path("tools", "audit", Path(__file__).name))
"""How an audit shows this file: relative to the entry of ``sys.path`` that it is under."""


@pytest.fixture
def config() -> ModuleType:
    """Return the live config module of Dynamo."""
    import torch._dynamo.config

    return torch._dynamo.config  # type: ignore[no-any-return]


def line() -> int:
    """Return the line that calls this."""
    return sys._getframe(1).f_lineno


def told(log: Audit) -> list[tuple[str, object, object, str, int]]:
    """Return the changes, all of which this file has made."""
    assert {each.file for each in log.writes} <= {__file__}
    return [(each.flag, each.before, each.after, each.how, each.line) for each in log.writes]


def test_assignments_and_deletions(config: ModuleType) -> None:
    """They are logged under any name of the flag, even if the value stays the same.

    `load_config` names only what it changes, and a refused assignment raises as it would without an audit.
    """
    with dynconf.audit() as log:
        config.verbose = True; first = line()  # fmt: skip  # noqa: E702
        config.verbose = True
        del config.verbose
        config.load_config({"minimum_call_count": 10, "repro_level": 2})
        with pytest.raises(AttributeError):
            config.no_such_flag = 1
    assert told(log) == [
        ("verbose", False, True, "assignment", first),
        ("verbose", True, True, "assignment", first + 1),
        ("verbose", True, False, "deletion", first + 2),
        ("minimum_call_count", 1, 10, "load_config", first + 3),
    ]


def test_methods_of_torch_take_their_arguments_by_name(config: ModuleType) -> None:
    """They are called as without an audit."""
    with dynconf.audit() as log:
        config.load_config(maybe_pickled_config={"repro_level": 4})
        patch = config.patch(arg1={"repro_level": 3})
        patch.__enter__()
        patch.__exit__(exc_type=None, exc_val=None, exc_tb=None)
    assert [each.after for each in log.writes] == [4, 3, 4]


@pytest.mark.real_torch
@pytest.mark.since("2.11")  # these flags
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_change_in_place(config: ModuleType, tmp_path: Path) -> None:
    """It is told when torch compiles, or else at the end, once; reading a default tells nothing."""
    import torch
    from torch._inductor import config as inductor

    inductor.pre_grad_fusion_options = {"normalization_pass": {}}
    with dynconf.audit(file=tmp_path) as outer, dynconf.patch(nontraceable_tensor_subclasses=set()):
        assert inductor.post_grad_fusion_options == {} == inductor.triton.debug_dump_kernel_inputs
        inductor.pre_grad_fusion_options["normalization_pass"]["later"] = 1
        torch.compile(lambda x: x.t())(torch.ones(2, 3))
        with dynconf.audit() as inner:
            inductor.pre_grad_fusion_options = {"new": 1}
            inductor.pre_grad_fusion_options["new"] = 2
            inductor.triton.debug_dump_kernel_inputs["default"] = 1
            config.nontraceable_tensor_subclasses.add(int)
    found, found_inside = ([each for each in log.writes if each.how == "in place"] for log in (outer, inner))
    assert [each[:3] for each in found] == [
        (
            "inductor.pre_grad_fusion_options",
            {"normalization_pass": {}},
            {"normalization_pass": {"later": 1}},
        ),
        ("nontraceable_tensor_subclasses", set(), {int}),
        ("inductor.pre_grad_fusion_options", {"new": 1}, {"new": 2}),
        ("inductor.triton.debug_dump_kernel_inputs", {}, {"default": 1}),
    ]
    assert found_inside == found[1:]
    assert "an unknown line (in place)" in str(outer)
    assert [each.row() for each in read([tmp_path]).shown()] == outer.rows()
    dynconf.inductor.reset()


def test_an_interruption_at_the_end_ends_the_audit(config: ModuleType) -> None:
    """It comes while a change in place is told."""

    def interrupt(_: object) -> None:
        raise KeyboardInterrupt

    with dynconf.patch(reorderable_logging_functions=set()):
        with pytest.raises(KeyboardInterrupt), dynconf.audit(callback=interrupt):
            config.reorderable_logging_functions.add(print)
        assert not watchers


def test_putting_back(config: ModuleType) -> None:
    """The end of `preserve` is logged as the change of each flag that gets another value by it."""
    with dynconf.patch(recompile_limit=5), dynconf.audit() as log:
        with dynconf.preserve():
            dynconf.patch(verbose=True).__enter__(); first = line()  # fmt: skip  # noqa: E702
            config.specialize_int = True
        config.verbose = False
    assert told(log) == [
        ("verbose", False, True, "dynconf.patch", first),
        ("specialize_int", False, True, "assignment", first + 1),
        ("specialize_int", True, False, "dynconf.preserve", first - 1),
        ("verbose", True, False, "dynconf.preserve", first - 1),
        ("verbose", False, False, "assignment", first + 2),
    ]
    dynconf.reset("verbose")


def test_torchs_patch_in_all_its_forms(config: ModuleType) -> None:
    """Entering and leaving are both logged, with the line of the patch."""
    with dynconf.audit() as log:
        with config.patch(minimum_call_count=3):  # entered
            here = line() - 1
        with config.patch("minimum_call_count", 4):
            pass
        with config.patch({"minimum_call_count": 5}):
            pass

        @config.patch(repro_level=3)
        def decorated() -> None: ...

        decorated()
    changes = [(each.flag, each.before, each.after) for each in log.writes]
    assert changes == [
        ("minimum_call_count", 1, 3), ("minimum_call_count", 3, 1),
        ("minimum_call_count", 1, 4), ("minimum_call_count", 4, 1),
        ("minimum_call_count", 1, 5), ("minimum_call_count", 5, 1),
        ("repro_level", 2, 3), ("repro_level", 3, 2),
    ]  # fmt: skip
    assert {each.how for each in log.writes} == {"patch"}
    assert log.writes[0].line == here
    assert {each.file for each in log.writes} == {__file__}


def test_mock_patch_is_seen_where_it_stands(config: ModuleType) -> None:
    """Not in the middle of the mock library."""
    with dynconf.audit() as log, mock.patch.object(config, "minimum_call_count", 9):
        pass
    assert log.writes[0].after == 9
    assert {each.file for each in log.writes} == {__file__}


def test_what_dynconf_does_is_noted_too() -> None:
    """Patches, installations and resets, by the caller's line."""
    with dynconf.audit() as log:
        with dynconf.patch(recompile_limit=11):
            pass
        with dynconf.install(recompile_limit=12):
            pass
        dynconf.patch(recompile_limit=13).__enter__()
        dynconf.reset("recompile_limit")
    assert [(before, after, how) for _, before, after, how, _ in told(log)] == [
        (8, 11, "dynconf.patch"), (11, 8, "dynconf.patch"),
        (8, 12, "dynconf.install"), (12, 8, "dynconf.install"),
        (8, 13, "dynconf.patch"), (13, 8, "dynconf.reset"),
    ]  # fmt: skip


@pytest.mark.real_torch
def test_a_decorated_body_is_noted_as_it_begins_and_ends() -> None:
    """With the line of its patch, once each, however often it is suspended, and however it ends."""

    @dynconf.patch(verbose=True)
    async def wait(error: Exception | None) -> None:
        for _ in range(3):
            await asyncio.sleep(0)
        if error:
            raise error

    first = wait.__wrapped__.__code__.co_firstlineno  # type: ignore[attr-defined]
    for error in (None, OSError()):
        with dynconf.audit() as log, suppress(OSError):
            asyncio.run(wait(error))
        begun, ended = log.writes
        assert (begun.before, begun.after, begun.how) == (False, True, "dynconf.patch")
        assert (begun.file, begun.line) == (__file__, first)
        assert (ended.before, ended.after, ended.how) == (True, False, "dynconf.patch")


def test_every_config_module_is_watched() -> None:
    """Also those that dynconf has no catalogue of, nested flags, and modules imported later."""
    import torch._functorch.config as functorch
    import torch._inductor.config as inductor
    from torch.utils._config_module import install_config_module

    later = ModuleType("a_config_of_a_test")
    later.depth = 3  # type: ignore[attr-defined]
    with dynconf.audit() as log:
        functorch.cse = False
        inductor.triton.cudagraphs = True
        with mock.patch("inspect.getsource", return_value="depth = 3\n"):
            sys.modules[later.__name__] = later
            install_config_module(later)
        later.depth = 4  # type: ignore[attr-defined]
    inductor.triton.cudagraphs = False
    del sys.modules[later.__name__]
    flags = [each.flag for each in log.writes]
    assert flags[0] == "functorch.cse"
    assert flags[1].endswith("triton.cudagraphs")
    assert flags[2] == "a_config_of_a_test.depth"


def test_threads_are_named(config: ModuleType) -> None:
    """Each change says which thread made it."""
    with dynconf.audit() as log:
        thread = threading.Thread(target=lambda: setattr(config, "repro_level", 3), name="worker")
        thread.start()
        thread.join()
    assert [(each.thread, each.after) for each in log.writes] == [("worker", 3)]


def test_origin_names_the_line_of_an_assignment(config: ModuleType) -> None:
    """From the first audit on; assignments are still recorded when it is off."""
    for number in (64, 65):
        with dynconf.audit() if number == 64 else nullcontext():
            config.minimum_call_count = number; here = line()  # fmt: skip  # noqa: E702
        found = dynconf.origin("minimum_call_count")
        assert (found.kind, found.file, found.line) == ("assignment", __file__, here)
        assert str(found) == f"assignment at {__file__}:{here}"


@pytest.fixture
def methods(config: ModuleType) -> Iterator[None]:
    """Check that the classes have the methods afterwards that they had before."""
    from dynconf.live.chain import Chain
    from dynconf.live.install import Installation

    watch_assignments()  # the record of assignments is for good
    kinds = [*type(config).__mro__, Chain, Installation, os._Environ]
    before = [dict(vars(kind)) for kind in kinds]
    yield
    assert [dict(vars(kind)) for kind in kinds] == before


@pytest.mark.usefixtures("methods")
def test_off_everything_is_as_it_was(config: ModuleType) -> None:
    """Audits may overlap; when the last one ends, nothing of them is left."""
    first, second = dynconf.audit(), dynconf.audit()
    first.__enter__()
    second.__enter__()
    config.verbose = True
    first.__exit__()
    config.verbose = False
    second.__exit__()
    config.verbose = True
    assert (len(first.writes), len(second.writes)) == (1, 2)


@pytest.mark.usefixtures("methods")
def test_installing_inside_an_audit_leaves_nothing_of_it(config: ModuleType) -> None:
    """An installation has assignments recorded, and finds that the audit does so already."""
    for _ in range(3):
        with dynconf.audit() as log, dynconf.install(repro_level=3):
            config.verbose = True
        dynconf.reset("verbose")
        assert [each.flag for each in log.writes] == ["repro_level", "verbose", "repro_level"]


def test_reading_is_left_alone(config: ModuleType) -> None:
    """During an audit, a read runs the same code as without one."""
    readers = ("__getattr__", "__getattribute__", "__dir__", "get_config_copy", "get_hash")
    before = [getattr(type(config), name, None) for name in readers]
    with dynconf.audit():
        assert [getattr(type(config), name, None) for name in readers] == before


def test_a_report_for_people_and_one_for_programs(config: ModuleType) -> None:
    """A line for each change; JSON data for values of any kind."""
    import json

    with dynconf.audit() as log:
        config.minimum_call_count = 64
        config.reorderable_logging_functions = {print}
    assert str(log).splitlines()[0].startswith("minimum_call_count  1 -> 64  ")
    data = json.loads(json.dumps(log.as_json()))
    assert data["writes"][1]["after"] == ["builtins:print"]
    assert set(data["writes"][0]) == {"flag", "before", "after", "how", "file", "line", "thread"} | {
        "by_torch", "kind", "time",
    }  # fmt: skip


def test_a_notebook_shows_a_picture_and_the_table(config: ModuleType) -> None:
    """With every text escaped; without changes there is no picture."""
    assert "<svg" not in dynconf.audit()._repr_html_()
    with dynconf.audit() as log:
        config.repro_level = 3
        config.debug_dir_root = "<b>"
    shown = log._repr_html_()
    assert shown.count("<circle") == 2
    assert "2 -&gt; 3" in shown.partition("</svg>")[2]
    assert "&lt;b&gt;" in shown
    assert "<b>" not in shown


@pytest.mark.real_torch
def test_it_waits_for_torch(warm: Warm) -> None:
    """Before torch is imported nothing is; the watch begins with torch's config modules."""
    program = (
        "import sys, dynconf\n"
        "with dynconf.audit() as log:\n"
        f"    assert {MECHANICS!r} not in sys.modules\n"
        "    import torch._dynamo.config as config\n"
        "    config.verbose = True\n"
        "print([each.flag for each in log.writes if each.file == '<string>'])\n"
    )
    done = warm.run("-c", program)
    assert done.stdout == "['verbose']\n", done.stderr


def in_torch(code: str) -> dict[str, Any]:
    """Return the names that code defines as if it were a module of torch."""
    names: dict[str, Any] = {"__name__": "torch._of_a_test"}
    exec(compile(code, "torch/_of_a_test.py", "exec"), names)  # noqa: S102
    return names


def test_what_torch_patches_for_itself_is_only_counted(config: ModuleType) -> None:
    """In one closing line, and with its own line where everything is listed."""
    library = in_torch("def work(config):\n    with config.patch(repro_level=3): pass")
    with dynconf.audit() as log:
        for _ in range(50):
            library["work"](config)
    assert (log.writes, log.rows()) == ([], [])
    assert str(log) == "changes by torch itself: 100; rows(everything=True) lists them"
    assert log.rows(everything=True) == [
        ("repro_level", "2 -> 3 -> 2 (100 writes)", "torch/_of_a_test.py:2 (patch)")
    ]


def test_what_torch_assigns_is_by_the_line_that_called_it(config: ModuleType) -> None:
    """Unless torch puts it back before it returns."""
    library = in_torch(
        "def keep(config): config.repro_level = 3\n"
        "def work(config):\n    old = config.verbose\n    config.verbose = True\n    config.verbose = old\n"
        "def call(function, config): function(config)"
    )
    with dynconf.audit() as log:
        library["call"](library["keep"], config); here = line()  # fmt: skip  # noqa: E702
        library["call"](library["work"], config)
    assert log.rows() == [("repro_level", "2 -> 3", f"{SHOWN}:{here} (assignment)")]
    assert str(log).splitlines()[1:] == ["changes by torch itself: 2; rows(everything=True) lists them"]


@pytest.mark.real_torch
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("wrapped", [False, True])
def test_options_of_a_compiler_are_by_its_line(monkeypatch: pytest.MonkeyPatch, *, wrapped: bool) -> None:
    """That of `torch.compile`, not of the first call, and for the backward pass, too.

    Lightning puts a function of its own in the place of `torch.compile` (lightning_fabric 2.6.6).
    """
    import torch

    torch.compiler.reset()  # both cases compile the same code
    do = torch.compile

    @functools.wraps(do)
    def compile_and_keep(*args: Any, **named: Any) -> Any:
        return do(*args, **named)

    if wrapped:
        monkeypatch.setattr(torch, "compile", compile_and_keep)
    default = dynconf.inductor.FLAGS["triton.unique_kernel_names"].default_in(Release.at_hand())
    with dynconf.audit() as log:
        options = {"max_fusion_size": 7, "triton.unique_kernel_names": not default}
        compiled = torch.compile(lambda x: x.t(), options=options); here = line()  # fmt: skip  # noqa: E702
        compiled(torch.ones(2, 3, requires_grad=True)).sum().backward()
    place = f"{SHOWN}:{here} (torch.compile)"
    rows = [
        (flag, change.partition(" (")[0], by)
        for flag, change, by in log.rows()
        if flag.startswith("inductor.")
    ]
    assert rows == [
        ("inductor.max_fusion_size", "64 -> 7 -> 64", place),
        ("inductor.triton.unique_kernel_names", f"{default} -> {not default} -> {default}", place),
    ]


def test_settings_have_their_true_origin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file, a variable, or the line of the call; what comes back has the line that takes it back."""
    (tmp_path / "dynconf.toml").write_text("\nrecompile_limit = 32\n")
    monkeypatch.setenv("TORCHDYNAMO_REPRO_LEVEL", "3")
    with dynconf.audit() as log:
        installed = dynconf.install(verbose=True); here = line()  # fmt: skip  # noqa: E702
        installed.uninstall()
    places = {(each.flag, each.after): (each.origin.kind, each.file, each.line) for each in log.writes}
    assert places["recompile_limit", 32] == ("file", str(tmp_path / "dynconf.toml"), 2)
    assert places["repro_level", 3] == ("env", None, None)
    assert places["verbose", True] == ("install", __file__, here)
    assert places["recompile_limit", 8] == ("assignment", __file__, here + 1)


def test_torchs_variables_are_watched_before_the_import() -> None:
    """Libraries write them then: it is the only time when they set flags."""
    program = """
        import os, sys, dynconf
        with dynconf.audit() as log:
            os.environ["TORCHINDUCTOR_MAX_AUTOTUNE"] = os.environ["HOME_OF_MINE"] = "1"
        print(*[(each.flag, each.after, each.line) for each in log.writes], "torch" in sys.modules)
    """
    done = cold("-c", textwrap.dedent(program))
    assert (done.stdout, done.stderr) == ("('TORCHINDUCTOR_MAX_AUTOTUNE', '1', 4) False\n", "")


@pytest.mark.usefixtures("config")
def test_torchs_variables_are_watched_after_the_import(monkeypatch: pytest.MonkeyPatch) -> None:
    """In every way of changing them; other variables are nobody's business."""
    monkeypatch.setenv("TORCHDYNAMO_VERBOSE", "0")
    with dynconf.audit() as log:
        os.environ["TORCHDYNAMO_VERBOSE"] = "1"
        os.environ.setdefault("TORCHDYNAMO_REPRO_LEVEL", "3")
        os.environ.update(TORCHDYNAMO_DEBUG_FUNCTION="x", HOME=os.environ["HOME"])
        os.environ.pop("TORCHDYNAMO_REPRO_LEVEL")
        del os.environ["TORCHDYNAMO_VERBOSE"]
        with pytest.raises(KeyError):
            del os.environ["TORCHDYNAMO_VERBOSE"]
    del os.environ["TORCHDYNAMO_DEBUG_FUNCTION"]
    assert [change[:4] for change in told(log)] == [
        ("TORCHDYNAMO_VERBOSE", "0", "1", "os.environ"),
        ("TORCHDYNAMO_REPRO_LEVEL", None, "3", "os.environ"),
        ("TORCHDYNAMO_DEBUG_FUNCTION", None, "x", "os.environ"),
        ("TORCHDYNAMO_REPRO_LEVEL", "3", None, "os.environ"),
        ("TORCHDYNAMO_VERBOSE", "1", None, "os.environ"),
    ]


def test_leaving_waits_until_a_change_is_written(config: ModuleType, tmp_path: Path) -> None:
    """The program may open a file of its own with the descriptor right after it is closed."""
    writing, go_on = threading.Event(), threading.Event()
    with dynconf.audit(file=tmp_path) as log:
        write = log.file.write

        def write_slowly(record: dict[str, object]) -> None:
            writing.set()
            go_on.wait(10)
            write(record)

        log.file.write = write_slowly
        thread = threading.Thread(target=lambda: setattr(config, "verbose", True))
        thread.start()
        writing.wait(10)
        threading.Timer(0.2, go_on.set).start()
    thread.join()
    assert [len(each.read_text().splitlines()) for each in tmp_path.iterdir()] == [1]
    dynconf.reset("verbose")


def test_a_change_after_leaving_is_not_in_the_log(config: ModuleType, tmp_path: Path) -> None:
    """Another thread may be about to log one: it opens no second file, and calls nothing back."""
    changing, go_on = threading.Event(), threading.Event()
    called: list[object] = []

    def wait(_: object) -> None:
        changing.set()
        go_on.wait(10)

    with dynconf.audit(callback=wait):
        with dynconf.audit(file=tmp_path, callback=called.append) as log:
            thread = threading.Thread(target=lambda: setattr(config, "verbose", True))
            thread.start()
            changing.wait(10)
        go_on.set()
        thread.join()
    assert (log.writes, called) == ([], [])
    assert [each.read_text() for each in tmp_path.iterdir()] == [""]
    dynconf.reset("verbose")


@pytest.fixture
def logged() -> Iterator[io.StringIO]:
    """Return what dynconf logs, whatever other tests, and Hydra in them, have done to loggers."""
    logger, text = logging.getLogger("dynconf"), io.StringIO()
    handler, before = (
        logging.StreamHandler(text),
        (logger.disabled, logger.level, logging.root.manager.disable),
    )
    logger.addHandler(handler)
    logging.disable(logging.NOTSET)
    logger.disabled = False
    logger.setLevel(logging.ERROR)
    yield text
    logger.removeHandler(handler)
    logger.disabled = before[0]
    logger.setLevel(before[1])
    logging.disable(before[2])


def test_a_callback_is_called_at_each_change(config: ModuleType, logged: io.StringIO) -> None:
    """But for torch's own; one that fails, or changes flags itself, harms nobody."""
    seen = []

    def callback(write: Any) -> None:
        seen.append((write.flag, write.after, config.verbose))
        config.verbose = False
        if write.after == 5:
            raise RuntimeError("of the callback")

    with dynconf.audit(callback=callback) as log:
        config.verbose = True
        config.repro_level = 5
        in_torch("def work(config):\n    with config.patch(repro_level=3): pass")["work"](config)
    assert seen == [("verbose", True, True), ("repro_level", 5, False)]
    assert len(log.writes) == 2
    assert "of the callback" in logged.getvalue()


def test_no_lock_is_held_while_a_callback_runs(config: ModuleType) -> None:
    """It may wait for a thread that changes flags."""
    found = []
    with dynconf.audit(callback=lambda _: found.append(lock_is_free())):
        installation = dynconf.install(repro_level=4)
        installation.uninstall()
        with installation:
            config.verbose = True
        with dynconf.patch(repro_level=3), dynconf.hold(repro_level=3), dynconf.preserve():
            dynconf.reset("verbose")
    assert len(found) >= 8
    assert all(found)


def uninstalled() -> Any:
    """Return an installation that is in force no more."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("dynconf.tools.audit.writes.watchers", [])
        installation = dynconf.install(repro_level=4)
        installation.uninstall()
    return installation


ENTERED: dict[str, Callable[[Any], Any]] = {
    "a patch": lambda _: dynconf.patch(repro_level=4).__enter__(),
    "torch's patch": lambda config: config.patch(repro_level=4).__enter__(),
    "torch's quick patch": lambda config: config._make_closure_patcher(repro_level=4)(),
    "an installation": lambda _: dynconf.install(repro_level=4),
    "a block of an installation": lambda _: uninstalled().__enter__(),
}
"""Ways to put a flag in force that somebody has to end; nobody can, if entering raises."""


@pytest.mark.parametrize("way", ENTERED)
def test_an_interrupted_callback_leaves_nothing_in_force(way: str, config: ModuleType) -> None:
    """Ctrl-C during the callback ends the entering, and the body does not run."""

    def callback(_change: object) -> None:
        raise KeyboardInterrupt

    if way == "torch's quick patch" and not hasattr(config, "_make_closure_patcher"):
        pytest.skip("this torch has none")
    with dynconf.audit(callback=callback):
        with pytest.raises(KeyboardInterrupt):
            ENTERED[way](config)
        assert config.repro_level == 2
    with dynconf.patch(repro_level=3):
        assert config.repro_level == 3
    assert config.repro_level == 2


def in_thread(config: Any, flag: str, value: object) -> None:
    """Assign in another thread."""
    thread = threading.Thread(target=setattr, args=(config, flag, value))
    thread.start()
    thread.join()


def by_torchs_patch(config: Any, flag: str, value: object) -> None:
    """Patch as a program."""
    with config.patch(flag, value):
        pass


def by_our_patch(_config: Any, flag: str, value: object) -> None:
    """Patch with dynconf."""
    with dynconf.patch({flag: value}):
        pass


def in_torchs_patch(config: Any, flag: str, value: object) -> None:
    """Patch as torch does for itself."""
    in_torch("def work(config, changes):\n    with config.patch(changes): pass")["work"](
        config, {flag: value}
    )


def by_deletion(config: Any, flag: str, _value: object) -> None:
    """Delete a flag, and bring it back."""
    delattr(config, flag)
    dynconf.reset(flag)


WAYS = {
    setattr: Counter({"assignment": 1}),
    in_thread: Counter({"assignment": 1}),
    by_torchs_patch: Counter({"patch": 2}),
    in_torchs_patch: Counter({"patch": 2}),
    by_our_patch: Counter({"dynconf.patch": 2}),
    by_deletion: Counter({"deletion": 1}),
}
"""Ways of changing a flag, with the numbers of changes that each makes."""


VALUES = [("repro_level", 1), ("repro_level", 2), ("repro_level", 4), ("verbose", True), ("verbose", False)]


@given(
    steps=st.lists(st.tuples(st.sampled_from([*WAYS]), st.sampled_from(VALUES)), max_size=25),
    most=st.sampled_from([0, 3, 10_000]),
)
def test_no_change_is_lost_or_counted_twice(
    steps: list[tuple[Any, tuple[str, int]]], most: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The table, and that of the file, have the counts of an independent counter, in bounded memory."""
    from torch._dynamo import config

    expected: Counter[tuple[str, str]] = Counter()
    folder = tmp_path_factory.mktemp("audit")
    with pytest.MonkeyPatch.context() as patched, dynconf.audit(file=folder) as log:
        for module in ("dynconf.tools.audit.audit", "dynconf.tools.audit.file"):
            patched.setattr(sys.modules[module], "MOST_ENTRIES", most)
        for way, (flag, value) in steps:
            way(config, flag, value)
            expected.update({(flag, how): count for how, count in WAYS[way].items()})
    dynconf.reset("repro_level", "verbose")
    assert len(log.writes) <= most
    for summary in (log.summary, read([folder])):
        found: Counter[tuple[str, str]] = Counter()
        for each in summary.as_json(everything=True)["changes"]:
            found[each["flag"], each["by"].rpartition("(")[2].rstrip(")")] += each["count"]
        assert found == expected


def test_two_threads_that_begin_at_once_see_their_changes(config: ModuleType) -> None:
    """A second audit waits until the first one has made ready."""

    def audited() -> Audit:
        with dynconf.audit() as log:
            config.repro_level = 3
        return log

    def begin() -> None:
        with dynconf.audit():
            pass

    begun: list[Future[Audit]] = []

    def audit_elsewhere() -> None:
        begun.append(pool.submit(audited))
        wait(begun, 0.002)  # in vain while this thread has the lock

    with ThreadPoolExecutor(1) as pool:
        for line in changed_at_each_instruction(begin, audit_elsewhere, unit="line"):
            assert [each.flag for each in begun.pop().result(20).writes] == ["repro_level"], line
    dynconf.reset("repro_level")
