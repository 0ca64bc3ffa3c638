"""Flags that moved from one config module to another are found by either name, in every release."""

import pytest

from dynconf.catalogue import names
from dynconf.catalogue.modules import catalogue
from dynconf.release import RELEASES, Release

MOVES = [
    ("inductor.force_disable_caches", "compiler.force_disable_caches", "2.9"),
    ("inductor.custom_op_default_layout_constraint", "functorch.custom_op_default_layout_constraint", "2.8"),
    (
        "inductor.reorder_iterative_debug_limit_to_reorder",
        "comms.reorder_iterative_debug_limit_to_reorder",
        "2.10",
    ),
    (
        "inductor.sink_waits_iterative_debug_limit_to_sink",
        "comms.sink_waits_iterative_debug_limit_to_sink",
        "2.10",
    ),
]


@pytest.mark.parametrize(("old", "new", "since"), MOVES)
def test_a_flag_that_moved_is_found_by_both_names(old: str, new: str, since: str) -> None:
    """In releases before the move it is a setting of the old module, later one of the new module."""
    for release in map(Release.named, RELEASES):
        found = names.find(old, release)
        assert found is names.find(new, release)
        if found is not None:
            assert found.qualified == (new if release.minor >= Release.named(since).minor else old)


def test_a_name_that_only_forwards_means_the_flag_it_forwards_to() -> None:
    """`torch.compiler.config` has names of Dynamo's flags; they mean these, also before it had them."""
    for release in map(Release.named, RELEASES):
        found = names.find("recompile_limit", release)
        assert found is not None
        assert found is names.find("compiler.recompile_limit", release)
        assert found.module == "dynamo"


def test_a_release_says_where_a_name_leads() -> None:
    """A view names the flag of the other module; it has no setting of its own for the name."""
    view = catalogue("inductor").at(Release.named("2.13.0"))
    assert view.aliases["force_disable_caches"] == "compiler.force_disable_caches"
    assert view.get("force_disable_caches") is None
    assert view.why_absent("force_disable_caches") == (
        "'inductor.force_disable_caches' is 'compiler.force_disable_caches' in torch 2.13.0"
    )
