"""Tests of `dynconf.tools.show.explanation`."""

import pytest

from dynconf.catalogue.modules import MODULES, catalogue
from dynconf.catalogue.names import FLAGS
from dynconf.release import Release
from dynconf.state import State
from dynconf.tools.show.explanation import Explanation, explain, subject

AT = Release.named("2.13")


def test_every_name_of_every_flag_is_explained() -> None:
    """The explanation is that of the newest name, and has a default for each release that has the flag."""
    for module in MODULES:
        known = catalogue(module)
        for flag in known.flags.values():
            found = explain(flag.qualified, AT)
            assert found is not None
            newest = known.flags[known.canonical(flag.name)]
            assert found.flag is (FLAGS[newest.renamed_to] if newest.renamed_to else newest)
            assert (found.setting is None) <= bool(found.note)
            facts = found.as_json()
            assert facts["name"] == found.flag.qualified
            assert facts["defaults"]


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


@pytest.mark.parametrize(
    ("name", "note"),
    [
        ("verbose", ""),
        ("cache_size_limit", "'cache_size_limit' is an old name of 'recompile_limit'"),
        ("functorch.donated_buffer", ""),
        ("donated_buffer", "donated_buffer is a functorch flag"),
        ("allow_complex_guards_as_runtime_asserts", "no longer in torch 2.13.0"),
    ],
)
def test_a_note_says_how_the_flag_was_found_or_why_not(name: str, note: str) -> None:
    """An old name, a flag of another module, one that the release does not have; else nothing."""
    found = explain(name, AT)
    assert found is not None
    assert note in found.note
    assert bool(note) == bool(found.note)


@pytest.mark.parametrize("name", ["log_level", "verbos", "functorch.verbose", ""])
def test_what_no_release_in_the_catalogue_has_is_not_explained(name: str) -> None:
    """Flags that were removed before, misspelt ones, and flags of another module."""
    assert explain(name, AT) is None


def test_facts_are_those_of_the_release() -> None:
    """Status and default may differ between releases."""
    old, new = (explain("specialize_float", Release.named(each)) for each in ("2.5", "2.13"))
    assert old is not None
    assert new is not None
    before, after = old.as_json(), new.as_json()
    assert (before["default"], after["default"]) == (True, False)
    assert before["defaults"] == after["defaults"]
