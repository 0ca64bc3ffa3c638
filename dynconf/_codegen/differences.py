"""Compare the records of a config module with the facts that `upstream` read, in both directions."""

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from dynconf._codegen.derived import union_members
from dynconf._codegen.upstream import shortened
from dynconf.catalogue import Setting, View
from dynconf.flags.flag import Flag, fact_in
from dynconf.flags.types import Mismatch, OrNone, same
from dynconf.modules import catalogue
from dynconf.names import setting
from dynconf.release import Release, minor

Facts = Mapping[str, Any]

DERIVED = {"inductor"}
"""The modules whose types are derived from torch's annotations, or narrowed by hand."""

LEFT_AS_TEXT = {"disable", "cprofile"}
"""Flags that torch annotates ``bool | str`` because of their variable; only the truth of the text matters."""


def differences(module: str, facts: Mapping[str, Facts], release: str) -> list[str]:
    """Return a line for each difference between the records of a module and the facts of a release.

    Args:
        module: The short name of the module.
        facts: The facts of the module in that release, by flag.
        release: The release, which may be newer than the catalogue.
    """
    view = catalogue(module).at(Release(release, "named"))
    number = ".".join(map(str, minor(release)))
    found = []
    for name in sorted({*view.names, *facts}):
        flag = view.catalogue.flags.get(name)
        if name not in view.names:
            told = [f"{fact} {value!r}" for fact, value in facts[name].items() if fact != "variables"]
            told += [f"{each} {_how(rule)}" for each, rule in facts[name].get("variables", {}).items()]
            found.append(f"{name}: torch {number} has it, the catalogue does not ({', '.join(told)})")
        elif name not in facts:
            found.append(f"{name}: torch {number} does not have it, the catalogue does")
        else:
            assert flag is not None
            found += [f"{name}: {each}" for each in _of_flag(flag, view, facts[name])]
    return found


def _of_flag(flag: Flag, view: View, facts: Facts) -> Iterator[str]:
    alias, torchs = view.aliases.get(flag.name), shortened(facts.get("alias", "")) or None
    if alias != torchs:
        yield f"alias is {torchs!r} in torch, {alias!r} here"
        return
    at = view.release.minor
    told: dict[str, Any] = {"deprecated": bool(flag.deprecated) and minor(flag.deprecated) <= at}
    if alias is None:
        yield from _of_setting(setting(flag.name, view.release, flag.module), facts)
        told |= {fact: fact_in(getattr(flag, fact), at) for fact in ("compile_ignored", "cache_key_ignored")}
        told["implied_by"] = [list(each) for each in fact_in(flag.implied_by, at)]
    for fact, here in told.items():
        there = facts.get(fact, type(here)())
        if here != there:
            yield f"{fact} is {there} in torch, {here} here"
    annotation = facts.get("annotation")
    elsewhere = alias is not None and "." in alias
    if (
        annotation
        and not elsewhere
        and flag.module not in DERIVED
        and not _suits(flag, annotation, facts.get("default"))
    ):
        yield f"annotation is {annotation} in torch, the type is {flag.type.annotation} here"


def _of_setting(setting: Setting, facts: Facts) -> Iterator[str]:
    depends_on = facts.get("depends_on", [])
    if depends_on and not setting.is_computed:
        yield f"default depends on {', '.join(depends_on)} in torch, but not here"
    elif setting.is_computed and not depends_on:
        yield f"default is {facts['default']!r} on every machine, Computed here"
    elif not setting.is_computed:
        default = _as_data(setting)
        if not same(default, facts.get("default")):
            yield f"default is {facts.get('default')!r} in torch, {default!r} here"
    ours = {variable.name: variable.rule for variable in setting.variables}
    torchs = facts.get("variables", {})
    for name in sorted({*ours, *torchs}):
        if ours.get(name) != torchs.get(name):
            yield f"{name} is {_how(torchs.get(name))} in torch, {_how(ours.get(name))} here"
    if ours == torchs and list(ours) != list(torchs):
        yield f"the strongest variable comes first in {list(torchs)}, but not in {list(ours)}"


def _as_data(setting: Setting) -> Any:
    try:
        return setting.type.to_data(setting.default_value())
    except Mismatch:  # the type has no written form
        return setting.default_value()


def _how(rule: object) -> str:
    """Describe how a variable is read: by which rule, by no known rule, or not at all."""
    if isinstance(rule, dict):
        texts = ", ".join(f"{text!r} is {value!r}" for text, value in rule.items())
        return f"read by no known rule ({texts}; flags/variable.py lists the rules)"
    return f"read as {rule}" if rule else "not read"


def _suits(flag: Flag, annotation: str, default: object) -> bool:
    """Tell whether the type accepts what the annotation says, or some words where that says ``str``."""
    torchs, ours = _sorts(annotation), _sorts(flag.type.annotation)
    if flag.name in LEFT_AS_TEXT:
        torchs = torchs - {"str"}
    if default is None and isinstance(flag.type, OrNone):  # some annotations leave out None, the default
        torchs = torchs | {"None"}
    words = {each for each in ours if each.startswith("'")} if "str" in torchs else set()
    return ours == torchs or (bool(words) and ours - words == torchs - {"str"})


def _sorts(annotation: str) -> set[str]:
    """Return the sorts of value that an annotation accepts."""
    return _of_node(ast.parse(annotation, mode="eval").body)


def _of_node(node: ast.expr) -> set[str]:  # noqa: C901, PLR0911  one case for each form
    match node:
        case ast.BinOp() | ast.Subscript(value=ast.Name(id="Optional" | "Union")):
            return set().union(*map(_of_node, union_members(node)))
        case ast.Subscript(value=ast.Name(id="Literal"), slice=ast.Tuple(elts=parts)):
            return {repr(ast.literal_eval(part)) for part in parts}
        case ast.Subscript(value=ast.Name(id="Set" | "set"), slice=inner):
            return {f"set of {each}" for each in _of_node(inner)}
        case ast.Name(id="Callable") | ast.Subscript(value=ast.Name(id="Callable")):
            return {"callable"}
        case ast.Subscript(value=ast.Name(id="Type" | "type")):
            return {"class"}
        case ast.Subscript(value=ast.Name(id="Dict" | "dict" | "List" | "list" as name)):
            return {name.lower()}
        case ast.Subscript(value=ast.Attribute(attr="PathLike")):
            return set()
        case ast.Name(id="Any"):
            return {"any", "None"}
        case ast.Constant(value=None):
            return {"None"}
        case ast.Name(id=name):
            return {name.lower()}
    raise AssertionError(f"an annotation of an unknown form: {ast.unparse(node)}")
