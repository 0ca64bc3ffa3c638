"""The facts of a flag in all releases, as one record."""

import json
from pathlib import Path
from typing import Any

import pytest

from dynconf._codegen.derived import derived
from dynconf.release import RELEASES


@pytest.fixture
def fixtures(tmp_path: Path) -> Any:
    """Return a function that writes the facts of one flag of dynamo, by the index of the release."""

    def write(facts: dict[int, dict[str, Any]]) -> Path:
        for index, release in enumerate(RELEASES):
            flags = {"made_up": facts[index]} if index in facts else {}
            content = json.dumps({"modules": {"dynamo": flags}})
            (tmp_path / f"{release}.json").write_text(content, encoding="utf-8")
        return tmp_path

    return write


def test_facts_that_changed_are_by_release(fixtures: Any) -> None:
    """A default and a variable have the releases in which they came and went; the type has room for None."""
    facts: dict[int, dict[str, Any]] = {index: {"default": 8} for index in range(1, 4)}
    facts[2] = facts[3] = {"default": None, "variables": {"MADE_UP": "integer"}}
    source = derived("dynamo", fixtures(facts))
    assert 'Variable("MADE_UP", "integer", since="2.6"' in source.replace("'", '"')
    assert "type=OrNone(Int()), default=by_release(8, v2_6=None), since='2.5', until='2.7'" in source


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ({0: {"default": 1}, 2: {"default": 1}}, "made_up disappeared and came back: it is in 2.4, 2.6"),
        ({0: {"default": 1, "depends_on": ["CI"]}}, "the default of made_up depends on"),
        ({0: {"default": 1, "variables": {"X": {"a": 2}}}}, "made_up: X is read by no known rule"),
    ],
)
def test_a_fact_that_no_record_can_hold_is_an_error(fixtures: Any, facts: Any, message: str) -> None:
    """It names the flag, so that the generator is extended and no fact is lost."""
    with pytest.raises(ValueError, match=message):
        derived("dynamo", fixtures(facts))
