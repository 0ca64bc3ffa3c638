"""The fingerprint of a state: one short text that is equal exactly where compiled code would be."""

import hashlib
import json
from typing import Any

from dynconf.catalogue import FLAGS
from dynconf.catalogue.names import canonical, default_of
from dynconf.errors import InvalidValueError
from dynconf.state.snapshot import Snapshot, meant
from dynconf.values import Mismatch, as_json, checker, plain, same


def fingerprint_of(snapshot: Snapshot) -> str:
    """Return the sha256, as 64 hexadecimal digits, of what in a snapshot matters to compiled code.

    That is the torch release and every flag that torch does not leave out of its own hash, by its newest
    name; flags tied to one machine stay out. The full release counts, without what a build adds (``2.13.0``,
    not ``2.13.0+cpu``): flags never change between patch releases, but what the compiler makes of them does.

    A value equal to the release's default counts like one that nobody set. So defaults that torch works out
    from the machine are equal on all machines, and a file of a few flags equals the state that it came from.

    Raises:
        InvalidValueError: A value has no form that is equal in another process, such as a lambda.
    """
    flags = {
        canonical(name): _stable(name, value)
        for name, value in snapshot.values.items()
        if snapshot.origins[name].kind != "alias" and _matters(snapshot, name, value)
    }
    facts = {"torch": snapshot.torch, "flags": flags}
    text = json.dumps(facts, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _matters(snapshot: Snapshot, name: str, value: Any) -> bool:
    flag = FLAGS.get(name)
    if flag is None:
        # Newer than the catalogue: what nobody set is the release's, and that is in the fingerprint already.
        return snapshot.origins[name].kind != "default"
    if flag.host or flag.compile_ignored_in(snapshot.minor):
        return False
    return not same(_checked(name, value), default_of(name, snapshot.minor))


def _checked(name: str, value: Any) -> Any:
    """Return the value as the flag would take it (1 for a float is 1.0), or as it is where it would not."""
    try:
        return checker(FLAGS[name].type)(meant(name, value))
    except Mismatch:
        return value


def _stable(name: str, value: Any) -> Any:
    if isinstance(value, float):
        return value + 0.0  # there are two zeros, equal to everyone but in their text
    try:
        return plain(as_json(FLAGS[name].type, _checked(name, value)) if name in FLAGS else value)
    except (Mismatch, TypeError) as problem:
        raise InvalidValueError(
            f"{name}: {problem}; a state that holds it has no fingerprint that another process could repeat",
            flag=name,
        ) from None
