"""Flags that torch fills in by itself."""

import pytest
from strategies import AWKWARD

from dynconf.flags.types import Mismatch, Opaque


def test_anything_is_accepted_as_it_is():
    """It is torch's own business; dynconf only passes it on."""
    assert all(Opaque().check(value) is value for value in AWKWARD)


def test_only_none_has_a_written_form():
    """Everything else would not come back as what it was."""
    assert Opaque().to_data(None) is None
    with pytest.raises(Mismatch, match="3 has no written form"):
        Opaque().to_data(3)
    with pytest.raises(Mismatch, match="'x' has no meaning"):
        Opaque().parse("x")
    assert Opaque().show_data({3}) == ["3"]
