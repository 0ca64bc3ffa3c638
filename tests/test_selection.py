"""Tests of `dynconf.selection`."""

import pytest
from states import assigned

import dynconf
from dynconf.errors import UnknownFlagError
from dynconf.modules import MODULES
from dynconf.names import views
from dynconf.release import Release
from dynconf.selection import live, modules_named, select
from dynconf.snapshot import Snapshot, effective

AT = Release.named("2.13")
DYNAMO, *OTHERS = views(AT)
FUNCTORCH = OTHERS[0]


def state_of(**values: object) -> Snapshot:
    """Return a state of all modules in which these flags are set, by their newest names."""
    settings = {**DYNAMO.settings, **FUNCTORCH.settings}
    layer = {settings[name]: value for name, value in values.items()}
    return effective(AT, assigned(layer))


def test_without_patterns_it_is_the_module_of_bare_names() -> None:
    """Its public flags that do something, and whatever is set, in any module."""
    names = select(state_of(dynamic_shapes=False, donated_buffer=False))
    shown = {each.name for each in DYNAMO.settings.values() if each.status not in ("internal", "no-op")}
    assert set(names) == shown | {"dynamic_shapes", "functorch.donated_buffer"}


def test_changed_is_what_something_sets() -> None:
    """In the order of the state; patterns narrow it down."""
    state = state_of(verbose=True, recompile_limit=3, donated_buffer=False)
    assert select(state, changed=True) == ["recompile_limit", "verbose", "functorch.donated_buffer"]
    assert select(state, ["*o*"], changed=True) == [
        "recompile_limit",
        "verbose",
        "functorch.donated_buffer",
    ]
    assert select(state, ["verb*", "repro_level"], changed=True) == ["verbose"]


def test_everything_has_internal_flags_no_ops_and_aliases() -> None:
    """Of the module of bare names; a pattern adds other modules."""
    assert select(state_of(), everything=True) == list(DYNAMO.names)
    others = [f"{view.catalogue.name}.{name}" for view in OTHERS for name in view.names]
    assert select(state_of(), ["*"], everything=True) == [*DYNAMO.names, *others]


def test_a_name_is_always_shown() -> None:
    """Old or new, of any module, and though the flag is a no-op."""
    assert select(state_of(), ["cache_size_limit"]) == ["recompile_limit"]
    assert select(state_of(), ["dynamic_shapes"]) == ["dynamic_shapes"]
    assert select(state_of(), ["functorch.donated_buffer"]) == ["functorch.donated_buffer"]


def test_every_pattern_that_matches_nothing_is_an_error() -> None:
    """All of them together, each with the reason."""
    with pytest.raises(UnknownFlagError) as caught:
        select(state_of(), ["verbos", "zzz*", "donated_buffer", "verbose"])
    messages = [str(error) for error in caught.value.errors]
    assert len(messages) == 3
    assert "did you mean 'verbose'?" in messages[0]
    assert "is a functorch flag" in messages[2]


def test_the_modules_that_patterns_name() -> None:
    """Names and globs of full names; a bare name is dynamo's."""
    assert modules_named([]) == ()
    assert modules_named(["verbose", "donated_buffer"]) == ("dynamo",)
    assert modules_named(["functorch.*"]) == ("functorch",)
    assert modules_named(["*"]) == MODULES


def test_live_has_every_flag_of_the_modules_that_are_wanted() -> None:
    """Otherwise of other modules only what is set, as in a snapshot."""
    with dynconf.patch(functorch={"donated_buffer": False}):
        assert live() == dynconf.snapshot()
        state = live(["functorch"])
    assert state.values["functorch.donated_buffer"] is False
    assert sum(name.startswith("functorch.") for name in state.values) > 10
