"""Two tiers of records: facts derived from the releases, and descriptions written by hand."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from dynconf.flags.flag import ByRelease, Flag, Reach, Status
from dynconf.flags.types import ValueType


@dataclass(frozen=True, slots=True, kw_only=True)
class Described:
    """What is written by hand about a flag whose facts are derived; the fields are those of `Flag`.

    A field that is left out keeps the derived fact, so only what cannot be derived is written here.
    """

    name: str
    summary: str
    details: str = ""
    type: ValueType | None = None
    status: Status | ByRelease[Status] | None = None
    renamed: str = ""
    instead: str = ""
    host: bool = False
    reach: tuple[Reach, ...] = ()

    def over(self, facts: Flag) -> Flag:
        """Return the record of the flag with these facts and this description."""
        return replace(
            facts,
            summary=self.summary,
            details=self.details,
            type=self.type or facts.type,
            status=self.status or facts.status,
            renamed=self.renamed or facts.renamed,
            instead=self.instead,
            host=self.host or facts.host,
            reach=self.reach,
        )


def described(
    derived: Iterable[Flag], topics: Mapping[str, Iterable[Described]]
) -> dict[str, tuple[Flag, ...]]:
    """Return the records of a module by topic.

    Args:
        derived: The facts of every flag.
        topics: What is written about some of them. The others follow under the name of their nested class, or
            under "more".

    Raises:
        KeyError: A description is of a flag that no release has.
    """
    left = {flag.name: flag for flag in derived}
    records = {topic: [each.over(left.pop(each.name)) for each in flags] for topic, flags in topics.items()}
    for name, flag in left.items():
        nested, dot, _ = name.partition(".")
        records.setdefault(nested if dot else "more", []).append(flag)
    return {topic: tuple(flags) for topic, flags in records.items()}
