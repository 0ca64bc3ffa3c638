"""The settings model: every public flag as a typed, documented field, filled from all sources."""

import sys
from collections.abc import Mapping
from pathlib import Path
from types import FrameType, MappingProxyType
from typing import TYPE_CHECKING, Any

from pydantic import PrivateAttr
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from dynconf.catalogue import FLAGS
from dynconf.catalogue.names import canonical, default_of
from dynconf.errors import InvalidValueError, combined, warn_once
from dynconf.model._generated.fields import Fields
from dynconf.provenance import DEFAULT, Origin
from dynconf.rules import judged, rules_of
from dynconf.sources.gathering import gather, settable
from dynconf.sources.keywords import read_keywords
from dynconf.sources.layer import Layer, Missing
from dynconf.values import checked
from dynconf.versions import AtHand, Minor, asked, at_hand

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from dynconf.model._generated.keywords import FlagValues

_OURS = frozenset({"dynconf", "pydantic", "pydantic_settings"})


class Settings(Fields):
    """Settings of ``torch._dynamo``: keywords > environment > files > default of the release at hand.

    Old names are taken (``cache_size_limit`` sets `recompile_limit`). Assignments are validated.

    Args:
        _config: A TOML or JSON file, in place of ``DYNCONF_CONFIG`` and the search for ``dynconf.toml``.
        _torch: The release to answer for, such as ``"2.9"``, in place of the one at hand.
        _missing: What to do about flags of a file that the release lacks: ``"error"``, ``"warn"`` or
            ``"skip"``; None for what the file says.
        **flags: Values, by flag.

    Raises:
        UnknownFlagError: A name is unknown, not there yet, or gone.
        InvalidValueError: A value does not suit its flag.
        ConflictError: Two names of one flag have different values, or a rule over several flags forbids it.
        StateFileError: A file cannot be read.

    Example:
        >>> import os; os.environ["TORCHDYNAMO_VERBOSE"] = "yes"
        >>> settings = Settings(recompile_limit=64)
        >>> settings.recompile_limit, settings.verbose, sorted(settings.model_fields_set)
        (64, True, ['recompile_limit', 'verbose'])
        >>> print(settings.origins["verbose"])
        environment TORCHDYNAMO_VERBOSE=yes
    """

    model_config = SettingsConfigDict(extra="forbid", validate_assignment=True, validate_default=False)

    _at: AtHand = PrivateAttr(default_factory=at_hand)
    _origins: dict[str, Origin] = PrivateAttr(default_factory=dict)

    def __init__(
        self,
        *,
        _config: str | Path | None = None,
        _torch: str | None = None,
        _missing: Missing | None = None,
        **flags: "Unpack[FlagValues]",
    ) -> None:
        at = asked(_torch) if _torch else at_hand()
        given = read_keywords(flags, at, call_site())
        gathered = gather(at, given, config=_config, missing=_missing)
        values = _resolved(gathered)
        for note in gathered.notes:
            warn_once(note, stacklevel())
        super().__init__(**values)
        self._at, self._origins = at, gathered.origins
        if at.minor != at_hand().minor:
            self._take_defaults(at.minor)

    def _take_defaults(self, release: Minor) -> None:
        """Take the defaults of a release that was asked for in place of those at hand."""
        for name in set(type(self).model_fields) - self.model_fields_set:
            vars(self)[name] = default_of(name, release)

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],  # noqa: ARG003  the signature is pydantic-settings's
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,  # noqa: ARG003
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Leave reading to `dynconf.sources`: all mistakes are told at once, every value has an origin."""
        return (init_settings,)

    @property
    def origins(self) -> Mapping[str, Origin]:
        """Where each field's value came from, defaults included."""
        return MappingProxyType({name: self._origins.get(name, DEFAULT) for name in type(self).model_fields})

    def __eq__(self, other: object) -> bool:
        """Compare values and what was set; where a value came from does not count."""
        if not isinstance(other, Settings):
            return NotImplemented
        return self.model_fields_set == other.model_fields_set and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Read a flag by an old name."""
            newest = canonical(name)
            return getattr(self, newest) if newest != name else super().__getattr__(name)

        def __setattr__(self, name: str, value: object) -> None:
            """Set a flag, checked, by any of its names; its origin becomes the line that does so."""
            if name.startswith("_") and name not in FLAGS:
                super().__setattr__(name, value)
                return
            at = self._at
            layer = settable(read_keywords({name: value}, at, call_site()))
            if layer.errors:
                raise combined(layer.errors)
            verdict = judged(
                [rule for newest in layer.values for rule in rules_of(newest, at.minor)],
                at.minor,
                lambda flag: layer.values[flag] if flag in layer.values else getattr(self, flag),
                lambda flag: layer.origins.get(flag) or self.origins[flag],
            )
            if verdict.errors:
                raise combined(verdict.errors)
            for note in (*layer.notes, *verdict.warnings):
                warn_once(note, stacklevel())
            for newest, taken in layer.values.items():
                super().__setattr__(newest, taken)
            self._origins = {**self._origins, **layer.origins}  # copies share the old dict


def call_site() -> Origin:
    """Return the origin of a keyword: the nearest line outside dynconf and pydantic."""
    frame, _ = _outside()
    return Origin("keyword", file=frame.f_code.co_filename, line=frame.f_lineno)


def stacklevel() -> int:
    """Return the level of that line, counted from the caller, as `warnings.warn` counts."""
    return _outside()[1] - 1


def _outside() -> tuple[FrameType, int]:
    frame = sys._getframe(1)  # noqa: SLF001  the documented way to a caller's line without a traceback
    level = 1
    while frame.f_back and str(frame.f_globals.get("__name__")).partition(".")[0] in _OURS:
        frame = frame.f_back
        level += 1
    return frame, level


def _resolved(layer: Layer) -> dict[str, Any]:
    """Return the values of a layer with the objects that it names.

    Raises:
        InvalidValueError: Some of them cannot be found, or may not be named.
    """
    values, errors = {}, []
    for name, value in layer.values.items():
        try:
            values[name] = checked(FLAGS[name], value, layer.origins[name])
        except InvalidValueError as error:
            errors.append(error)
    if errors:
        raise combined(errors)
    return values
