"""Making the models of a config module, or of all, from the catalogue."""

from typing import Any

from pydantic import Field, create_model

from dynconf.modules import MODULES, catalogue, module_path
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
        >>> settings = DynamoSettings(recompile_limit=64)
        >>> settings.recompile_limit, settings.origins["recompile_limit"].kind
        (64, 'keyword')
    """

_made: dict[str, Any] = {}


def model(module: str, kind: str) -> Any:
    """Return the ``Flags`` or ``Settings`` of a config module, or of all if *module* is ``compile``."""
    name = f"{module.capitalize()}{kind}"
    if name not in _made:
        is_whole = module == "compile"
        inner = {each: model(each, kind) for each in MODULES} if is_whole else {}
        fields = {each: _nested(made, f"{kind} of ``{module_path(each)}``.") for each, made in inner.items()}
        if kind == "Settings":
            made = _model(name, (Settings, model(module, "Flags")), fields)
        else:
            made = _model(name, FlagModel, fields) if is_whole else _model_with_groups(name, module)
        home = "all config modules, each in a field" if is_whole else f"``{module_path(module)}``"
        made.__doc__ = (_FLAGS_DOC if kind == "Flags" else _SETTINGS_DOC).format(homes=home)
        _made.setdefault(name, made)  # another thread may have made it meanwhile
    return _made[name]


def _model_with_groups(name: str, module: str) -> Any:
    release = Release.at_hand()
    groups: dict[str, Any] = {}
    for group in catalogue(module).at(release).groups:
        kwargs = {"module": module, "group": group}
        made = _model(camel_case(group), FlagModel, flag_fields(module, group, release), **kwargs)
        made.__qualname__ = f"{name}.{made.__name__}"
        made.__doc__ = f"The flags of ``{module}`` that begin with ``{group}.``."
        groups[group] = _nested(made, made.__doc__)
    whole = _model(name, FlagModel, {**flag_fields(module, "", release), **groups}, module=module)
    for made, _ in groups.values():
        setattr(whole, made.__name__, made)
    return whole


def _nested(made: Any, description: str) -> tuple[Any, Any]:
    return made, Field(default_factory=made.of_defaults, description=description)


def _model(name: str, base: Any, fields: dict[str, Any], **kwargs: str) -> Any:
    # They are in `dynconf.settings` for whoever looks for them by name, such as pickle.
    return create_model(name, __base__=base, __module__="dynconf.settings", __cls_kwargs__=kwargs, **fields)


def camel_case(group: str) -> str:
    """Return the name of the model of a group: ``AotInductor`` for ``aot_inductor``."""
    return "".join(map(str.capitalize, group.split("_")))
