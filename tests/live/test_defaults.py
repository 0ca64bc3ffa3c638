"""`defaults`: a library's flags, below its users' and above torch's."""

import logging
import warnings

import pytest
from live_state import (
    A_SET,
    LIMIT,
    RawState,
    bind,
    config,
    default_of,
    dynconf_warnings_ignored,
    limit,
    result_in_thread,
    torch_reads,
)
from warm import Warm

import dynconf
from dynconf.errors import ConflictWarning, EnvironmentWarning

pytestmark = pytest.mark.usefixtures("limit_restored")

DEFAULT = default_of(LIMIT)
HERE = __file__


def test_above_torchs_own_and_below_everything_else():
    """A patch, an assignment and an installation count, whether they come before or after."""
    with dynconf.install(recompile_limit=7), dynconf.defaults(recompile_limit=32):
        assert limit() == 7
    with dynconf.defaults(recompile_limit=32):
        assert limit() == result_in_thread(limit) == 32
        with dynconf.patch(recompile_limit=5):
            assert limit() == 5
        with dynconf.install(recompile_limit=7):
            assert limit() == result_in_thread(limit) == 7
        setattr(config(), LIMIT, 9)
        assert limit() == 9
    assert limit() == 9


@pytest.mark.parametrize(("others", "expected"), [(200, 200), (16, 100)], ids=["a higher one", "a lower one"])
def test_at_least_raises_another_librarys_but_never_lowers(others, expected):
    """The origin is the line of the library whose value counts."""
    with dynconf.defaults(recompile_limit=others) as first:
        with dynconf.defaults(recompile_limit=dynconf.at_least(100)) as second:
            assert limit() == expected
            origin = dynconf.origin("recompile_limit")
            assert origin in (*first.origins.values(), *second.origins.values())
            assert (origin == first.origins["recompile_limit"]) is (expected == others)
        first.uninstall()
        with dynconf.defaults(recompile_limit=dynconf.at_least(2)):
            assert limit() == DEFAULT
            assert dynconf.origin("recompile_limit").kind == "default"


@pytest.mark.parametrize("users", [200, 8])
def test_at_least_raises_nothing_of_the_users(users, tmp_path):
    """A file of the user is above the library, and counts as soon as `defaults` is called."""
    (tmp_path / "dynconf.toml").write_text(f"recompile_limit = {users}\n")
    with dynconf.defaults(recompile_limit=dynconf.at_least(100)):
        assert limit() == users
        origin = dynconf.origin("recompile_limit")
        assert (origin.kind, origin.file, origin.line) == ("file", str(tmp_path / "dynconf.toml"), 1)


def test_the_users_file_counts_against_every_library(tmp_path, monkeypatch):
    """Also against a later one that is called where the file is not found."""
    (tmp_path / "dynconf.toml").write_text("recompile_limit = 16\n")
    with dynconf.defaults(recompile_limit=32):
        (tmp_path / "elsewhere").mkdir()
        (tmp_path / "elsewhere" / ".git").mkdir()
        monkeypatch.chdir(tmp_path / "elsewhere")
        with dynconf.defaults(recompile_limit=64):
            assert limit() == 16
    assert limit() == DEFAULT


def test_the_users_variable_counts(monkeypatch):
    """Also the uniform ones that torch itself does not read."""
    monkeypatch.setenv("TORCHDYNAMO_RECOMPILE_LIMIT", "16")
    with dynconf.defaults(recompile_limit=32, verbose=True):
        assert limit() == 16
        assert dynconf.origin("recompile_limit").name == "TORCHDYNAMO_RECOMPILE_LIMIT"
        assert torch_reads("verbose") is True


def test_other_flags_of_the_users_file_stay_as_they_are(tmp_path):
    """A library is not asked to install the user's settings; only its own flags are at stake."""
    (tmp_path / "dynconf.toml").write_text("verbose = true\n")
    with dynconf.defaults(recompile_limit=32):
        assert torch_reads("verbose") is False


def test_a_variable_of_torch_that_was_set_before_the_import_counts(warm: Warm):
    """The value with which torch was imported is the user's."""
    program = """
import dynconf, torch._inductor.config as config
dynconf.defaults(inductor={"compile_threads": 1})
print(config.compile_threads, dynconf.origin("inductor.compile_threads"))
"""
    done = warm.run("-c", program, TORCHINDUCTOR_COMPILE_THREADS="3")
    assert done.stdout == "3 environment TORCHINDUCTOR_COMPILE_THREADS=3\n", done.stderr


@pytest.mark.catalogued  # else a value that no variable explains may be a new default of torch's
def test_a_variable_that_is_gone_since_counts(warm: Warm):
    """Torch still has the user's value, wherever it is not one that torch computes."""
    program = """
import os, dynconf, torch._inductor.config as config
del os.environ["TORCHINDUCTOR_MAX_AUTOTUNE"]
ours = dynconf.defaults(inductor={"max_autotune": False, "max_fusion_size": 4})
print(config.max_autotune, config.max_fusion_size, dynconf.origin("inductor.max_autotune"))
"""
    done = warm.run("-c", program, TORCHINDUCTOR_MAX_AUTOTUNE="1")
    assert done.stdout == "True 4 environment TORCHINDUCTOR_MAX_AUTOTUNE\n", done.stderr


def test_the_choice_for_missing_flags_is_checked():
    """A misspelt word would be one of them by chance."""
    with pytest.raises(dynconf.InvalidValueError, match="missing: 'no' is not valid"):
        dynconf.defaults(recompile_limit=32, missing="no")


LACKED = next(
    (
        name
        for name, flag in dynconf.FLAGS.items()
        if name not in bind().names() and not bind().view.get(name) and flag.public
    ),
    None,
)


def value_of(name):
    """Return a value that the flag accepts."""
    return dynconf.FLAGS[name].default


@pytest.mark.skipif(LACKED is None, reason="this release has every flag")
def test_missing_flags_are_refused_named_or_skipped():
    """One call serves every release; under `-W error` it is refused as a whole (law 1)."""
    flags = {LACKED: value_of(LACKED), "recompile_limit": 32}
    with pytest.raises(dynconf.UnknownFlagError, match=LACKED):
        dynconf.defaults(flags)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(EnvironmentWarning, match=LACKED):
            dynconf.defaults(flags, missing="warn")
    assert limit() == DEFAULT
    with pytest.warns(EnvironmentWarning, match=f"{LACKED}.*skipped"):
        made = dynconf.defaults(flags, missing="warn")
    assert limit() == 32
    made.uninstall()
    with dynconf.defaults(flags, missing="skip"):
        assert limit() == 32


def test_quiet_gives_log_records(monkeypatch):
    """The users of the library can do nothing about its warnings."""
    records = []
    handler = logging.Handler()
    handler.emit = records.append
    logger = logging.getLogger("dynconf")
    monkeypatch.setattr(logger, "handlers", [handler])
    logger.setLevel(logging.INFO)
    try:
        with dynconf.defaults(recompile_limit=1000, quiet=True):
            pass
    finally:
        logger.setLevel(logging.NOTSET)  # not by monkeypatch: the logger caches its levels
    assert [record.levelname for record in records] == ["INFO"]
    assert "accumulated_recompile_limit" in records[0].getMessage()
    with pytest.warns(ConflictWarning), dynconf.defaults(recompile_limit=1000):
        pass


def test_a_mistake_changes_nothing(tmp_path):
    """Law 1: neither a library's, a contradiction too, nor one in the user's file about the same flag."""
    with pytest.raises(dynconf.InvalidValueError, match="recompile_limit"):
        dynconf.defaults(verbose=True, recompile_limit="many")
    with pytest.raises(dynconf.ConflictError):
        dynconf.defaults(verbose=True, recompile_limit=32, cache_size_limit=33)
    assert torch_reads("verbose") is False
    (tmp_path / "dynconf.toml").write_text('cache_size_limit = "many"\n')
    with pytest.raises(dynconf.InvalidValueError, match="many"):
        dynconf.defaults(recompile_limit=32)
    assert limit() == DEFAULT


def test_a_deleted_flag_changes_nothing():
    """Law 1: even an override that torch's patch has left behind is as it was."""
    with config().patch(suppress_errors=True):
        pass
    delattr(config(), "verify_correctness")
    before = RawState()
    with pytest.raises(dynconf.UnknownFlagError, match="verify_correctness was deleted"):
        dynconf.defaults(suppress_errors=True, verify_correctness=True)
    assert RawState() == before
    dynconf.reset("verify_correctness", "suppress_errors")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("recompile_limt = 8", "did you mean 'recompile_limit'"),
        ("verbose = 'perhaps'", "verbose"),
        ("log_level = 10", "log_level"),  # gone before torch 2.4
        ("", "TORCHINDUCTOR_MAX_FUSION_SIZE"),
    ],
)
def test_another_mistake_of_the_user_is_a_warning(text, said, tmp_path, monkeypatch):
    """A library must not die of it, and says nothing of it if it is quiet."""
    (tmp_path / "dynconf.toml").write_text(f"{text}\n[inductor]\nmax_fusion_size = 5\n")
    if not text:
        monkeypatch.setenv("TORCHINDUCTOR_MAX_FUSION_SIZE", "abc")
    with pytest.warns(EnvironmentWarning, match=said), dynconf.defaults(recompile_limit=32):
        assert limit() == 32
    with dynconf.defaults(recompile_limit=32, quiet=True):  # a warning would be an error
        assert limit() == 32


ALLOWED = {"recompile_limit", "suppress_errors", "inductor.max_autotune", "inductor.triton.cudagraphs"}


def test_allow_reads_a_table_of_the_users():
    """Names of other modules in tables, too."""
    table = {"recompile_limit": 32, "inductor": {"triton": {"cudagraphs": False}, "max_autotune": True}}
    with dynconf.defaults(table, allow=ALLOWED):
        assert limit() == 32
        assert dynconf.origin("inductor.max_autotune").kind == "defaults"


def test_allow_reads_values_as_data():
    """YAML has no sets."""
    words = {"reorderable_logging_functions": ["builtins:print"]}
    with dynconf.defaults(words, allow={"reorderable_logging_functions"}):
        assert torch_reads("reorderable_logging_functions") == {print}


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"recompile_limt": 32}, "recompile_limt is not accepted: did you mean 'recompile_limit'"),
        ({"cpp": 1}, "cpp is not accepted"),
        ({"inductor": {"cpp.cxx": "x"}}, r"inductor.cpp.cxx is not accepted.*accepted are inductor"),
        ({"inductor": {"cpp": {"cxx": "x"}}}, r"inductor.cpp.cxx is not accepted"),
        ({"verbose": True, "disable": True}, "verbose is not accepted[^\n]*\ndisable is not accepted"),
    ],
)
def test_allow_refuses_other_names(table, message):
    """By name, with the ones that are accepted; and nothing is in force."""
    with pytest.raises(dynconf.UnknownFlagError, match=message):
        dynconf.defaults({"recompile_limit": 32, **table}, allow=ALLOWED)
    assert limit() == DEFAULT


def test_allow_itself_is_checked():
    """A misspelt name there would refuse the flag to everybody."""
    with pytest.raises(dynconf.UnknownFlagError, match=r"allow: .*did you mean 'recompile_limit'"):
        dynconf.defaults({}, allow={"recompile_limt"})


def test_an_old_name_is_the_same_flag():
    """In the table and in `allow`."""
    with dynconf.defaults({"cache_size_limit": 32}, allow={"recompile_limit"}):
        assert limit() == 32
    with dynconf.defaults({"recompile_limit": 32}, allow={"cache_size_limit"}):
        assert limit() == 32


def test_settings_and_snapshots():
    """What is set in them; the library's line is the origin."""
    with dynconf.patch(recompile_limit=32):
        taken = dynconf.snapshot()
    with dynconf.defaults(taken):
        assert limit() == 32
        assert dynconf.origin("recompile_limit").file == HERE


def test_a_reset_leaves_them():
    """It drops what a program set, and a library's default is below that."""
    with dynconf.defaults(recompile_limit=32):
        setattr(config(), LIMIT, 9)
        dynconf.reset("recompile_limit")
        assert limit() == 32
    with dynconf_warnings_ignored(), dynconf.defaults({A_SET: {dict}}):
        setattr(config(), A_SET, {list})
        dynconf.reset(A_SET)
        assert torch_reads(A_SET) == {dict}


def test_the_handle_installs_again():
    """It is an installation like any other."""
    made = dynconf.defaults(recompile_limit=32)
    assert made.changes == {"recompile_limit": 32}
    made.uninstall()
    made.uninstall()
    assert not made.is_installed()
    with made:
        assert limit() == 32
    assert limit() == DEFAULT


def test_children_have_libraries_of_their_own():
    """A library's default is not handed on as if it were the user's."""
    with dynconf.defaults(recompile_limit=32), dynconf.patch(verbose=True):
        assert dynconf.child_env({}) == {"DYNCONF_CONFIG": '{"verbose": true}'}
