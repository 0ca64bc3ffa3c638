"""Every public flag of a config module as a typed field, in models of pydantic.

`DynamoFlags`, `InductorFlags` and so on are plain models, which read nothing but what they are given; those
of all modules are in `CompileFlags`. `DynamoSettings`, ..., `CompileSettings` have the same fields and read
sources besides. Type checkers read the stub beside this file, which is generated from the catalogues.
"""

from typing import TYPE_CHECKING, Any

from pydantic import Field, create_model

from dynconf.modules import MODULES, home
from dynconf.release import Release
from dynconf.settings.base import Settings
from dynconf.settings.field import flag_fields, groups_of
from dynconf.settings.model import FlagModel
from dynconf.settings.sources import DotenvSource, EnvironmentSource, FileSource

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

_MODULE_OF = {f"{module.capitalize()}{kind}": module for module in MODULES for kind in ("Flags", "Settings")}


def __getattr__(name: str) -> Any:
    """Make a model when it is first asked for: those of inductor have more than 600 flags."""
    if name not in _MODULE_OF and name not in ("CompileFlags", "CompileSettings"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = _MODULE_OF.get(name, "")
    is_flags = name.endswith("Flags")
    homes = f"``{home(module)}``" if module else "all config modules, each in a field"
    model = _flags(name, module) if is_flags else _settings(name, module)
    model.__doc__ = (_FLAGS_DOC if is_flags else _SETTINGS_DOC).format(homes=homes)
    return globals().setdefault(name, model)  # another thread may have made it meanwhile


def _flags(name: str, module: str) -> Any:
    if not module:
        return create_model(name, __base__=FlagModel, __module__=__name__, **_one_each("Flags"))
    release = Release.at_hand()
    inner: dict[str, Any] = {}
    for group in groups_of(module, release):
        model = _model(_camel_case(group), module, group)
        model.__qualname__ = f"{name}.{model.__name__}"
        model.__doc__ = f"The flags of ``{module}`` that begin with ``{group}.``."
        inner[group] = model, Field(default_factory=model, description=model.__doc__)
    made = _model(name, module, "", **inner)
    for model, _ in inner.values():
        setattr(made, model.__name__, model)
    return made


def _settings(name: str, module: str) -> Any:
    bases = Settings, _named(name.replace("Settings", "Flags"))
    further = {} if module else _one_each("Settings")
    kwargs = {"reads": (module,) if module else MODULES}
    return create_model(name, __base__=bases, __module__=__name__, __cls_kwargs__=kwargs, **further)


def _one_each(kind: str) -> dict[str, Any]:
    """Return a field for each config module."""
    models = {module: _named(f"{module.capitalize()}{kind}") for module in MODULES}
    return {
        module: (model, Field(default_factory=model, description=f"{kind} of ``{home(module)}``."))
        for module, model in models.items()
    }


def _model(name: str, module: str, group: str, **further: Any) -> Any:
    kwargs = {"module": module, "group": group}
    fields = {**flag_fields(module, group, Release.at_hand()), **further}
    return create_model(name, __base__=FlagModel, __module__=__name__, __cls_kwargs__=kwargs, **fields)


def _named(name: str) -> Any:
    return globals().get(name) or __getattr__(name)


def _camel_case(group: str) -> str:
    """Return the name of the model of a group: ``AotInductor`` for ``aot_inductor``."""
    return "".join(map(str.capitalize, group.split("_")))


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULE_OF, "CompileFlags", "CompileSettings"})


__all__ = ["DotenvSource", "EnvironmentSource", "FileSource", "FlagModel", "Settings"]  # and the models
