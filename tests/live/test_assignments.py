"""Assignments of a program: which of them dynconf has seen, and what they mean for a saved state."""

import json
import threading
from pathlib import Path

import pytest
from live_state import LIMIT, RawState, bind, changed_at_each_instruction, config, mocked, torchs
from warm import Warm

import dynconf
from dynconf.live.assignments import watch_assignments
from dynconf.live.torch.storage import ABSENT
from dynconf.provenance import Origin


@pytest.fixture(autouse=True)
def _watching() -> None:
    """Have assignments recorded, as under an installation."""
    watch_assignments()


@pytest.mark.known_shape
def test_an_assignment_of_the_default_is_a_pin() -> None:
    """It counts as set, at its line, until the flag is reset."""
    config().verify_correctness = False
    assert list(dynconf.snapshot().only_set()) == ["verify_correctness"]
    found = dynconf.origin("verify_correctness")
    assert (found.kind, found.file) == ("assignment", __file__)
    dynconf.reset("verify_correctness")
    assert list(dynconf.snapshot().only_set()) == []


@pytest.mark.known_shape
def test_a_pin_is_saved_and_loaded_and_handed_on() -> None:
    """The same file means the same on a release with another default."""
    config().repro_level = 2
    config().verify_correctness = False
    dynconf.save("state.json")
    assert dict(dynconf.load("state.json")) == {"verify_correctness": False}
    assert json.loads(dynconf.child_env({})["DYNCONF_CONFIG"])["verify_correctness"] is False


@pytest.mark.known_shape
@pytest.mark.parametrize("patch", [torchs, mocked, lambda value, name: dynconf.patch({name: value})])
def test_a_patch_leaves_a_pin_below_it_and_makes_none(patch) -> None:
    """Torch's patch and mock put values back that nobody had set, as `load_config` does."""
    config().verify_correctness = False
    for name in ("verify_correctness", "suppress_errors"):
        with patch(True, name):
            pass
    with patch(False, "specialize_int"):
        assert dynconf.origin("specialize_int").kind in ("default", "patch")
    config().load_config({"verbose": False})
    assert list(dynconf.snapshot().only_set()) == ["verify_correctness"]


@pytest.mark.known_shape
def test_groups_and_other_modules_are_seen() -> None:
    """An assignment through a group of inductor's flags is one, too."""
    inductor = config("inductor")
    inductor.triton.cudagraphs = False
    inductor.max_autotune = False
    assert list(dynconf.snapshot().only_set()) == ["inductor.max_autotune", "inductor.triton.cudagraphs"]


@pytest.mark.known_shape
def test_a_pin_belongs_to_whom_the_override_belongs() -> None:
    """From torch 2.12 on to the thread, before to the process."""
    seen: list[list[str]] = []

    def assign() -> None:
        config().verify_correctness = False
        seen.append(list(dynconf.snapshot().only_set()))

    thread = threading.Thread(target=assign)
    thread.start()
    thread.join()
    here = [] if bind().storage.per_context else ["verify_correctness"]
    assert (seen, list(dynconf.snapshot().only_set())) == ([["verify_correctness"]], here)


@pytest.mark.known_shape
@pytest.mark.parametrize("shared", [False, True], ids=["", "in place"])
def test_a_pin_is_one_again_when_a_block_that_preserves_has_undone_another(*, shared: bool) -> None:
    """With the line that assigned it, also if the block has changed the value itself."""
    name = "traceable_tensor_subclasses" if shared else "verify_correctness"
    setattr(config(), name, bind().slot(name).default())
    before = dynconf.origin(name)
    with dynconf.preserve():
        if shared:
            getattr(config(), name).add(dict)
        setattr(config(), name, bind().slot(name).default())
        setattr(config(), name, {dict} if shared else True)
        assert dynconf.origin(name).line != before.line
    assert dynconf.origin(name) == before
    assert list(dynconf.snapshot().only_set()) == [name]


def line_of_assignment() -> int:
    """Assign the value that the patch around the call has; return the line."""
    config().verify_correctness = True
    return line_of_assignment.__code__.co_firstlineno + 2


@pytest.mark.known_shape
def test_an_assignment_of_the_value_of_a_patch_is_an_assignment() -> None:
    """It is the later one, and leaving the patch takes it back."""
    before, patch = RawState(), dynconf.patch(verify_correctness=True)
    with patch:
        line = line_of_assignment()
        assert dynconf.origin("verify_correctness") == Origin("assignment", None, None, __file__, line)
        with dynconf.patch(verify_correctness=True):
            assert dynconf.origin("verify_correctness").kind == "patch"
        assert dynconf.origin("verify_correctness").kind == "assignment"
    assert RawState() == before
    with patch:  # entered again, and nothing assigned
        assert dynconf.origin("verify_correctness").kind == "patch"


@pytest.mark.known_shape
def test_an_assignment_under_an_installation_is_a_pin_afterwards() -> None:
    """Of the flag that is installed, and of any other."""
    with dynconf.install(repro_level=3):
        config().repro_level = 2
        config().verify_correctness = False
    assert list(dynconf.snapshot().only_set()) == ["repro_level", "verify_correctness"]


@pytest.mark.known_shape
def test_pins_that_nobody_saw_count_where_they_are_asked_for() -> None:
    """They look like torch's leftovers; where a module cannot tell them from defaults, there are none."""
    can_tell = bind().storage.unset is not ABSENT
    with config().patch(
        replay_record_enabled=True
    ):  # which no test installs: torch's patch leaves nothing then
        pass
    expected = ["replay_record_enabled"] if can_tell else []
    assert list(dynconf.snapshot(pins=True).only_set()) == expected
    assert list(dynconf.dynamo.snapshot(pins=True).only_set()) == expected
    dynconf.save("state.json", pins=True)
    assert list(dynconf.load("state.json")) == expected
    dynconf.save("state.json")
    assert list(dynconf.load("state.json")) == []


@pytest.mark.known_shape
def test_containers_are_pins_only_where_they_were_assigned() -> None:
    """Reading one leaves a copy behind, so that every program would pin them."""
    name = "traceable_tensor_subclasses"
    getattr(config(), name)
    assert list(dynconf.snapshot(pins=True).only_set()) == []
    setattr(config(), name, bind().slot(name).default())
    assert list(dynconf.snapshot().only_set()) == [name]


def test_a_refused_assignment_is_none() -> None:
    """It raises as it would without dynconf."""
    with pytest.raises(AttributeError):
        config().no_such_flag = 1
    assert list(dynconf.snapshot().only_set()) == []


PROGRAM = f"""
import atexit, dynconf
atexit.register(lambda: dynconf.save("out.json"))
import torch._dynamo.config, torch._functorch.config, torch._inductor.config
torch._dynamo.config.{LIMIT} = 8
torch._dynamo.config.cache_size_limit = 8
torch._dynamo.config.suppress_errors = False
torch._inductor.config.pattern_matcher = True
torch._inductor.config.triton.cudagraphs = False
torch._inductor.config.fallback_random = True
torch._inductor.config.post_grad_custom_post_pass = lambda graph: None
torch._functorch.config.unlift_effect_tokens = True
with torch._inductor.config.patch(epilogue_fusion=False, pattern_matcher=False):
    pass
with torch._dynamo.config.patch(verbose=True, suppress_errors=True):
    pass
torch._dynamo.config.no_such_flag = 1
"""


@pytest.mark.real_torch
def test_a_program_under_run_saves_all_that_it_assigned(warm: Warm) -> None:
    """Defaults too, with their lines; the pass, which no file can contain, is named."""
    Path("repro.py").write_text(PROGRAM)
    done = warm.run("-m", "dynconf", "run", "repro.py")
    flags = json.loads(Path("out.json").read_text())["flags"]
    assert {name: entry["value"] for name, entry in flags.items()} == {
        "functorch.unlift_effect_tokens": True,
        "inductor.fallback_random": True,
        "inductor.pattern_matcher": True,
        "inductor.triton.cudagraphs": False,
        "recompile_limit": 8,
        "suppress_errors": False,
    }
    assert flags["inductor.pattern_matcher"]["origin"]["line"] == 8
    assert "inductor.post_grad_custom_post_pass is left out" in done.stderr
    assert "assignments.py" not in done.stderr  # in the traceback of the last line
    assert "no_such_flag does not exist" in done.stderr


def test_a_reset_forgets_while_other_threads_assign() -> None:
    """It ends without an error, although another flag is assigned for the first time meanwhile."""

    def assign_another() -> None:
        config().verbose = True

    def prepare() -> None:
        dynconf.reset("verbose")
        setattr(config(), LIMIT, 64)

    prepare()
    for _ in changed_at_each_instruction(lambda: dynconf.reset(LIMIT), assign_another, unit="line"):
        prepare()
    dynconf.reset()


@pytest.mark.filterwarnings("ignore::dynconf.errors.InertFlagWarning")
def test_torchs_warning_of_a_deprecated_flag_names_the_line_that_assigns_it() -> None:
    """Whoever listens to the assignment: an installation, a hold or an audit."""
    records = vars(config()).get("_config", {})
    name = next((each for each, record in records.items() if getattr(record, "deprecated", False)), None)
    if name is None:
        pytest.skip("no flag is deprecated in this release")
    with dynconf.install(verbose=True), dynconf.hold({name: True}), dynconf.audit():
        records[name]._deprecation_warned = False
        with pytest.warns(FutureWarning, match=name) as told:
            setattr(config(), name, True)
    assert [each.filename for each in told] == [__file__]
