"""The derived tier of a catalogue: what the releases say about each flag, as records.

The facts come from ``tests/data/upstream``. Written by hand are only the types that they do not reveal, here,
and how defaults are computed that depend on the machine, in ``host.py`` of each module.
"""

import ast
import itertools
import json
import runpy
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from dynconf._codegen.upstream import CONFIGS, shortened
from dynconf.flags import types
from dynconf.flags.flag import Flag
from dynconf.flags.variable import READINGS
from dynconf.release import RELEASES, minor

Facts = Mapping[str, Any]
Stack = Mapping[str, Mapping[str, Facts]]
"""The facts of each flag, by module and name."""

TYPES = {
    "autoheuristic_collect.mixed_mm": "OrNone(Bool())",
    "autoheuristic_use.mixed_mm": "OrNone(Bool())",
    "rocm.ck_supported_arch": 'Items(Choice(("gfx90a", "gfx940", "gfx941", "gfx942", "gfx950")))',
}
"""Types that neither an annotation nor a default reveals, of flags that are not described."""

MACHINE_PATHS = {
    "torch's folder",
    "the working directory",
    "the operating system",
    "the number of processors",
}
"""A default that depends on one of these is tied to the machine."""


def derived(module: str, fixtures: Path) -> str:
    """Return the source of the file with the facts of every flag of a module, unused imports included.

    Args:
        module: Its short name.
        fixtures: The folder with the facts of the releases.

    Raises:
        ValueError: A fact cannot be derived; the message names the flag, and what to extend by hand.
    """
    stack: dict[str, Stack] = {}
    for release in RELEASES:
        facts = json.loads((fixtures / f"{release}.json").read_text(encoding="utf-8"))["modules"]
        stack[_number(release)] = {short: facts.get(short, {}) for short in CONFIGS}
    names = sorted({name for modules in stack.values() for name in modules[module]})
    host = Path(__file__).parents[1] / "modules" / module / "host.py"
    # Importing it would import the package, which needs the file that is about to be made.
    computed = runpy.run_path(str(host))["DEFAULTS"] if host.is_file() else ()
    lines = "".join(f"    {_Record(module, name, stack, computed).source()},\n" for name in names)
    return (
        f'"""The facts of every flag of ``{CONFIGS[module]}``, derived from the releases."""\n\n'
        "from dynconf.flags.flag import Flag, by_release\n"
        f"from dynconf.flags.types import ({', '.join(types.__all__)})\n"
        "from dynconf.flags.variable import Variable\n"
        f"from dynconf.modules.{module} import host\n\n"
        f"FLAGS = (\n{lines})\n"
    )


class _Record:
    """The facts of one flag in the releases that have it, out of those of all modules, by release."""

    def __init__(self, module: str, name: str, stack: Mapping[str, Stack], computed: Collection[str]) -> None:
        self.name = name
        self.computed = computed
        self.releases = list(stack)
        self.facts = {n: modules[module][name] for n, modules in stack.items() if name in modules[module]}
        self.own = {number: fact for number, fact in self.facts.items() if "alias" not in fact}
        # A name that was an alias from the start has the default of the flag that it points to.
        self.defaults = self.own or {n: _target(stack[n], module, fact) for n, fact in self.facts.items()}
        newest = stack[list(self.facts)[-1]][module]
        self.torch_saves = name not in newest.get("_save_config_ignore", {}).get("default", ())

    def source(self) -> str:
        """Return the record as an expression, without the facts that are the defaults of their fields."""
        here, type_ = list(self.facts), self._type()
        first = self.releases.index(here[0])
        if self.releases[first : first + len(here)] != here:
            raise ValueError(f"{self.name} disappeared and came back: it is in {', '.join(here)}")
        aliases = [facts["alias"] for facts in self.facts.values() if "alias" in facts]
        depends_on = {what for facts in self.own.values() for what in facts.get("depends_on", ())}
        facts = {
            "name": repr(self.name),
            "type": type_,
            "default": self._default(type_),
            "since": repr(here[0]),
            "until": repr("" if here[-1] == self.releases[-1] else here[-1]),
            "variables": f"({''.join(f'{each}, ' for each in self._variables())})",
            "status": repr(self._status()),
            "renamed": repr(shortened(aliases[-1]) if aliases else ""),
            "alias_since": self._first("alias"),
            "deprecated": self._first("deprecated"),
            "compile_ignored": self._over_time(lambda facts: "compile_ignored" in facts),
            "cache_key_ignored": self._over_time(lambda facts: "cache_key_ignored" in facts),
            "implied_by": self._over_time(lambda facts: tuple(map(tuple, facts.get("implied_by", ())))),
            "host": repr(not MACHINE_PATHS.isdisjoint(depends_on)),
            "torch_saves": repr(self.torch_saves),
        }
        defaults = {field.name: repr(field.default) for field in fields(Flag)}
        written = (f"{name}={fact}" for name, fact in facts.items() if fact != defaults[name])
        return f"Flag({', '.join(written)})"

    def _status(self) -> str:
        if self.name.startswith("_"):
            return "internal"
        is_for_tests = "TESTING_ONLY" in self.name or self.name.startswith("test_configs.")
        return "testing" if is_for_tests else "active"

    def _first(self, fact: str) -> str:
        return repr(next((number for number, facts in self.facts.items() if facts.get(fact)), ""))

    def _over_time(self, fact: Callable[[Facts], object]) -> str:
        own = self.own or {"": {}}  # of a mere alias, nothing is known
        return _by_release({number: repr(fact(facts)) for number, facts in own.items()})

    def _default(self, type_: str) -> str:
        as_tuple = type_.startswith(("ListOf", "OrNone(ListOf")) or "as_tuple" in type_

        def spelled(facts: Facts) -> str:
            if depends_on := facts.get("depends_on"):
                for key in (f"{self.name}: {depends_on[0]}", self.name):
                    if key in self.computed:
                        return f"host.DEFAULTS[{key!r}]"
                raise ValueError(f"the default of {self.name} depends on {depends_on}: see host.DEFAULTS")
            default = facts["default"]
            return repr(tuple(default) if as_tuple and isinstance(default, list) else default)

        return _by_release({number: spelled(facts) for number, facts in self.defaults.items()})

    def _variables(self) -> Iterator[str]:
        releases = list(self.own)
        names: list[str] = []
        for facts in reversed(self.own.values()):
            names += [name for name in facts.get("variables", ()) if name not in names]
        for name in names:
            rules = {number: facts.get("variables", {}).get(name) for number, facts in self.own.items()}
            for rule, run in itertools.groupby(rules, rules.__getitem__):
                if rule is None:
                    continue
                numbers = list(run)
                if rule not in tuple(READINGS):
                    raise ValueError(f"{self.name}: {name} is read by no known rule: see READINGS")
                words = [repr(name), repr(rule)]
                words += [f"since={numbers[0]!r}"] if numbers[0] != releases[0] else []
                words += [f"until={numbers[-1]!r}"] if numbers[-1] != releases[-1] else []
                yield f"Variable({', '.join(words)})"

    def _type(self) -> str:
        if self.name in TYPES:
            return TYPES[self.name]
        annotations = [fact["annotation"] for fact in self.facts.values() if "annotation" in fact]
        defaults = [fact.get("default") for fact in self.defaults.values()]
        kinds = {type(default).__name__ for default in defaults} - {"NoneType"}
        if annotations:
            type_ = _of_annotation(ast.parse(annotations[-1], mode="eval").body)
        elif kinds == {"list"}:
            type_ = _of_list(defaults)
        elif len(kinds) == 1:
            type_ = _BY_NAME[kinds.pop()]
        elif kinds == {"int", "float"}:
            type_ = "Float()"
        elif not kinds and any("text" in facts.get("variables", {}).values() for facts in self.own.values()):
            type_ = "Text()"
        else:
            type_ = "Opaque()"
        if None in defaults and not type_.startswith(("OrNone", "Opaque")):
            type_ = f"OrNone({type_})"
        return type_


def _target(modules: Stack, module: str, facts: Facts) -> Facts:
    """Return the facts of the flag that an alias points to, in this module or another one."""
    while "alias" in facts:
        target = shortened(facts["alias"])
        short, _, name = target.partition(".")
        facts = modules[short][name] if short in CONFIGS else modules[module][target]
    return facts


def _of_list(defaults: list[Any]) -> str:
    items = [item for default in defaults for item in default or ()]
    if items and all(type(item) is int for item in items):
        return "Items(Int())"
    return "ListOf(Text())" if all(type(item) is str for item in items) else "Opaque()"


_BY_NAME = {"bool": "Bool()", "int": "Int()", "float": "Float()", "str": "Text()", "dict": "JsonDict()"}


def _of_annotation(node: ast.expr) -> str:  # noqa: C901, PLR0911  one case for each form
    """Return the type that an annotation means, as an expression; Opaque where there is none."""
    match node:
        case ast.Constant(value=str(text)):
            return _of_annotation(ast.parse(text, mode="eval").body)
        case ast.Name(id=name) if name in _BY_NAME:
            return _BY_NAME[name]
        case ast.Name(id="Callable") | ast.Subscript(value=ast.Name(id="Callable")):
            return 'Reference("callable")'
        case ast.Attribute(attr=name) if name.startswith("Custom"):
            return 'Reference("callable")'
        case ast.BinOp() | ast.Subscript(value=ast.Name(id="Optional" | "Union")):
            parts = union_members(node)
            of = [_of_annotation(part) for part in parts if not _is_none(part)]
            if len(of) != 1 or of[0] == "Opaque()":
                return "Opaque()"
            return f"OrNone({of[0]})" if len(parts) > 1 else of[0]
        case ast.Subscript(value=ast.Name(id="Literal"), slice=inner):
            words = [
                ast.literal_eval(each) for each in (inner.elts if isinstance(inner, ast.Tuple) else [inner])
            ]
            if all(isinstance(word, int) for word in words):
                return f"Int({min(words)}, {max(words)})"
            return f"Choice({tuple(words)!r})"
        case ast.Subscript(value=ast.Name(id="dict" | "Dict"), slice=ast.Tuple(elts=[ast.Name(id="str"), _])):
            return "JsonDict()"
        case ast.Subscript(value=ast.Name(id="list" | "List"), slice=inner):
            item = _of_annotation(inner)
            return "ListOf(Text())" if item == "Text()" else item if item == "Opaque()" else f"Items({item})"
        case ast.Subscript(value=ast.Name(id="tuple"), slice=ast.Tuple(elts=parts)):
            items = {_of_annotation(part) for part in parts if not _is_none(part)}
            if len(items) != 1 or "Opaque()" in items:
                return "Opaque()"
            (item,) = items
            return f"Items({f'OrNone({item})' if any(map(_is_none, parts)) else item}, as_tuple=True)"
    return "Opaque()"


def union_members(node: ast.expr) -> list[ast.expr]:
    """Return what an annotation joins by ``|``, Union and Optional; of any other, the annotation itself."""
    match node:
        case ast.BinOp(left=left, right=right):
            return union_members(left) + union_members(right)
        case ast.Subscript(value=ast.Name(id="Optional"), slice=inner):
            return [*union_members(inner), ast.Constant(None)]
        case ast.Subscript(value=ast.Name(id="Union"), slice=ast.Tuple(elts=parts)):
            return [each for part in parts for each in union_members(part)]
    return [node]


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _number(release: str) -> str:
    return ".".join(map(str, minor(release)))


def _by_release(facts: Mapping[str, str]) -> str:
    """Return the expression of a fact, given the expression of it in each release."""
    (_, first), *later = [(next(run), fact) for fact, run in itertools.groupby(facts, facts.__getitem__)]
    if not later:
        return first
    return f"by_release({first}, {', '.join(f'v{n.replace(chr(46), chr(95))}={fact}' for n, fact in later)})"
