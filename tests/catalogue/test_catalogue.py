"""Catalogues and their views: names across releases, the flags of a release, and refused names."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from strategies import accepts

from dynconf.catalogue.catalogue import Catalogue, View, advice
from dynconf.catalogue.flags.flag import Computed, Flag, Removed, by_release
from dynconf.catalogue.flags.rule import Rule
from dynconf.catalogue.flags.types import (
    Bool,
    Int,
    Items,
    Mismatch,
    Opaque,
    Text,
    ValueType,
    is_same_value,
    short_repr,
)
from dynconf.catalogue.flags.variable import Variable
from dynconf.catalogue.modules import MODULES, catalogue
from dynconf.catalogue.names import find
from dynconf.errors import InvalidValueError
from dynconf.provenance import Origin
from dynconf.release import RELEASES, Release, minor

DYNAMO = catalogue("dynamo")


def made_up(name: str, kind: ValueType, default: object, summary: str, **facts: object) -> Flag:
    """Return a record."""
    return Flag(name=name, type=kind, default=default, summary=summary, **facts)  # type: ignore[arg-type]


LIMITED = (Int(0), 8, "Limited.")
VARIABLES = (Variable("FORCE_LIMIT", "force", since="2.8"), Variable("LIMIT", "integer", until="2.8"))
IDLE_FROM_2_8 = {"status": by_release("active", v2_8="no-op"), "replacement": "limit"}
FIRST = (
    made_up("limit", Int(0), by_release(8, v2_12=16), "Limits.", since="2.7", variables=VARIABLES),
    made_up("size", *LIMITED, since="2.5", until="2.8", renamed_to="limit", alias_since="2.7"),
    made_up("count", *LIMITED, until="2.4", renamed_to="size"),
)
SECOND = (
    made_up("idle", Bool(), False, "Idles.", **IDLE_FROM_2_8, compile_ignored=by_release(False, v2_12=True)),
    made_up("names", Items(Text()), ["a"], "Names."),
    made_up("host", Text(), Computed("the machine", lambda: "x"), "Hosts."),
    made_up("_own", Opaque(), None, "Torch's.", status="internal"),
    made_up("brief", Bool(), True, "Was.", since="2.5", until="2.7"),
)
RULES = (
    Rule(
        code="MU001",
        flags=("limit", "idle"),
        is_broken=lambda limit, idle: idle and limit > 8,
        when="idle with a limit over 8",
        why="set limit",
        source="torch/x.py",
        level=by_release("warning", v2_8="error"),
    ),
    Rule(
        code="MU002",
        flags=("brief", "idle"),
        is_broken=lambda brief, idle: brief and idle,
        when="both",
        why="choose brief or idle",
        source="torch/x.py",
        since="2.6",
    ),
)
MADE_UP = Catalogue(
    "made_up",
    "torch._made_up.config",
    {"first": FIRST, "second": SECOND},
    removed={"ancient": Removed("2.0", "use 'limit' instead"), "older": Removed("", "nothing replaces it")},
    rules=RULES,
)
"""A catalogue in which everything changes with the release."""


def view(release: str = "2.13", module: str = "dynamo") -> View:
    """Return the view of a module in a release."""
    return catalogue(module).at(Release.named(release))


@pytest.mark.parametrize("module", MODULES)
def test_every_name_of_a_setting_leads_to_its_newest(module: str) -> None:
    """The newest name in the module is reached from each, and is its own newest name."""
    known = catalogue(module)
    for name in known.flags:
        newest = known.canonical(name)
        assert known.canonical(newest) == newest
        assert known.flags[newest].renamed_to not in known.flags
        assert known.names_of(name) == known.names_of(newest)
        assert known.names_of(name)[0] == newest
        assert name in known.names_of(name)


def test_an_unknown_name_stays_as_it_is() -> None:
    """`canonical` invents nothing, and no release has it."""
    assert DYNAMO.canonical("no_such_flag") == "no_such_flag"
    assert DYNAMO.names_of("no_such_flag") == ("no_such_flag",)
    assert view().get("no_such_flag") is None


def test_the_view_of_a_release_is_computed_once() -> None:
    """Settings can be keys: the same release gives the same objects, however it was named."""
    assert view("2.13") is view("2.13.0")
    assert view("2.13").get("verbose") is view("2.13.0").get("verbose")
    assert view("2.12").get("verbose") != view("2.13").get("verbose")


def test_suggestions_are_of_flags_that_users_may_set() -> None:
    """No internal name is ever suggested."""
    assert "_save_config" not in (DYNAMO.nearest("save_config_ignore") or "")


def test_advice_names_a_flag_or_is_a_clause() -> None:
    """The replacement in a record becomes an instruction."""
    told = ["nothing replaces it", "use 'recompile_limit' instead", "delete it"]
    assert [advice(instead) for instead in ("", "recompile_limit", "delete it")] == told


@pytest.mark.parametrize("release", RELEASES)
def test_a_view_is_what_the_records_say(release: str) -> None:
    """Settings, names, aliases, variables and rules agree with each record, in every module and release."""
    for known in (*map(catalogue, MODULES), MADE_UP):
        there = known.at(Release.named(release))
        at, flags = there.release.minor, known.flags
        here = {name for name, flag in flags.items() if flag.exists_in(at)}
        assert there.names == tuple(sorted(here))
        assert {*there.aliases} == {name for name in here if flags[name].is_alias_in(at)}
        assert {setting.name for setting in there.settings.values()} == here - {*there.aliases}
        assert {*there.settings} == {setting.key for setting in there.settings.values()}
        for setting in there.settings.values():
            assert setting.flag is flags[setting.name]
            assert setting.qualified == setting.flag.qualified
            assert setting.status == setting.flag.status_in(at)
            assert bool(setting.inert) is (setting.status in ("no-op", "unread"))
            assert is_same_value(setting.default_value(), setting.flag.default_in(at))
            assert is_same_value(setting.type.check(setting.default_value()), setting.default_value())
            assert all(there.get(name) is setting for name in known.names_of(setting.key))
        read = {variable.name for each in there.settings.values() for variable in each.variables}
        assert {*there.followers} == read
        assert {*there.uniform_variables} == {
            flags[name].uniform_variable
            for setting in there.settings.values()
            if flags[setting.key].public
            for name in known.names_of(setting.key)
        }
        assert {here.rule for here in there.rules} == {
            rule
            for rule in known.rules
            if minor(rule.since) <= at and all(flag in there.settings for flag in rule.flags)
        }
        assert {rule for setting in there.settings.values() for rule in setting.rules} == {*there.rules}


@pytest.mark.parametrize(
    ("flag", "release", "accepted", "refused"),
    [
        ("cpp.enable_floating_point_contract_flag", "2.6", (True, False), ("off", "fast")),
        ("cpp.enable_floating_point_contract_flag", "2.7", ("off", "on", "fast"), (True, False)),
        ("worker_start_method", "2.4", ("fork", "spawn"), (None,)),
        ("worker_start_method", "2.5", ("fork",), ("spawn", None)),
        ("worker_start_method", "2.6", ("fork", None), ("x",)),
        ("worker_start_method", "2.7", ("fork", "spawn"), (None,)),
        ("cpu_backend", "2.5", ("cpp", "halide"), ("triton", "pallas")),
        ("cpu_backend", "2.7", ("cpp", "triton", "halide"), ("pallas",)),
        ("cpu_backend", "2.10", ("pallas",), ("mps",)),
        ("cuda_backend", "2.9", ("triton", "halide"), ("pallas",)),
        ("numerics", "2.14", ("default", "strict"), ("strict_pointwise",)),
        ("numerics", "2.15", ("strict_pointwise", "strict_reduction"), ("none",)),
        ("aot_inductor.debug_intermediate_value_printer", "2.5", ("2",), ("3",)),
        ("rocm.ck_supported_arch", "2.8", (["gfx940"],), (["gfx1"],)),
        ("rocm.ck_supported_arch", "2.9", (["gfx950"],), (["gfx940"],)),
        ("max_autotune_gemm_backends", "2.4", ("ATEN,cutlass",), ("CK", "ATEN,CUTEDSL")),
        ("max_autotune_gemm_backends", "2.9", ("CK,CKTILE",), ("CUTEDSL", "FLYDSL")),
        ("max_autotune_gemm_backends", "2.14", ("NVGEMM",), ("TRITON,FLYDSL",)),
        ("max_autotune_gemm_backends", "2.15", ("TRITON,FLYDSL",), ("ROCBLAS",)),
        ("max_autotune_conv_backends", "2.5", ("ATEN,TRITON",), ("CK",)),
        ("reorder_for_compute_comm_overlap_passes", "2.8", (["sink_waits"],), (["sink_waits_iterative"],)),
        ("functorch.activation_memory_budget_solver", "2.6", ("ilp",), ("dynamic_memory_budget_dp",)),
    ],
)
def test_a_setting_accepts_what_its_release_accepts(
    flag: str, release: str, accepted: tuple[object, ...], refused: tuple[object, ...]
) -> None:
    """A flag whose values became others takes only those of the release; the error names them."""
    type_ = find(flag, Release.named(release), "inductor").type
    assert all(accepts(type_, value) for value in accepted)
    assert not any(accepts(type_, value) for value in refused)


def test_every_fact_changes_with_the_release() -> None:
    """Name, aliases, default, status, variables and rules of a made-up module."""
    old, first, middle, new = (MADE_UP.at(Release.named(text)) for text in ("2.4", "2.7", "2.8", "2.12"))
    for name in ("limit", "size", "count"):
        assert [each.get(name).name for each in (old, first, new)] == ["count", "limit", "limit"]
    assert [each.aliases for each in (old, first, new)] == [{}, {"size": "limit"}, {}]
    assert [each.get("limit").default_value() for each in (old, middle, new)] == [8, 8, 16]
    assert [each.get("idle").status for each in (old, middle, new)] == ["active", "no-op", "no-op"]
    assert [each.get("idle").compile_ignored for each in (old, middle, new)] == [False, False, True]
    followers = [" ".join(each.followers) for each in (first, middle, new)]
    assert followers == ["LIMIT", "FORCE_LIMIT LIMIT", "FORCE_LIMIT"]
    levels = [{here.rule.code: here.level for here in each.rules} for each in (old, first, middle)]
    assert levels == [{"MU001": "warning"}, {"MU001": "warning", "MU002": "warning"}, {"MU001": "error"}]
    assert new.get("idle").inert == "made_up.idle does nothing in torch 2.12.1; use 'limit' instead"
    assert repr(new.get("limit")) == "Setting('made_up.limit', torch 2.12.1)"


def test_a_release_has_one_view(monkeypatch: pytest.MonkeyPatch) -> None:
    """For threads that ask first at the same time, and after many other releases: settings go by identity."""
    both = threading.Barrier(2)

    class Slow(View):
        def __init__(self, known: Catalogue, release: Release) -> None:
            both.wait(10)
            super().__init__(known, release)

    known, release = Catalogue(MADE_UP.name, MADE_UP.module, MADE_UP.topics), Release.named("2.8")
    with monkeypatch.context() as patch, ThreadPoolExecutor(2) as threads:
        patch.setattr("dynconf.catalogue.catalogue.View", Slow)
        first, second = threads.map(known.at, [release, release])
    assert first is second
    others = {known.at(Release.named(f"2.13.{patch_release}")) for patch_release in range(50)}
    assert len(others) == 50
    assert known.at(release) is first


def test_a_default_is_a_fresh_object() -> None:
    """Changing one that was handed out changes nothing for the next caller; a computed one is computed."""
    names = MADE_UP.at(Release.named("2.8")).get("names")
    names.default_value().clear()
    assert names.default_value() == ["a"]
    host = MADE_UP.at(Release.named("2.8")).get("host")
    assert host.is_computed
    assert host.default_value() == "x"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("limitt", ""),
        (
            "ancient",
            "'made_up.ancient' is gone: torch 2.0 was the last release to have it; use 'limit' instead",
        ),
        ("older", "'made_up.older' is gone: removed before torch 2.0; nothing replaces it"),
        ("brief", "'made_up.brief' is not in torch 2.4.1 yet: it was added in torch 2.5"),
    ],
)
def test_a_release_says_why_it_lacks_a_flag_of_another(name: str, why: str) -> None:
    """It has nothing to say of a name that no release has had."""
    assert MADE_UP.at(Release.named("2.4")).why_absent(name) == why


@pytest.mark.parametrize("module", MODULES)
def test_an_error_for_any_setting_names_value_source_and_expectation(module: str) -> None:
    """The reader learns which value to change, and where."""
    origin, wrong = Origin("env", "SOME_VARIABLE", "some text"), object()
    for setting in view(module=module).settings.values():
        error = setting.invalid(wrong, Mismatch("because"), origin)
        assert isinstance(error, InvalidValueError)
        assert error.flag == setting.newest
        assert str(error) == (
            f"{setting.newest}: 'some text' (from environment SOME_VARIABLE=some text) is not valid:"
            f" expected {setting.type.expected}; because"
        )
        assert short_repr(wrong) in str(setting.invalid(wrong, Mismatch()))
