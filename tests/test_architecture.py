"""The layers: which module may import which, held as data and compared with ARCHITECTURE.md and the code."""

import ast
import functools
import itertools
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from warm import cold

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "dynconf"

LAYERS = (
    ("L0", ["text", "version"]),
    ("L1", ["errors"]),
    ("L2", ["provenance", "release"]),
    ("L3", ["catalogue"]),
    ("L4", ["state"]),
    ("L5", ["sources"]),
    ("L6", ["live"]),
    ("L7", ["store"]),
    ("L8", ["settings", "tools"]),
    ("L9", ["namespace"]),
    ("L10", ["cli"]),
    ("dev", ["_codegen"]),
)
"""The components of each level, lowest first; a module imports from its own and from lower ones."""

LEVEL = {component: number for number, (_, components) in enumerate(LAYERS) for component in components}

ENTRANCES = {"__init__", "__main__", "distributed"}
"""The modules at the top of the package: they only lead to the components."""

MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted(PACKAGE.rglob("*.py"))
}


def component_of(module: str) -> str:
    """Return the part of the package that a module is in."""
    return [*module.split("."), "__init__"][1]


@functools.cache
def tree_of(path: Path) -> ast.Module:
    """Return the syntax tree of a module."""
    return ast.parse(path.read_text(encoding="utf-8"))


def imports_of(module: str, *, at_run_time: bool = False) -> Iterator[tuple[str, int]]:
    """Yield every module that *module* imports, anywhere in it, with the line."""
    path = MODULES[module]
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    parts = tree_of(path).body
    if at_run_time:
        parts = [node for node in parts if not _is_for_type_checkers(node)]
    for node in itertools.chain.from_iterable(map(ast.walk, parts)):
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


OURS = [module for module in MODULES if component_of(module) not in ENTRANCES]


def test_the_table_is_the_one_of_the_document():
    """ARCHITECTURE.md shows exactly these levels."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    block = re.search(r"<!-- layers -->\s*```\n(.*?)```\s*<!-- /layers -->", text, re.DOTALL)
    assert block is not None
    assert block[1].splitlines() == [" ".join([level, *components]) for level, components in LAYERS]


def test_every_module_is_in_a_component():
    """A new file or folder at the top of the package needs a place in the table."""
    unplaced = {component_of(module) for module in MODULES} - set(LEVEL) - ENTRANCES
    assert unplaced == set()


def test_imports_go_downward():
    """Inside functions and under TYPE_CHECKING too; only development imports the entrances of the package."""
    wrong = [
        f"{MODULES[module].relative_to(ROOT)}:{line} imports {imported}"
        for module in OURS
        for imported, line in imports_of(module)
        if imported.partition(".")[0] == "dynconf"
        and component_of(imported) != component_of(module)
        and LEVEL.get(component_of(imported), LEVEL["cli"]) >= LEVEL[component_of(module)]
    ]
    assert wrong == []


IN_TORCH = (
    ("compiled", "lock", "restoring"),
    ("override",),
    ("storage",),
    ("trial",),
    ("internals",),
    ("door",),
    ("dicts", "generic", "slot"),
)
"""The layers of ``dynconf.live.torch``, lowest first."""

IN_LIVE = (
    ("torch",),
    ("after_import", "change"),
    ("chain", "ddp_modules"),
    ("binding", "decorate"),
    ("assignments", "layers"),
    ("origin",),
    ("in_force", "validation"),
    ("guard", "options", "patch"),
    ("install", "threads"),
    ("ddp", "defaults", "hold"),
)
"""The layers of ``dynconf.live``."""

IN_TOOLS = (
    ("at_exit", "baseline", "notebook", "show"),
    ("audit", "lint"),
    ("doctor", "pasted"),
    ("report",),
    ("ranks", "run"),
    ("bisect", "testing"),
)
"""The layers of ``dynconf.tools``."""


@pytest.mark.parametrize(
    ("component", "layers"),
    [("dynconf.live.torch", IN_TORCH), ("dynconf.live", IN_LIVE), ("dynconf.tools", IN_TOOLS)],
    ids=["live.torch", "live", "tools"],
)
def test_imports_within_a_component_go_downward(component: str, layers: tuple[tuple[str, ...], ...]):
    """Its modules and folders have their own layers."""
    layer_of = {name: number for number, names in enumerate(layers) for name in names}

    def part(module: str) -> str:
        return module.removeprefix(f"{component}.").partition(".")[0]

    inside = [module for module in MODULES if module.startswith(f"{component}.")]
    assert {part(module) for module in inside} == {*layer_of}
    wrong = [
        f"{MODULES[module].relative_to(ROOT)}:{line} imports {imported}"
        for module in inside
        for imported, line in imports_of(module)
        if imported.startswith(f"{component}.")
        and part(imported) != part(module)
        and layer_of[part(imported)] >= layer_of[part(module)]
    ]
    assert wrong == []


PYDANTIC = (
    "dynconf.catalogue.flags",
    "dynconf.catalogue._generated",
    "dynconf.settings",
    "dynconf.tools.show.schema",
)
"""Where pydantic may be imported: value types that build their schemas, the models, and the schema."""


def test_heavy_packages_stay_where_they_are_allowed():
    """Torch is for `live` and above, pydantic for models and schemas; below `live` little else is needed."""
    wrong = []
    for module in OURS:
        component = component_of(module)
        for imported, line in imports_of(module):
            package = imported.partition(".")[0]
            allowed = package == "dynconf" or package in sys.stdlib_module_names
            if package == "torch":
                allowed = LEVEL[component] >= LEVEL["live"]
                if imported.startswith("torch._dynamo.config"):
                    allowed = component in {"live", "_codegen"}
            elif package in {"pydantic", "pydantic_settings", "pydantic_core"}:
                allowed = module.startswith(PYDANTIC)
            elif LEVEL[component] >= LEVEL["sources"] or package == "typing_extensions":
                allowed = True
            if not allowed:
                wrong.append(f"{MODULES[module].relative_to(ROOT)}:{line} imports {imported}")
    assert wrong == []


def test_no_module_has_a_catch_all_name():
    """A module called `utils` would collect everything without a better home."""
    names = {part for module in MODULES for part in module.split(".")}
    assert (
        names & {"utils", "util", "helpers", "helper", "common", "manager", "misc", "base", "core"} == set()
    )


def cycles(graph: dict[str, set[str]]) -> set[frozenset[str]]:
    """Return the sets of modules that need each other, directly or not."""

    @functools.cache
    def needed(module: str) -> frozenset[str]:
        found, left = set(), [module]
        while left:
            new = graph[left.pop()] - found
            found |= new
            left += new
        return frozenset(found)

    return {
        frozenset(each for each in needed(module) if module in needed(each))
        for module in graph
        if module in needed(module)
    }


def test_imports_make_no_cycle():
    """No module needs itself, at any depth, also inside components, functions and under TYPE_CHECKING."""
    entrances = {"dynconf", *(module for module in MODULES if component_of(module) in ENTRANCES)}
    graph = {
        module: {imported for imported, _ in imports_of(module)} & set(MODULES) - entrances
        for module in MODULES
    }
    assert [sorted(cycle) for cycle in cycles(graph)] == []


def test_a_package_is_imported_before_its_modules():
    """Whoever imports a module of a package that imports it, too, has imported the package: one lock order.

    Else threads deadlock: one has locked the module and waits for the package, another the other way around.
    Only `import dynconf` need not be named, as it comes first in every program.
    """
    packages = {
        package
        for package in MODULES
        if any(imported.startswith(f"{package}.") for imported, _ in imports_of(package))
    } - {"dynconf"}
    assert {"dynconf.catalogue.flags.types", "dynconf.catalogue.modules.dynamo"} <= packages
    wrong = []
    for module in OURS:
        if component_of(module) == "_codegen":  # has no threads
            continue
        ready = {module, *(module.rsplit(".", count)[0] for count in range(module.count(".")))}
        for node in ast.walk(tree_of(MODULES[module])):
            if isinstance(node, ast.ImportFrom) and node.module in MODULES:
                wrong += [
                    f"{module}, line {node.lineno}: import {package} before {node.module}"
                    for package in packages - ready
                    if node.module.startswith(f"{package}.")
                ]
                ready.add(node.module)
    assert wrong == []


PRIVATE_NAMES = {
    *("user_override", "env_value_force", "env_value_default", "_UNSET_SENTINEL", "justknob", "value_type"),
    *("_is_dirty", "_hash_dirty_var", "_get_dict_dirty_keys_var", "_mark_get_dict_dirty"),
    *("_implications", "_get_implied_value", "_set_raw_values", "_set_alias_val", "_make_closure_patcher"),
    *("prior", "k", "temp_original", "torch._dynamo.trace_rules"),
    *("_torchdynamo_orig_callable", "_compiled_call_impl", "get_compile_option_owner"),
    *("_use_python_reducer", "_force_to_disable_cpp_reducer", "get_optimize_ddp_mode"),
}
"""Attributes, functions and local variables that torch keeps to itself, and one of unittest.mock's."""


def private_names_in(module: str) -> Iterator[str]:
    """Yield the private names that a module reads, calls, or has as a text; not those in docstrings."""
    for node in ast.walk(tree_of(MODULES[module])):
        if isinstance(node, ast.Attribute) and node.attr in PRIVATE_NAMES - {"prior", "k"}:
            yield node.attr
        elif isinstance(node, ast.Constant) and node.value in PRIVATE_NAMES:
            yield str(node.value)


def test_one_module_knows_each_of_torchs_private_names():
    """A release that renames one is answered in a single file; the generator reads releases on its own."""
    found = {
        module: sorted({*private_names_in(module)}) for module in OURS if component_of(module) != "_codegen"
    }
    storing, restoring = (found.pop(f"dynconf.live.torch.{home}") for home in ("internals", "restoring"))
    assert {module: names for module, names in found.items() if names} == {}
    assert not {*storing} & {*restoring}
    assert {*storing, *restoring} >= PRIVATE_NAMES - {"get_optimize_ddp_mode", "user_override"}


def test_no_block_under_a_lock_has_a_loop():
    """Python 3.12 and 3.13 handle signals between such a loop and its block, and would keep the lock."""
    loops = (ast.For, ast.While, ast.comprehension)
    wrong = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in MODULES.values()
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.With)
        and any(ast.unparse(each.context_expr).endswith(("lock", "locked")) for each in node.items)
        and any(isinstance(inner, loops) for inner in ast.walk(node))
    ]
    assert wrong == []


def test_importing_the_package_loads_little():
    """Nor does a look at the catalogue; the commands have a test in cli/test_main.py."""
    program = """
import sys
import dynconf
heavy = {"torch", "numpy", "pydantic", "pydantic_core", "pydantic_settings", "dynconf.settings"}
heavy |= {"click", "rich"}
assert not (heavy | {"dynconf.catalogue.names"}) & set(sys.modules)
dynconf.FLAGS, dynconf.catalogue.flags.flag.Flag, dynconf.provenance.Origin, dynconf.InvalidValueError
assert not heavy & set(sys.modules)
"""
    done = cold("-c", program)
    assert done.returncode == 0, done.stderr
