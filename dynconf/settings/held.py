"""Settings that have been made: where their values come from, and what is done with them."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import PrivateAttr
from pydantic_settings import BaseSettings
from typing_extensions import Self, override

from dynconf.errors import UnknownFlagError
from dynconf.flags.types import same
from dynconf.live.install import Installation, Scope, install_layer
from dynconf.live.patch import Patch, patch_of
from dynconf.modules import catalogue
from dynconf.names import is_known
from dynconf.origin import DEFAULT, Caller, Origin, caller
from dynconf.release import Release
from dynconf.rules import check_rules
from dynconf.settings.display import Displayed, Origins
from dynconf.settings.fields import mutable_defaults
from dynconf.settings.plan import Plan
from dynconf.settings.sources import RUNNING, Construction, release_in_question
from dynconf.snapshot import Snapshot, set_by
from dynconf.sources.calls import read_keywords, read_values
from dynconf.sources.layer import Layer, without_internal
from dynconf.sources.merge import judged


def _origins_of(running: Construction | None) -> dict[str, Origin]:
    if running is None or running.layer is None:
        return {}
    return running.origins | {setting.key: origin for setting, origin in running.layer.origins.items()}


class Held(Displayed, BaseSettings):
    """Settings once they have been made; `Settings` is about how they are."""

    _module: ClassVar[str]
    _plan: ClassVar[Plan]
    _release: Release = PrivateAttr(default_factory=release_in_question)
    _origins: dict[str, Origin] = PrivateAttr(default_factory=lambda: _origins_of(RUNNING.get()))

    @classmethod
    def _of_this_module(cls, layer: Layer) -> Layer:
        """Return the layer; a flag of another config module is a mistake in it."""
        others = [setting for setting in layer.values if setting.module != cls._module]
        errors = [
            UnknownFlagError(
                f"{setting.qualified} (from {layer.origins[setting]}) is not a flag of {cls._module}:"
                f" use dynconf.{setting.module}, or dynconf.install({setting.module}={{...}})",
                flag=setting.qualified,
            )
            for setting in others
        ]
        return Layer(layer.values, layer.origins, (*layer.errors, *errors), layer.notes) if errors else layer

    @property
    def origins(self) -> Mapping[str, Origin]:
        """Where each field's value came from, defaults included."""
        return Origins(self)

    def patch(self) -> Patch:
        """Return a patch of what was set, in a subclass's defaults too; other defaults are left alone.

        Raises:
            UnknownFlagError: The live torch lacks a flag.
            InvalidValueError: A flag does not accept its value.
            ConflictError: A rule over several flags forbids the values.
        """
        changes = {name: value for name, (value, _) in self.flags_set().items()}
        return patch_of(changes, caller(), self._module)

    def install(self, scope: Scope = "process") -> Installation:
        """Put what was set in force, for the process or for the running thread or task.

        Defaults are left alone, apart from those of a subclass. Every thread sees an installation for the
        process, even those already running; patches go on top.

        Args:
            scope: ``"process"``, or ``"context"`` for the running thread or task only (torch 2.12 and newer).

        Returns:
            The installation, in force; `Installation.uninstall` takes it back, and as a context manager it
            does so on leaving.

        Raises:
            UnknownFlagError: The live torch lacks a flag.
            InvalidValueError: A flag does not accept its value, or this torch does not support that scope.
            ConflictError: A rule over several flags forbids the values.
        """
        # A set may have been changed in place since it was checked, and another torch may have been loaded.
        layer = judged(read_values(self.flags_set(), Release.at_hand(), self._module)).resolved()
        return install_layer(layer, caller(), scope)

    def as_snapshot(self) -> Snapshot:
        """Return what is set, by the names that the release of the settings uses."""
        layer = read_values(self.flags_set(), self._release, self._module).sound()
        return set_by(layer, self._release, layer.values)

    def flags_set(self) -> dict[str, tuple[Any, Origin]]:
        """Return the flags that are not merely torch's defaults, sorted, each with value and origin."""
        self._notice_changes()
        values, origins = vars(self), self._origins
        names = {*self.__pydantic_fields_set__, *origins} & self._plan.settings
        return {name: (values[name], origins.get(name, DEFAULT)) for name in sorted(names)}

    def _notice_changes(self, *names: str) -> None:
        """Count what was changed in place, such as a set, as set; of these fields, or of all."""
        defaults = mutable_defaults(self._module, self._release)
        for name in names or defaults:
            if name in defaults and name not in self.__pydantic_fields_set__ and name not in self._origins:
                default = defaults[name]
                value = vars(self).get(name, default)
                if value is not default and not same(value, default):
                    self.__pydantic_fields_set__.add(name)
                    self._origins = {**self._origins, name: Origin("assignment")}

    @property
    @override
    def model_fields_set(self) -> set[str]:
        """The fields that were set, those changed in place included."""
        self._notice_changes()
        return self.__pydantic_fields_set__

    @classmethod
    @override
    def model_construct(cls, _fields_set: set[str] | None = None, **values: Any) -> Self:
        """Return settings of values that are trusted: nothing is checked, no other source is read."""
        here = caller()
        made = super().model_construct(_fields_set, **values)
        made._origins = dict.fromkeys(made.__pydantic_fields_set__, here.origin("keyword"))
        return made

    @override
    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """Return a copy.

        Args:
            update: Flags to set in it; they are checked as in an assignment, and so are the rules.
            deep: Whether to copy sets and the like, too.

        Raises:
            DynconfError: A name or a value is wrong; the error tells of all mistakes.
        """
        here = caller()
        self._notice_changes()
        copied = super().model_copy(deep=deep)
        if update:
            copied._assign(update, here)
        return copied

    def _assign(self, changes: Mapping[str, Any], here: Caller) -> None:
        """Set fields, after a check of all of them together."""
        own = {name: value for name, value in changes.items() if self._plan.is_own(name)}
        named = {name: value for name, value in changes.items() if name not in own}
        given = read_keywords(named, self._release, here.origin("keyword"), module=self._module)
        layer = without_internal(self._of_this_module(given)).resolved()
        verdict = check_rules(
            layer.values,
            lambda setting: layer.values[setting] if setting in layer.values else vars(self)[setting.key],
            lambda setting: layer.origins.get(setting) or self.origins[setting.key],
        )
        Layer(errors=verdict.errors).sound()
        for note in (*layer.notes, *verdict.warnings):
            here.warn(note)
        for setting, checked in layer.values.items():
            super().__setattr__(setting.key, checked)
            # Copies share the old dict.
            self._origins = {**self._origins, setting.key: layer.origins[setting]}
        for name, value in own.items():
            super().__setattr__(name, value)

    def __eq__(self, other: object) -> bool:
        """Compare values, as models do; where a value came from does not count."""
        if not isinstance(other, Held):
            return NotImplemented
        return type(self) is type(other) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Read a flag by an old name."""
            newest = catalogue(self._module).canonical(name)
            return getattr(self, newest) if newest != name else super().__getattr__(name)

        def __setattr__(self, name: str, value: object) -> None:
            """Set a flag by any of its names: the value is checked, its origin is the calling line."""
            if self._plan.is_own(name) or (name.startswith("_") and not is_known(name, self._module)):
                super().__setattr__(name, value)
            else:
                self._assign({name: value}, caller())
