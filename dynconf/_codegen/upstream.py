"""Read what one torch release says of its flags, from the release's own sources.

The facts go to ``tests/data/upstream/<release>.json``: names, annotations, defaults, variables with the
rule by which torch reads them, ``compile_ignored``, aliases and deprecations. Facts only; no sentence
of torch's comments is kept.
"""

import ast
import json
import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

from dynconf._codegen.stub import PARTS

PLATFORMS = ("macosx_11_0_arm64", "macosx_12_0_arm64", "macosx_14_0_arm64")
"""The smallest wheels: 60 to 140 MB, where those for Linux come with gigabytes of CUDA."""

Facts = dict[str, dict[str, Any]]


def fetch(release: str, cache: Path) -> Path:
    """Return the folder that holds *release*'s config sources, downloading its wheel on the first call.

    Raises:
        subprocess.CalledProcessError: pip found no wheel of that release.
    """
    folder = cache / release
    if all((folder / part).is_file() for part in PARTS):
        return folder
    with tempfile.TemporaryDirectory() as scratch:
        platforms = [word for platform in PLATFORMS for word in ("--platform", platform)]
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
        command += [*platforms, "--python-version", "3.11", "--implementation", "cp", "--dest", scratch]
        subprocess.run([*command, f"torch=={release}"], check=True)
        (wheel,) = Path(scratch).glob("*.whl")
        with zipfile.ZipFile(wheel) as archive:
            for part in PARTS:
                archive.extract(part, folder)
    return folder


def read(release: str, folder: Path) -> dict[str, Any]:
    """Return the facts of *release*: what its module holds when it runs, and what its source text says.

    The module runs in a process of its own with an empty environment, in an empty working directory.
    """
    with tempfile.TemporaryDirectory() as scratch:
        environment = {"PYTHONPATH": str(Path(__file__).parents[2]), "PATH": os.defpath}
        command = [sys.executable, "-m", __name__, release, str(folder)]
        done = subprocess.run(
            command, check=True, capture_output=True, text=True, env=environment, cwd=scratch
        )
    flags: Facts = json.loads(done.stdout)
    source = (folder / PARTS[0]).read_text(encoding="utf-8")
    for name, facts in _read_source(source).items():
        if name in flags:  # a module may assign other names than flags
            flags[name].update(facts)
    return {"torch": release, "flags": dict(sorted(flags.items()))}


def _read_live(release: str, folder: Path) -> Facts:
    """Import the release's module under the stand-in and return what it holds."""
    from dynconf._codegen import stub  # noqa: PLC0415  only the process that runs the module needs it

    stub.install(folder, release)
    import importlib  # noqa: PLC0415

    config = importlib.import_module("torch._dynamo.config")
    facts: Facts = {}
    for name, entry in vars(config)["_config"].items():
        if name == "TYPE_CHECKING":
            continue
        alias = getattr(entry, "alias", None)
        facts[name] = {
            "default": None if alias else _plain(getattr(config, name), folder),
            "compile_ignored": name in vars(config)["_compile_ignored_keys"],
        }
        if alias:
            facts[name]["alias"] = alias.rpartition(".")[2]
        if getattr(entry, "deprecated", False):
            facts[name]["deprecated"] = True
    return facts


def _plain(value: object, folder: Path) -> Any:
    """Return *value* as JSON can hold it; paths of this machine become ``<torch>`` and ``<cwd>``."""
    if isinstance(value, set):
        return sorted(str(item) for item in value)
    if isinstance(value, str):
        return (
            value.replace(str(folder.resolve()), "<torch>")
            .replace(str(folder), "<torch>")
            .replace(str(Path.cwd()), "<cwd>")
        )
    return value


def _read_source(source: str) -> Facts:
    """Return annotation, variables and other facts that only the text of the module tells."""
    facts: Facts = {}
    for node in ast.parse(source).body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            name, value = node.target.id, node.value
            annotation = {"annotation": ast.unparse(node.annotation)}
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name, value, annotation = node.targets[0].id, node.value, {}
        else:
            continue
        if value is not None:
            facts[name] = {**annotation, **_read_expression(value)}
    return facts


def _read_expression(value: ast.expr) -> dict[str, Any]:
    variables = _variables(value)
    facts: dict[str, Any] = {"variables": variables} if variables else {}
    if "sysconfig" in ast.dump(value):
        facts["depends_on"] = "interpreter"
    return facts


def _variables(value: ast.expr) -> dict[str, str]:
    """Return each variable that the expression reads, with the rule by which it does."""
    if isinstance(value, ast.Call) and _called(value) == "default_debug_dir_root":
        return {"TORCH_COMPILE_DEBUG_DIR": "debug_dir"}
    found: dict[str, str] = {}
    parents = {child: node for node in ast.walk(value) for child in ast.iter_child_nodes(node)}
    for node in ast.walk(value):
        if not isinstance(node, ast.Call):
            continue
        if _called(node) == "Config":
            for keyword in node.keywords:
                if keyword.arg in ("env_name_default", "env_name_force"):
                    names = ast.literal_eval(keyword.value)
                    rule = keyword.arg.removeprefix("env_name_")
                    found.update(dict.fromkeys([names] if isinstance(names, str) else names, rule))
        elif _called(node) == "get_tristate_env":
            found[ast.literal_eval(node.args[0])] = "tristate"
        elif _called(node) == "os.environ.get":
            found[ast.literal_eval(node.args[0])] = _rule(node, parents)
    return found


def _called(call: ast.Call) -> str:
    return ast.unparse(call.func)


def _rule(call: ast.Call, parents: dict[ast.AST, ast.AST]) -> str:
    """Name the rule by which the text that ``os.environ.get`` returns is read."""
    parent = parents.get(call)
    if isinstance(parent, ast.Compare):
        return "equals_one"
    if isinstance(parent, ast.Call) and _called(parent) == "bool":
        return "truthy"
    if isinstance(parent, ast.Call) and _called(parent) == "int":
        return "integer_or_none" if isinstance(parents.get(parent), ast.BoolOp) else "integer"
    return "text"


if __name__ == "__main__":
    json.dump(_read_live(sys.argv[1], Path(sys.argv[2])), sys.stdout)
