"""The layers: which module may import which, held as data and compared with ARCHITECTURE.md and the code."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "dynconf"

LAYERS = (
    ("L0", ["errors", "versions"]),
    ("L1", ["catalogue"]),
    ("L2", ["ddp", "provenance", "references", "rules", "values"]),
    ("L3", ["sources"]),
    ("L4", ["model", "state"]),
    ("L5", ["live"]),
    ("L6", ["checks"]),
    ("L7", ["cli"]),
    ("dev", ["_codegen"]),
)
"""The rooms of each level, lowest first; a module may import from its own level and from those below."""

LEVEL = {room: number for number, (_, rooms) in enumerate(LAYERS) for room in rooms}
APART = ({"model", "state"},)
"""Rooms of one level that know nothing of each other."""

ENTRANCES = {"__init__", "__main__"}
"""The modules at the top of the package: they only lead to the rooms."""

MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted(PACKAGE.rglob("*.py"))
}


def room_of(module: str) -> str:
    """Return the part of the package that a module is in."""
    return [*module.split("."), "__init__"][1]


def imports_of(module: str, *, at_run_time: bool = False) -> Iterator[tuple[str, int]]:
    """Yield every module that *module* imports, anywhere in it, with the line."""
    path = MODULES[module]
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    tree = ast.parse(path.read_text(encoding="utf-8"))
    if at_run_time:
        tree.body = [node for node in tree.body if not _is_for_type_checkers(node)]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parents = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*parents, *([base] if base else [])])
            for alias in node.names:
                whole = f"{base}.{alias.name}"
                yield (whole if whole in MODULES else base), node.lineno


def _is_for_type_checkers(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


OURS = [pytest.param(module, id=module) for module in MODULES if room_of(module) not in ENTRANCES]


def test_the_table_is_the_one_of_the_document():
    """ARCHITECTURE.md shows exactly these levels."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    block = re.search(r"<!-- layers -->\s*```\n(.*?)```\s*<!-- /layers -->", text, re.DOTALL)
    assert block is not None
    assert block[1].splitlines() == [" ".join([level, *rooms]) for level, rooms in LAYERS]


def test_every_module_is_in_a_room():
    """A new file or folder at the top of the package needs a place in the table."""
    homeless = {room_of(module) for module in MODULES} - set(LEVEL) - ENTRANCES
    assert homeless == set()


@pytest.mark.parametrize("module", OURS)
def test_imports_go_downward(module):
    """Inside functions and under TYPE_CHECKING too; the entrances of the package are imported by nothing."""
    room = room_of(module)
    wrong = []
    for imported, line in imports_of(module):
        if imported != "dynconf" and not imported.startswith("dynconf."):
            continue
        other = room_of(imported)
        if (
            other not in LEVEL
            or LEVEL[other] > LEVEL[room]
            or (other != room and any({room, other} <= rooms for rooms in APART))
        ):
            wrong.append(f"{MODULES[module].relative_to(ROOT)}:{line} imports {imported}")
    assert wrong == []


def test_nothing_imports_the_top():
    """Neither the command line nor the generator is known to any other room."""
    for module in MODULES:
        for imported, line in imports_of(module):
            top = imported.startswith(("dynconf.cli", "dynconf._codegen"))
            own = room_of(module) == room_of(imported)
            assert not top or own or module == "dynconf.__main__", f"{module}:{line} imports {imported}"


@pytest.mark.parametrize("module", OURS)
def test_heavy_packages_stay_in_their_rooms(module):
    """Torch is for `live` and above, pydantic for `model`, and the catalogue needs nothing at all."""
    room = room_of(module)
    for imported, line in imports_of(module):
        package = imported.partition(".")[0]
        place = f"{module}:{line} imports {imported}"
        if package == "torch":
            assert LEVEL[room] >= LEVEL["live"], place
            assert not imported.startswith("torch._dynamo.config") or room in {"live", "_codegen"}, place
        if package in {"pydantic", "pydantic_settings", "pydantic_core"}:
            assert room == "model", place
        if LEVEL[room] <= LEVEL["catalogue"]:
            assert package == "dynconf" or package in sys.stdlib_module_names, place


def test_no_room_or_module_is_named_for_what_it_is_not():
    """`utils` and the like would gather what belongs nowhere."""
    names = {part for module in MODULES for part in module.split(".")}
    assert (
        names & {"utils", "util", "helpers", "helper", "common", "manager", "misc", "base", "core"} == set()
    )


def test_imports_make_no_cycle():
    """While a program runs no module needs, at any depth, itself."""
    graph = {
        module: {imported for imported, _ in imports_of(module, at_run_time=True)}
        & set(MODULES) - {"dynconf"}
        for module in MODULES
    }
    done: set[str] = set()

    def visit(module: str, path: tuple[str, ...]) -> None:
        assert module not in path, " -> ".join([*path, module])
        if module not in done:
            for each in graph[module]:
                visit(each, (*path, module))
            done.add(module)

    for module in graph:
        visit(module, ())


def test_light_commands_load_neither_torch_nor_the_settings_model():
    """In a fresh process: importing dynconf, its help, and the commands that only look at the catalogue."""
    program = """
import sys
import dynconf
heavy = {"torch", "numpy", "pydantic", "pydantic_settings", "dynconf.model.settings"}
def check(what):
    assert not heavy & set(sys.modules), (what, heavy & set(sys.modules))
check("import dynconf")
assert not {"typer", "rich", "dynconf.catalogue"} & set(sys.modules)
dynconf.FLAGS, dynconf.Flag, dynconf.Origin, dynconf.InvalidValueError
check("the catalogue")
from dynconf.cli import main
for words in ("--help", "dump --help", "dump", "dump --all --format json", "explain verbose"):
    sys.argv = ["dynconf", *words.split()]
    try:
        main()
    except SystemExit as stop:
        assert not stop.code, (words, stop.code)
    check(words)
    heavy.discard("pydantic")  # typer itself reads the options of a command by it, from 0.29 on
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
