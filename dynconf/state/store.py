"""The JSON form of a snapshot: what ``dynconf dump --format json`` prints and `save` writes."""

from collections.abc import Iterable, Mapping
from typing import Any

from dynconf.catalogue import FLAGS
from dynconf.catalogue.value_types import Opaque
from dynconf.sources.files import STATE_FORMAT
from dynconf.state.snapshot import Snapshot, default_of
from dynconf.values import Mismatch, as_json, shown


def document(
    snapshot: Snapshot, names: Iterable[str], marks: Mapping[str, Mapping[str, Any]] | None = None
) -> dict[str, Any]:
    """Return the JSON form of some of a snapshot's flags, for people and programs to look at.

    Args:
        snapshot: The state.
        names: The flags to write.
        marks: Further entries by flag, such as what bare torch would read.
    """
    entries = {name: {**_entry(snapshot, name), **(marks or {}).get(name, {})} for name in names}
    return {"dynconf": STATE_FORMAT, "torch": snapshot.torch, "flags": entries}


def _entry(snapshot: Snapshot, name: str) -> dict[str, Any]:
    entry = {"value": shown_as_json(name, snapshot.values[name])}
    if name in FLAGS:
        entry["default"] = shown_as_json(name, default_of(name, snapshot.minor))
    return {**entry, "origin": snapshot.origins[name].as_json()}


def shown_as_json(name: str, value: object) -> Any:
    """Return *value* as JSON; an object that has no name to be found again by is shown as text."""
    type_ = FLAGS[name].type if name in FLAGS else Opaque()
    try:
        return as_json(type_, value)
    except Mismatch:
        return sorted(map(shown, value)) if isinstance(value, (set, frozenset)) else shown(value)
