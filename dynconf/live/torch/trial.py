"""The trial of a storage in a torch newer than the catalogue: whether flags change as if they were assigned.

The problem: a release may keep all of torch's names and give one of them another meaning. An object in the
place of an override may then be an error in torch's own code, a write may go unseen, and a hash stay stale,
and nobody would know before the first installation. The idea: change one flag in every way that dynconf has,
and compare what torch shows. That is done in an empty context with a copy of the module, its twin, so that no
thread can see it::

    twin.x = True                     torch's value, hash and copies of it: what all others must come to
    write, hold, set default, install the same
    undo each                         what they were at first
"""

from contextvars import Context
from functools import partial
from types import SimpleNamespace
from typing import Any

from dynconf.live.torch.override import LayerValue, Override
from dynconf.live.torch.storage import ConfigStorage, write_unheard
from dynconf.provenance import DEFAULT


def passes(storage: ConfigStorage, twin: ConfigStorage) -> bool:
    """Tell whether a flag changes through its *twin* as if it were assigned, and not in *storage*."""
    # torch takes no object for a flag that others follow.
    implying = {source for rules in storage.implications.values() for source, *_ in rules}
    records, module = storage.records.items(), storage.module
    flags = [name for name, each in records if each.default is False and name not in implying]
    # Preferably one that is in the hash, or a stale hash would not be noticed.
    flags.sort(key=getattr(module, "_compile_ignored_keys", set()).__contains__)
    name = next((each for each in flags if getattr(module, each) is False), None)
    if name is None:
        return True
    try:
        return Context().run(_changes, twin, name) and getattr(module, name) is False
    finally:
        if getattr(module, name) is not False:  # the twin's is this module's after all
            write_unheard(module, name, False)


def _changes(twin: ConfigStorage, name: str) -> bool:
    access, unset = twin.access(name), twin.unset
    flags: list[Any] = [SimpleNamespace(name=name)]
    assign = partial(write_unheard, twin.module, name)
    stand_in = Override(access.read, access.write, unset, lambda: False)

    def write(value: Any) -> None:
        access.write(value)
        twin.mark_changed(flags)

    def hold(value: Any) -> None:
        twin.replace_outer_layers(name, value, unset)
        twin.expire_caches(flags)

    def set_default(value: Any) -> None:
        twin.replace_outer_layers(name, unset, value)
        twin.expire_caches(flags)

    def install(value: Any) -> None:
        twin.replace_override(name, stand_in)
        of_context = LayerValue(1, SimpleNamespace(is_for_context=True), value, DEFAULT)
        stand_in.replace_installed([] if value is unset else [of_context])
        twin.expire_caches(flags)

    before = _shown(twin, name)  # torch's caches are filled, and have to be renewed
    # An assignment and a write are undone by each other: they are to go to the same place.
    both = (assign, write), (write, assign)
    changed, undone = [], []
    for change, undo in (*both, (hold, hold), (set_default, set_default), (install, install), *both):
        change(True)
        changed.append(_shown(twin, name))
        undo(unset)
        undone.append(_shown(twin, name))
    is_same = all(each == changed[0] for each in changed) and all(each == before for each in undone)
    return changed[0][0] is True and is_same


def _shown(storage: ConfigStorage, name: str) -> tuple[Any, ...]:
    module: Any = storage.module
    return getattr(module, name), module.get_hash(), module.get_config_copy(), module.save_config()
