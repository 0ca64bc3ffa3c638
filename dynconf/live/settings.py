"""`DynamoSettings`: the settings model, with installing into the live module."""

from typing import TYPE_CHECKING

from dynconf.live.binding import live
from dynconf.live.install import Installation, Scope, checked_scope
from dynconf.live.patch import validated
from dynconf.model.settings import Settings, call_site, stacklevel
from dynconf.provenance import Origin

if TYPE_CHECKING:
    from pathlib import Path

    from typing_extensions import Unpack

    from dynconf.model._generated.keywords import FlagValues
    from dynconf.sources.layer import Missing


class DynamoSettings(Settings):  # noqa: D101  the docstring is that of the settings themselves
    __doc__ = Settings.__doc__

    if TYPE_CHECKING:
        # Without it, type checkers make up a signature from the fields, which takes no old names.
        def __init__(
            self,
            *,
            _config: str | Path | None = None,
            _torch: str | None = None,
            _missing: Missing | None = None,
            **flags: Unpack[FlagValues],
        ) -> None: ...

    def install(self, scope: Scope = "process") -> Installation:
        """Put what was set into the live module, for the process or for the running thread or task.

        Defaults are not written. Every thread sees an installation for the process, those that run already
        included; patches go on top.

        Args:
            scope: ``"process"``, or ``"context"`` for the thread or task alone (torch 2.12 and newer).

        Returns:
            The installation, in force; `Installation.uninstall` takes it back, and as a context manager it
            does so on leaving.

        Raises:
            UnknownFlagError: The live torch lacks a flag.
            InvalidValueError: The scope is wrong, or this torch cannot do it.
        """
        binding = live()
        scope = checked_scope(binding, scope)
        chosen = {name: getattr(self, name) for name in sorted(self.model_fields_set)}
        slots, values = validated(binding, chosen, stacklevel() + 1, self.origins)
        here = call_site()
        origins = {binding.slot(name).name: _installed(self.origins[name], here) for name in chosen}
        return Installation(binding, dict(zip(slots, values, strict=True)), origins, scope).put_in_force()


def install(**flags: "Unpack[FlagValues]") -> Installation:
    """Set flags for the whole process, with what the environment and files say: see `DynamoSettings`.

    Example:
        >>> import dynconf, torch._dynamo.config
        >>> installation = dynconf.install(recompile_limit=32)
        >>> torch._dynamo.config.recompile_limit
        32
        >>> installation.uninstall()
    """
    return DynamoSettings(**flags).install()


def _installed(origin: Origin, here: Origin) -> Origin:
    """Return the origin that an installed value has: its file or variable, else the line that installs."""
    return (
        origin
        if origin.kind in ("file", "env", "forced")
        else Origin("install", file=here.file, line=here.line)
    )
