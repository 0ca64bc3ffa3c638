"""The derived tier of a catalogue: the facts of each flag in all releases, as one record.

The facts come from ``tests/data/upstream``, where each release has its own file. A record has them by
release: a default that was 8 and is 64 from torch 2.9 on becomes ``by_release(8, v2_9=64)``, and a flag that
torch 2.5 to 2.8 had gets ``since="2.5", until="2.8"``. Written by hand are only the words that the facts do
not reveal, below, and how defaults are computed that depend on the machine, in ``host.py`` of each module.
"""

import ast
import itertools
import json
import re
import runpy
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from dynconf._codegen.annotations import type_of
from dynconf._codegen.upstream import shortened, target
from dynconf.catalogue.flags import types
from dynconf.catalogue.flags.flag import Flag
from dynconf.catalogue.flags.variable import VARIABLE_RULES
from dynconf.catalogue.modules import HOMES
from dynconf.release import RELEASES, minor

Facts = Mapping[str, Any]
ReleaseFacts = Mapping[str, Mapping[str, Facts]]
"""The facts of each flag in one release, by module and name."""

UNANNOTATED = {
    # torch/_inductor/codegen/common.py, init_backend_registration
    "cpu_backend": {"2.5": "Literal['cpp', 'halide']", "2.6": "Literal['cpp', 'triton', 'halide']"},
    "aot_inductor.debug_intermediate_value_printer": {
        "2.5": "Literal['0', '1', '2']",
        "2.6": "Literal['0', '1', '2', '3']",
    },
    # Until 2.8 it takes any name; these are in the default of a release or in a later annotation.
    "rocm.ck_supported_arch": {"2.5": "list[Literal['gfx90a', 'gfx940', 'gfx941', 'gfx942', 'gfx950']]"},
}
"""The words that a flag takes, from releases on whose annotations do not list them.

Where the words of other flags are not annotated, they are those of the first release that annotates them.
"""

_WORDS = re.compile(r"(?<=Choice\().+?\)")
"""The words of a choice, in the expression of a type."""

MACHINE_FEATURES = {
    "torch's folder",
    "the working directory",
    "the operating system",
    "the number of processors",
}
"""Features of `probe.MACHINE` that tie a default to one machine, so that it is not saved."""


def derived(module: str, fixtures: Path) -> str:
    """Return the source of the file with the facts of every flag of a module, unused imports included.

    The error for a fact that cannot be derived names the flag, and the table to extend by hand.
    """
    history: dict[str, ReleaseFacts] = {}
    for release in RELEASES:
        facts = json.loads((fixtures / f"{release}.json").read_text(encoding="utf-8"))
        for short, without_reader in facts.get("unread", {}).items():
            for name in without_reader:
                facts["modules"][short][name]["unread"] = True
        history[_number(release)] = {short: facts["modules"].get(short, {}) for short in HOMES}
    names = sorted({name for modules in history.values() for name in modules[module]})
    host = Path(__file__).parents[1] / "catalogue" / "modules" / module / "host.py"
    # Importing it would import the package, which needs the file that is about to be made.
    computed = runpy.run_path(str(host))["DEFAULTS"] if host.is_file() else ()
    lines = "".join(f"    {_Record(module, name, history, computed).source()},\n" for name in names)
    kinds = (each for each in dir(types) if each[0].isupper())
    return (
        f'"""The facts of every flag of ``{HOMES[module]}``, derived from the releases."""\n\n'
        "from dynconf.catalogue.flags.flag import Flag, by_release\n"
        f"from dynconf.catalogue.flags.types import ({', '.join(kinds)})\n"
        "from dynconf.catalogue.flags.variable import Variable\n"
        f"from dynconf.catalogue.modules.{module} import host\n\n"
        f"FLAGS = (\n{lines})\n"
    )


class _Record:
    """The record of one flag, made from the facts of all modules by release.

    Attributes:
        facts: The facts of the flag, in the releases that have it.
        own: The same without the releases in which the name is an alias of another flag.
        defaults: The facts that the default is taken from.
    """

    def __init__(
        self, module: str, name: str, history: Mapping[str, ReleaseFacts], computed: Collection[str]
    ) -> None:
        self.name = name
        self.computed = computed
        self.releases = list(history)
        self.facts = {n: modules[module][name] for n, modules in history.items() if name in modules[module]}
        self.own = {number: fact for number, fact in self.facts.items() if "alias" not in fact}
        # A name that was an alias from the start has the default of the flag that it points to.
        self.defaults = self.own
        if not self.own:
            homes = {number: target(history[number], module, name) for number in self.facts}
            self.defaults = {number: history[number][home][flag] for number, (home, flag) in homes.items()}
        newest = history[list(self.facts)[-1]][module]
        self.torch_saves = name not in newest.get("_save_config_ignore", {}).get("default", ())

    def source(self) -> str:
        """Return the record as an expression, without the facts that are the defaults of their fields."""
        present, type_ = list(self.facts), self._type()
        first = self.releases.index(present[0])
        # Flag has one span, since and until.
        if self.releases[first : first + len(present)] != present:
            raise ValueError(f"{self.name} disappeared and came back: it is in {', '.join(present)}")
        aliases = [facts["alias"] for facts in self.facts.values() if "alias" in facts]
        depends_on = {name for facts in self.own.values() for name in facts.get("depends_on", ())}
        facts = {
            "name": repr(self.name),
            "type": type_,
            "type_by_release": self._type_by_release(type_),
            "default": self._default(),
            "since": repr(present[0]),
            "until": repr("" if present[-1] == self.releases[-1] else present[-1]),
            "variables": f"({''.join(f'{each}, ' for each in self._variables())})",
            "status": self._status(),
            "renamed_to": repr(shortened(aliases[-1]) if aliases else ""),
            "alias_since": self._first("alias"),
            "deprecated": self._first("deprecated"),
            "compile_ignored": self._over_time(lambda facts: "compile_ignored" in facts),
            "cache_key_ignored": self._over_time(lambda facts: "cache_key_ignored" in facts),
            "implied_by": self._over_time(lambda facts: tuple(map(tuple, facts.get("implied_by", ())))),
            "machine_dependent": repr(not MACHINE_FEATURES.isdisjoint(depends_on)),
            "torch_saves": repr(self.torch_saves),
        }
        defaults = {field.name: repr(field.default) for field in fields(Flag)}
        written = (f"{name}={fact}" for name, fact in facts.items() if fact != defaults[name])
        return f"Flag({', '.join(written)})"

    def _status(self) -> str:
        if self.name.startswith("_"):
            return repr("internal")
        if "TESTING_ONLY" in self.name or self.name.startswith("test_configs."):
            return repr("testing")
        return self._over_time(lambda facts: "unread" if "unread" in facts else "active")

    def _first(self, fact: str) -> str:
        return repr(next((number for number, facts in self.facts.items() if facts.get(fact)), ""))

    def _over_time(self, fact: Callable[[Facts], object]) -> str:
        own = self.own or {"": {}}  # an alias has no facts of its own
        return _by_release({number: repr(fact(facts)) for number, facts in own.items()})

    def _default(self) -> str:
        def source_of(facts: Facts) -> str:
            # A default may depend on something else from some release on: then the key names it.
            if depends_on := facts.get("depends_on"):
                for key in (f"{self.name}: {depends_on[0]}", self.name):
                    if key in self.computed:
                        return f"host.DEFAULTS[{key!r}]"
                raise ValueError(f"the default of {self.name} depends on {depends_on}: see host.DEFAULTS")
            return repr(facts["default"])

        return _by_release({number: source_of(facts) for number, facts in self.defaults.items()})

    def _variables(self) -> Iterator[str]:
        releases = list(self.own)
        names: list[str] = []
        for facts in reversed(self.own.values()):  # the order of the newest release is the one that counts
            names += [name for name in facts.get("variables", ()) if name not in names]
        for name in names:
            rules = {number: facts.get("variables", {}).get(name) for number, facts in self.own.items()}
            for rule, span in itertools.groupby(rules, rules.__getitem__):
                if rule is None:
                    continue
                numbers = list(span)
                if rule not in tuple(VARIABLE_RULES):
                    raise ValueError(f"{self.name}: {name} is read by no known rule: see VARIABLE_RULES")
                arguments = [repr(name), repr(rule)]
                arguments += [f"since={numbers[0]!r}"] if numbers[0] != releases[0] else []
                arguments += [f"until={numbers[-1]!r}"] if numbers[-1] != releases[-1] else []
                yield f"Variable({', '.join(arguments)})"

    def _type(self) -> str:
        # The newest annotation is the most precise; older releases have few.
        annotations = list(self._annotations().values())
        defaults = [fact.get("default") for fact in self.defaults.values()]
        rules = [rule for facts in self.own.values() for rule in facts.get("variables", {}).values()]
        if not annotations:
            annotations = [_annotation(defaults) or ("str" if "text" in rules else "Any")]
        type_ = type_of(annotations[-1])
        words = dict.fromkeys(word for each in reversed(annotations) for word in _words(type_of(each)))
        type_ = _with_words(type_, tuple(words))
        return (
            f"OrNone({type_})" if None in defaults and not type_.startswith(("OrNone", "Opaque")) else type_
        )

    def _annotations(self) -> dict[str, str]:
        """Return the annotation in each release that has one, or for which there is one in `UNANNOTATED`."""
        by_hand = UNANNOTATED.get(self.name, {})
        found = {number: facts.get("annotation", "") for number, facts in self.facts.items()} | by_hand
        return {number: annotation for number, annotation in found.items() if annotation}

    def _type_by_release(self, type_: str) -> str:
        """Return the type with the words of each release; None unless they differ."""
        words = {number: _words(type_of(each)) for number, each in self._annotations().items()}
        types = {number: _with_words(type_, each) for number, each in words.items() if each}
        return _by_release(types) if len({*types.values()}) > 1 else repr(None)


def _annotation(defaults: list[Any]) -> str:
    """Return the annotation that fits all defaults but None; "" if there is no other one."""
    kinds = {type(default).__name__ for default in defaults} - {"NoneType"}
    if kinds == {"list"}:
        items = {type(item).__name__ for default in defaults for item in default or ()} or {"str"}
        return f"list[{items.pop() if len(items) == 1 else 'Any'}]"
    if kinds == {"int", "float"}:
        return "float"
    return kinds.pop() if len(kinds) == 1 else "Any" if kinds else ""


def _words(type_: str) -> tuple[str, ...]:
    """Return the words of the choice in the expression of a type, if there is one."""
    found = _WORDS.search(type_)
    return ast.literal_eval(found[0]) if found else ()


def _with_words(type_: str, words: tuple[str, ...]) -> str:
    return _WORDS.sub(lambda _: repr(words), type_)


def _number(release: str) -> str:
    return ".".join(map(str, minor(release)))


def _by_release(facts: Mapping[str, str]) -> str:
    """Return the expression of a fact, given its expression in each release."""
    (_, first), *changes = [(next(span), fact) for fact, span in itertools.groupby(facts, facts.__getitem__)]
    arguments = [first, *(f"v{number.replace('.', '_')}={fact}" for number, fact in changes)]
    return f"by_release({', '.join(arguments)})" if changes else first
