"""Tests of `dynconf.tools.show.explanation`."""

import pytest

from dynconf.release import Release
from dynconf.state import State
from dynconf.tools.show.explanation import Explanation, subject


@pytest.mark.parametrize(
    ("variable", "release", "others"),
    [
        ("TORCH_COMPILE_DEBUG", "2.13", " also sets inductor.trace.provenance_tracking_level"),
        ("TORCH_COMPILE_DEBUG", "2.6", ""),
        ("TORCHINDUCTOR_MAX_AUTOTUNE", "2.13", ""),
    ],
)
def test_a_variable_names_all_its_flags(variable: str, release: str, others: str) -> None:
    """The page is that of the first; the note has the others of the release."""
    found = subject(variable, Release.named(release), State(Release.named(release)))
    assert isinstance(found, Explanation)
    assert found.note == (variable + others if others else "")
