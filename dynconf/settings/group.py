"""Groups of flags: models inside a settings model, such as that of ``settings.triton.cudagraphs``."""

from typing import Any

from pydantic import ConfigDict, GetCoreSchemaHandler, GetJsonSchemaHandler, create_model
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import core_schema
from typing_extensions import override

from dynconf.origin import caller
from dynconf.settings.construction import default_of
from dynconf.settings.fields import fields, schema_of_release
from dynconf.settings.held import Held
from dynconf.settings.plan import plan_of
from dynconf.settings.wrapping import dump


class Group(Held):
    """Flags of a config module whose names begin alike, such as ``triton.cudagraphs``.

    It is a model as pydantic has them, which reads no environment and no file: the settings that it is in do.
    In a subclass, the default of a flag is one of the settings that have the subclass as a field.
    """

    model_config = ConfigDict(
        extra="forbid",
        validate_assignment=True,
        validate_default=False,
        populate_by_name=True,
        protected_namespaces=(),
    )

    def __init__(self, **values: Any) -> None:
        super().__init__(**values)
        self._origins = dict.fromkeys(self.__pydantic_fields_set__, caller().origin("keyword"))

    @classmethod
    @override
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        super().__pydantic_init_subclass__(**kwargs)
        cls._plan = plan_of(cls, Group, caller())

    @classmethod
    @override
    def __get_pydantic_core_schema__(
        cls, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        schema = handler(source)
        whole: Any = handler.resolve_ref_schema(schema)
        whole["serialization"] = core_schema.wrap_serializer_function_ser_schema(dump)
        return schema

    @classmethod
    @override
    def __get_pydantic_json_schema__(
        cls, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Return the schema of what the group accepts in the release at hand, with the defaults there."""
        found = handler.resolve_ref_schema(handler(schema))
        if "properties" in found and handler.mode == "validation":
            others = {
                name: each for name, each in found["properties"].items() if name not in cls._plan.settings
            }
            defaults = {f"{cls._group}.{name}": value for name, value in cls._plan.values().items()}
            found["properties"] = {
                **schema_of_release(cls._module, defaults, cls.model_fields, cls._group),
                **others,
            }
        return found


def model_name(group: str) -> str:
    """Return what the model of a group is called: ``AotInductor`` for ``aot_inductor``."""
    return "".join(map(str.capitalize, group.split("_")))


def group_of(module: str, group: str, owner: str) -> type[Group]:
    """Return the model of a group of flags.

    Args:
        module: The config module.
        group: The group.
        owner: The settings model that the group is in, and in which its class is found.
    """
    name = model_name(group)
    made: Any = fields(module, group, default_of)
    found: type[Group] = create_model(
        name,
        __base__=Group,
        __module__="dynconf.settings",
        __cls_kwargs__={"module": module, "group": group},
        **made,
    )
    found.__qualname__ = f"{owner}.{name}"
    found.__doc__ = f"The flags of ``{module}`` that begin with ``{group}.``."
    return found
