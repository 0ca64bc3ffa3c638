"""Blobs of torch's own save_config(): read as data, never executed."""

import copyreg
import logging
import os
import pickle
import pickletools
import struct
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from states import origins_of, values_of
from strategies import JSON, TEXTS

import dynconf
from dynconf.errors import StateFileError
from dynconf.release import Release
from dynconf.tools.pasted.torch_saved_config import parse_saved_config, read_saved_config

DATA = (
    JSON
    | st.sets(TEXTS)
    | st.frozensets(st.integers(-(2**127), 2**127 - 1))
    | st.tuples(TEXTS, st.floats(allow_nan=False), st.booleans())
)


@given(flags=st.dictionaries(TEXTS, DATA))
def test_containers_and_scalars_are_read(flags: dict[str, object]) -> None:
    """Dicts, lists, sets, tuples, texts and numbers come back as torch pickled them."""
    assert parse_saved_config(pickle.dumps(flags, 2), "blob") == flags
    shared = {"a": flags, "b": [flags, flags]}
    assert parse_saved_config(pickle.dumps(shared, 2), "blob") == shared


@pytest.mark.parametrize("protocol", [0, 1, 3, 4, 5])
def test_other_protocols_are_refused(protocol: int) -> None:
    """All releases of torch write protocol 2; others have more opcodes, or frames to hide them in."""
    with pytest.raises(StateFileError, match=r"blob is not .* protocol 2"):
        parse_saved_config(pickle.dumps({"verbose": True}, protocol), "blob")


def test_what_torch_itself_writes_is_read(tmp_path) -> None:
    """By every config module: the file does not say which one it is of, its flags do."""
    from torch._dynamo import config
    from torch._functorch import config as functorch
    from torch._inductor import config as inductor

    path = tmp_path / "blob"
    modules = {"verbose": config, "inductor.max_autotune": inductor, "functorch.cse": functorch}
    if Release.at_hand().minor == (2, 4):
        del modules["verbose"]  # which cannot save: it would leave out a flag that it does not have
    with dynconf.patch(verbose=True, inductor={"max_autotune": True}, functorch={"cse": False}):
        for flag, module in modules.items():
            path.write_bytes(module.save_config())
            saved, left_out = read_saved_config(path, Release.at_hand())
            assert values_of(saved.state).keys() - dynconf.ignore.HOST == {flag}
            assert set(left_out) <= {"TYPE_CHECKING"}


def test_only_what_differs_from_the_defaults_is_set(tmp_path):
    """A blob has every flag. Names that are not flags are listed; flags of other releases are warned of."""
    flags = {
        "cache_size_limit": 99,
        "verbose": False,
        "dynamic_shapes": True,
        "skip_fsdp_hooks": True,
        "TYPE_CHECKING": False,
    }
    (tmp_path / "blob").write_bytes(pickle.dumps(flags, 2))
    saved, left_out = read_saved_config(tmp_path / "blob", Release.named("2.13"))
    assert values_of(saved.state) == {"recompile_limit": 99}
    assert origins_of(saved.state)["recompile_limit"].file == str(tmp_path / "blob")
    assert left_out == ["TYPE_CHECKING"]
    assert [note.flag for note in saved.warnings] == ["skip_fsdp_hooks"]


def test_wrong_values_are_refused(tmp_path):
    """The error names the file, as it does for a missing file."""
    twice = {"recompile_limit": 1, "cache_size_limit": 2}
    for flags, problem in (({"recompile_limit": "many"}, ": 'many'"), (twice, " is set twice")):
        (tmp_path / "blob").write_bytes(pickle.dumps(flags, 2))
        with pytest.raises(StateFileError, match=f"blob: .*recompile_limit{problem}"):
            read_saved_config(tmp_path / "blob", Release.named("2.13"))
    with pytest.raises(StateFileError, match="absent cannot be read"):
        read_saved_config(tmp_path / "absent", Release.named("2.13"))


class Evil:
    """Runs code while it is unpickled, if it can."""

    ran = False

    def __init__(self, *reduced: object) -> None:
        self.reduced = reduced

    def __reduce__(self) -> tuple[object, ...]:
        *call, items = (*self.reduced, None, None)[:4]
        return (*call, None if items is None else iter(items))  # type: ignore[call-overload]


def run() -> None:
    """Say that code ran."""
    Evil.ran = True


EVIL = {
    "call": Evil(run, ()),
    "eval": Evil(eval, ("1",)),
    "getattr": Evil(getattr, ("text", "upper")),
    "function": logging.info,
    "builtin": print,
    "class": Fraction,
    "instance": Fraction(1, 2),
    "complex": 1j,
    "set of functions": {print},
    "state of a set": Evil(set, ([],), {"a": 1}),
    "items of a set": Evil(set, ([],), None, [1]),
    "nested": [{"a": (Evil(run, ()),)}],
}


@pytest.mark.parametrize("evil", EVIL.values(), ids=EVIL.keys())
def test_anything_else_is_refused(evil: object) -> None:
    """Functions, classes, instances and calls are refused with the name of the file, and nothing runs."""
    blob = pickle.dumps({"verbose": evil}, 2)
    with pytest.raises(StateFileError, match="blob"):
        parse_saved_config(blob, "blob")
    assert not Evil.ran


def test_the_error_names_the_function() -> None:
    """With the remedy."""
    with pytest.raises(StateFileError, match=r"names __builtin__\.print.*module:qualname"):
        parse_saved_config(pickle.dumps({"ignore_logging_functions": {print}}, 2), "blob")


@pytest.mark.parametrize(
    "key",
    [
        b")" + b"\x85" * 1000,
        b"NN\x86" + b"".join(b"q%ch%c\x86" % (number, number) for number in range(18)),
        b"((NNtq\x00h\x00q\x01(" + b"h\x01" * 50 + b"t" + b"t",
        b"NN\x86",
    ],
    ids=["nested", "doubled", "fetched under a second number", "small"],
)
@pytest.mark.parametrize(("before", "behind"), [(b"", b"Ns."), (b"(NN", b"Nu.")], ids=["one", "among others"])
def test_a_key_that_is_no_scalar_is_never_hashed(key: bytes, before: bytes, behind: bytes) -> None:
    """Deep tuples would take the stack, and shared ones for ever."""
    with pytest.raises(StateFileError, match="not a scalar"):
        parse_saved_config(b"\x80\x02}" + before + key + behind, "blob")


def test_nothing_follows_the_end() -> None:
    """A second pickle, or anything else, behind the first one is no part of a saved config."""
    blob = pickle.dumps({"verbose": True}, 2)
    assert parse_saved_config(blob, "blob") == {"verbose": True}
    with pytest.raises(StateFileError, match="does not end where its value does"):
        parse_saved_config(blob + blob, "blob")


def test_registered_extensions_are_refused() -> None:
    """An object that a program registered under a short code stays out of reach, looked up already or not."""
    copyreg.add_extension("tests", "nothing", 0xF0)
    try:
        blob = b"\x80\x02\x82\xf0."
        assert next(pickletools.genops(blob[2:]))[0].name == "EXT1"
        copyreg._extension_cache[0xF0] = run  # type: ignore[attr-defined]
        with pytest.raises(StateFileError, match=r"opcode b'\\x82'"):
            parse_saved_config(blob, "blob")
    finally:
        copyreg._extension_cache.pop(0xF0, None)  # type: ignore[attr-defined]
        copyreg.remove_extension("tests", "nothing", 0xF0)


@pytest.mark.parametrize(
    "blob",
    [
        b"",
        b"verbose = true",
        b"\x80\x02}",
        b"\x80\xff}.",
        bytes(range(256)),
        pickle.dumps({"verbose": True})[:-3],
        pickle.dumps([1]),
        pickle.dumps({1: 2}),
        b"Pid\n.",
        b"(i__main__\nEvil\n.",
        b"\x80\x02]r" + struct.pack("<I", 2**32 - 1) + b".",
        b"]p99999999999999999999\n.",
        b"\x80\x04\x8e" + struct.pack("<Q", 2**62) + b".",
        b"L" + b"9" * 10_000 + b"L\n.",
        b"(" * 100_000,
        b"]" * 100_000 + b"a" * 99_999 + b".",
        b"c__builtin__\nset\n(]]atR.",
        b"cbuiltins\nset\nq\x00h\x00\x85R.",
    ],
    ids=repr,
)
def test_damaged_data_is_refused(blob: bytes) -> None:
    """Truncated, binary and absurd data end in a StateFileError, whatever is wrong with them."""
    with pytest.raises(StateFileError, match="blob"):
        parse_saved_config(blob, "blob")


@given(blob=st.binary())
def test_no_bytes_lead_to_another_error(blob: bytes) -> None:
    """Any bytes at all are either a dict of flags or a StateFileError."""
    for start in (b"", b"\x80\x02", b"\x80\x04}"):
        try:
            parse_saved_config(start + blob, "blob")
        except StateFileError as error:
            message = str(error)
        else:
            continue
        assert message.startswith("blob ")


def test_a_large_file_is_refused_unread(tmp_path) -> None:
    """A blob larger than any config is refused before it is looked through, and is not read to its end."""
    with pytest.raises(StateFileError, match="larger"):
        parse_saved_config(b"\0" * (2**20 + 1), "blob")
    with (tmp_path / "blob").open("wb") as file:
        file.truncate(2**40)
    with pytest.raises(StateFileError, match="larger"):
        read_saved_config(tmp_path / "blob", Release.named("2.13"))


@pytest.mark.parametrize("path", [os.devnull, "/dev/zero", "pipe", "."])
def test_only_regular_files_are_read(path, tmp_path) -> None:
    """Nothing waits for a pipe, or reads a device that has no end."""
    os.mkfifo("pipe")
    with pytest.raises(StateFileError, match="not a regular file"):
        read_saved_config(Path(path), Release.named("2.13"))
