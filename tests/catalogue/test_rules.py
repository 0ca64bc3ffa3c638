"""The rules over several flags: judging states, and settings, files and commands that break a rule."""

import json

import pytest
from pydantic import ValidationError
from rule_examples import BROKEN, SOUND

from dynconf.catalogue import names
from dynconf.catalogue.modules import MODULES, catalogue
from dynconf.errors import ConflictError, ConflictWarning, DynconfWarning
from dynconf.provenance import Origin
from dynconf.release import RELEASES, Release
from dynconf.settings import DynamoSettings
from dynconf.sources.calls import read_keywords
from dynconf.sources.gather import gather
from dynconf.state import SettingValue, State

RULES = [(module, rule) for module in MODULES for rule in catalogue(module).rules]
by_code = pytest.mark.parametrize(("module", "rule"), RULES, ids=[rule.code for _, rule in RULES])


def gathered(flags, release="2.13", environ=None):
    """Return the state that `gather` makes from keywords alone."""
    at = Release.named(release)
    given = read_keywords(flags, at, Origin("keyword", file="f.py", line=3))
    return gather(at, given, environ=environ or {})


def newest_with(module, rule):
    """Return the rule as it applies in the newest release that has it."""
    views = (catalogue(module).at(Release.named(release)) for release in reversed(RELEASES))
    return next(here for view in views for here in view.rules if here.rule is rule)


def judge(flags, release="2.13"):
    """Return the problems of a state in which the flags have these values and all others their defaults."""
    at = Release.named(release)
    origin = Origin("keyword", file="f.py", line=3)
    state = State(at, {names.setting(name, at): SettingValue(value, origin) for name, value in flags.items()})
    return state.judged()


def test_codes():
    """Codes are in order within a module, without gaps."""
    for number, module in enumerate(MODULES):
        codes = [rule.code for rule in catalogue(module).rules]
        assert codes == [f"DC{100 * number + index:03}" for index in range(1, len(codes) + 1)]


@by_code
def test_rules_are_about_public_flags_by_their_newest_names(module, rule):
    """The flags of a rule are flags that users may set."""
    assert len(set(rule.flags)) == len(rule.flags) > 1
    for flag in rule.flags:
        assert catalogue(module).canonical(flag) == flag
        assert catalogue(module).flags[flag].public


@by_code
def test_text_names_the_flags_and_the_source(module, rule):
    """The text of a rule names one of its flags as the remedy, and the place in torch that shows it."""
    assert any(flag in rule.why for flag in rule.flags)
    assert rule.source.startswith("torch/")


@by_code
def test_a_broken_rule_is_told_with_values_and_origins(module, rule):
    """The error or warning has the code of the rule and the remedy."""
    here = newest_with(module, rule)
    (told,) = judge(BROKEN[rule.code], here.settings[0].release.version)
    assert isinstance(told, ConflictError if here.level == "error" else ConflictWarning)
    message = str(told)
    assert message.startswith(f"{rule.code}: ")
    assert message.endswith(rule.why)
    for flag, value in BROKEN[rule.code].items():
        assert f"{flag}={value!r} (keyword at f.py:3)" in message


@by_code
def test_a_kept_rule_is_not_mentioned(module, rule):
    """Values that go together are accepted without a word."""
    release = newest_with(module, rule).settings[0].release.version
    assert judge(SOUND[rule.code], release) == []


def test_names_are_the_newest_ones():
    """A message calls the flags by their newest names, whichever release it is for, as every result does."""
    (note,) = gathered({"recompile_limit": 1000}, "2.6").warnings
    assert str(note).startswith("DC005: recompile_limit=1000")
    assert "accumulated_recompile_limit=256" in str(note)


def test_level_by_release():
    """A combination that torch refuses from 2.7 on is only a warning for torch 2.6, which accepts it."""
    assert len(gathered(BROKEN["DC001"], "2.6").warnings) == 1
    with pytest.raises(ConflictError, match="DC001"):
        gathered(BROKEN["DC001"], "2.7").checked()


def test_all_that_is_broken_is_told_together():
    """Several broken rules give one error that tells of all of them, across modules."""
    with pytest.raises(ConflictError) as caught:
        gathered({**BROKEN["DC001"], **BROKEN["DC002"]}).checked()
    assert [str(each)[:5] for each in caught.value.errors] == ["DC001", "DC002"]
    found = judge({**BROKEN["DC001"], **BROKEN["DC005"], **BROKEN["DC103"]})
    assert {str(each)[:5]: type(each) for each in found} == {
        "DC001": ConflictError,
        "DC005": ConflictWarning,
        "DC103": ConflictWarning,
    }


def test_a_rule_is_told_once():
    """Even if several of its flags are set."""
    assert len(judge({"recompile_limit": 32, "accumulated_recompile_limit": 16})) == 1


def test_settings_refuse_and_warn():
    """Settings are judged when they are made; a conflict is an error, and a warning points at the line."""
    with pytest.raises(ValidationError, match="DC002"):
        DynamoSettings(optimize_ddp="no_optimization", compiled_autograd=True, _torch="2.13")
    with pytest.warns(ConflictWarning, match="DC005") as caught:
        DynamoSettings(recompile_limit=1000, _torch="2.13")
    assert [each.filename for each in caught] == [__file__]
    assert issubclass(ConflictWarning, DynconfWarning)


@pytest.mark.since("2.8")
def test_assignments_to_settings_are_judged():
    """Together with the other values; an assignment that is refused changes nothing."""
    settings = DynamoSettings(compiled_autograd=True)
    with pytest.raises(ValidationError, match="DC002"):
        settings.optimize_ddp = False
    assert settings.optimize_ddp is True
    with pytest.warns(ConflictWarning, match="DC005") as caught:
        settings.recompile_limit = 1000
    assert [each.filename for each in caught] == [__file__]
    assert settings.recompile_limit == 1000


@pytest.mark.since("2.8")
def test_files_are_judged(tmp_path):
    """A file whose entries contradict each other is refused, with the line of each."""
    (tmp_path / "dynconf.toml").write_text('compiled_autograd = true\noptimize_ddp = "no_optimization"\n')
    with pytest.raises(ValidationError, match=r"dynconf\.toml:2.*dynconf\.toml:1"):
        DynamoSettings()


def test_dump_refuses_with_exit_code_2(run_cli):
    """``dynconf dump`` shows the values, reports a conflict without a traceback, and warns on stderr."""
    done = run_cli("dump", "--torch", "2.13", "--set", "optimize_ddp=0", "--set", "compiled_autograd=1")
    assert done.code == 2
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
