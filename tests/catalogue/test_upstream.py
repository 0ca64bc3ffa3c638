"""The catalogue compared, in both directions, with what each torch release says of its flags."""

import ast
import json
import warnings
from pathlib import Path
from typing import Any

import pytest
from conftest import fresh_config

from dynconf._codegen import upstream
from dynconf.catalogue import FLAGS, host
from dynconf.catalogue.names import settings_of
from dynconf.catalogue.record import Computed, Flag, fact_in
from dynconf.catalogue.value_types import (
    Bool,
    BoolOr,
    Choice,
    Int,
    ListOf,
    Mapping,
    Opaque,
    Optional,
    Overrides,
    Reference,
    SetOf,
    Text,
    ValueType,
)
from dynconf.catalogue.value_types import Path as PathType
from dynconf.values import as_json, same
from dynconf.versions import RELEASES, Minor, at_hand, minor

FIXTURES = Path(__file__).parents[1] / "data" / "upstream"

COMPUTED = {
    host.BASE_DIR: "<torch>",
    host.DEBUG_DIR_ROOT: "<cwd>/torch_compile_debug",
    host.HAS_GIL: True,
    host.GEN2_THRESHOLD: 1000,
    host.BANNED_OPS: ["stride", "requires_grad", "storage_offset", "layout", "data"],
}
"""What the computed defaults are where fixtures are made: an interpreter with a lock, a bare Tensor class."""

TRUTH_ONLY = {"disable", "cprofile"}
"""Flags that torch annotates ``bool | str`` because their variable is left as text; it asks for the truth."""


def fixture(release: str) -> dict[str, Any]:
    """Return the facts of a release, by flag."""
    facts = json.loads((FIXTURES / f"{release}.json").read_text(encoding="utf-8"))
    assert facts["torch"] == release
    flags: dict[str, Any] = facts["flags"]
    return flags


def differences(flags: dict[str, Any], release: Minor) -> list[str]:
    """Return each difference between the catalogue and a release's facts, as what to do about it."""
    ours = {name for name, flag in FLAGS.items() if flag.exists_in(release)}
    number = ".".join(map(str, release))
    found = [
        f"{name}: torch {number} has it: add a record, or mend since / until" for name in set(flags) - ours
    ]
    found += [
        f"{name}: torch {number} has it no more: give its record an until" for name in ours - set(flags)
    ]
    for name in ours & set(flags):
        found += [f"{name}: {each}" for each in _of_flag(FLAGS[name], flags[name], release)]
    return sorted(found)


def _of_flag(flag: Flag, facts: dict[str, Any], release: Minor) -> list[str]:
    alias = flag.renamed if flag.is_alias_in(release) else None
    if alias != facts.get("alias"):
        return [f"alias is {facts.get('alias')} in torch, {alias} here"]
    deprecated = bool(flag.deprecated) and minor(flag.deprecated) <= release
    pairs = {"deprecated": (facts.get("deprecated", False), deprecated)}
    if not alias:
        variables = {variable.name: variable.rule for variable in flag.variables_in(release)}
        pairs["default"] = (facts["default"], _default(flag, release))
        pairs["variables"] = (facts.get("variables", {}), variables)
        pairs["compile_ignored"] = (facts["compile_ignored"], flag.compile_ignored_in(release))
    found = [
        f"{fact} is {torchs!r} in torch, {ours!r} here"
        for fact, (torchs, ours) in pairs.items()
        if not same(torchs, ours)
    ]
    annotation = facts.get("annotation")
    if annotation and not _suits(flag, annotation):
        found.append(f"annotation is {annotation} in torch, type {flag.type} here")
    return found


def _default(flag: Flag, release: Minor) -> Any:
    default = fact_in(flag.default, release)
    if isinstance(default, Computed):
        return COMPUTED[default]
    return as_json(flag.type, flag.default_in(release))


def _suits(flag: Flag, annotation: str) -> bool:
    """Tell whether the type takes what the annotation says, or chosen words where that says ``str``."""
    torchs, ours = _annotated(ast.parse(annotation, mode="eval").body), _taken(flag.type)
    if flag.name in TRUTH_ONLY:
        torchs = torchs - {"str"}
    words = {each for each in ours if each.startswith("'")} if "str" in torchs else set()
    return ours == torchs or (bool(words) and ours - words == torchs - {"str"})


def _annotated(node: ast.expr) -> set[str]:  # noqa: C901, PLR0911  one case for each form
    """Return the sorts of value that an annotation takes."""
    match node:
        case ast.BinOp(left=left, right=right):
            return _annotated(left) | _annotated(right)
        case ast.Subscript(value=ast.Name(id="Optional"), slice=inner):
            return _annotated(inner) | {"None"}
        case ast.Subscript(value=ast.Name(id="Union"), slice=ast.Tuple(elts=parts)):
            return set().union(*map(_annotated, parts))
        case ast.Subscript(value=ast.Name(id="Literal"), slice=ast.Tuple(elts=parts)):
            return {repr(ast.literal_eval(part)) for part in parts}
        case ast.Subscript(value=ast.Name(id="Set" | "set"), slice=inner):
            return {f"set of {each}" for each in _annotated(inner)}
        case ast.Subscript(value=ast.Name(id="Callable")):
            return {"callable"}
        case ast.Subscript(value=ast.Name(id="Type" | "type")):
            return {"class"}
        case ast.Subscript(value=ast.Name(id="Dict" | "dict")):
            return {"dict"}
        case ast.Constant(value=None):
            return {"None"}
        case ast.Name(id=name):
            return {name.lower()}
    raise AssertionError(f"an annotation of a new sort: {ast.unparse(node)}")


def _taken(type_: ValueType) -> set[str]:  # noqa: C901, PLR0911  one case for each type
    """Return the sorts of value that a type takes, in the same words."""
    match type_:
        case Bool():
            return {"bool"}
        case Int():
            return {"int"}
        case Text() | PathType() | Overrides():
            return {"str"}
        case Choice(options=options):
            return set(map(repr, options))
        case Reference(to=to):
            return {to}
        case SetOf(item=item):
            return {f"set of {each}" for each in _taken(item)}
        case Mapping():
            return {"dict"}
        case Optional(of=inner):
            return _taken(inner) | {"None"}
        case BoolOr(of=inner):
            return _taken(inner) | {"bool"}
        case ListOf():
            return {"list"}
        case Opaque():
            return {"any", "None"}
    raise AssertionError(f"a type of a new sort: {type_}")


@pytest.mark.parametrize("release", RELEASES)
def test_the_catalogue_is_what_the_release_says(release):
    """Names, defaults, variables, what is ignored in hashes, aliases, deprecations and annotations agree."""
    assert differences(fixture(release), minor(release)) == []


def test_every_release_has_its_facts_and_every_fact_its_release():
    """Neither a fixture nor an entry of `RELEASES` stands alone."""
    assert {path.stem for path in FIXTURES.iterdir()} == set(RELEASES)


def test_a_difference_is_named():
    """Each sort of difference is found, and says which flag it is about."""
    flags = fixture("2.13.0")
    del flags["verbose"]
    flags["brand_new"] = {"default": 1, "compile_ignored": False}
    flags["recompile_limit"]["default"] = 9
    flags["disable"]["variables"] = {}
    flags["suppress_errors"]["compile_ignored"] = True
    flags["cache_size_limit"]["alias"] = "disable"
    flags["allow_rnn"]["deprecated"] = True
    flags["optimize_ddp"]["annotation"] = "int | None"
    assert differences(flags, (2, 13)) == [
        "allow_rnn: deprecated is True in torch, False here",
        "brand_new: torch 2.13 has it: add a record, or mend since / until",
        "cache_size_limit: alias is disable in torch, recompile_limit here",
        "disable: variables is {} in torch, {'TORCH_COMPILE_DISABLE': 'equals_one'} here",
        f"optimize_ddp: annotation is int | None in torch, type {FLAGS['optimize_ddp'].type} here",
        "recompile_limit: default is 9 in torch, 8 here",
        "suppress_errors: compile_ignored is True in torch, False here",
        "verbose: torch 2.13 has it no more: give its record an until",
    ]


def test_the_catalogue_is_what_the_installed_torch_says():
    """The sources of the torch at hand, read anew, hold no difference either."""
    torch = pytest.importorskip("torch")
    config = pytest.importorskip("torch._dynamo.config")
    folder = Path(config.__file__).parents[2]
    facts = upstream.read(torch.__version__, folder)
    assert differences(facts["flags"], at_hand().minor) == []


def test_defaults_are_those_of_the_live_module():
    """In a clean environment the installed module holds the defaults that the catalogue computes."""
    release = at_hand().minor
    ours = {flag.name: flag.default_in(release) for flag in settings_of(release)}
    with fresh_config() as config, warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # torch's own, of flags that it deprecates
        torchs = {name: getattr(config, name) for name in ours}
    assert [name for name, default in ours.items() if not same(default, torchs[name])] == []
