"""Which torch is meant: parsing of releases, and the one at hand."""

import sys
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynconf import versions
from dynconf.errors import InvalidValueError
from dynconf.versions import NEWEST, OLDEST, RELEASES, AtHand, asked, at_hand, clamped, known, minor, plain


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        ("2.13.0", (2, 13)),
        ("2.6", (2, 6)),
        ("v2.10.0", (2, 10)),
        ("2.13.0+cpu", (2, 13)),
        ("2.14.0a0+git1a2b", (2, 14)),
        ("2.16.0.dev20261001+cu130", (2, 16)),
        (" 2.4.1 ", (2, 4)),
    ],
)
def test_minor_reads_the_versions_that_torch_has(version, expected):
    """Release, nightly, local and short versions all give major and minor number."""
    assert minor(version) == expected


@pytest.mark.parametrize(
    "text", ["", "2", "two.six", "latest", ".6", "2.", "-2.6", "2 .6", "9" * 5000 + ".1"]
)
def test_minor_refuses_what_is_no_version(text):
    """A text without two numbers in front is named in the error."""
    with pytest.raises(InvalidValueError, match="is no torch release: expected one such as"):
        minor(text)


@given(st.text())
def test_any_text_is_a_version_or_refused(text):
    """No text makes `known` raise anything but the documented error."""
    try:
        release = known(text)
    except InvalidValueError:
        return
    assert minor(release) in {minor(each) for each in RELEASES}


@pytest.mark.parametrize("release", RELEASES)
def test_a_short_version_means_the_newest_patch_known(release):
    """``2.6`` is the catalogue's patch of 2.6, and so is the full number itself."""
    short = ".".join(release.split(".")[:2])
    assert known(short) == known(release) == known(f"v{short}") == known(f"v{release}") == release


def test_another_patch_keeps_its_number():
    """Flags never change between patches, so that 2.6.1 is answered for under its own number."""
    assert known("2.6.1") == "2.6.1"
    assert known("2.13.0+cpu") == "2.13.0"


@pytest.mark.parametrize("version", ["2.3", "1.13.1", "2.99", "3.0.0", "2.13.banana", "2.13.0; true", "2.6."])
def test_a_release_outside_of_the_catalogue_is_refused(version):
    """The error says which releases there are, or that the text is no release."""
    with pytest.raises(InvalidValueError, match=r"2\.4\.1 to 2\.15\.0|is no torch release"):
        known(version)


def test_releases_are_one_for_each_minor_version_oldest_first():
    """The list has no gap and no minor version twice."""
    minors = [minor(release) for release in RELEASES]
    assert minors == [(2, number) for number in range(4, 4 + len(RELEASES))]
    assert (minors[0], minors[-1]) == (OLDEST, NEWEST)


def test_what_the_catalogue_does_not_know_is_answered_by_its_nearest_release():
    """A torch that is older or newer than all of them gets the facts at that end."""
    assert clamped("2.2.0") == OLDEST
    assert clamped("3.1.0") == NEWEST
    assert clamped("2.9.1") == (2, 9)


def test_plain_drops_what_a_build_adds():
    """The local part and white space go, the rest stays."""
    assert plain(" 2.13.0+cpu\n") == "2.13.0"


def test_the_loaded_torch_counts_first(monkeypatch):
    """A torch in sys.modules is the one at hand, whatever is installed."""
    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace(__version__="2.7.1+cu126"))
    assert at_hand() == AtHand("2.7.1", "loaded")
    assert at_hand().minor == (2, 7)


def test_without_a_loaded_torch_the_installed_one_counts(monkeypatch):
    """The distribution's metadata answer, so that torch need not be imported."""
    monkeypatch.delitem(sys.modules, "torch", raising=False)
    monkeypatch.setattr(versions, "_installed", lambda: "2.8.0")
    assert at_hand() == AtHand("2.8.0", "installed")


def test_without_any_torch_the_newest_known_release_counts(monkeypatch):
    """The source tells that it is a guess."""
    monkeypatch.delitem(sys.modules, "torch", raising=False)
    monkeypatch.setattr(versions, "_installed", lambda: None)
    assert at_hand() == AtHand(RELEASES[-1], "newest")


def test_a_torch_that_is_still_being_imported_is_no_answer(monkeypatch):
    """A module without a version, as in the middle of its import, is passed over."""
    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace())
    monkeypatch.setattr(versions, "_installed", lambda: "2.8.0")
    assert at_hand().source == "installed"


def test_asked_names_the_release_that_a_caller_named():
    """It is not taken for the one at hand."""
    assert asked("2.6") == AtHand("2.6.0", "asked")
