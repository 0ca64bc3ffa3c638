"""Making the models of a config module, or of all, from the catalogue."""

from collections.abc import Mapping
from typing import Any

from pydantic import Field, create_model

from dynconf.modules import MODULES, module_path
from dynconf.release import Release
from dynconf.settings.field import flag_fields, groups_of
from dynconf.settings.model import FlagModel
from dynconf.settings.with_sources import Settings

_FLAGS_DOC = """Flags of {homes}, which read nothing but what they are given.

    For requests, sweeps, and data from others: validation refuses flags by which a value could make torch run
    a program, write a file and the like, unless ``context={{"trust": True}}``. A call in code is trusted.

    Raises:
        pydantic.ValidationError: There are mistakes; the error lists all of them.

    Example:
        >>> DynamoFlags.model_validate({{"recompile_limit": "64"}})
        DynamoFlags(recompile_limit=64)
    """

_SETTINGS_DOC = """Settings of {homes}: keywords > environment > files > default of the release at hand.

    Old names are accepted. Assignments are validated. In a subclass, the default of a flag ranks between
    files and the defaults of the release, and is installed; further fields are pydantic-settings' own.

    Args:
        _config: A TOML or JSON file, in place of ``DYNCONF_CONFIG`` and the search for ``dynconf.toml``.
        _torch: The release to answer for, such as ``"2.9"``, in place of the one at hand.
        _missing: How to treat flags of a file that the release lacks: ``"error"``, ``"warn"`` or ``"skip"``;
            None for what the file says.
        **values: Values by flag, and the options of pydantic-settings, such as ``_env_file``.

    Raises:
        pydantic.ValidationError: There are mistakes, in whatever source; the error lists all of them.

    Example:
        >>> import os; os.environ["TORCHDYNAMO_VERBOSE"] = "yes"
        >>> settings = DynamoSettings(recompile_limit=64)
        >>> settings.recompile_limit, settings.verbose, sorted(settings.model_fields_set)
        (64, True, ['recompile_limit', 'verbose'])
        >>> print(settings.origins["verbose"])
        environment TORCHDYNAMO_VERBOSE=yes
    """

_ALL_HOMES = "all config modules, each in a field"

_ROOM = "dynconf.settings"
"""The module in which the models are to be found, for instance by pickle."""


def flags_model(module: str) -> Any:
    """Return the model of the flags of a config module."""
    release, name = Release.at_hand(), f"{module.capitalize()}Flags"
    groups: dict[str, Any] = {}
    for group in groups_of(module, release):
        model = _model_of_flags(camel_case(group), module, group, {})
        model.__qualname__ = f"{name}.{model.__name__}"
        model.__doc__ = f"The flags of ``{module}`` that begin with ``{group}.``."
        groups[group] = model, Field(default_factory=model, description=model.__doc__)
    made = _model_of_flags(name, module, "", groups)
    made.__doc__ = _FLAGS_DOC.format(homes=f"``{module_path(module)}``")
    for model, _ in groups.values():
        setattr(made, model.__name__, model)
    return made


def whole_flags_model(models: Mapping[str, Any]) -> Any:
    """Return the model of the flags of all config modules, of which *models* has each."""
    made = create_model("CompileFlags", __base__=FlagModel, __module__=_ROOM, **_one_each(models, "Flags"))
    made.__doc__ = _FLAGS_DOC.format(homes=_ALL_HOMES)
    return made


def settings_model(flags: Any, models: Mapping[str, Any]) -> Any:
    """Return the model with the same fields as *flags* that reads sources besides.

    Args:
        flags: The model of the flags of a config module, or of all.
        models: For all, the settings of each module, which are read as one.
    """
    made: Any = create_model(
        flags.__name__.replace("Flags", "Settings"),
        __base__=(Settings, flags),
        __module__=_ROOM,
        __cls_kwargs__={"reads": (flags._module,) if flags._module else MODULES},
        **_one_each(models, "Settings"),
    )
    made.__doc__ = _SETTINGS_DOC.format(
        homes=f"``{module_path(flags._module)}``" if flags._module else _ALL_HOMES
    )
    return made


def _one_each(models: Mapping[str, Any], kind: str) -> dict[str, Any]:
    return {
        module: (model, Field(default_factory=model, description=f"{kind} of ``{module_path(module)}``."))
        for module, model in models.items()
    }


def _model_of_flags(name: str, module: str, group: str, further: dict[str, Any]) -> Any:
    fields = {**flag_fields(module, group, Release.at_hand()), **further}
    kwargs = {"module": module, "group": group}
    return create_model(name, __base__=FlagModel, __module__=_ROOM, __cls_kwargs__=kwargs, **fields)


def camel_case(group: str) -> str:
    """Return the name of the model of a group: ``AotInductor`` for ``aot_inductor``."""
    return "".join(map(str.capitalize, group.split("_")))
