"""How a generated field hangs on the catalogue: its validation, default, description and schema."""

import functools
from typing import Any

from pydantic import Field, GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import core_schema

from dynconf.catalogue import FLAGS
from dynconf.catalogue.names import default_of
from dynconf.model.schema import description, flag_schema
from dynconf.values import as_json, checked
from dynconf.versions import at_hand


class FromCatalogue:
    """Annotation of a field: values are checked by the catalogue's own type, as everywhere in dynconf."""

    def __init__(self, name: str) -> None:
        self.flag = FLAGS[name]

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        """Validate by `dynconf.values.checked`; write JSON as state files hold it."""
        to_json = core_schema.plain_serializer_function_ser_schema(
            functools.partial(as_json, self.flag.type), when_used="json"
        )
        check = functools.partial(checked, self.flag)
        return core_schema.no_info_plain_validator_function(check, serialization=to_json)

    def __get_pydantic_json_schema__(
        self, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Return the schema that ``dynconf schema`` gives for the flag."""
        return flag_schema(self.flag)


def flag_field(name: str) -> Any:
    """Return the field of flag *name*: default of the release at hand, documentation of the catalogue."""
    return Field(default_factory=functools.partial(_default, name), description=description(FLAGS[name]))


def _default(name: str) -> Any:
    return default_of(name, at_hand().minor)
