"""Records of flags in two parts: facts derived from the releases, and a description written by hand."""

from dataclasses import KW_ONLY, dataclass, fields
from importlib import import_module

from dynconf.flags.flag import ByRelease, Flag, Reach, Status
from dynconf.flags.types import ValueType


@dataclass(frozen=True, slots=True)
class Described:
    """The part of a record that is written by hand; the fields are those of `Flag`.

    A field that is left out keeps the derived fact, so only facts that cannot be derived are written here.
    Where the summary is all there is, it stands for the record.
    """

    summary: str
    _: KW_ONLY
    details: str = ""
    type: ValueType | None = None
    type_by_release: ByRelease[ValueType] | None = None
    status: Status | ByRelease[Status] | None = None
    renamed: str = ""
    instead: str = ""
    host: bool = False
    reach: tuple[Reach, ...] = ()

    def over(self, facts: Flag) -> Flag:
        """Return the record of the flag with these facts and this description."""
        for name in _FIELDS:
            if value := getattr(self, name):
                # Copying hundreds of records would take longer than loading them.
                object.__setattr__(facts, name, value)
        return facts


_FIELDS = tuple(field.name for field in fields(Described))


def described(package: str, *topics: str) -> dict[str, tuple[Flag, ...]]:
    """Return the records of a config module by topic.

    Args:
        package: The package about it: in ``_derived``, ``FLAGS`` has the facts of every flag.
        topics: The modules in it that describe some of them, by name, in ``FLAGS``. The others follow under
            the name of their nested class, or under "more".

    Raises:
        KeyError: A description is of a flag that no release has, or of one that is described already.
    """
    left = {flag.name: flag for flag in import_module(f"{package}._derived").FLAGS}
    records: dict[str, list[Flag]] = {}
    for topic in topics:
        texts: dict[str, Described | str] = import_module(f"{package}.{topic}").FLAGS
        records[topic] = [
            (Described(text) if isinstance(text, str) else text).over(left.pop(name))
            for name, text in texts.items()
        ]
    for name, flag in left.items():
        nested, dot, _ = name.partition(".")
        records.setdefault(nested if dot else "more", []).append(flag)
    return {topic: tuple(flags) for topic, flags in records.items()}
