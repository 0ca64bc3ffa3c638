"""Read the facts of a torch release about its flags, by running its own config modules.

Downloading and importing every release of torch would take gigabytes and minutes. The config modules alone
are a few files, which run under a stand-in for the rest of torch (`stub`), in a process of their own.

The facts go to ``tests/data/upstream/<release>.json``, by module: names, lines, annotations, defaults,
variables with the rule by which torch reads them, exclusion from hashes and cache keys, aliases, implications
and deprecations; and, found by `readers`, the flags that nothing in the release reads. These are facts only;
nothing of torch's comments is kept.
"""

import ast
import inspect
import json
import logging
import os
import re
import shutil
import subprocess
import sys
import tempfile
import warnings
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

from dynconf._codegen import stub
from dynconf._codegen.probe import Source, dependencies, variables
from dynconf.catalogue.modules import HOMES

VARIES_WITH_THE_READER = "the number of processors"
"""A default that depends on this is not a fact about the release."""

PLATFORMS = ("macosx_11_0_arm64", "macosx_12_0_arm64", "macosx_14_0_arm64")
"""The smallest wheels: 60 to 140 MB, where those for Linux come with gigabytes of CUDA."""

CONFIG_FILES = re.compile(r"torch/(.+/)?_?config(_[a-z]+)?\.pyi?")
"""The files to keep of a wheel: every config module, so that adding one to dynconf needs no download."""

NOT_FLAGS = {"TYPE_CHECKING"}
"""Names that a release lists among its flags only because its module imports them."""

Facts = dict[str, dict[str, Any]]


def fetch(release: str, cache: Path) -> Path:
    """Return the folder of *release*'s config modules, after downloading its wheel if necessary."""
    folder = cache / release
    if not folder.is_dir():
        with wheel_of(release, cache) as wheel:
            keep_config_files(wheel, folder)
    return folder


def keep_config_files(wheel: Path, folder: Path) -> None:
    """Make *folder* the one of the wheel's config modules."""
    with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
        modules = Path(scratch) / "modules"
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(modules, [name for name in archive.namelist() if CONFIG_FILES.fullmatch(name)])
        shutil.rmtree(folder, ignore_errors=True)
        modules.rename(folder)  # in one step, so that the cache never has half a folder


@contextmanager
def wheel_of(release: str, cache: Path) -> Iterator[Path]:
    """Download the wheel of *release* for a while."""
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache) as scratch:
        platforms = [word for platform in PLATFORMS for word in ("--platform", platform)]
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
        command += [*platforms, "--python-version", "3.11", "--implementation", "cp", "--dest", scratch]
        subprocess.run([*command, f"torch=={release}"], check=True)
        (wheel,) = Path(scratch).glob("*.whl")
        yield wheel


def read(release: str, folder: Path, modules: Iterable[str] = tuple(HOMES)) -> dict[str, Any]:
    """Return the facts of *release* for each of the modules that it has.

    The modules run in their own process, with an empty environment and in an empty working directory;
    *folder* has them by their paths in the wheel.
    """
    with tempfile.TemporaryDirectory() as scratch:
        environment = {"PYTHONPATH": str(Path(__file__).parents[2]), "PATH": os.defpath}
        command = [sys.executable, "-m", __name__, release, str(folder.resolve()), *modules]
        result = subprocess.run(
            command, capture_output=True, text=True, env=environment, cwd=scratch, check=False
        )
    if result.returncode:
        raise RuntimeError(f"the config modules of torch {release} do not run:\n{result.stderr}")
    facts: dict[str, Any] = json.loads(result.stdout)
    return facts


def module_facts(name: str, folder: Path) -> Facts:
    """Return the facts of a config module such as ``torch._dynamo.config``; needs the stand-in for torch."""
    source = Source(name, _path(name, folder))
    config = source.run({})
    variables_of, depends_on = variables(source), dependencies(source)
    declared = _declarations(ast.parse(source.path.read_text(encoding="utf-8")).body)
    in_cache_key = _in_cache_key(config)
    facts: Facts = {}
    for flag, entry in sorted(vars(config)["_config"].items()):
        # Python 3.13 puts __firstlineno__ into classes, and torch takes it for one of their flags.
        if flag in NOT_FLAGS or flag.endswith("__"):
            continue
        found: dict[str, Any] = {}
        if alias := getattr(entry, "alias", None):
            found["alias"] = alias.removeprefix(f"{name}.")
        elif VARIES_WITH_THE_READER not in depends_on.get(flag, ()):
            found["default"] = plain(getattr(config, flag), folder)
        line, annotation = declared.get(flag, (0, ""))
        optional = {
            "line": line,
            "compile_ignored": flag in vars(config)["_compile_ignored_keys"],
            "cache_key_ignored": in_cache_key is not None and flag not in in_cache_key,
            "deprecated": getattr(entry, "deprecated", False),
            "annotation": annotation,
            "variables": plain(variables_of.get(flag), folder),
            "depends_on": depends_on.get(flag),
            "implied_by": plain(vars(config).get("_implications", {}).get(flag), folder),
        }
        facts[flag] = found | {fact: value for fact, value in optional.items() if value}
    return facts


def _in_cache_key(config: ModuleType) -> set[str] | None:
    """Return the flags in the key of Inductor's FX graph cache; None for a module that is not in it."""
    if not config.__name__.startswith("torch._inductor."):
        return None
    portable = config.save_config_portable
    # Newer releases leave out flags that begin with an underscore unless asked.
    private = "ignore_private_configs" in inspect.signature(portable).parameters
    return set(portable(ignore_private_configs=False) if private else portable())


def _path(module: str, folder: Path) -> Path:
    return folder / (module.replace(".", "/") + ".py")


def plain(value: object, folder: Path) -> Any:
    """Return *value* as JSON data; paths of this machine become ``<torch>`` and ``<cwd>``."""
    text = json.dumps(value, default=_plain_object, ensure_ascii=False)
    return json.loads(text.replace(str(folder), "<torch>").replace(str(Path.cwd()), "<cwd>"))


def _plain_object(value: object) -> Any:
    if isinstance(value, (set, frozenset)):
        return sorted(map(str, value))
    if isinstance(value, Exception):
        return f"{type(value).__name__}: {value}"
    return f"{value.__module__}:{getattr(value, '__qualname__', type(value).__qualname__)}"


def shortened(name: str) -> str:
    """Return the name of a flag with the short name of its module, if a module is in front."""
    for short, module in HOMES.items():
        if name.startswith(f"{module}."):
            return name.replace(module, short, 1)
    return name


def target(modules: Mapping[str, Mapping[str, Any]], module: str, name: str) -> tuple[str, str]:
    """Return the module and the name of the flag that holds the value of a name."""
    while alias := modules[module][name].get("alias"):
        first, _, rest = shortened(alias).partition(".")
        module, name = (first, rest) if first in modules else (module, alias)
    return module, name


def _declarations(body: list[ast.stmt], prefix: str = "") -> dict[str, tuple[int, str]]:
    """Return the line and the annotation of each assignment, with the names of nested classes.

    The annotation is as the source spells it, "" where there is none. Of several assignments, as in the
    branches of an ``if``, it is the first.
    """
    found: dict[str, tuple[int, str]] = {}
    for node in _statements(body):
        if isinstance(node, ast.ClassDef):
            for base in node.bases:  # the class has the fields of its base, too
                inherited = f"{prefix}{ast.unparse(base)}."
                found |= {
                    f"{prefix}{node.name}.{name.removeprefix(inherited)}": declared
                    for name, declared in found.items()
                    if name.startswith(inherited)
                }
            found |= _declarations(node.body, f"{prefix}{node.name}.")
            continue
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        annotation = ast.unparse(node.annotation) if isinstance(node, ast.AnnAssign) else ""
        for target in targets:
            if isinstance(target, ast.Name):
                found.setdefault(prefix + target.id, (node.lineno, annotation))
    return found


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield statements, those in the branches of ``if`` and ``try`` included."""
    for node in body:
        yield node
        if isinstance(node, (ast.If, ast.Try)):
            yield from _statements([*node.body, *node.orelse])


def as_text(facts: dict[str, Any]) -> str:
    """Return the text of a fixture: JSON, with one line for each flag."""
    modules = []
    for module, flags in facts["modules"].items():
        lines = (f"   {json.dumps(flag)}: {json.dumps(facts_of)}" for flag, facts_of in flags.items())
        modules.append(f"  {json.dumps(module)}: {{\n" + ",\n".join(lines) + "\n  }")
    content = ",\n".join(modules)
    lines = (f"  {json.dumps(module)}: {json.dumps(names)}" for module, names in facts["unread"].items())
    without = ",\n".join(lines)
    torch = json.dumps(facts["torch"])
    return f'{{\n "torch": {torch},\n "unread": {{\n{without}\n }},\n "modules": {{\n{content}\n }}\n}}\n'


def _main(release: str, folder: Path, shorts: list[str]) -> None:
    stub.install(folder, release)
    existing = [short for short in shorts if _path(HOMES[short], folder).is_file()]
    modules = {short: module_facts(HOMES[short], folder) for short in existing}
    json.dump({"torch": release, "modules": modules}, sys.stdout)


if __name__ == "__main__":
    warnings.simplefilter("ignore")  # reading a deprecated flag warns
    logging.disable()  # torch logs each text that it does not understand
    _main(sys.argv[1], Path(sys.argv[2]), sys.argv[3:])
