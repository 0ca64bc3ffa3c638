"""Groups of flags: models inside a settings model, such as that of ``settings.triton.cudagraphs``."""

from typing import Any

from pydantic import ConfigDict, create_model

from dynconf.origin import caller
from dynconf.settings.construction import default_of
from dynconf.settings.fields import fields
from dynconf.settings.held import Held


class Group(Held, root=True):
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


def model_name(group: str) -> str:
    """Return what the model of a group is called: ``AotInductor`` for ``aot_inductor``."""
    return "".join(map(str.capitalize, group.split("_")))


def group_of(module: str, group: str, owner: str) -> type[Group]:
    """Return the model of a group of flags; its class is found in that of the settings, *owner*."""
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
