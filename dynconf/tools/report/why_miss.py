"""Why a compiled graph was not found in the cache: the parts in which two cache keys differ.

`cache_keys` reads the keys. The differences that are easiest to remove come first: flags that change
nothing, then other flags, and then everything else, such as the device.
"""

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from itertools import takewhile
from typing import Any

from dynconf.catalogue.catalogue import Setting
from dynconf.catalogue.flags.types import short_repr
from dynconf.catalogue.modules import KEYED
from dynconf.catalogue.names import find
from dynconf.errors import InvalidValueError
from dynconf.provenance import Origin, caller
from dynconf.release import Release
from dynconf.sources.calls import as_state
from dynconf.state import State
from dynconf.store.diff import Side, StateOrFile, changes, numerics_changes, side_of
from dynconf.text import printable
from dynconf.tools.pasted.pasted import Part, opened
from dynconf.tools.report.cache_keys import Key, recorded_keys

_OTHER_PARTS = (
    ("torch_version", "a different torch, or a different build of it"),
    ("system_info", "a different device, driver or Triton"),
    (
        "cuda_matmul_settings",
        "torch.backends.cuda.matmul: precision of matmuls and TF32; set them to the same values",
    ),
    ("deterministic_algorithms_settings", "torch.use_deterministic_algorithms; set it to the same value"),
    ("default_dtype", "torch.set_default_dtype; set it to the same value"),
    ("cpp_runtime_thread_count", "the number of threads on the CPU"),
    ("env", "an environment variable"),
    ("config", "vLLM's configuration"),
    ("compiler", "the compiler, or its options"),
    ("code", "the source of the model"),
    ("gm", "the graph: a different model, or different source"),
    ("graphs", "a different number of graphs: graph breaks, or recompilations"),
    ("example_inputs", "an input: its shape, strides, type or device"),
)
"""The meaning of parts that are not flags, by the beginning of their names, in the order of the result."""

_NOTHING = "in the key, changes nothing: set it to the same value"
_DEBUGGING = "in the key, for debugging only: set it to the same value"
_CODE = "changes compiled code"
_NOT_IN_KEY = "in no cache key"
_FLAG_VERDICTS = (_NOTHING, _DEBUGGING, _CODE, _NOT_IN_KEY)

_OTHER_PART = "part of the key, but not a flag"
_NUMERICS = "not a flag, but changes results: set it to the same value"


@dataclass(frozen=True, slots=True)
class KeyDifference:
    """One part in which two cache keys differ.

    Attributes:
        name: The flag by its newest name, or torch's name for the part.
        before: Its value in the first key, as JSON has it; None if the part is absent, too.
        after: The same for the second.
        is_flag: Whether it is a flag.
        verdict: Its meaning, and the remedy if there is one.
        origins: Where both values came from, as far as that is known.
        graphs: In how many graphs they differ.
    """

    name: str
    before: Any
    after: Any
    is_flag: bool
    verdict: str
    origins: tuple[Origin | None, Origin | None] = (None, None)
    graphs: int = 1

    def __str__(self) -> str:
        sides = (
            text + (f" ({origin})" if origin and origin.kind != "default" else "")
            for text, origin in zip(_apart(self.before, self.after), self.origins)
        )
        graphs = f" [{self.graphs} graphs]" if self.graphs > 1 else ""
        return printable(f"{self.name}: {' -> '.join(sides)}: {self.verdict}{graphs}")

    def as_json(self) -> dict[str, Any]:
        """Return it as a JSON object."""
        return {**asdict(self), "origins": [each and each.as_json() for each in self.origins]}


def _apart(before: object, after: object) -> tuple[str, str]:
    """Return two values as short texts; of long texts with one beginning, such as graphs, where they part."""
    texts = short_repr(before), short_repr(after)
    if texts[0] == texts[1] and isinstance(before, str) and isinstance(after, str):
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(before, after)))
        start = max(0, same - 20)  # some of what they have in common
        texts = f"...{short_repr(before[start:])}", f"...{short_repr(after[start:])}"
    return texts


class KeyDifferences(list[KeyDifference]):
    """The differences, one on each line when printed."""

    def __str__(self) -> str:
        return "\n".join(map(str, iter(self))) or "no part of the keys differs"


def why_miss(a: StateOrFile, b: StateOrFile, *, trust: bool = False) -> KeyDifferences:
    """Return the parts in which the cache keys of two runs differ, those that are easiest to remove first.

    Args:
        a: A folder that torch wrote for ``TORCH_TRACE``, or a file in it; the components of a key as JSON
            from tlparse; vLLM's ``cache_key_factors.json``; or a state, or a file with one.
        b: The same for the other run.
        trust: Whether files may set flags with risks: see `load`.

    Raises:
        StateFileError: A file cannot be read, or contains no cache keys.
        InvalidValueError: The two are not of the same kind.

    Example:
        >>> import dynconf
        >>> found = dynconf.why_miss({"inductor.verbose_progress": True}, {})
        >>> found[0].name, found[0].verdict
        ('inductor.verbose_progress', 'in the key, changes nothing: set it to the same value')
    """
    call_site = caller()
    keys = [recorded_keys(each) if isinstance(each, (str, os.PathLike)) else None for each in (a, b)]
    if keys[0] is not None and keys[1] is not None:
        return _ranked(_differing_parts(keys[0], keys[1]))
    if keys[0] is not None or keys[1] is not None:
        recorded, other = (a, b) if keys[0] is not None else (b, a)
        other_name = other if isinstance(other, (str, os.PathLike)) else short_repr(other)
        raise InvalidValueError(
            f"{recorded} has recorded cache keys, but {other_name} has none: compare two of one kind"
        )
    release = Release.at_hand()

    def read(given: StateOrFile) -> Side:
        if not isinstance(given, (str, os.PathLike)):
            return as_state(given, call_site), {}
        return side_of(opened(given, release, call_site.warn), release, "warn", call_site.warn, trust=trust)

    before, after = read(a), read(b)
    numerics = (
        KeyDifference(each.flag, each.before, each.after, False, _NUMERICS)
        for each in numerics_changes(before, after)
    )
    return _ranked([*_differing_flags(before[0], after[0]), *numerics])


def _ranked(differences: Iterable[KeyDifference]) -> KeyDifferences:
    order = [*_FLAG_VERDICTS, *(text for _, text in _OTHER_PARTS), _OTHER_PART, _NUMERICS]

    def rank(each: KeyDifference) -> tuple[int, str]:
        return order.index(each.verdict), each.name

    return KeyDifferences(sorted(differences, key=rank))


def _verdict(setting: Setting) -> str:
    """Return whether a flag changes compiled code, and whether it is in the key."""
    if setting.effect == "code":
        return _CODE
    if setting.is_in_no_key or setting.module not in KEYED:
        return _NOT_IN_KEY
    return _NOTHING if setting.effect == "nothing" else _DEBUGGING


def _differing_flags(before: State, after: State) -> Iterator[KeyDifference]:
    for change in changes(before, after):
        if change.kind == "renamed":
            continue
        settings = [find(change.flag, state.release) for state in (before, after)]
        setting = settings[1] or settings[0]
        origins = [
            state.origin(each) if each is not None and each in state else None
            for state, each in zip((before, after), settings)
        ]
        verdict = _verdict(setting) if setting else _CODE
        data = change.as_json()
        sides = data.get("before"), data.get("after")
        yield KeyDifference(change.flag, *sides, True, verdict, (origins[0], origins[1]))
    if before.release.version != after.release.version:
        versions = before.release.version, after.release.version
        yield KeyDifference("torch_version", *versions, False, _OTHER_PARTS[0][1])


def _differing_parts(before: list[Key], after: list[Key]) -> Iterator[KeyDifference]:
    """Compare keys graph by graph; a difference that many graphs have is one."""
    found: dict[tuple[str, str, str], KeyDifference] = {}
    counts: Counter[tuple[str, str, str]] = Counter()
    nothing = Part("", None)
    for old, new in _pairs(before, after):
        # A run that hit in AOTAutograd's cache records none of the flags that are in its key.
        unrecorded = {"functorch"} - (_modules(old) & _modules(new))
        names = sorted(old.keys() | new.keys())
        unequal = [each for each in names if old.get(each, nothing).digest != new.get(each, nothing).digest]
        explained = {f"{re.split('[.]', each)[0]}_hash" for each in unequal}  # by parts that are recorded
        for name in (each for each in unequal if each not in explained):
            first, second = old.get(name, nothing), new.get(name, nothing)
            setting = first.setting or second.setting
            if setting and setting.module in unrecorded:
                continue
            case = (name, first.digest, second.digest)
            counts[case] += 1
            part = re.split(r"[\[.]|_hash$", name)[0]
            verdict = _verdict(setting) if setting else dict(_OTHER_PARTS).get(part, _OTHER_PART)
            found[case] = KeyDifference(name, first.value, second.value, setting is not None, verdict)
    for case, each in found.items():
        yield replace(each, graphs=counts[case])
    if len(before) != len(after):
        yield KeyDifference("graphs", len(before), len(after), False, dict(_OTHER_PARTS)["graphs"])


def _modules(key: Key) -> set[str]:
    return {part.setting.module for part in key.values() if part.setting is not None}


def _pairs(before: list[Key], after: list[Key]) -> Iterator[tuple[Key, Key]]:
    """Pair the keys of equal graphs, and then the others in their order."""

    def graph(key: Key) -> tuple[str, ...]:
        return tuple(part.digest for name, part in key.items() if name.startswith(("gm", "example_inputs")))

    others = {number: graph(new) for number, new in enumerate(after)}
    alone = []
    for old in before:
        own = graph(old)
        same = next((number for number, each in others.items() if each == own), None)
        if same is None:
            alone.append(old)
        else:
            del others[same]
            yield old, after[same]
    yield from zip(alone, (after[number] for number in others))
