"""Attacks on everything that reads and writes files: run as ``python soak/files.py [--short] [--seed N]``.

Files, pickles and environments are made hostile, by hand and by chance, and given to every loader; processes
are killed while they save; four of them save while another loads. Prints how many were tried, refused and
accepted, and the violations: exceptions other than dynconf's (``raw``, which also counts messages with
characters that a terminal would act on, values that need trust, and as root what ``access.py`` finds with
other users), loaders that took over a second of the processor's time (``slow``), and files of which only a
part was there (``torn``). Exits with 1 if there are any.
"""

import argparse
import itertools
import json
import os
import pickle
import random
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import access
import hostile
import tomli_w

from dynconf.catalogue.flags.types import Mismatch
from dynconf.catalogue.modules import MODULES
from dynconf.catalogue.names import module_views
from dynconf.errors import DynconfError
from dynconf.release import Release
from dynconf.sources.discovery import CONFIG_VARIABLE, find_upwards
from dynconf.sources.gather import gather, read_found
from dynconf.sources.trust import risks_of
from dynconf.state import State
from dynconf.store.diff import read_for_diff
from dynconf.store.saving import read_state
from dynconf.store.snapshot import Snapshot
from dynconf.store.writing import write
from dynconf.tools.lint.environment import check_environment
from dynconf.tools.pasted.torch_saved_config import parse_saved_config, read_saved_config

AT = Release.named("2.13")
SLOWEST = 1.0
"""Seconds of the processor that any loader may take for any file."""

WORDS = [
    *("[", "]", "{", "}", "=", ".", ",", '"', "'", '"""', "'''", "#", "\n", "\\"),
    *("\x00", "\x1b[2J", "\u202e"),
    *("true", "0x" + "f" * 5_000, "9" * 5_000, "1e999", "nan", "null", "none", "dynconf", "missing", "flags"),
    *(
        "[tool.dynconf]",
        "[functorch]",
        "[inductor.triton]",
        "cpp.",
        "verbose",
        "recompile_limit",
        "cpp.cxx=/x",
        "os:system",
        "\ud800",
    ),
]


@dataclass
class Count:
    """The outcomes of one kind of attack."""

    tried: int = 0
    refused: int = 0
    accepted: int = 0
    raw: list[str] = field(default_factory=list)
    slow: list[str] = field(default_factory=list)
    torn: list[str] = field(default_factory=list)

    def attempt(self, title: str, load: Callable[[], object]) -> None:
        """Run a loader on a file, and count the outcome."""
        self.tried += 1
        start = time.process_time()
        try:
            loaded = load()
        except DynconfError as error:
            self.refused += 1
            if not all(line.isprintable() for line in str(error).split("\n")):
                self.raw.append(f"{title}: a message that is not printable: {error!r:.300}")
        except Exception:  # noqa: BLE001  any other exception is a violation, and is reported
            self.raw.append(f"{title}: {traceback.format_exc()[-900:]}")
        else:
            self.accepted += 1
            if loaded:
                self.raw.append(f"{title}: {loaded}")
        taken = time.process_time() - start
        if taken > SLOWEST:
            self.slow.append(f"{title}: {taken:.2f} s")

    @property
    def violations(self) -> list[str]:
        """Everything that must not happen."""
        return [*self.raw, *self.slow, *self.torn]


# Every loader takes a file and returns the problems of a result that it should have refused.


def loaders(path: Path) -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield every loader of a file, by name."""
    yield "find", partial(_found, path.parent)
    yield "config", lambda: _untrusted(_gathered({}, path))
    yield "variable", lambda: _untrusted(_gathered({CONFIG_VARIABLE: str(path)}, None))
    yield "load", partial(_state, path)
    yield "diff", lambda: read_for_diff(path, AT, "skip", str) and None
    yield "check", lambda: _checked(path)


def _found(folder: Path) -> None:
    read_found(find_upwards(folder), AT, "skip").checked()


def _gathered(environ: Mapping[str, str], config: Path | None) -> State:
    return gather(AT, environ=environ, config=config, missing="skip").checked()


def _state(path: Path) -> list[str]:
    return _untrusted(read_state(path, AT, "skip").state)


def _untrusted(state: State) -> list[str]:
    return [f"{setting} needs trust" for setting, each in state.items() if risks_of(setting, each.value)]


def _checked(path: Path) -> list[str]:
    report = check_environment({}, torch="2.13", config=path)
    return [finding.message for finding in report.findings if not finding.message.isprintable()]


# Attacks.


def documents() -> list[tuple[str, str]]:
    """Return good files, by suffix: every flag of Dynamo as settings, as a project, and as a saved state."""
    values = {}
    for setting in module_views(AT)[0].settings.values():
        try:
            data = setting.type.to_data(setting.default_value())
            tomli_w.dumps({"flag": data})
        except (Mismatch, TypeError):  # TOML has no null
            continue
        values[setting.qualified] = data
    few = {name: values[name] for name in ("verbose", "recompile_limit", "optimize_ddp", "debug_dir_root")}
    tables = {**few, "functorch": {"donated_buffer": True, "activation_memory_budget_solver": "greedy"}}
    tables["inductor"] = {"max_autotune": True, "triton": {"cudagraphs": True}, "cpp.threads": 2}
    state = {name: {"value": value, "origin": {"kind": "env"}} for name, value in values.items()}
    return [
        (".toml", tomli_w.dumps(tables)),
        (".toml", tomli_w.dumps({"tool": {"other": {"a.b": [1, {"c": 2}]}, "dynconf": tables}})),
        (".toml", tomli_w.dumps(values)),
        (".json", json.dumps(tables, indent=1)),
        (".json", json.dumps({"dynconf": 1, "torch": "2.13.0", "flags": state}, indent=1)),
        (".json", json.dumps({"dynconf": 1, "flags": {name: {"value": few[name]} for name in few}})),
    ]


def mutated(original: bytes, chance: random.Random, words: list[bytes]) -> bytes:
    """Return the original with a few parts cut out, repeated, replaced, inserted or flipped."""
    content = bytearray(original)
    for _ in range(chance.choice((1, 1, 2, 3, 8))):
        start = chance.randrange(len(content) + 1)
        end = min(len(content), start + int(chance.expovariate(1 / 12)))
        part = content[start:end]
        match chance.randrange(7):
            case 0:
                del content[start:end]
            case 1:
                content[start:start] = part * chance.choice((1, 2, 1_000))
            case 2:
                content[start:start] = chance.choice(words)
            case 3:
                content[start:end] = chance.choice(words)
            case 4 if start < len(content):
                content[start] ^= 1 << chance.randrange(8)
            case 5:
                other = chance.randrange(len(content) + 1)
                content[other:other] = part
            case 6:
                del content[start : None if chance.randrange(5) == 0 else start + 1]
    return bytes(content)


def mutated_files(count: Count, rounds: int, chance: random.Random, folder: Path) -> None:
    """Give mutated files to every loader."""
    words = [word.encode("utf-8", "surrogatepass") for word in WORDS]
    good = documents()
    for number in range(rounds):
        suffix, text = chance.choice(good)
        name = "dynconf.toml" if suffix == ".toml" else "state.json"
        if suffix == ".toml" and "[tool" in text:
            name = "pyproject.toml"
        path = folder / "mutated" / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(mutated(text.encode(), chance, words))
        for loader, load in loaders(path):
            count.attempt(f"mutated file {number}, {loader}", load)
        path.unlink()


def hostile_files(count: Count, share: int, chance: random.Random, folder: Path) -> None:
    """Give files that were made by hand to every loader; one in *share* of them."""
    names = {"dynconf.toml": hostile.TOML, "pyproject.toml": hostile.TOML, "state.json": hostile.JSON}
    cases = [(name, *case) for name, texts in names.items() for case in texts.items()]
    for name, title, text in cases[chance.randrange(share) :: share]:
        path = folder / "hostile" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        for loader, load in loaders(path):
            count.attempt(f"{title}, {loader}", load)
        path.unlink()
    for title, path in {"a pipe": folder / "pipe", "a device": Path("/dev/zero"), "a folder": folder}.items():
        if title == "a pipe":
            os.mkfifo(path)
        for loader, load in loaders(path):
            if loader != "find":
                count.attempt(f"{title}, {loader}", load)


def pickles(count: Count, rounds: int, chance: random.Random, folder: Path) -> None:
    """Give mutated pickles, and ten variants of each handmade one, to the reader of torch's configs."""
    flags = {name: value for name, value in json.loads(documents()[3][1]).items() if name not in MODULES}
    flags |= {"traceable_tensor_subclasses": set(), "allowed_functions_module_string_ignorelist": {"a", "b"}}
    flags |= {
        "compiled_autograd_kwargs_override": {"a": [1, (2.5, None)]},
        "gc_gen2_threshold_during_compile": 2**40,
    }
    good = pickle.dumps(flags, 2)
    words = [bytes([code]) for code in range(256)] + [
        hostile.SET,
        b"h\x00",
        b"q\x00",
        b"\x80\x04\x95",
        b"cos\nsystem\n",
    ]
    path = folder / "blob"
    for number in range(rounds):
        path.write_bytes(mutated(good, chance, words))
        count.attempt(f"mutated pickle {number}", lambda: read_saved_config(path, AT) and None)
    for title, body in hostile.PICKLES.items():
        for before, after in (
            (b"", b""),
            (b"\x80\x02", b""),
            (b"\x80\x02", b"."),
            (b"\x80\x04", b"."),
            (b"\x80\x02(", b"t."),
        ):
            for middle in (body, body * 2) if len(body) < 300 else (body,):
                blob = before + middle + after
                count.attempt(
                    f"pickle of {title}", lambda blob=blob: parse_saved_config(blob, "blob") and None
                )


def environments(count: Count, rounds: int, chance: random.Random) -> None:
    """Read environments with right, misspelt and hostile variables."""
    names = sorted({name for view in module_views(AT) for name in (*view.followers, *view.uniform_variables)})
    texts = [
        "",
        "0",
        "1",
        "true",
        "none",
        "x",
        "a,b",
        '{"a": 1}',
        "9" * 5_000,
        "\x1b[2J",
        "a\nb",
        "\udcff",
        "os:system",
    ]
    for number in range(rounds):
        chosen = chance.sample(names, chance.randrange(1, 12))
        environ = {_misspelt(name, chance): chance.choice(texts) for name in chosen}
        if chance.randrange(10) == 0:
            environ[CONFIG_VARIABLE] = chance.choice(
                ['{"verbose": true}', "{", "no such file", "/dev/zero", "a\x1bb"]
            )
        count.attempt(f"environment {number}", lambda environ=environ: _gathered(environ, None) and None)
        count.attempt(f"check of environment {number}", lambda environ=environ: _report_of(environ))


def _misspelt(name: str, chance: random.Random) -> str:
    if chance.randrange(10) < 7:
        return name
    at = chance.randrange(len(name))
    return name[:at] + chance.choice(("", "X", "\x1b", "\n", name[at].lower())) + name[at + 1 :]


def _report_of(environ: Mapping[str, str]) -> list[str]:
    findings = check_environment(environ, torch="2.13").findings
    return [finding.message for finding in findings if not finding.message.isprintable()]


# Saving.


def _state_of(number: int) -> str:
    flags = {name: {"value": number} for name in ("recompile_limit", "accumulated_recompile_limit")}
    return json.dumps({"dynconf": 1, "flags": flags}) + " " * 50_000


def _save_forever(path: Path) -> None:
    for number in itertools.count():
        write(path, _state_of(number))


def _started(work: Callable[[], None]) -> int:
    """Return a process that does the work until it is killed."""
    process = os.fork()
    if process == 0:
        try:
            work()
        finally:
            os._exit(1)
    return process


def _stopped(process: int) -> None:
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)


def _whole(count: Count, path: Path) -> None:
    count.tried += 1
    try:
        values = Snapshot(read_state(path, AT).state)
    except DynconfError as error:
        count.torn.append(str(error))
        return
    if values["recompile_limit"] != values["accumulated_recompile_limit"]:
        count.torn.append(str(values))
    else:
        count.accepted += 1


def kills(count: Count, rounds: int, chance: random.Random, folder: Path) -> None:
    """Kill a process at random while it saves: the file is whole."""
    folder = folder / "kills"
    folder.mkdir()
    path = folder / "state.json"
    write(path, _state_of(0))
    for _ in range(rounds):
        process = _started(partial(_save_forever, path))
        time.sleep(chance.uniform(0.001, 0.02))
        _stopped(process)
        _whole(count, path)
    write(path, "{}")
    count.torn += [f"{each} is left" for each in folder.iterdir() if each != path and each.suffix != ".part"]


def savers(count: Count, seconds: float, folder: Path) -> None:
    """Load while four processes save."""
    path = folder / "savers" / "state.json"
    path.parent.mkdir()
    processes = [_started(partial(_save_forever, path)) for _ in range(4)]
    try:
        while not path.exists():
            time.sleep(0.001)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            _whole(count, path)
    finally:
        for process in processes:
            _stopped(process)


def with_other_users(
    count: Count,
    attack: Callable[[int, random.Random, Path], Iterator[tuple[bool, str]]],
    rounds: int,
    chance: random.Random,
    folder: Path,
) -> None:
    """Count the outcomes of an attack in which other users take part."""
    for is_accepted, violation in attack(rounds, chance, folder):
        count.tried += 1
        count.accepted += is_accepted
        count.refused += not is_accepted
        count.raw += [violation] if violation else []


def main(arguments: list[str] | None = None) -> int:
    """Print the figures; return 1 if something happened that must not."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--short", action="store_true", help="a few seconds of each")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    options = parser.parse_args(arguments)
    share = 50 if options.short else 1
    chance = random.Random(options.seed)  # noqa: S311  chance, not secrets
    warnings.simplefilter("ignore")
    counts: dict[str, Count] = {}
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / ".git").touch()  # the search ends here
        os.chdir(folder)
        parts: dict[str, Callable[[Count], None]] = {
            "files made by hand": partial(
                hostile_files, share=16 if options.short else 1, chance=chance, folder=folder
            ),
            "mutated files": partial(mutated_files, rounds=5_000 // share, chance=chance, folder=folder),
            "pickles": partial(pickles, rounds=10_000 // share, chance=chance, folder=folder),
            "environments": partial(environments, rounds=1_000 // share, chance=chance),
            "kills while saving": partial(kills, rounds=200 // share, chance=chance, folder=folder),
            "4 savers, 1 loader": partial(savers, seconds=20 / share, folder=folder),
        }
        if access.AVAILABLE:
            folder.chmod(0o711)  # other users have to get through
            for title, attack in (
                ("files with ACLs", access.found_files),
                ("saves with ACLs", access.saved_files),
            ):
                parts[title] = partial(
                    with_other_users,
                    attack=attack,
                    rounds=5_000 // share,
                    chance=chance,
                    folder=folder / attack.__name__,
                )
        print(f"seed {options.seed}\n{'':20} tried  refused accepted   raw  slow  torn  seconds")
        try:
            for title, attack in parts.items():
                counts[title] = count = Count()
                start = time.monotonic()
                attack(count)
                figures = f"{count.tried:7} {count.refused:7} {count.accepted:8}"
                bad = f"{len(count.raw):5} {len(count.slow):5} {len(count.torn):5}"
                print(f"{title:18} {figures} {bad} {time.monotonic() - start:8.1f}", flush=True)
        finally:
            os.chdir(before)
    violations = [each for count in counts.values() for each in count.violations]
    for violation in violations[:20]:
        print(violation, file=sys.stderr)
    return int(bool(violations))


if __name__ == "__main__":
    sys.exit(main())
