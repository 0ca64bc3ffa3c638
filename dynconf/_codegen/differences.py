"""Compare the records of a config module with the facts that `upstream` read, in both directions."""

from collections.abc import Iterator, Mapping
from typing import Any

from dynconf._codegen.annotations import alternatives, words_in
from dynconf._codegen.upstream import shortened
from dynconf.catalogue.catalogue import View
from dynconf.catalogue.flags.flag import Flag, fact_in
from dynconf.catalogue.flags.types import OrNone, is_same_value
from dynconf.catalogue.modules import catalogue
from dynconf.catalogue.names import setting
from dynconf.release import Release, minor

Facts = Mapping[str, Any]

NOT_ANNOTATED_EXACTLY = {"inductor"}
"""The modules whose annotations say less than their code, so that types narrow or widen them by hand."""

READ_BEYOND_THE_ANNOTATION = {"bucket_reduce_scatters_fx": {"fsdp", "only_fsdp"}}
"""Words that the code of torch reads, and that the annotation of the flag leaves out."""

_COMPUTED = "<computed>"
"""Stands for a default that depends on the machine."""


def differences(module: str, facts: Mapping[str, Facts], release: str) -> list[str]:
    """Return a line for each difference between the records of a module and its facts in a release, by flag.

    The release may be newer than the catalogue.
    """
    view = catalogue(module).at(Release(release, "named"))
    number = ".".join(map(str, minor(release)))
    found = []
    for name in sorted({*view.names, *facts}):
        if name not in view.names:
            known = ", ".join(f"{fact} {value!r}" for fact, value in facts[name].items())
            found.append(f"{name}: torch {number} has it, the catalogue does not ({known})")
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
    torch_facts = dict(facts)
    ours: dict[str, Any] = {"deprecated": bool(flag.deprecated) and minor(flag.deprecated) <= release}
    if alias is None:
        known = setting(flag.name, view.release, flag.module)
        # As lists, because the strongest variable comes first.
        torch_facts["variables"] = [list(each) for each in facts.get("variables", {}).items()]
        torch_facts["default"] = _COMPUTED if facts.get("depends_on") else facts.get("default")
        words = words_in(known.type.annotation) - READ_BEYOND_THE_ANNOTATION.get(flag.name, set())
        torch_facts["words"] = sorted(words_in(facts.get("annotation", "Any")) or words)
        ours |= {
            "words": sorted(words),
            "default": _COMPUTED if known.is_computed else known.type.show_data(known.default_value()),
            "variables": [[each.name, each.rule] for each in known.variables],
            "compile_ignored": fact_in(flag.compile_ignored, release),
            "cache_key_ignored": fact_in(flag.cache_key_ignored, release),
            "implied_by": [list(each) for each in fact_in(flag.implied_by, release)],
        }
    for fact, value in ours.items():
        torch_value = torch_facts.get(fact, type(value)())  # facts leave out whatever is false or empty
        if not is_same_value(value, torch_value):
            yield f"{fact} is {torch_value!r} in torch, {value!r} in dynconf"
    # torch often leaves an old annotation on the alias of a flag that moved to another module.
    is_compared = flag.module not in NOT_ANNOTATED_EXACTLY and "." not in (alias or "")
    annotation = facts.get("annotation")
    if annotation and is_compared and not _fits(flag, annotation, facts.get("default")):
        yield f"annotation is {annotation} in torch, the type is {flag.type.annotation} in dynconf"


def _fits(flag: Flag, annotation: str, default: object) -> bool:
    """Tell whether the type accepts the same kinds of value, or certain words where torch has ``str``."""
    accepted, ours = alternatives(annotation), set(flag.type.annotation.split(" | ")) - {"os.PathLike[str]"}
    if "Any" in accepted:
        return True
    if default is None and isinstance(flag.type, OrNone):  # some annotations leave out None, the default
        accepted |= {"None"}
    words = {each for each in ours if each.startswith("Literal[")} if "str" in accepted else set()
    return ours == accepted or (bool(words) and ours - words == accepted - {"str"})
