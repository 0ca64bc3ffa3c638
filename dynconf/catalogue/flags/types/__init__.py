"""The types of flags: one class for each, with everything that is done with its values."""

from dynconf.catalogue.flags.types.alternatives import BoolOr, ChoiceOr, FalseOr, OneOrMore, OrNone
from dynconf.catalogue.flags.types.any_value import copy_containers, is_same_value, short_repr, value_text
from dynconf.catalogue.flags.types.container import (
    InstanceOf,
    Items,
    JsonDict,
    Opaque,
    PlainData,
    SetOf,
    to_plain_data,
)
from dynconf.catalogue.flags.types.reference import Named, Reference, name_of
from dynconf.catalogue.flags.types.scalar import Bool, Choice, Float, GraphRules, Int, PathText, Text, Words
from dynconf.catalogue.flags.types.value_type import WORDS, AtLeast, Mismatch, ValueType

__all__ = [
    "WORDS",
    "AtLeast",
    "Bool",
    "BoolOr",
    "Choice",
    "ChoiceOr",
    "FalseOr",
    "Float",
    "GraphRules",
    "InstanceOf",
    "Int",
    "Items",
    "JsonDict",
    "Mismatch",
    "Named",
    "OneOrMore",
    "Opaque",
    "OrNone",
    "PathText",
    "PlainData",
    "Reference",
    "SetOf",
    "Text",
    "ValueType",
    "Words",
    "copy_containers",
    "is_same_value",
    "name_of",
    "short_repr",
    "to_plain_data",
    "value_text",
]
