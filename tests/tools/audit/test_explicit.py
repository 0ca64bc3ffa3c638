"""Explicit settings that other code overrules: who is warned of what, and when."""

import importlib
import threading
import warnings
from collections.abc import Callable
from typing import Any
from unittest import mock

import pytest
from live_state import LIMIT, bind, config

import dynconf
from dynconf.errors import OverruledWarning
from dynconf.live.install import Installation

importlib.import_module("dynconf.tools.audit.overruled")  # it joins those that are told of assignments

LIBRARY = "/site-packages/library/env_override.py"


def library(body: str, name: str = "library.env_override") -> Callable[..., Any]:
    """Return the function of a library that has this body; *config* in it is torch's module."""
    source = "def f(config, *values):\n" + "".join(f"    {line}\n" for line in body.splitlines())
    scope: dict[str, Any] = {"__name__": name}
    exec(compile(source, LIBRARY, "exec"), scope)  # noqa: S102  our own text
    function: Callable[..., Any] = scope["f"]
    return function


assigns = library(f"config.{LIMIT} = values[0]")


@pytest.fixture
def from_a_file(tmp_path) -> Installation:
    """Install what a settings file says."""
    (tmp_path / "dynconf.toml").write_text(
        f'{LIMIT} = 64\n[inductor]\n"triton.unique_kernel_names" = false\n'
    )
    return dynconf.install()


def test_a_library_that_assigns_overrules_a_file_aloud(from_a_file):
    """The warning names flag, both values, both places, and points to the line that assigns."""
    with pytest.warns(OverruledWarning) as found:
        assigns(config(), 8)
    (warning,) = found
    assert (warning.filename, warning.lineno) == (LIBRARY, 2)
    place = from_a_file.origins["recompile_limit"]
    assert str(warning.message) == f"recompile_limit: {LIBRARY}:2 assigns 8, and so overrules 64 ({place})"
    assert vars(warning.message)["flag"] == "recompile_limit"
    assert dynconf.snapshot()[LIMIT] == 8


def test_flags_in_groups_and_old_names_are_heard_of_once(from_a_file):
    """As torchao assigns them: through a group; an old name stands for the newer one."""
    for module, name, flag in (
        ("inductor", "triton.unique_kernel_names", "inductor.triton.unique_kernel_names"),
        ("dynamo", "cache_size_limit", "recompile_limit"),
    ):
        with pytest.warns(OverruledWarning) as found:
            library(f"config.{name} = 1")(config(module))
        assert [vars(each.message)["flag"] for each in found] == [flag]


def test_a_loop_is_one_warning_and_no_memory(from_a_file):
    """However many values a line assigns; another line is another warning."""
    loop = library(f"for value in range(1_000): config.{LIMIT} = value")
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("default")
        loop(config())
        loop(config())
        assigns(config(), 9)
    assert len(found) == 2
    registry = loop.__globals__["__warningregistry__"]
    assert len(registry) <= 2  # Python's own entry, and the topic


def test_where_warnings_are_errors_the_flag_keeps_its_value(from_a_file):
    """Nothing is half done: the line of the library raises, and has assigned nothing."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(OverruledWarning):
            assigns(config(), 8)
    assert dynconf.snapshot()[LIMIT] == 64
    assert dynconf.origin(LIMIT).kind == "file"


@pytest.mark.filterwarnings("error")
def test_the_same_value_overrules_nothing(from_a_file):
    """Nor does torch's own saving and restoring, or that of mock."""
    assigns(config(), 64)
    with config().patch({LIMIT: 3}):
        pass
    with mock.patch.object(config(), LIMIT, 3):
        pass
    with dynconf.patch({LIMIT: 3}):
        assigns(config(), 4)
    library(f"old = config.{LIMIT}; config.{LIMIT} = 5; config.{LIMIT} = old", "torch._export")(config())
    assert dynconf.snapshot()[LIMIT] == 64


@pytest.mark.filterwarnings("error")
def test_who_called_install_may_change_its_mind():
    """A value of a call belongs to the package that called; other packages overrule it."""
    installs = library(f"import dynconf; return dynconf.install({LIMIT}=64)", "owner")
    with installs(config()):
        library(f"config.{LIMIT} = 9", "owner.model")(config())
        with pytest.raises(OverruledWarning, match=r"overrules 64 \(install at"):
            assigns(config(), 8)


@pytest.mark.filterwarnings("error")
def test_only_settings_that_are_installed_can_be_overruled(from_a_file):
    """Once they are uninstalled, and where nobody has set anything, assignments are anybody's."""
    from_a_file.uninstall()
    assigns(config(), 8)
    library("config.verbose = True")(config())


@pytest.mark.since("2.12")
def test_an_installation_for_the_context_is_explicit_too():
    """Where there is one, it is what the assignment replaces."""
    with dynconf.install({LIMIT: 32}, scope="context"), pytest.warns(OverruledWarning, match="overrules 32"):
        assigns(config(), 8)


class Hostile:
    """An object with nothing but traps."""

    def __repr__(self) -> str:
        raise RecursionError

    def __eq__(self, other: object) -> bool:
        raise RuntimeError

    __hash__ = None  # type: ignore[assignment]


def test_a_hostile_value_is_assigned_as_ever(from_a_file):
    """Its methods may raise."""
    with pytest.warns(OverruledWarning, match="Hostile object"):
        library("config.triton.unique_kernel_names = values[0]")(config("inductor"), Hostile())
    assert type(config("inductor").triton.unique_kernel_names) is Hostile


def test_threads_that_assign_at_once_all_get_through(from_a_file):
    """Each with its own line."""
    with warnings.catch_warnings(record=True):
        warnings.simplefilter("default")
        threads = [threading.Thread(target=assigns, args=(config(), each)) for each in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    here = 64 if bind().storage.per_context else dynconf.snapshot()[LIMIT]
    assert here in range(65)
