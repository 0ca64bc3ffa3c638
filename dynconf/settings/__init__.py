"""Every public flag of a config module as a typed field, in models of pydantic.

`DynamoFlags`, `InductorFlags` and so on are plain models, which read only the data that they are given; those
of all modules are in `CompileFlags`. `DynamoSettings`, ..., `CompileSettings` have the same fields and also
read sources. Type checkers read the stub beside this file, which is generated from the catalogues.
"""

import sys
from typing import Any, ClassVar

from pydantic import Field, create_model

from dynconf.catalogue.modules import MODULES, catalogue, module_path
from dynconf.release import Release
from dynconf.settings.field import flag_fields
from dynconf.settings.model import FlagModel
from dynconf.settings.sources import DotenvSource, EnvironmentSource, FileSource, Settings
from dynconf.text import camel_case

_FLAGS_DOC = """Flags of {homes}, which read only the data that they are given.

    For requests, sweeps, and data from others: validation refuses values that would make torch run a program,
    write to a path that they name and the like, unless ``context={{"trust": True}}``. Output to torch's own
    debug folder, as with ``inductor.trace.enabled``, needs no trust, and neither does a call in code.
    """

_SETTINGS_DOC = """Settings of {homes}: keywords > environment > files > default of the release at hand.

    Old names are accepted. Assignments are validated. In a subclass, the default of a flag ranks between
    files and the defaults of the release, and is installed; further fields are pydantic-settings' own. An
    ``env_prefix`` is for those: flags keep their variables, but have it as a field of your own settings
    (``compile: CompileFlags``).

    Args:
        _config: A TOML or JSON file, in place of ``DYNCONF_CONFIG`` and the search for ``dynconf.toml``.
        _torch: The release to use, such as ``"2.9"``, instead of the one at hand.
        _missing: How to treat flags in a file that the release lacks: ``"error"``, ``"warn"`` or ``"skip"``;
            None leaves it to the file.
        **values: Values by flag, and the options of pydantic-settings, such as ``_env_file``.

    Example:
        >>> from dynconf import DynamoSettings
        >>> settings = DynamoSettings(recompile_limit=64)
        >>> settings.recompile_limit, settings.origins["recompile_limit"].kind
        (64, 'keyword')
    """

_KINDS = "Flags", "Settings"
_MODELS = {f"{each.capitalize()}{kind}": (each, kind) for each in (*MODULES, "compile") for kind in _KINDS}


def __getattr__(name: str) -> Any:
    """Make a model when it is first asked for: those of inductor have more than 600 flags."""
    if name not in _MODELS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, kind = _MODELS[name]
    is_plain, here = kind == "Flags", sys.modules[__name__]
    base: Any = FlagModel if is_plain else (Settings, getattr(here, f"{module.capitalize()}Flags"))
    if module == "compile":
        home, homes = (), "all config modules, each in a field"
        models = {each: getattr(here, f"{each.capitalize()}{kind}") for each in MODULES}
        fields = {each: _nested(made, f"{kind} of ``{module_path(each)}``.") for each, made in models.items()}
    else:
        home, homes = (module,), f"``{module_path(module)}``"
        fields = _fields(name, module) if is_plain else {}
    doc = (_FLAGS_DOC if is_plain else _SETTINGS_DOC).format(homes=homes)
    made = _model(name, doc, base, fields, *home)
    return globals().setdefault(name, made)  # another thread may have made it meanwhile


def _fields(name: str, module: str) -> dict[str, Any]:
    release = Release.at_hand()
    fields = flag_fields(module, "", release)
    for group in catalogue(module).at(release).groups:
        doc = f"The flags of ``{module}`` that begin with ``{group}.``."
        made = _model(camel_case(group), doc, FlagModel, flag_fields(module, group, release), module, group)
        made.__qualname__ = f"{name}.{made.__name__}"
        fields |= {group: _nested(made, doc), made.__name__: (ClassVar[Any], made)}
    return fields


def _nested(made: Any, description: str) -> tuple[Any, Any]:
    return made, Field(default_factory=made.of_defaults, description=description)


def _model(name: str, doc: str, base: Any, fields: dict[str, Any], *home: str) -> Any:
    # They are in `dynconf.settings` for whoever looks for them by name, such as pickle.
    where: Any = {"__module__": "dynconf.settings", "__cls_kwargs__": {"home": home}}
    return create_model(name, __doc__=doc, __base__=base, **where, **fields)


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODELS})


__all__ = ["DotenvSource", "EnvironmentSource", "FileSource", "FlagModel", "Settings"]  # and the models
