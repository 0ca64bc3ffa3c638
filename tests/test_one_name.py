"""One name in every result: a flag goes by its newest name on every release, and every alias finds it."""

import json
from pathlib import Path

import pytest
from states import state_of

import dynconf
from dynconf.live.binding import bind
from dynconf.release import Release
from dynconf.store.diff import changes
from dynconf.store.saving import document, saved_document
from dynconf.store.snapshot import Snapshot, default_state
from dynconf.tools.show.exports import to_toml

RELEASES = ["2.4", "2.6", "2.13"]
NAMES = ("recompile_limit", "cache_size_limit", "dynamo.recompile_limit", "dynamo.cache_size_limit")
NEWEST, OLD = NAMES[:2]

each_release = pytest.mark.parametrize("release", RELEASES)
each_name = pytest.mark.parametrize("name", NAMES)


@each_release
@each_name
def test_states_snapshots_and_files(release: str, name: str) -> None:
    """Whatever name a value was given under, each form of a state has the newest, and any name finds it."""
    state = state_of(Release.named(release), **{name: 64})
    snapshot = Snapshot(state).only_set()
    assert list(snapshot) == list(snapshot.origins) == [NEWEST]
    assert {snapshot[each] for each in NAMES} == {64}
    assert len({snapshot.origins[each] for each in NAMES}) == 1
    assert list(document(snapshot.state)["flags"]) == list(saved_document(state, ())["flags"]) == [NEWEST]
    assert to_toml(snapshot.state).text == f"{NEWEST} = 64\n"
    defaults = default_state(release)
    assert {defaults[each] for each in NAMES} == {8}
    assert OLD not in list(defaults)
    assert [str(each) for each in changes(defaults.state, state)] == [f"{NEWEST}: changed, 8 to 64"]
    assert OLD not in repr(snapshot) + snapshot._repr_html_() + repr(state)


@each_release
@each_name
def test_commands(release: str, name: str, run_cli) -> None:
    """Every command that prints flags of a release: only the forms for bare torch have torch's spelling."""
    given = ("--set", f"{name}=64", "-t", release)
    dumped = json.loads(run_cli("dump", "--changed", "--format", "json", *given).out)["flags"]
    assert list(dumped) == [NEWEST]
    assert list(json.loads(run_cli("dump", name, "--format", "json", "-t", release).out)["flags"]) == [NEWEST]
    assert run_cli("dump", "--changed", "--format", "toml", *given).out == f"{NEWEST} = 64\n"
    assert run_cli("dump", "--changed", *given).out.splitlines()[1].startswith(f"{NEWEST} ")
    assert run_cli("dump", "-o", "state.json", *given).code == 0
    assert list(json.loads(Path("state.json").read_text())["flags"]) == [NEWEST]
    assert run_cli("dump", "-o", "state.toml", *given).code == 0
    assert OLD not in Path("state.toml").read_text()
    Path("other.json").write_text(json.dumps({name: 8}))
    found = run_cli("diff", "other.json", "state.json", "-t", release, "--format", "json")
    assert [each["flag"] for each in json.loads(found.out)["changes"]] == [NEWEST]
    python = run_cli("dump", "--changed", "--format", "python", *given).out
    assert (OLD in python) is (release != "2.13")


@each_release
@each_name
def test_messages(release: str, name: str, run_cli) -> None:
    """A mistake in a value names the flag by its newest name; the source says how it was spelt."""
    found = run_cli("dump", "--set", f"{name}=many", "-t", release)
    assert found.code == 2
    assert found.err.startswith(f"dynconf: error: {NEWEST}: 'many' (from option --set {name}=many)")
    Path("my.toml").write_text(f'{name.rpartition(".")[2]} = "many"\n')
    found = run_cli("check", "--config", "my.toml", "-t", release, "--format", "json")
    assert {each["flag"] for each in json.loads(found.out)["findings"]} == {NEWEST}


@each_name
def test_the_live_modules(name: str) -> None:
    """Snapshots, patches, installations, the audit, differences, and what a child process is given."""
    before = dynconf.snapshot()
    with dynconf.audit() as log, dynconf.patch({name: 64}) as patch:
        after = dynconf.snapshot()
        assert {after[each] for each in NAMES} == {64}
        assert {dynconf.dynamo.snapshot()[each] for each in NAMES} == {64}
        assert list(after.only_set()) == [NEWEST]
        assert [each.flag for each in dynconf.diff(before, after)] == [NEWEST]
        assert list(patch.changes) == [NEWEST]
        assert OLD not in repr(patch)
        dynconf.save("state.json")
    assert {each.flag for each in log.writes} == {NEWEST}
    assert list(json.loads(Path("state.json").read_text())["flags"]) == [NEWEST]
    assert list(dynconf.load("state.json")) == [NEWEST]
    with dynconf.install({name: 64}) as installation:
        assert list(installation.changes) == list(installation.origins) == [NEWEST]
        assert OLD not in repr(installation)
        assert dynconf.origin(bind().slot(name).name).kind == "install"
    assert [each.newest for each in dynconf.DynamoSettings(**{NEWEST: 64}).as_state().only_set()] == [NEWEST]


@each_name
def test_live_messages(name: str) -> None:
    """A refused value names the flag by its newest name."""
    for call in (dynconf.patch, dynconf.install, Snapshot):
        with pytest.raises(dynconf.InvalidValueError, match=rf"^{NEWEST}: 'many'") as caught:
            call({name: "many"})
        assert caught.value.flag == NEWEST
