"""The fingerprint of a state: equal exactly if compiled code would be."""

import json
import logging
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from states import AT, SETTINGS, a_set_of_objects, assigned, names_of, newer, state_of
from strategies import values
from warm import Warm, cold

import dynconf
from dynconf.catalogue.flags.flag import fact_in
from dynconf.catalogue.flags.types import is_same_value
from dynconf.catalogue.modules import catalogue
from dynconf.catalogue.names import find
from dynconf.errors import EnvironmentWarning, InvalidValueError
from dynconf.live.binding import bind
from dynconf.provenance import Origin
from dynconf.release import RELEASES, Release
from dynconf.state import State
from dynconf.store.fingerprint import fingerprint
from dynconf.store.ignore import NOTHING
from dynconf.store.saving import read_state, saved_document, text_of
from dynconf.store.snapshot import Snapshot, with_defaults
from dynconf.store.writing import write

RELEVANT = [each for each in SETTINGS if not each.compile_ignored and not each.flag.machine_dependent]
ROOT = Path(__file__).parents[2]


@given(data=st.data())
def test_different_relevant_states_differ(data: st.DataObject) -> None:
    """Two values of a flag that matters to compiled code have two fingerprints, equal values one."""
    setting = data.draw(st.sampled_from(RELEVANT))
    first, second = data.draw(values(setting.type)), data.draw(values(setting.type))
    prints = [fingerprint(state_of(**{setting.name: value})) for value in (first, second)]
    assert (prints[0] == prints[1]) is is_same_value(_settled(first), _settled(second))


def _settled(value: object) -> object:
    return float(value) if isinstance(value, float) else value


@given(data=st.data())
def test_irrelevant_flags_do_not_count(data: st.DataObject) -> None:
    """Flags that need no recompilation, and flags tied to the machine, leave the fingerprint as it is."""
    setting = data.draw(st.sampled_from([each for each in SETTINGS if each not in RELEVANT]))
    value = data.draw(values(setting.type))
    assert fingerprint(state_of(**{setting.name: value})) == fingerprint(state_of())


@given(data=st.data())
def test_a_saved_state_has_the_fingerprint_its_origin(data: st.DataObject) -> None:
    """A file with the flags that were set is the same state, so it has the same fingerprint."""
    setting = data.draw(st.sampled_from(RELEVANT))
    state = state_of(**{setting.name: data.draw(values(setting.type))})
    write("state.json", text_of(saved_document(state, NOTHING)))
    assert fingerprint(read_state("state.json", AT).state) == fingerprint(state)


OF_2_7 = Release.named("2.7")


@pytest.mark.parametrize(
    ("one", "same"),
    [
        (
            state_of(specialize_int=True, recompile_limit=3),
            state_of(recompile_limit=3, specialize_int=True),
        ),
        (state_of(recompile_limit=8), state_of()),
        (state_of(modules=["dynamo"]), state_of()),
    ],
    ids=["set in another order", "set to its default", "without modules in which nothing is set"],
)
def test_states_that_compile_alike_have_one_fingerprint(one: State, same: State) -> None:
    """However they came about."""
    assert fingerprint(one) == fingerprint(same)


def test_both_zeros_are_one_value() -> None:
    """They are equal in every comparison and every diff; only their text differs."""
    setting = find("functorch.activation_memory_budget", AT)
    prints = {fingerprint(assigned({setting: value})) for value in (0.0, -0.0)}
    assert len(prints) == 1
    assert prints != {fingerprint(State(AT))}
    inner = find("compiled_autograd_kwargs_override", AT)
    assert len({fingerprint(assigned({inner: {"a": [value]}})) for value in (0.0, -0.0)}) == 1


@pytest.mark.catalogued
def test_an_implied_value_follows_from_its_cause() -> None:
    """A file may have both, or only the flag that implies the other: it is one configuration."""
    release = Release.named("2.15")
    numerics = find("inductor.numerics", release)
    casts = find("inductor.emulate_precision_casts", release)
    cause, both = {numerics: "strict"}, {numerics: "strict", casts: True}
    assert fingerprint(assigned(cause, release=release)) == fingerprint(assigned(both, release=release))
    assert fingerprint(assigned({casts: True}, release=release)) != fingerprint(State(release))


def test_the_release_counts() -> None:
    """Two releases never share compiled code, so each has a fingerprint of its own."""
    assert len({fingerprint(state_of(Release.named(release))) for release in RELEASES}) == len(RELEASES)
    patched = with_defaults(State(Release.named("2.13.1")))
    assert fingerprint(patched) != fingerprint(state_of())


@pytest.mark.catalogued
def test_defaults_worked_out_from_the_machine_do_not_count() -> None:
    """A default that torch computes, such as the threshold of the garbage collector, is equal everywhere."""
    release = Release.named("2.15")
    assert "gc_gen2_threshold_during_compile" in names_of(state_of(release))
    assert fingerprint(state_of(release)) == fingerprint(State(release))


def test_a_flag_of_a_file_that_does_not_count_is_told() -> None:
    """The release lacks it, so that the fingerprint is that of the other flags."""
    release, file = Release.at_hand(), Path("state.json")
    name = next(
        each for each in ("enrich_profiler_metadata", "dynamo_profiler") if find(each, release) is None
    )
    flags = {name: {"value": False}, "specialize_int": {"value": True}}
    file.write_text(json.dumps({"dynconf": 1, "torch": "2.6.0", "flags": flags}))
    with pytest.warns(EnvironmentWarning, match=name) as told:
        assert fingerprint(file) == fingerprint({"specialize_int": True})
    assert told[0].filename == __file__


def test_in_place_changes_of_a_set_that_is_set_count() -> None:
    """Settings with such a set are another state; a snapshot cannot be changed."""
    settings = dynconf.DynamoSettings(reorderable_logging_functions=set())
    before = fingerprint(settings)
    settings.reorderable_logging_functions.add(print)
    assert fingerprint(settings) != before
    state = Snapshot(state_of(ignore_logging_functions=set()))
    before = fingerprint(state)
    state["ignore_logging_functions"].add(print)
    assert fingerprint(state) == before


def test_what_another_process_could_not_reproduce_is_refused() -> None:
    """A lambda has no name that means the same elsewhere; the error names the flag."""
    with pytest.raises(InvalidValueError, match=r"ignore_logging_functions.*lambda"):
        fingerprint(state_of(ignore_logging_functions={lambda: 1}))
    with pytest.raises(InvalidValueError, match="_custom_ops_profile"):
        fingerprint(state_of(_custom_ops_profile=object()))


def test_flags_newer_than_the_catalogue_count_when_set() -> None:
    """A flag that only the live torch knows is part of the state once somebody has set it."""
    rest = newer(1, Origin("default"))
    assert len({fingerprint(each) for each in (newer(1), newer(2), rest)}) == 3
    assert fingerprint(rest) == fingerprint(State(AT))


PROGRAM = """
import logging
from dynconf.store.fingerprint import fingerprint
from dynconf.catalogue.names import setting
from dynconf.provenance import Origin
from dynconf.release import Release
from dynconf.state import SettingValue, State
at = Release.named("2.13")
functions = {print, logging.info, logging.debug, logging.error, logging.warning}
entry = SettingValue(functions, Origin("assignment"))
print(fingerprint(State(at, {setting("ignore_logging_functions", at): entry})))
"""


def test_equal_in_every_process() -> None:
    """The seed of hashes, which orders sets, does not reach the fingerprint."""
    programs = (cold("-c", PROGRAM, PYTHONPATH=str(ROOT), PYTHONHASHSEED=seed) for seed in ("1", "2", "3"))
    found = {done.stdout.strip() or done.stderr for done in programs}
    functions = {print, logging.info, logging.debug, logging.error, logging.warning}
    assert found == {fingerprint(state_of(ignore_logging_functions=functions))}


LIVE = """
import importlib, sys
for module in sys.argv[1:]:
    importlib.import_module(module)
import dynconf
print(dynconf.fingerprint(), "torch._inductor.config_comms" in sys.modules)
"""


@pytest.mark.since("2.9")  # the first with a module that nothing else imports
@pytest.mark.real_torch  # the processes have the installed torch
def test_equal_whichever_modules_happen_to_be_loaded(warm: Warm) -> None:
    """A module that nobody has imported counts with its defaults and the values from the environment."""
    variables = {"PYTORCH_SINK_WAITS_LIMIT": "3", "TORCHINDUCTOR_MAX_AUTOTUNE": "1"}
    state = {"inductor.max_autotune": True, "comms.sink_waits_iterative_debug_limit_to_sink": 3}
    state["comms.env_str"] = "3"
    for environ, expected, is_loaded in ({}, {}, False), (variables, state, True):
        done = warm.run("-c", LIVE, **environ)
        assert done.stdout == f"{fingerprint(expected)} {is_loaded}\n", done.stderr
        done = warm.run("-c", LIVE, "torch._inductor.config", "torch._inductor.config_comms", **environ)
        assert done.stdout == f"{fingerprint(expected)} True\n", done.stderr


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("inductor.max_autotune", True),
        ("inductor.triton.cudagraphs", True),
        ("fx.symbol_guard_limit_before_specialize", 3),
    ],
)
def test_flags_of_every_module_count(name: str, value: object) -> None:
    """They count in every form of a state, and live."""
    with dynconf.patch({name: value}):
        found = {fingerprint(), fingerprint(dynconf.snapshot()), fingerprint({name: value})}
    assert len(found) == 1
    assert found != {fingerprint({})}
    module, _, flag = name.partition(".")
    assert fingerprint(dynconf.CompileSettings(**{module: {flag: value}})) in found


def test_what_torch_leaves_out_of_its_cache_key_does_not_count() -> None:
    """Traces and caches change no compiled code; passes do, whatever they are in that key."""
    here = Release.at_hand()
    settings = catalogue("inductor").at(here).settings
    for name in ("trace.enabled", "fx_graph_cache", "autotune_local_cache"):
        is_left_out = fact_in(settings[name].flag.cache_key_ignored, here.minor)
        other = {f"inductor.{name}": not settings[name].default_value()}
        assert (fingerprint(other) == fingerprint({})) is is_left_out, name
    assert fingerprint({"inductor.post_grad_custom_post_pass": logging.info}) != fingerprint({})


def test_a_default_of_another_machine_does_not_count() -> None:
    """Not in a snapshot that was taken there, nor in a file of all its flags."""
    setting = catalogue("inductor").at(AT).settings["layout_opt_default"]
    there = {setting: "2" if setting.default_value() != "2" else "1"}
    taken = assigned(there, Origin("default"))
    assert fingerprint(taken) == fingerprint(State(AT))
    write("state.json", text_of(saved_document(taken, NOTHING, everything=True)))
    assert fingerprint(read_state("state.json", AT, trust=True).state) == fingerprint(taken)
    assert fingerprint(assigned(there)) != fingerprint(taken)


def test_fingerprint_sees_what_is_assigned_and_what_is_changed_in_place() -> None:
    """Assignments from outside dynconf count, and so does a change inside a value; debugging flags do not."""
    config, before = bind().module, fingerprint()
    config.verbose = not config.verbose
    assert fingerprint() == before
    config.specialize_int = True
    changed = fingerprint()
    assert changed != before
    getattr(config, a_set_of_objects()).add(logging.Logger)
    assert fingerprint() not in (before, changed)
