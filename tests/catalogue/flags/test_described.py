"""Descriptions of flags: from an indented text to the topics, summaries and details of records."""

import sys
from types import ModuleType
from typing import Any

import pytest

from dynconf.catalogue.flags import described as described_module
from dynconf.catalogue.flags.described import Facts, described, facts_by_flag, facts_of_words, texts_of
from dynconf.catalogue.flags.flag import Flag, by_release
from dynconf.catalogue.flags.risk import Risk
from dynconf.catalogue.flags.types import Bool, Choice, Int, Reference


def test_the_first_sentence_is_the_summary_and_the_rest_the_details() -> None:
    """Lines that belong together are indented; a summary may begin on the line after the name.

    A heading is the name of a topic in brackets.
    """
    text = """
[quick]: What is done at once.
plain: Does one thing.
triton.long:
    Does something that torch 2.6, e.g., did not.
    Needs 1.5 GB. It is
    slow.

"""
    assert dict(texts_of(text)) == {
        "[quick]": ("What is done at once.", ""),
        "plain": ("Does one thing.", ""),
        "triton.long": ("Does something that torch 2.6, e.g., did not.", "Needs 1.5 GB. It is slow."),
    }


def test_a_flag_has_all_the_facts_under_which_it_stands() -> None:
    """Each fact is written once, with the flags that it is true of."""
    table = {Facts(type=Int(0)): "a b", Facts(status="testing"): "b c"}
    assert facts_by_flag(table) == {
        "a": {"type": Int(0)},
        "b": {"type": Int(0), "status": "testing"},
        "c": {"status": "testing"},
    }


def test_words_come_with_their_releases() -> None:
    """The type of a release has those that came until then."""
    facts = facts_of_words(Choice, {"2.4": "a b", "2.7": "c"})
    assert facts.type == Choice(("a", "b", "c"))
    assert facts.type_by_release == by_release(Choice(("a", "b")), v2_7=Choice(("a", "b", "c")))


@pytest.fixture
def texts(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The descriptions of a config module with two flags, one of which is an old name, and one in a class."""
    derived, found = ModuleType("example._derived"), ModuleType("example.descriptions")
    facts = ModuleType("example.facts")
    facts.FACTS = {}  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "example.facts", facts)
    derived.FLAGS = (  # type: ignore[attr-defined]
        Flag(name="limit", type=Int(), default=8),
        Flag(name="old_limit", type=Int(), default=8, renamed_to="limit"),
        Flag(name="triton.nobody_knows", type=Bool(), default=False),
    )
    monkeypatch.setitem(sys.modules, "example._derived", derived)
    monkeypatch.setitem(sys.modules, "example.descriptions", found)
    return found


def facts_of(package: str) -> dict[str, dict[str, Any]]:
    """Return the facts by hand of a config module, to be added to."""
    found: dict[str, dict[str, Any]] = sys.modules[f"{package}.facts"].FACTS
    return found


def test_facts_by_hand_complete_the_derived_ones(texts: ModuleType) -> None:
    """An old name is where the new one is; a flag that nobody describes is listed under its nested class."""
    texts.DESCRIPTIONS = "[topic]: It.\nlimit: Sets a limit."  # type: ignore[attr-defined]
    facts_of("example")["limit"] = {"type": Int(0)}
    records = described("example")
    summaries = {flag.name: flag.summary for flag in records["topic"]}
    assert summaries == {"limit": "Sets a limit.", "old_limit": "Old name of limit."}
    assert {flag.name: flag.type for flag in records["topic"]} == {"limit": Int(0), "old_limit": Int()}
    assert [(flag.name, flag.described) for flag in records["triton"]] == [("triton.nobody_knows", False)]


@pytest.mark.parametrize(
    ("text", "status", "instead"),
    [
        ("No-op since torch 2.6; used to limit.", by_release("active", v2_6="no-op"), ""),
        ("No-op since torch 2.1; used to limit.\n    Instead: delete it", "no-op", "delete it"),
        ("No-op; used to limit. Instead: old_limit", "no-op", "old_limit"),
        ("Sets a limit.\n    More of it.\n    Instead: old_limit", "active", "old_limit"),
    ],
)
def test_a_text_says_since_when_a_flag_does_nothing_and_what_to_use_instead(
    texts: ModuleType, text: str, status: object, instead: str
) -> None:
    """The status is that of the text; the replacement is no part of the details."""
    texts.DESCRIPTIONS = f"[topic]: It.\nlimit: {text}"  # type: ignore[attr-defined]
    flag, _ = described("example")["topic"]
    assert (flag.status, flag.replacement) == (status, instead)
    assert "Instead" not in flag.summary + flag.details


@pytest.mark.parametrize("text", ["limt: Is misspelt.", "limit: One.\nlimit: Two.", "No name and no colon"])
def test_a_text_about_no_flag_is_for_the_generator_to_refuse(
    texts: ModuleType, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    """A description of a flag that no release has, or a second one of a flag; it stops no import."""
    monkeypatch.setattr(described_module, "ABOUT_NO_FLAG", [])
    texts.DESCRIPTIONS = text  # type: ignore[attr-defined]
    assert described("example")
    assert len(described_module.ABOUT_NO_FLAG) == 1


def test_a_risk_of_no_flag_is_for_the_generator_to_refuse(
    texts: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The register of risks may be about a flag that a newer release lost."""
    monkeypatch.setattr(described_module, "ABOUT_NO_FLAG", [])
    monkeypatch.setitem(described_module.RISKS, "example", {"limt": ()})
    texts.DESCRIPTIONS = "[topic]: It.\nlimit: One."  # type: ignore[attr-defined]
    assert described("example")
    assert described_module.ABOUT_NO_FLAG == ["example: limt"]


def test_a_flag_that_names_objects_calls_or_skips_them(
    texts: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So a file needs trust to set it, unless it has an entry in the register of risks."""
    monkeypatch.setitem(described_module.RISKS, "example", {"old_limit": ()})
    callable_ = {"type": Reference("callable")}
    texts.DESCRIPTIONS = "[topic]: It.\nlimit: One.\nold_limit: Two."  # type: ignore[attr-defined]
    facts_of("example").update(limit=callable_, old_limit=callable_)
    assert [flag.risks for flag in described("example")["topic"]] == [
        (Risk("call or skip objects"),),
        (),
    ]
