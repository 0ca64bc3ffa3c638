"""Fields that a subclass declares again, as in ``recompile_limit: Literal[8, 16] = 16``.

To pydantic such a field is a new one, of which it knows the part in the subclass. It must stay the flag's,
with its variables, its old names and its own check. So its `FieldInfo` is completed before pydantic makes the
schema of the model from it.
"""

from typing import Any

from pydantic.fields import FieldInfo
from pydantic_settings import NoDecode

from dynconf.origin import Origin
from dynconf.settings.field import FlagField, flag_in
from dynconf.settings.names import model_at, paths


def complete_fields(model: Any, origin: Origin) -> None:
    """Have the fields that a subclass, defined at *origin*, declares again stay those of flags."""
    bases = [each for each in model.__mro__[1:] if hasattr(each, "_inner_models")]
    for name, field in model.model_fields.items():
        base = next((each.model_fields[name] for each in bases if name in each.model_fields), None)
        flag = flag_in(base) if base else None
        if base and flag and not flag_in(field):
            _keep(field, base, flag.setting, origin)
        elif model_at(model, (name,)) and field.is_required():
            field.default_factory = model_at(model, (name,)).of_defaults
        elif base is None and any(paths(each).get(name, (name,)) != (name,) for each in bases):
            path = ".".join(paths(bases[0])[name])
            raise TypeError(f"{model.__name__}.{name} is an old name of {path}: declare that")


def _keep(field: FieldInfo, base: FieldInfo, setting: Any, origin: Origin) -> None:
    """Give a field that is declared again everything of the flag's own that the subclass does not change."""
    has_default = not field.is_required()
    if not has_default:
        field.default, field.default_factory = base.default, base.default_factory
    # Constraints belong to the annotation, and validators see values of the flag, as of any type of pydantic.
    is_validator = [hasattr(each, "__get_pydantic_core_schema__") for each in field.metadata]
    place = [*is_validator, True].index(True)
    flag = FlagField(setting, narrowed=True, origin=origin if has_default else None)
    field.metadata[place:place] = [flag, NoDecode]
    field.validate_default = True
    field.description = field.description or base.description
    if field.validation_alias is None or field.alias_priority == 1:  # made by an alias generator
        field.validation_alias, field.alias_priority = base.validation_alias, 2
