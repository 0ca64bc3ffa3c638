"""The binding to a live config module: which flags it has, by what names, and the slot of each."""

import importlib
import sys
from contextlib import suppress
from dataclasses import replace
from functools import cached_property, partial
from types import ModuleType
from typing import Literal, get_args, get_origin

from dynconf.catalogue import names
from dynconf.catalogue.catalogue import Catalogue, Setting
from dynconf.catalogue.flags.flag import Flag, qualified
from dynconf.catalogue.flags.types import (
    Bool,
    Choice,
    Float,
    Int,
    Mismatch,
    OrNone,
    PlainData,
    Text,
    ValueType,
)
from dynconf.catalogue.modules import MODULES, SHORT_NAMES, catalogue, module_path
from dynconf.errors import (
    DynconfWarning,
    InertFlagWarning,
    InvalidValueError,
    UncataloguedFlagWarning,
    UnknownFlagError,
    UnknownTorchWarning,
)
from dynconf.live.after_import import after_import, is_being_imported
from dynconf.live.chain import Chain, chain_for
from dynconf.live.torch.dicts import DictStorage
from dynconf.live.torch.generic import GenericStorage
from dynconf.live.torch.internals import DECLARED_TYPE, TRACE_RULES, RecordStorage, break_graphs_at
from dynconf.live.torch.slot import Slot
from dynconf.live.torch.storage import ConfigStorage
from dynconf.provenance import Caller, caller
from dynconf.release import Release

TYPED_BY_DEFAULT: dict[type, ValueType] = {
    bool: Bool(),
    int: Int(),
    float: Float(),
    str: Text(),
    type(None): OrNone(PlainData()),
}
"""The types of flags that are newer than the catalogue, by the type of their default; otherwise anything."""

NEW_FLAG = "{} is newer than dynconf's catalogue: values are checked only against its default"


UNKNOWN = (
    "torch {}: dynconf does not know how {} stores its flags, and sets them by plain assignment: a value"
    " equal to the default counts as not set, and what torch writes without the module's methods is not seen"
)


def known_storage(module: ModuleType, release: Release) -> ConfigStorage | None:
    """Return the storage of *module*, if it is of a known shape.

    A release beyond the catalogue may have kept all the names but changed the meaning of one. So its records
    must also pass a check, and dicts are no longer expected.
    """
    if not release.is_beyond_catalogue:
        kinds = RecordStorage, DictStorage
        return next((kind(module) for kind in kinds if kind.fits(module)), None)
    with suppress(Exception):  # whatever goes wrong in a check, torch is not as it was
        if RecordStorage.fits(module) and (storage := RecordStorage(module)).is_as_known():
            storage.level = "checked"
            return storage
    return None


class Binding:
    """A live config module."""

    def __init__(self, module: ModuleType, known: Catalogue) -> None:
        self.module = module
        self.catalogue = known
        self.release = Release.at_hand()
        self.view = known.at(self.release)
        self.storage = known_storage(module, self.release) or GenericStorage(module, self.view)
        self.slots: dict[str, Slot] = {}  # made so far, by every name that was asked for
        self._flags: list[Slot] = []

    @cached_property
    def chain(self) -> Chain:
        """The chain for its flags."""
        return chain_for(self.storage)

    def names(self) -> list[str]:
        """Return the names of all flags, aliases included."""
        return list(self.storage.records)

    def uncatalogued(self) -> frozenset[str]:
        """Return the flags of the module that are newer than the catalogue."""
        return frozenset(self.names()) - self.catalogue.flags.keys()

    def alias_of(self, name: str) -> str | None:
        """Return the qualified name of the flag that torch forwards *name* to, if it does."""
        path = self.storage.alias_of(name)
        return None if path is None else qualified(*self._place(path))

    def _place(self, path: str) -> tuple[str, str]:
        """Return the short name of the module in ``torch._dynamo.config.verbose``, and the bare name."""
        module, _, bare = path.rpartition(".")
        return SHORT_NAMES.get(module, module), bare

    def flags(self) -> list[Slot]:
        """Return the slots of all flags, sorted, without aliases."""
        if not self._flags:
            self._flags = [self.slot(name) for name in sorted(self.names()) if not self.alias_of(name)]
        return self._flags

    def saved_ignores(self) -> frozenset[str]:
        """Return the flags that torch's own ``save_config`` leaves out."""
        name = "_save_config_ignore"  # not every module has it
        return frozenset(self.slot(name).read()) if name in self.storage.records else frozenset()

    def slot(self, name: str) -> Slot:
        """Return the slot of the setting that *name* means, old or new, bare or with a module in front.

        Raises:
            UnknownFlagError: The live module has no such flag; the message says why.
        """
        slot = self.slots.get(name)
        if slot is None:
            slot = self._find(names.exact(name))
            if slot.storage is self.storage:
                # Threads that come first at the same time must get the same slot.
                slot = self.slots.setdefault(name, slot)
        return slot

    def _find(self, name: str) -> Slot:
        module, bare = names.split(name, self.catalogue.name)
        if module != self.catalogue.name:
            return bind(module).slot(bare)
        live = next((each for each in self.catalogue.names_of(bare) if each in self.storage.records), None)
        if live is None:
            moved = names.find(bare, self.release, self.catalogue.name)
            if moved is not None and moved.module != self.catalogue.name:
                return bind(moved.module).slot(moved.name)
            raise UnknownFlagError(names.why_unknown(name, self.release, self.catalogue.name), flag=name)
        path = self.storage.alias_of(live)
        if path is not None:
            target = self._place(path)
            is_lost = target[0] == self.catalogue.name and target[1] not in self.storage.records
            if is_lost or target[0] not in MODULES:
                raise UnknownFlagError(
                    f"{name}: torch forwards it to {path}, which is no flag that dynconf finds", flag=name
                )
            return self.slot(".".join(target))
        return self._new(live) if live == name else self.slot(live)

    def _new(self, name: str) -> Slot:
        setting = self.view.get(name)
        if setting is None or setting.name != name:  # the catalogue does not have it in this release
            flag = self.catalogue.flags.get(name) or self._new_flag(name)
            setting = Setting(flag, name, self.release)
        elif self.release.is_beyond_catalogue:
            setting = self._retyped(setting)
        warning: tuple[type[DynconfWarning], str] | None = None
        if name not in self.catalogue.flags:
            warning = UncataloguedFlagWarning, NEW_FLAG.format(setting.qualified)
        elif setting.inert:
            warning = InertFlagWarning, setting.inert
        return Slot(self.storage, setting, self.slot, warning)

    def _retyped(self, setting: Setting) -> Setting:
        """Return a setting that takes the words and the default of a torch newer than the catalogue."""
        declared = getattr(self.storage.records[setting.name], DECLARED_TYPE, None)
        words = get_args(declared) if get_origin(declared) is Literal else ()
        if isinstance(setting.type, Choice) and not {*words} <= {*setting.type.options}:
            type_ = Choice(tuple(dict.fromkeys((*setting.type.options, *words))))
            return Setting(replace(setting.flag, type=type_, type_by_release=None), setting.key, self.release)
        try:
            setting.type.check(self.storage.access(setting.name).default())
        except Mismatch:
            new = self._new_flag(setting.name)
            flag = replace(setting.flag, type=new.type, type_by_release=None, default=new.default)
            return Setting(flag, setting.key, self.release)
        return setting

    def _new_flag(self, name: str) -> Flag:
        default = self.storage.access(name).default()
        return Flag(
            name=name,
            type=TYPED_BY_DEFAULT.get(type(default), PlainData()),
            default=default,
            module=self.catalogue.name,
        )


_bindings: dict[str, Binding] = {}
_told: list[str] = []


def _import(name: str) -> ModuleType:
    """Import a part of torch; some variables keep it from being imported if torch cannot read their text."""
    try:
        return importlib.import_module(name)
    except (ValueError, AssertionError) as problem:
        raise InvalidValueError(
            f"torch cannot be imported: {type(problem).__name__}: {problem};"
            " `dynconf check` names the variable, if one is to blame"
        ) from problem


def bind(module: str = "dynamo", line: Caller | None = None) -> Binding:
    """Return the binding to a config module, by its short name; torch's module is imported on first use.

    Every thread gets the same one. If torch's internals are unknown, *line* gets a warning, once.

    Raises:
        InvalidValueError: torch cannot be imported, most likely because of a variable.
    """
    found = _bindings.get(module)
    if found is None:
        known = catalogue(module)
        # Threads that import parts of torch at the same time, in different orders, find modules half
        # imported. If all use one order, the import system makes each of them wait for the first. A module
        # that is already there is taken as it is: torch may be importing it at this moment, for `dynconf
        # run`.
        for name in ("torch", "torch._dynamo"):
            if name in sys.modules or known.module not in sys.modules:
                _import(name)  # which waits if another thread is importing it
        try:
            live = _import(known.module)
        except ModuleNotFoundError as error:
            if error.name != known.module:
                raise
            live = ModuleType(known.module)  # the release does not have it: a module without flags
        if not _bindings:  # the first one may be bound while Dynamo is still being imported
            # A patch in traced code breaks the graph, as torch's own does.
            after_import(TRACE_RULES, partial(break_graphs_at, "dynconf.live"))
        found = _bindings.setdefault(module, Binding(live, known))
        if found.storage.level == "generic" and found.storage.records and not _told:
            _told.append(live.__name__)
            (line or caller()).warn(UnknownTorchWarning(UNKNOWN.format(found.release.version, live.__name__)))
    return found


def unknown_storage() -> str:
    """Return the level of the modules bound so far, and its meaning, unless all have a known shape."""
    found = {binding.storage.level for binding in [*_bindings.values()] if binding.storage.records}
    level = next((level for level in ("generic", "checked") if level in found), "")
    return level and f"{level}: torch is newer than the catalogue, or was changed"


def newer_flags(release: Release, line: Caller | None = None) -> dict[str, Setting]:
    """Return the settings of the live modules that are newer than the catalogue, by full name."""
    if not release.is_beyond_catalogue:
        return {}
    slots = (
        binding.slot(name) for binding in (bind(line=line), *loaded(line)) for name in binding.uncatalogued()
    )
    return {slot.setting.qualified: slot.setting for slot in slots}


def can_bind(module: str) -> bool:
    """Tell whether `bind` would return without waiting for an import in progress, perhaps in this thread."""
    parts = (sys.modules.get(name) for name in ("torch", "torch._dynamo", module_path(module)))
    return module in _bindings or not any(part and is_being_imported(part) for part in parts)


def loaded(line: Caller | None = None) -> list[Binding]:
    """Return the bindings to the config modules that torch or the program has imported."""
    return [bind(module, line) for module in MODULES if sys.modules.get(module_path(module))]
