"""The rules over several flags, as data, in files, variables, keywords and ``explain``."""

import json
import os

import pytest
from rule_examples import BROKEN, SOUND

from dynconf.catalogue import FLAGS
from dynconf.catalogue.names import canonical, names_of
from dynconf.errors import ConflictError, ConflictWarning, DynconfWarning
from dynconf.model.settings import Settings
from dynconf.provenance import DEFAULT, Origin
from dynconf.rules import RULES, Rule, judged, rules_of
from dynconf.sources.gathering import gather
from dynconf.sources.keywords import read_keywords
from dynconf.values import Mismatch
from dynconf.versions import NEWEST, RELEASES, asked, minor

by_code = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)


def gathered(flags, release="2.13", environ=None):
    """Return what `gather` makes of keywords alone."""
    at = asked(release)
    given = read_keywords(flags, at, Origin("keyword", file="f.py", line=3))
    return gather(at, given, environ=environ or {}, config=os.devnull)


def newest_with(rule: Rule) -> str:
    """Return the newest release that has the rule."""
    return next(release for release in reversed(RELEASES) if rule.holds_in(minor(release)))


def test_codes():
    """Codes are in order, without gaps, and every rule has its examples here."""
    codes = [rule.code for rule in RULES]
    assert codes == [f"DC{number:03}" for number in range(1, len(RULES) + 1)]
    assert set(codes) == set(BROKEN) == set(SOUND)


@by_code
def test_rules_are_about_public_flags_by_their_newest_names(rule):
    """The flags of a rule are those of the catalogue, by newest names, and fields of the settings."""
    assert len(set(rule.flags)) == len(rule.flags) > 1
    for flag in rule.flags:
        assert canonical(flag) == flag
        assert flag in FLAGS
        assert flag in Settings.model_fields
        assert rule in rules_of(flag, minor(newest_with(rule)))


@by_code
def test_text_names_the_flags_and_the_source(rule):
    """What a rule says names one of its flags as the remedy, and where torch says so."""
    assert any(flag in rule.why for flag in rule.flags)
    assert rule.source.startswith("torch/")


@by_code
def test_defaults_break_no_rule(rule):
    """No release breaks a rule by its own defaults, save where one flag of the rule is off by default."""
    for release in RELEASES:
        if rule.holds_in(minor(release)):
            values = [gathered({}, release).values.get(flag) for flag in rule.flags]
            assert values == [None] * len(rule.flags)
            assert gathered({}, release).notes == ()


@by_code
def test_broken(rule):
    """Values that break a rule are refused or warned of, by code, with values and origins."""
    release = newest_with(rule)
    if rule.level_in(minor(release)) == "error":
        with pytest.raises(ConflictError) as caught:
            gathered(BROKEN[rule.code], release)
        message = str(caught.value)
    else:
        (note,) = gathered(BROKEN[rule.code], release).notes
        assert isinstance(note, ConflictWarning)
        message = str(note)
    assert message.startswith(f"{rule.code}: ")
    for flag, value in BROKEN[rule.code].items():
        assert f"{flag}={value!r} (keyword at f.py:3)" in message


@by_code
def test_sound(rule):
    """Values that keep a rule are taken without a word."""
    assert gathered(SOUND[rule.code], newest_with(rule)).notes == ()


@by_code
def test_rules_hold_only_where_all_their_flags_exist(rule):
    """A release that lacks a flag of a rule does not know the rule under any name."""
    for release in map(minor, RELEASES):
        holds = all(any(FLAGS[name].exists_in(release) for name in names_of(flag)) for flag in rule.flags)
        known = any(rule in rules_of(name, release) for flag in rule.flags for name in names_of(flag))
        assert known <= holds


def test_one_flag_alone_can_break_a_rule():
    """The other half of a rule may be torch's default, and the message says so."""
    (note,) = gathered({"cache_size_limit": 1000}).notes
    assert "recompile_limit=1000 (keyword at f.py:3) with accumulated_recompile_limit=256 (default)" in str(
        note
    )


def test_halves_from_different_sources():
    """The halves of a rule may come from different places, and each is named."""
    with pytest.raises(ConflictError) as caught:
        gathered({"compiled_autograd": True}, environ={"TORCHDYNAMO_OPTIMIZE_DDP": "no_optimization"})
    assert "environment TORCHDYNAMO_OPTIMIZE_DDP=no_optimization" in str(caught.value)
    assert "keyword at f.py:3" in str(caught.value)


def test_names_are_those_of_the_release():
    """A message for an older release calls the flags as that release does."""
    (note,) = gathered({"recompile_limit": 1000}, "2.6").notes
    assert str(note).startswith("DC005: cache_size_limit=1000")
    assert "accumulated_cache_size_limit=256" in str(note)


def test_level_by_release():
    """What torch refuses from 2.7 on only gives a warning for torch 2.6, which takes it."""
    assert len(gathered(BROKEN["DC001"], "2.6").notes) == 1
    with pytest.raises(ConflictError, match="DC001"):
        gathered(BROKEN["DC001"], "2.7")


def test_all_that_is_broken_is_told_together():
    """Several broken rules give one error that tells of all of them."""
    with pytest.raises(ConflictError) as caught:
        gathered({**BROKEN["DC001"], **BROKEN["DC002"]})
    assert [str(each)[:5] for each in caught.value.errors] == ["DC001", "DC002"]


def test_a_rule_speaks_only_of_what_is_set():
    """A state that breaks a rule gives no warning where none of the rule's flags is being set."""
    values = {**BROKEN["DC005"], "verbose": True}
    found = judged(rules_of("verbose", NEWEST), NEWEST, values.__getitem__, lambda flag: DEFAULT)
    assert (found.errors, found.warnings) == ((), ())


def test_unsuitable_values_are_not_judged():
    """A value that does not suit its flag, assigned behind dynconf's back, keeps a rule from being judged."""

    def value_of(flag):
        raise Mismatch

    assert judged(RULES, NEWEST, value_of, lambda flag: DEFAULT).errors == ()


def test_settings_refuse_and_warn():
    """Settings are judged when they are made, and nothing is made where they are refused."""
    with pytest.raises(ConflictError, match="DC002"):
        Settings(optimize_ddp="no_optimization", compiled_autograd=True, _torch="2.13")
    with pytest.warns(ConflictWarning, match="DC005") as caught:
        Settings(recompile_limit=1000, _torch="2.13")
    assert [each.filename for each in caught] == [__file__]
    assert issubclass(ConflictWarning, DynconfWarning)


def test_assignments_to_settings_are_judged():
    """An assignment is judged with what the settings hold; one that is refused changes nothing."""
    settings = Settings(compiled_autograd=True)
    with pytest.raises(ConflictError, match="DC002"):
        settings.optimize_ddp = False
    assert settings.optimize_ddp is True
    with pytest.warns(ConflictWarning, match="DC005") as caught:
        settings.recompile_limit = 1000
    assert [each.filename for each in caught] == [__file__]
    assert settings.recompile_limit == 1000


def test_files_are_judged(tmp_path):
    """A file whose entries cannot hold together is refused, with the line of each."""
    (tmp_path / "dynconf.toml").write_text('compiled_autograd = true\noptimize_ddp = "no_optimization"\n')
    with pytest.raises(ConflictError, match=r"dynconf\.toml:2.*dynconf\.toml:1"):
        Settings()


def test_dump_refuses_with_exit_code_2(run_cli):
    """``dynconf dump`` tells of a conflict without a traceback, and of a warning on stderr."""
    done = run_cli("dump", "--torch", "2.13", "--set", "optimize_ddp=0", "--set", "compiled_autograd=1")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("dynconf: error: DC002: optimize_ddp=False (option --set optimize_ddp=0)")
    done = run_cli("dump", "--torch", "2.13", "--changed", "--set", "recompile_limit=1000")
    assert done.code == 0
    assert "dynconf: warning: DC005" in done.err


def test_explain_has_a_line_for_each_rule(run_cli):
    """``dynconf explain`` shows the rules of a flag, in text and in JSON."""
    out = run_cli("explain", "optimize_ddp").out
    facts = json.loads(run_cli("explain", "optimize_ddp", "--format", "json").out)
    assert [rule["code"] for rule in facts["rules"]][:2] == ["DC002", "DC003"]
    for rule in facts["rules"]:
        (line,) = [line for line in out.splitlines() if line.strip().startswith(rule["code"])]
        assert rule["level"] in line
        assert rule["why"] in line
    assert json.loads(run_cli("explain", "verbose", "--format", "json").out)["rules"] == []
