"""Settings models: every public flag of a config module as a typed field, filled from all sources.

Type checkers read the stub beside this file, which is generated from the catalogues.
"""

from typing import TYPE_CHECKING, Any

from dynconf.modules import MODULES, home
from dynconf.settings.model import Settings, model_of
from dynconf.settings.sources import DotenvSource, EnvironmentSource, FileSource
from dynconf.settings.whole import whole_of

if TYPE_CHECKING:
    from dynconf.settings.held import Held

_DOC = """Settings of ``{home}``: keywords > environment > files > default of the release at hand.

    Old names are accepted. Assignments are validated. In a subclass, the default of a flag ranks between
    files and the defaults of the release, and is installed; further fields are pydantic-settings' own.

    Args:
        _config: A TOML or JSON file, in place of ``DYNCONF_CONFIG`` and the search for ``dynconf.toml``.
        _torch: The release to answer for, such as ``"2.9"``, in place of the one at hand.
        _missing: What to do about flags of a file that the release lacks: ``"error"``, ``"warn"`` or
            ``"skip"``; None for what the file says.
        **flags: Values, by flag, and the options of pydantic-settings, such as ``_env_file``.

    Raises:
        UnknownFlagError: A name is misspelt, not there yet, or gone.
        InvalidValueError: A flag does not accept its value.
        ConflictError: Two names of one flag have different values, or a rule over several flags forbids them.
        StateFileError: A file cannot be read.
        pydantic.ValidationError: The same, where pydantic validates: a nested field, `model_validate`.
    """

_EXAMPLE = """
    Example:
        >>> import os; os.environ["TORCHDYNAMO_VERBOSE"] = "yes"
        >>> settings = DynamoSettings(recompile_limit=64)
        >>> settings.recompile_limit, settings.verbose, sorted(settings.model_fields_set)
        (64, True, ['recompile_limit', 'verbose'])
        >>> print(settings.origins["verbose"])
        environment TORCHDYNAMO_VERBOSE=yes
    """

_WHOLE = """Settings of all config modules as one model: ``settings.inductor.triton.cudagraphs``.

    The settings of each module read the same sources as when they are made alone. All mistakes in all of them
    are told together. Flags may also be given by their full names, such as ``"inductor.max_autotune"``.

    Args:
        _config: As for `DynamoSettings`.
        _torch: As for `DynamoSettings`.
        _missing: As for `DynamoSettings`.
        **values: For each module its settings, or a mapping of flags to values.

    Raises:
        DynconfError: As for `DynamoSettings`.
        pydantic.ValidationError: The same, where pydantic validates.

    Example:
        >>> settings = CompileSettings(dynamo={"recompile_limit": 64}, inductor={"max_autotune": True})
        >>> settings.dynamo.recompile_limit, settings.origins["inductor.max_autotune"].kind
        (64, 'keyword')
    """

_MODULE_OF = {f"{module.capitalize()}Settings": module for module in MODULES}


def __getattr__(name: str) -> Any:
    """Make a model when it is first asked for: that of inductor has more than 600 flags."""
    model: type[Held]
    if name == "CompileSettings":
        models = {module: globals().get(each) or __getattr__(each) for each, module in _MODULE_OF.items()}
        model = whole_of(models)
        model.__doc__ = _WHOLE
    elif name in _MODULE_OF:
        module = _MODULE_OF[name]
        model = model_of(module)
        model.__doc__ = _DOC.format(home=home(module)) + (_EXAMPLE if module == "dynamo" else "")
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return globals().setdefault(name, model)  # another thread may have made it meanwhile


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULE_OF, "CompileSettings"})


__all__ = ["DotenvSource", "EnvironmentSource", "FileSource", "Settings"]  # and the models
