"""How torch reads variables."""

import pytest

from dynconf.catalogue.flags.variable import VARIABLE_RULES, ForeignVariable, Variable


def test_a_variable_is_read_within_its_span() -> None:
    """Both ends count."""
    for variable in (
        Variable("X", "text", since="2.5", until="2.7"),
        ForeignVariable("X", "torch", since="2.5", until="2.7", summary="Nothing."),
    ):
        read = [variable.is_read_in((2, number)) for number in range(4, 9)]
        assert read == [False, True, True, True, False]


@pytest.mark.parametrize(
    ("rule", "default", "values"),
    [
        ("equals_one", True, {"1": True, "0": False, "true": False, "": False}),
        ("not_zero", True, {"1": True, "0": False, "false": True, "": True}),
        ("truthy", False, {"0": True, "": False}),
        ("text", False, {"0": "0", "": ""}),
        ("integer", 2, {"3": 3, " 4 ": 4}),
        ("integer_or_none", 1000, {"3": 3, "0": None}),
        ("integer_or_none", None, {"3": None}),
        ("tristate", None, {"1": True, "0": False, "x": None}),
        ("default", False, {"1": True, "0": False, "x": "x"}),
        ("force", False, {"1": True, "0": False, "x": "x"}),
        ("debug_dir", "/a", {"/b": "/b/torch_compile_debug", "": "torch_compile_debug"}),
    ],
)
def test_what_each_rule_makes_of_a_text(rule: str, default: object, values: dict[str, object]) -> None:
    """Each rule reads texts as torch does, which a test compares with the releases' own modules."""
    variable = Variable("X", rule)
    assert {text: variable.torch_value(text, default) for text in values} == values


def test_a_number_that_is_none_stops_the_import() -> None:
    """The error is the one that torch's own conversion raises."""
    for text in ("high", ""):
        with pytest.raises(ValueError, match="invalid literal for int"):
            Variable("X", "integer").torch_value(text, 2)


def test_every_rule_is_described() -> None:
    """`dynconf explain` says in words how torch reads a variable."""
    assert all(reading.description for reading in VARIABLE_RULES.values())
