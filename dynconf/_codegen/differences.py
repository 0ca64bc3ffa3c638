"""Compare the types of a module's records with torch's annotations; all else in a record is derived."""

from collections.abc import Mapping
from typing import Any

from dynconf._codegen.annotations import alternatives, words_in
from dynconf.catalogue.flags.flag import Flag
from dynconf.catalogue.flags.types import OrNone
from dynconf.catalogue.modules import catalogue

NOT_ANNOTATED_EXACTLY = {"inductor"}
"""The modules whose annotations say less than their code, so that types narrow or widen them by hand."""

READ_BEYOND_THE_ANNOTATION = {"bucket_reduce_scatters_fx": {"fsdp", "only_fsdp"}}
"""Words that the code of torch reads, and that the annotation of the flag leaves out."""


def differences(module: str, facts: Mapping[str, Mapping[str, Any]], release: str) -> list[str]:
    """Return a line for each type that differs from the annotation in the facts of a release, by flag."""
    found = []
    for name, known in sorted(facts.items()):
        flag, annotation, alias = (
            catalogue(module).flags[name],
            known.get("annotation"),
            known.get("alias", ""),
        )
        if not annotation:
            continue
        theirs, ours = words_in(annotation), words_in(flag.type_in(release).annotation)
        if theirs and not alias and theirs != ours - READ_BEYOND_THE_ANNOTATION.get(name, set()):
            found.append(f"{name}: the words are {sorted(theirs)} in torch, {sorted(ours)} in dynconf")
        # torch often leaves an old annotation on the alias of a flag that moved to another module.
        is_compared = module not in NOT_ANNOTATED_EXACTLY and "." not in alias
        if is_compared and not _fits(flag, annotation, known.get("default")):
            type_ = flag.type.annotation
            found.append(f"{name}: the annotation is {annotation} in torch, the type is {type_} in dynconf")
    return found


def _fits(flag: Flag, annotation: str, default: object) -> bool:
    """Tell whether the type accepts the same kinds of value, or certain words where torch has ``str``."""
    accepted, ours = alternatives(annotation), set(flag.type.annotation.split(" | ")) - {"os.PathLike[str]"}
    if "Any" in accepted:
        return True
    if default is None and isinstance(flag.type, OrNone):  # some annotations leave out None, the default
        accepted |= {"None"}
    words = {each for each in ours if each.startswith("Literal[")} if "str" in accepted else set()
    return ours == accepted or (bool(words) and ours - words == accepted - {"str"})
