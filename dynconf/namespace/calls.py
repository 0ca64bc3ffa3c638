"""`install`, and the functions of a config module's namespace."""

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial, update_wrapper
from pathlib import Path
from types import FunctionType, MethodType
from typing import TYPE_CHECKING, Any, TypeVar

from dynconf.catalogue.flags.flag import BARE_MODULE
from dynconf.catalogue.modules import MODULES, catalogue
from dynconf.catalogue.names import FlagTable
from dynconf.catalogue.signature import with_flags
from dynconf.live.binding import newer_flags
from dynconf.live.in_force import state_in_force
from dynconf.live.install import Installation, Scope, install_state, reset_in
from dynconf.live.origin import origin_in
from dynconf.live.patch import Patch, patch_of_call
from dynconf.provenance import Origin, caller
from dynconf.release import Release
from dynconf.sources.calls import read_keywords
from dynconf.sources.gather import gather
from dynconf.state import HasState, Missing, changes_of, check_missing, has_state
from dynconf.store.snapshot import Snapshot, snapshot

if TYPE_CHECKING:
    from dynconf.settings import FlagModel, Settings

Kind = TypeVar("Kind", bound="Namespace")


def install(
    *arguments: Any,
    scope: Scope = "process",
    config: str | Path | None = None,
    missing: Missing | None = None,
    **flags: Any,
) -> Installation:
    """Set flags for the whole process, together with the settings of the environment and of files.

    Args:
        *arguments: One flag and its value; or a mapping of flags to values; or settings or a snapshot, which
            are installed as they are: the environment and files are not read for them.
        scope: ``"process"``, or ``"context"`` for the running thread or task only (torch 2.12 and newer).
        config: A TOML or JSON file, in place of ``DYNCONF_CONFIG`` and the search for ``dynconf.toml``, which
            goes from the working directory up.
        missing: How to treat flags in a file that the release lacks: ``"error"``, ``"warn"`` or ``"skip"``;
            None leaves it to the file.
        **flags: Values, by flag; those of other config modules in a dict under the name of their module, or
            as settings or a snapshot under that name.

    Returns:
        The installation, in force; `Installation.uninstall` takes it back, and as a context manager it does
        so on leaving.

    Raises:
        UnknownFlagError: A name is misspelt, too new for this torch, or was removed.
        InvalidValueError: A flag does not accept its value, or this torch does not support that scope.
        ConflictError: Two names of one flag have different values, or a rule over several flags forbids them.
        StateFileError: A file cannot be read.

    Example:
        >>> import dynconf, torch._dynamo.config
        >>> installation = dynconf.install(recompile_limit=32)
        >>> torch._dynamo.config.recompile_limit
        32
        >>> installation.uninstall()
    """
    return _install(changes_of(arguments, flags, "dynconf.install"), MODULES, scope, config, missing)


def _install(
    changes: Mapping[str, Any] | HasState,
    modules: Sequence[str],
    scope: Scope,
    config: str | Path | None,
    missing: Missing | None,
) -> Installation:
    """Install the flags of a call and of the other sources; bare names are those of the first module."""
    if missing is not None:
        check_missing(missing, "missing")
    if has_state(changes):
        if config is not None or missing is not None:
            raise TypeError("dynconf.install: config and missing do not apply to settings or a snapshot")
        made: Installation = changes.install(scope)
        return made
    release, call_site = Release.at_hand(), caller()
    newer, call = newer_flags(release), None
    if changes:
        call = read_keywords(changes, release, call_site.origin("keyword"), modules[0], newer=newer)
    reading = gather(release, call, config=config, missing=missing, modules=modules, newer=newer)
    return install_state(reading.used_by(call_site), call_site, scope)


def _listing_flags(function: Any, namespace: "Namespace") -> Any:
    """Return *function* as a method whose signature lists the flags of the namespace's module."""
    name, code, defaults = function.__name__, function.__code__, function.__defaults__
    own: Any = update_wrapper(FunctionType(code, function.__globals__, name, defaults), function)
    own.__kwdefaults__ = function.__kwdefaults__
    return MethodType(with_flags(own, namespace._module), namespace)


def lists_flags(*methods: str) -> Callable[[type[Kind]], type[Kind]]:
    """Decorate a class of namespaces: the signatures of these methods list flags, for help and completion."""

    def decorate(of: type[Kind]) -> type[Kind]:
        for name in methods:  # from outside of the body, because Jedi reads that
            method = cached_property(partial(_listing_flags, vars(of)[name]))
            method.__set_name__(of, name)
            setattr(of, name, method)
        return of

    return decorate


@lists_flags("patch", "install")
class Namespace:
    """A config module of torch, with everything that dynconf does for its flags, by their bare names.

    Attributes:
        FLAGS: Every flag of the module, by name.

    Example:
        >>> import dynconf
        >>> with dynconf.functorch.patch(cse=False):
        ...     dynconf.functorch.origin("cse").kind
        'patch'
    """

    def __init__(self, module: str) -> None:
        self._module = module
        self._patch_name = f"dynconf.{module}.patch"  # for messages; a patch is made often
        self.FLAGS = FlagTable(module)

    if not TYPE_CHECKING:  # a type checker knows all attributes

        def __getattr__(self, name: str) -> object:
            is_flag = not name.startswith("_") and name in self.FLAGS
            hint = f"; the flag is in dynconf.{self._module}.snapshot()" if is_flag else ""
            problem = f"dynconf.{self._module} has no attribute {name!r}{hint}"
            raise AttributeError(problem, name=name, obj=self)

        def __setattr__(self, name: str, value: object) -> None:
            if not (name == "FLAGS" or name.startswith("_") or hasattr(type(self), name)):
                how = f"dynconf.{self._module}.install({name}=...), or .patch for a block"
                hint = f"set the flag with {how}" if name in self.FLAGS else "it has no such attribute"
                problem = f"dynconf.{self._module}.{name} cannot be assigned: {hint}"
                raise AttributeError(problem, name=name, obj=self)
            super().__setattr__(name, value)

    def __repr__(self) -> str:
        return f"<dynconf.{self._module}, the flags of {catalogue(self._module).module}>"

    def reset(self, *flags: str) -> None:
        """Drop overrides and installed values of these flags, or of all of the module: see `dynconf.reset`.

        Raises:
            UnknownFlagError: torch has no such flag.
        """
        reset_in(self._module, flags)

    def snapshot(self, *, pins: bool = False) -> Snapshot:
        """Return the effective value of every flag of the module: see `dynconf.snapshot`."""
        if self._module == BARE_MODULE:
            return snapshot(pins=pins)
        return Snapshot(state_in_force((self._module,), with_others=False, pins=pins), self._module)

    def origin(self, flag: str) -> Origin:
        """Return where the effective value of *flag* came from: see `dynconf.origin`.

        Raises:
            UnknownFlagError: torch has no such flag.
        """
        return origin_in(self._module, flag)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._module,)

    @property
    def Flags(self) -> "type[FlagModel]":  # noqa: N802  it stands for the class itself
        """The plain model of the module, such as `dynconf.DynamoFlags`."""
        model: type[FlagModel] = self._model("Flags")
        return model

    @property
    def Settings(self) -> "type[Settings]":  # noqa: N802  it stands for the class itself
        """The settings model of the module, such as `dynconf.DynamoSettings`."""
        model: type[Settings] = self._model("Settings")
        return model

    def _model(self, kind: str) -> Any:
        from dynconf import settings

        return getattr(settings, f"{self._module.capitalize()}{kind}")

    def patch(self, *arguments: Any, missing: Missing = "error", **flags: Any) -> Patch:
        """Return a patch of flags of the module, as context manager or decorator: see `dynconf.patch`.

        torch reads most flags while it compiles, and it compiles a backward when that first runs, which a
        patch around the forward does not cover. Put the patch around both, or pass inductor's flags as
        `dynconf.inductor.options`, which apply to the backward, too.
        """
        frame = sys._getframe(1)
        line = frame.f_code, frame.f_globals, frame.f_lasti
        return patch_of_call(self._patch_name, arguments, flags, line, self._module, missing)

    def install(
        self,
        *arguments: Any,
        scope: Scope = "process",
        config: str | Path | None = None,
        missing: Missing | None = None,
        **flags: Any,
    ) -> Installation:
        """Set flags, with those of this module in the environment and files: see `dynconf.install`."""
        changes = changes_of(arguments, flags, f"dynconf.{self._module}.install")
        return _install(changes, (self._module,), scope, config, missing)
