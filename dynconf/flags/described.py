"""Combining the two parts of a record: facts derived from the releases, and a handwritten description.

A flag is declared in ``_derived.py`` of its module, which is generated. A topic module describes it::

    FLAGS = {"donated_buffer": Described("Lets the backward reuse ...", risks=("skips calls",))}
"""

from dataclasses import KW_ONLY, dataclass, fields
from importlib import import_module

from dynconf.flags.flag import ByRelease, Flag, Risk, Status
from dynconf.flags.types import ValueType


@dataclass(frozen=True, slots=True)
class Described:
    """The handwritten part of a record, in fields of `Flag`; a field that is left out keeps the derived fact.

    A description that is only a summary may be written as a plain text. An old name needs no summary.
    """

    summary: str = ""
    _: KW_ONLY
    details: str = ""
    type: ValueType | None = None
    type_by_release: ByRelease[ValueType] | None = None
    status: Status | ByRelease[Status] | None = None
    renamed_to: str = ""
    replacement: str = ""
    machine_dependent: bool = False
    risks: tuple[Risk, ...] = ()

    def added_to(self, facts: Flag) -> Flag:
        """Return the record *facts* with this description."""
        for name in _FIELDS:
            if value := getattr(self, name):
                # Not a copy, although the record is frozen: nobody else has seen it yet, and copying 900
                # records would take longer than loading them.
                object.__setattr__(facts, name, value)
        if not self.summary:
            object.__setattr__(facts, "summary", f"Old name of {facts.renamed_to}.")
        return facts


_FIELDS = tuple(field.name for field in fields(Described))


def described(package: str, *topics: str) -> dict[str, tuple[Flag, ...]]:
    """Return the records of a config module by topic.

    Args:
        package: The package of the config module.
        topics: Its modules with descriptions, in the order for display. Flags without a description follow
            under the name of their nested class, such as "triton", or under "more".

    Raises:
        KeyError: No release has a described flag, or two topics describe the same one.
    """
    undescribed = {flag.name: flag for flag in import_module(f"{package}._derived").FLAGS}
    records: dict[str, list[Flag]] = {}
    for topic in topics:
        texts: dict[str, Described | str] = import_module(f"{package}.{topic}").FLAGS
        records[topic] = [
            (Described(text) if isinstance(text, str) else text).added_to(undescribed.pop(name))
            for name, text in texts.items()
        ]
    for name, flag in undescribed.items():
        nested, dot, _ = name.partition(".")
        records.setdefault(nested if dot else "more", []).append(flag)
    return {topic: tuple(flags) for topic, flags in records.items()}
