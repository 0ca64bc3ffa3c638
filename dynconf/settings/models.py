"""Making the models of a config module, or of all, from the catalogue."""

from typing import Any, ClassVar

from pydantic import Field, create_model

from dynconf.catalogue.modules import MODULES, catalogue, module_path
from dynconf.release import Release
from dynconf.settings.field import flag_fields
from dynconf.settings.model import FlagModel
from dynconf.settings.sources import Settings

_FLAGS_DOC = """Flags of {homes}, which read only the data that they are given.

    For requests, sweeps, and data from others: validation refuses flags by which a value could make torch run
    a program, write a file and the like, unless ``context={{"trust": True}}``. A call in code is trusted.
    """

_SETTINGS_DOC = """Settings of {homes}: keywords > environment > files > default of the release at hand.

    Old names are accepted. Assignments are validated. In a subclass, the default of a flag ranks between
    files and the defaults of the release, and is installed; further fields are pydantic-settings' own.

    Args:
        _config: A TOML or JSON file, in place of ``DYNCONF_CONFIG`` and the search for ``dynconf.toml``.
        _torch: The release to answer for, such as ``"2.9"``, in place of the one at hand.
        _missing: How to treat flags of a file that the release lacks: ``"error"``, ``"warn"`` or ``"skip"``;
            None for the choice of the file.
        **values: Values by flag, and the options of pydantic-settings, such as ``_env_file``.

    Example:
        >>> from dynconf import DynamoSettings
        >>> settings = DynamoSettings(recompile_limit=64)
        >>> settings.recompile_limit, settings.origins["recompile_limit"].kind
        (64, 'keyword')
    """

_made: dict[str, Any] = {}


def model(module: str, kind: str) -> Any:
    """Return the ``Flags`` or ``Settings`` of a config module, or of all if *module* is ``compile``."""
    name = f"{module.capitalize()}{kind}"
    if name not in _made:
        is_whole, is_plain = module == "compile", kind == "Flags"
        home = "all config modules, each in a field" if is_whole else f"``{module_path(module)}``"
        if is_whole:
            fields = {
                each: _nested(model(each, kind), f"{kind} of ``{module_path(each)}``.") for each in MODULES
            }
        else:
            fields = _fields(name, module) if is_plain else {}
        base = FlagModel if is_plain else (Settings, model(module, "Flags"))
        made = _model(name, base, fields, "" if is_whole else module)
        made.__doc__ = (_FLAGS_DOC if is_plain else _SETTINGS_DOC).format(homes=home)
        _made.setdefault(name, made)  # another thread may have made it meanwhile
    return _made[name]


def _fields(name: str, module: str) -> dict[str, Any]:
    release = Release.at_hand()
    fields = flag_fields(module, "", release)
    for group in catalogue(module).at(release).groups:
        made = _model(camel_case(group), FlagModel, flag_fields(module, group, release), module, group)
        made.__qualname__ = f"{name}.{made.__name__}"
        made.__doc__ = f"The flags of ``{module}`` that begin with ``{group}.``."
        fields |= {group: _nested(made, made.__doc__), made.__name__: (ClassVar[Any], made)}
    return fields


def _nested(made: Any, description: str) -> tuple[Any, Any]:
    return made, Field(default_factory=made.of_defaults, description=description)


def _model(name: str, base: Any, fields: dict[str, Any], module: str, group: str = "") -> Any:
    kwargs = {"module": module, "group": group}
    # They are in `dynconf.settings` for whoever looks for them by name, such as pickle.
    return create_model(name, __base__=base, __module__="dynconf.settings", __cls_kwargs__=kwargs, **fields)


def camel_case(group: str) -> str:
    """Return the name of the model of a group: ``AotInductor`` for ``aot_inductor``."""
    return "".join(map(str.capitalize, group.split("_")))
