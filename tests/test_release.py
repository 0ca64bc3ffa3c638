"""Which torch is meant: names of releases, and the one at hand."""

import pickle
import re
import sys
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynconf import release
from dynconf.errors import InvalidValueError
from dynconf.release import NEWEST, OLDEST, RELEASES, Release, minor


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
    "text", ["", "2", "two.six", "latest", ".6", "2.", "-2.6", "2 .6", "9" * 5000 + ".1", "٢.٦"]
)
def test_minor_refuses_what_is_not_a_version(text):
    """Text that does not begin with two numbers is shown in the error."""
    with pytest.raises(InvalidValueError, match="is not a torch release: expected one such as"):
        minor(text)


@given(st.text())
def test_any_text_is_a_release_or_refused(text):
    """No text makes `Release.named` raise anything but the documented error."""
    try:
        named = Release.named(text)
    except InvalidValueError:
        return
    assert named.minor in {minor(each) for each in RELEASES}


@pytest.mark.parametrize("version", RELEASES)
def test_a_short_version_means_the_newest_known_patch(version):
    """``2.6`` is the catalogue's patch of 2.6, and so is the full number itself."""
    short = version.rpartition(".")[0]
    for text in (short, version, f"v{short}", f"v{version}", f"{version}+cpu"):
        named = Release.named(text)
        assert (named.version, named.source, named.minor) == (version, "named", minor(version))


def test_another_patch_keeps_its_number():
    """Flags never change between patches, so 2.6.1 is answered for under its own number."""
    assert Release.named("2.6.1").version == "2.6.1"
    assert Release.named("2.6.1").minor == (2, 6)
    assert Release.named("2.5.1.post103+cu126").version == "2.5.1.post103"  # of conda-forge


@pytest.mark.parametrize(
    "version", ["2.3", "1.13.1", "2.99", "3.0.0", "2.13.banana", "2.13.0; true", "2.6.", "2.13.0\n2.6"]
)
def test_a_release_outside_the_catalogue_is_refused(version):
    """The error says which releases there are, or that the text does not name one."""
    known = f"covers {RELEASES[0]} to {RELEASES[-1]}"
    with pytest.raises(InvalidValueError, match=rf"{re.escape(known)}|is not a torch release"):
        Release.named(version)


def test_a_release_is_named_by_text():
    """A float is refused, because 2.10 would be 2.1."""
    for value in (2.10, 2, None, (2, 6), ["2.6"]):
        with pytest.raises(InvalidValueError, match="is not a torch release"):
            Release.named(value)


def test_releases_are_one_for_each_minor_version_oldest_first():
    """The list has no gap, and no minor version twice."""
    minors = [minor(version) for version in RELEASES]
    assert minors == [(2, number) for number in range(4, 4 + len(RELEASES))]
    assert (minors[0], minors[-1]) == (OLDEST, NEWEST)


@pytest.mark.parametrize(
    ("version", "facts", "beyond"),
    [
        ("2.2.0", OLDEST, False),
        ("3.1.0", NEWEST, True),
        ("2.9.1", (2, 9), False),
        (RELEASES[-1], NEWEST, False),
    ],
)
def test_the_nearest_release_answers_for_one_that_the_catalogue_does_not_know(version, facts, beyond):
    """A torch that is older or newer than all of them gets the facts at that end."""
    assert Release(version, "installed").minor == facts
    assert Release(version, "installed").is_beyond_catalogue is beyond


def test_releases_of_one_version_are_equal():
    """However they were chosen: the views of a release are found by it."""
    releases = {Release("2.13.0", "loaded"), Release.named("2.13"), Release("2.13.0", "installed")}
    assert len(releases) == 1
    assert Release("2.13.0", "loaded") != Release("2.13.1", "loaded")
    assert pickle.loads(pickle.dumps(Release.named("2.6"))) == Release.named("2.6.0")  # noqa: S301  our own


@pytest.fixture
def no_torch(monkeypatch, tmp_path):
    """No torch is loaded or installed; returns a function that installs one."""
    release.installed_build.cache_clear()
    monkeypatch.delitem(sys.modules, "torch", raising=False)
    monkeypatch.setattr(release, "torch_folder", lambda: str(tmp_path))
    yield lambda version: (tmp_path / "version.py").write_text(f"cuda: Optional[str] = None\n{version}\n")
    release.installed_build.cache_clear()


@pytest.mark.parametrize(
    ("loaded", "installed", "version", "source"),
    [
        (SimpleNamespace(__version__="2.7.1+cu126"), "2.8.0", "2.7.1", "loaded"),
        (None, "2.8.0+cpu", "2.8.0", "installed"),  # torch need not be imported
        (SimpleNamespace(), "2.8.0", "2.8.0", "installed"),  # in the middle of its import
        (None, None, RELEASES[-1], "newest"),  # a guess
    ],
)
def test_the_release_at_hand(no_torch, monkeypatch, loaded, installed, version, source):
    """The torch that is loaded, else the installed one, else the newest; the build tag does not count."""
    if installed:
        no_torch(f"__version__ = '{installed}'")
    if loaded:
        monkeypatch.setitem(sys.modules, "torch", loaded)
    found = Release.at_hand()
    assert (found.version, found.source, found.minor) == (version, source, minor(version))


def test_the_release_at_hand_is_found_again_at_once():
    """The same object each time: views are looked up by it on every call."""
    assert Release.at_hand() is Release.at_hand()
