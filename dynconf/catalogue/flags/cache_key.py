"""The part of a flag that is in the key of Inductor's FX graph cache."""

from dynconf.catalogue.flags.flag import Flag, fact_in
from dynconf.release import Minor

_BY_NAME = {
    "compiler.cache_key_tag": ((2, 13), "its value"),
    "compiler.compile_on_one_rank": ((2, 14), "its value"),
    "functorch.bundled_autograd_cache": ((2, 13), "its value"),
    "inductor.inductor_choices_class": ((2, 12), "its uuid()"),
    "inductor.pre_grad_pass_timing": ((2, 13), "its value"),
    "inductor.trace.provenance_tracking_level": ((2, 13), "its value"),
    "inductor.trace.provenance_tracking_to_timeline": ((2, 14), "its value"),
}
"""Flags that FxGraphHashDetails in torch/_inductor/codecache.py reads by name, from a release on."""


def part_in_cache_key(flag: Flag, at: Minor) -> str:
    """Return the part of a flag in a release: see `Setting.in_cache_key`."""
    since, part = _BY_NAME.get(flag.qualified, (at, ""))
    if part and at >= since:
        return part
    if flag.module not in ("inductor", "comms"):
        return ""
    if fact_in(flag.cache_key_ignored, at):
        # The same function adds what identifies each custom pass.
        return "its uuid()" if flag.type_in(at).names_objects and "_pass" in flag.name else "nothing"
    # From torch 2.13 on the key is made of values that the config module keeps until a flag is assigned.
    return "the value that was assigned" if flag.type_in(at).mutable and at >= (2, 13) else "its value"
