"""Tests of `dynconf.audit`: who changes the configuration, in whatever way, and where."""

import sys
import threading
from collections.abc import Iterator
from contextlib import nullcontext
from types import ModuleType
from unittest import mock

import pytest
from warm import Warm

import dynconf
from dynconf.live.assignments import watch_assignments
from dynconf.live.torch_internals import MECHANICS


@pytest.fixture
def config() -> ModuleType:
    """Return the live config module of Dynamo."""
    import torch._dynamo.config

    return torch._dynamo.config  # type: ignore[no-any-return]


def line() -> int:
    """Return the line that calls this."""
    return sys._getframe(1).f_lineno


def told(log: dynconf.Audit) -> list[tuple[str, object, object, str, int]]:
    """Return the changes, all of which this file has made."""
    assert {each.file for each in log.writes} <= {__file__}
    return [(each.flag, each.before, each.after, each.how, each.line) for each in log.writes]


def test_assignments_and_deletions(config: ModuleType) -> None:
    """They are logged under any name of the flag, even if the value stays the same."""
    with dynconf.audit() as log:
        config.verbose = True; first = line()  # fmt: skip  # noqa: E702
        config.verbose = True
        del config.verbose
    assert told(log) == [
        ("verbose", False, True, "assignment", first),
        ("verbose", True, True, "assignment", first + 1),
        ("verbose", True, False, "deletion", first + 2),
    ]


def test_a_refused_assignment_is_not_a_change(config: ModuleType) -> None:
    """It raises as it would without an audit."""
    with dynconf.audit() as log, pytest.raises(AttributeError):
        config.no_such_flag = 1
    assert told(log) == []


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


def test_load_config_names_what_it_changes(config: ModuleType) -> None:
    """Flags that it sets to the values they have already are not named."""
    with dynconf.audit() as log:
        config.load_config({"minimum_call_count": 10, "repro_level": 2}); here = line()  # fmt: skip  # noqa: E702
    assert told(log) == [("minimum_call_count", 1, 10, "load_config", here)]


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
    kinds = [*type(config).__mro__, Chain, Installation]
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
    assert set(data["writes"][0]) == {"flag", "before", "after", "how", "file", "line", "thread"}


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
