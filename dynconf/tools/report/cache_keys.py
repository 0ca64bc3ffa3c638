"""The keys of compiled graphs in caches, as torch and vLLM record them, read as data.

The key of Inductor's cache is a hash of some 635 parts for each graph, and torch writes them all to
``TORCH_TRACE`` as the components of a hit or a miss, in torch 2.4 of a hash::

    V1123 01:01:30 ... {"artifact": {"name": "fx_graph_cache_miss", "encoding": "json"}, "frame_id": 0, ...}
        {"key": "fpnh3x...", "components": ["[cev5...] inductor_config[epilogue_fusion]: True", ...]}

Each has a hash of its own in front, and those are compared: a text may contain an address that differs, in a
part that does not. vLLM writes its factors to ``cache_key_factors.json``, as nested tables.
"""

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from dynconf.catalogue.flags.types import PlainData
from dynconf.catalogue.names import find
from dynconf.errors import StateFileError
from dynconf.release import Release
from dynconf.sources.files import read_bytes
from dynconf.tools.pasted.pasted import VLLM_HASHES, Part, json_object, key_parts

_LARGEST = 2**31
"""How many bytes of a folder are read."""

_LONGEST_LINE = 2**26
"""How many bytes a line may have; that of the components has the whole graph in it."""

_LARGEST_KEY = 2**24
"""How many bytes a file of one key may have."""

_ARTIFACT = re.compile(
    rb'"artifact": \{"name": "(fx_graph_cache_(?:hit|miss|hash)|torch\._functorch\.config)"'
)

Key = Mapping[str, Part]
"""The parts of the key of one graph, by name."""


def recorded_keys(path: str | os.PathLike[str]) -> list[Key] | None:
    """Return the cache keys that a file or a folder records, one for each graph; None for a state."""
    place = Path(path)
    try:
        place.stat()
    except (OSError, ValueError) as problem:  # a ValueError if there is a null character in it
        raise StateFileError(f"{place} cannot be read: {getattr(problem, 'strerror', problem)}") from None
    if place.is_dir():
        # vLLM writes one for each rank and part of the model.
        if factors := sorted(place.rglob("cache_key_factors.json")):
            return [key for each in factors for key in recorded_keys(each) or ()]
        return _traced_keys(sorted(place.rglob("*.log")), str(place))
    if place.suffix == ".log":
        return _traced_keys([place], str(place))
    if place.suffix != ".json":
        return None
    data = json_object(read_bytes(str(place), most=_LARGEST_KEY))
    if data is None:
        return None  # whoever reads it as a state says why it is none
    if isinstance(data.get("components"), list):
        return [dict(key_parts(data["components"], Release.at_hand()))]
    return [dict(_leaves(data))] if data.keys() & VLLM_HASHES else None


def _leaves(data: object) -> Iterator[tuple[str, Part]]:
    """Yield the leaves of vLLM's JSON by dotted names."""
    tables = [("", data)]  # a list, because data may be nested more deeply than functions can call themselves
    while tables:
        name, table = tables.pop()
        pairs: Iterable[tuple[object, object]] = ()
        if isinstance(table, dict):
            pairs = table.items()
        elif isinstance(table, list):
            pairs = enumerate(table)
        else:
            yield name, Part(json.dumps(table), table)
        tables += [(f"{name}.{key}" if name else str(key), each) for key, each in pairs]


def _traced_keys(files: list[Path], name: str) -> list[Key]:
    """Return the keys in logs of TORCH_TRACE, in the order in which the graphs were compiled."""
    found: list[Key] = []
    functorch: dict[str, Part] = {}
    release = Release.at_hand()
    try:
        # Opening a pipe would wait for its other end.
        files = [file for file in files if file.is_file()]
        if sum(file.stat().st_size for file in files) > _LARGEST:
            raise StateFileError(f"{name} has more than {_LARGEST // 2**30} GiB of logs: name one of them")
        for file in files:
            with file.open("rb") as lines:
                for artifact, payload in _artifacts(lines):
                    data = json_object(payload)
                    if data is None:  # a log of a process that was killed ends anywhere
                        continue
                    if artifact == b"torch._functorch.config":
                        functorch = dict(_functorch_parts(data, release))
                    elif isinstance(data.get("components"), list):
                        found.append(dict(key_parts(data["components"], release)) | functorch)
    except OSError as problem:
        raise StateFileError(f"{problem.filename or name} cannot be read: {problem.strerror}") from None
    if not found:
        raise StateFileError(
            f"{name} has no cache keys: expected logs that torch writes into the folder of TORCH_TRACE, with"
            " a graph that Inductor compiled; one found in AOTAutograd's cache records none"
        )
    return found


def _artifacts(lines: BinaryIO) -> Iterator[tuple[bytes, bytes]]:
    """Yield the name and the payload of each artifact of interest; the payload is on indented lines."""
    artifact = b""
    payload: list[bytes] = []
    while line := lines.readline(_LONGEST_LINE):
        if line.startswith(b"\t"):
            payload += [line] if artifact else []
            continue
        if artifact:
            yield artifact, b"".join(payload)
        match = _ARTIFACT.search(line)
        artifact, payload = match[1] if match else b"", []
    if artifact:
        yield artifact, b"".join(payload)


def _functorch_parts(data: Mapping[str, Any], release: Release) -> Iterator[tuple[str, Part]]:
    for name, value in data.items():
        setting = find(name, release, "functorch")
        if setting is not None and setting.public:
            shown = PlainData().show_data(value)
            yield setting.newest, Part(json.dumps(shown), shown, setting)
