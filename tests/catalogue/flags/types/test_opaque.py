"""Flags that torch fills in by itself."""

import pytest
from strategies import AWKWARD

import dynconf
from dynconf.catalogue.flags.types import InstanceOf, Mismatch, Opaque


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


class Origin:
    """Of the name of a class of dynconf, but of another module."""


def test_an_instance_of_a_class_is_known_by_the_name_of_the_class():
    """An object of it or of a subclass is accepted; one of another module is not, nor the class itself."""
    of_origin = InstanceOf("dynconf.provenance.Origin")
    subclass = type("Mine", (dynconf.Origin,), {})
    for value in (dynconf.Origin("default"), subclass("default")):
        assert of_origin.check(value) is value
    for value in (None, True, "x", Origin()):
        with pytest.raises(Mismatch, match=r"^$"):
            of_origin.check(value)
    with pytest.raises(Mismatch, match="did you mean an instance"):
        of_origin.check(dynconf.Origin)
    assert of_origin.expected == "an instance of dynconf.provenance.Origin"
    with pytest.raises(Mismatch):
        of_origin.parse("x")
