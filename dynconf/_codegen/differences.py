"""Compare the records of a config module with the facts that `upstream` read, in both directions."""

from collections.abc import Iterator, Mapping
from typing import Any

from dynconf._codegen.annotations import alternatives
from dynconf._codegen.upstream import shortened
from dynconf.catalogue import Setting, View
from dynconf.flags.flag import Flag, fact_in
from dynconf.flags.types import Mismatch, OrNone, same
from dynconf.modules import catalogue
from dynconf.names import setting
from dynconf.release import Release, minor

Facts = Mapping[str, Any]

NOT_ANNOTATED_EXACTLY = {"inductor"}
"""The modules whose annotations say less than their code, so that types narrow or widen them by hand."""


def differences(module: str, facts: Mapping[str, Facts], release: str) -> list[str]:
    """Return a line for each difference between the records of a module and its facts in a release, by flag.

    The release may be newer than the catalogue.
    """
    view = catalogue(module).at(Release(release, "named"))
    number = ".".join(map(str, minor(release)))
    found = []
    for name in sorted({*view.names, *facts}):
        if name not in view.names:
            known = [f"{fact} {value!r}" for fact, value in facts[name].items() if fact != "variables"]
            known += [f"{each} {_reading(rule)}" for each, rule in facts[name].get("variables", {}).items()]
            found.append(f"{name}: torch {number} has it, the catalogue does not ({', '.join(known)})")
        elif name not in facts:
            found.append(f"{name}: torch {number} does not have it, the catalogue does")
        else:
            flag = view.catalogue.flags[name]
            found += [f"{name}: {each}" for each in _of_flag(flag, view, facts[name])]
    return found


def _of_flag(flag: Flag, view: View, facts: Facts) -> Iterator[str]:
    alias, torch_alias = view.aliases.get(flag.name), shortened(facts.get("alias", "")) or None
    if alias != torch_alias:
        yield f"alias is {torch_alias!r} in torch, {alias!r} in dynconf"
        return
    release = view.release.minor
    ours: dict[str, Any] = {"deprecated": bool(flag.deprecated) and minor(flag.deprecated) <= release}
    if alias is None:
        yield from _of_setting(setting(flag.name, view.release, flag.module), facts)
        ours |= {
            fact: fact_in(getattr(flag, fact), release) for fact in ("compile_ignored", "cache_key_ignored")
        }
        ours["implied_by"] = [list(each) for each in fact_in(flag.implied_by, release)]
    for fact, value in ours.items():
        torch_value = facts.get(fact, type(value)())  # facts leave out whatever is false or empty
        if value != torch_value:
            yield f"{fact} is {torch_value} in torch, {value} in dynconf"
    # torch often leaves an old annotation on the alias of a flag that moved to another module.
    is_compared = flag.module not in NOT_ANNOTATED_EXACTLY and "." not in (alias or "")
    annotation = facts.get("annotation")
    if annotation and is_compared and not _fits(flag, annotation, facts.get("default")):
        yield f"annotation is {annotation} in torch, the type is {flag.type.annotation} in dynconf"


def _of_setting(setting: Setting, facts: Facts) -> Iterator[str]:
    depends_on = facts.get("depends_on", [])
    if depends_on and not setting.is_computed:
        yield f"default depends on {', '.join(depends_on)} in torch, but not in dynconf"
    elif setting.is_computed and not depends_on:
        yield f"default is {facts['default']!r} on every machine, Computed in dynconf"
    elif not setting.is_computed:
        default = _default_as_data(setting)
        if not same(default, facts.get("default")):
            yield f"default is {facts.get('default')!r} in torch, {default!r} in dynconf"
    ours = {variable.name: variable.rule for variable in setting.variables}
    torchs = facts.get("variables", {})
    for name in sorted({*ours, *torchs}):
        if ours.get(name) != torchs.get(name):
            yield f"{name} is {_reading(torchs.get(name))} in torch, {_reading(ours.get(name))} in dynconf"
    if ours == torchs and list(ours) != list(torchs):
        yield f"the strongest variable comes first in {list(torchs)}, but not in {list(ours)}"


def _default_as_data(setting: Setting) -> Any:
    try:
        return setting.type.to_data(setting.default_value())
    except Mismatch:  # the type has no written form
        return setting.default_value()


def _reading(rule: object) -> str:
    """Describe how a variable is read: by which rule, by no known rule, or not at all."""
    if isinstance(rule, dict):
        texts = ", ".join(f"{text!r} is {value!r}" for text, value in rule.items())
        return f"read by no known rule ({texts}; flags/variable.py lists the rules)"
    return f"read as {rule}" if rule else "not read"


def _fits(flag: Flag, annotation: str, default: object) -> bool:
    """Tell whether the type accepts the same kinds of value, or certain words where torch has ``str``."""
    torchs, ours = alternatives(annotation), set(flag.type.annotation.split(" | ")) - {"os.PathLike[str]"}
    if "Any" in torchs:
        return True
    if default is None and isinstance(flag.type, OrNone):  # some annotations leave out None, the default
        torchs |= {"None"}
    words = {each for each in ours if each.startswith("Literal[")} if "str" in torchs else set()
    return ours == torchs or (bool(words) and ours - words == torchs - {"str"})
