"""Descriptions in a topic module: from an indented text to the summaries and details of records."""

import sys
from types import ModuleType

import pytest

from dynconf.catalogue.flags import described as described_module
from dynconf.catalogue.flags.described import Facts, described, texts_of
from dynconf.catalogue.flags.flag import Flag, by_release
from dynconf.catalogue.flags.risk import Risk
from dynconf.catalogue.flags.types import Bool, Int, Reference


def test_the_first_sentence_is_the_summary_and_the_rest_the_details() -> None:
    """Lines that belong together are indented; a summary may begin on the line after the name."""
    texts = """
plain: Does one thing.
triton.long:
    Does something that torch 2.6, e.g., did not.
    Needs 1.5 GB. It is
    slow.
"""
    assert dict(texts_of(texts)) == {
        "plain": ("Does one thing.", ""),
        "triton.long": ("Does something that torch 2.6, e.g., did not.", "Needs 1.5 GB. It is slow."),
    }


@pytest.fixture
def topic(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A topic of a config module with two flags, one of which is an old name."""
    derived, found = ModuleType("example._derived"), ModuleType("example.topic")
    derived.FLAGS = (  # type: ignore[attr-defined]
        Flag(name="limit", type=Int(), default=8),
        Flag(name="old_limit", type=Int(), default=8, renamed_to="limit"),
        Flag(name="triton.nobody_knows", type=Bool(), default=False),
    )
    monkeypatch.setitem(sys.modules, "example._derived", derived)
    monkeypatch.setitem(sys.modules, "example.topic", found)
    return found


def test_facts_by_hand_complete_the_derived_ones(topic: ModuleType) -> None:
    """An old name needs no description; a flag that nobody describes is listed under its nested class."""
    topic.DESCRIPTIONS = "limit: Sets a limit."  # type: ignore[attr-defined]
    topic.FACTS = {"limit": Facts(type=Int(0)), "old_limit": Facts()}  # type: ignore[attr-defined]
    records = described("example", "topic")
    summaries = {flag.name: flag.summary for flag in records["topic"]}
    assert summaries == {"limit": "Sets a limit.", "old_limit": "Old name of limit."}
    assert {flag.name: flag.type for flag in records["topic"]} == {"old_limit": Int(), "limit": Int(0)}
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
    topic: ModuleType, text: str, status: object, instead: str
) -> None:
    """The status is that of the text; the replacement is no part of the details."""
    topic.DESCRIPTIONS = f"limit: {text}"  # type: ignore[attr-defined]
    (flag,) = described("example", "topic")["topic"]
    assert (flag.status, flag.replacement) == (status, instead)
    assert "Instead" not in flag.summary + flag.details


@pytest.mark.parametrize("text", ["limt: Is misspelt.", "limit: One.\nlimit: Two.", "No name and no colon"])
def test_a_text_about_no_flag_is_for_the_generator_to_refuse(
    topic: ModuleType, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    """A description of a flag that no release has, or a second one of a flag; it stops no import."""
    monkeypatch.setattr(described_module, "ABOUT_NO_FLAG", [])
    topic.DESCRIPTIONS = text  # type: ignore[attr-defined]
    assert described("example", "topic")
    assert len(described_module.ABOUT_NO_FLAG) == 1


def test_a_risk_of_no_flag_is_for_the_generator_to_refuse(
    topic: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The register of risks may be about a flag that a newer release lost."""
    monkeypatch.setattr(described_module, "ABOUT_NO_FLAG", [])
    monkeypatch.setitem(described_module.RISKS, "example", {"limt": ()})
    topic.DESCRIPTIONS = "limit: One."  # type: ignore[attr-defined]
    assert described("example", "topic")
    assert described_module.ABOUT_NO_FLAG == ["example: limt"]


def test_a_flag_that_names_objects_calls_or_skips_them(
    topic: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So a file needs trust to set it, unless it has an entry in the register of risks."""
    monkeypatch.setitem(described_module.RISKS, "example", {"old_limit": ()})
    callable_ = Facts(type=Reference("callable"))
    topic.DESCRIPTIONS = "limit: One.\nold_limit: Two."  # type: ignore[attr-defined]
    topic.FACTS = {"limit": callable_, "old_limit": callable_}  # type: ignore[attr-defined]
    assert [flag.risks for flag in described("example", "topic")["topic"]] == [
        (Risk("call or skip objects"),),
        (),
    ]
