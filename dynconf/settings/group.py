"""Groups of flags: models inside a settings model, such as that of ``settings.triton.cudagraphs``."""

from typing import Any, TypeVar

from pydantic import ConfigDict, create_model

from dynconf.origin import caller
from dynconf.settings.construction import default_of
from dynconf.settings.fields import fields
from dynconf.settings.held import Held

Model = TypeVar("Model", bound=Held)


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


def with_flags(base: type[Model], name: str, module: str, group: str = "", **more: Any) -> type[Model]:
    """Return a model of the flags in a group, or of those in none, and of *more* fields."""
    made: Any = {**fields(module, group, default_of), **more}
    kwargs = {"module": module, "group": group}
    return create_model(name, __base__=base, __module__="dynconf.settings", __cls_kwargs__=kwargs, **made)
