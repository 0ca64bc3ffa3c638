"""Reading texts that people paste into issues: scripts, ``codegen_config()`` text, JSON of tlparse, reports.

None of it was written for dynconf, and each says the same in another form::

    torch._inductor.config.epilogue_fusion = False             # a reproduction script, or codegen_config()
    {"components": ["[cev5...] inductor_config[epilogue_fusion]: False", ...]}          # of a cache key
    {"_save_config_ignore": [...], "cse": true, ...}                   # every value of a module, by tlparse
    ```json                                                            # a report, or a comment on GitHub
    options: {epilogue_fusion: false}                                  # for torch.compile, in YAML

All become a `Document`, as if somebody had written a file of settings, so that names, values and trust are
judged as those of every other file. Nothing is run: programs are read as the linter reads them. A value
that only running the program would tell is left out, with a warning that has its line.
"""

import ast
import itertools
import json
import os
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from dynconf.catalogue.catalogue import Setting
from dynconf.catalogue.flags.flag import BARE_MODULE
from dynconf.catalogue.flags.types import Mismatch, is_same_value, short_repr
from dynconf.catalogue.modules import MODULES, catalogue, module_with, modules_set_by
from dynconf.catalogue.names import find, newest_name
from dynconf.errors import DynconfWarning, EnvironmentWarning, StateFileError
from dynconf.release import Release
from dynconf.sources.files import LARGEST, Document, open_document, parse, read_bytes
from dynconf.state import State
from dynconf.store.diff import read_for_diff
from dynconf.tools.lint.pages import PAGES, fenced_blocks
from dynconf.tools.lint.python import PythonReader
from dynconf.tools.lint.sites import Unknown

# No pattern can match a text in two ways, so none ever backtracks far: these texts come from anybody.
_ASSIGNMENT = re.compile(r"^[ \t]*(?:>>> )?(torch\.[\w.]+[ \t]*=(?!=).*)$", re.MULTILINE)
"""A line that `codegen_config()` writes; TOML has such keys, too, but none that begin so."""

_PROGRAM = re.compile(r"^[ \t]*(?:import|from)[ \t]+(?:torch|dynconf)\b", re.MULTILINE)

_OPTIONS = re.compile(r"^[ \t-]*options:[ \t]*(?:[{#&].*)?$", re.MULTILINE)

_MOST_YAML = 100_000
"""How many characters of YAML are read, because its parser is slow."""

_MOST_LINES = 5000
"""How many assignments are read from a text that is no program."""

_USUAL: dict[str, object] = {"float32_matmul_precision": "highest", "deterministic_algorithms": "default"}
_USUAL |= {"matmul.allow_tf32": False, "cudnn.allow_tf32": True}
_USUAL |= {"cudnn.deterministic": False, "cudnn.benchmark": False}
"""Torch's defaults of the switches that a report has besides flags."""

_MOST_ACCENTS = 100
"""How many a letter may have in a program: Python's parser sorts those of a name, in quadratic time."""

_NO_PROGRAM = (SyntaxError, ValueError, RecursionError, MemoryError)
"""What Python raises for a text that it cannot parse."""

_SETTING = ("set", "option", "compile-option")
"""The uses of a flag that set it to the value that is written there."""

_COMPONENT = re.compile(r"\[(\w+)\] ([^:]+): (.*)", re.DOTALL)
_KEYED_FLAG = re.compile(r"inductor_config(_comms)?\[(\w[\w.]*)\]")


class Entry(NamedTuple):
    """A setting in a text: the flag by full name, its value, and the line."""

    name: str
    value: Any
    line: int | None


Pasted = tuple[Document, tuple[EnvironmentWarning, ...]]
"""The settings of a text, and a warning for each line that sets a flag to something that is no literal."""


def read_pasted(content: bytes, name: str, release: Release) -> Pasted | None:
    """Read a text in one of these forms; return None if it is none, but a file of settings or a saved state.

    Raises:
        StateFileError: It cannot be read.
    """
    if len(content) > LARGEST:
        return None
    text = content.decode("utf-8-sig", errors="replace").replace("\r\n", "\n")
    suffix = Path(name).suffix.lower()
    if suffix == ".toml":
        return None
    if suffix == ".json" or text.lstrip().startswith("{"):
        return _json(text, name, release)
    blocks = [] if suffix == ".py" else [each[1:] for each in fenced_blocks(text)]
    code = _only(text, blocks) if blocks else text
    is_program = suffix == ".py" or bool(_ASSIGNMENT.search(code) or _PROGRAM.search(code))
    if found := _json_block(text, blocks, name, release, is_alone=not is_program):
        return found
    if is_program:
        return _program(code, name)
    if suffix in (".yaml", ".yml") or _OPTIONS.search(code):
        return _yaml(code, name)
    if blocks or suffix in PAGES:
        raise StateFileError(
            f"{name} has no settings in a block of code, such as the part 'As a file' of a report: expected"
            " assignments such as torch._dynamo.config.verbose = True, JSON of a report or a saved state, or"
            " options: in YAML"
        )
    return None


def _json_block(
    text: str, blocks: Iterable[tuple[int, int]], name: str, release: Release, *, is_alone: bool
) -> Pasted | None:
    """Return the first block that has settings in JSON; beside a program, JSON may be anything."""
    for start, end in blocks:
        if text[start:end].lstrip().startswith("{"):
            whole = _only(text, [(start, end)])
            found = _json(whole, name, release)
            if found or is_alone or '"dynconf"' in whole:
                return found or (parse(whole, name, "json"), ())
    return None


def _only(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """Return these parts of a text, on the lines that they are on."""
    found, end = [], 0
    for start, stop in spans:
        found += ["\n" * text.count("\n", end, start), text[start:stop]]
        end = stop
    return "".join(found)


def _pasted(text: str, name: str, found: Sequence[Entry | EnvironmentWarning]) -> Pasted:
    """Return the last value of each flag, as a program that runs through would leave it."""
    last = {each.name: each for each in found if isinstance(each, Entry)}
    data = {key: each.value for key, each in last.items()}
    lines: dict[str, Any] = {key: (each.line, {}) for key, each in last.items() if each.line is not None}
    document = Document(name, text, syntax="json", table="", data=data, own_lines=lines)
    return document, tuple(each for each in found if isinstance(each, EnvironmentWarning))


def _full(module: str, name: str) -> str:
    newest = newest_name(name, module)
    return newest if newest.partition(".")[0] in MODULES else f"{BARE_MODULE}.{newest}"


# Programs.


def _program(text: str, name: str) -> Pasted:
    accents = itertools.groupby(text, key=lambda letter: unicodedata.combining(letter) > 0)
    if any(are_accents and len(list(run)) > _MOST_ACCENTS for are_accents, run in accents):
        raise StateFileError(f"{name} has more than {_MOST_ACCENTS} accents on one letter")
    try:
        return _pasted(text, name, [*_settings(text, name)])
    except _NO_PROGRAM as problem:
        return _lines(text, name, problem)


def _settings(code: str, name: str, first: int = 1) -> Iterator[Entry | EnvironmentWarning]:
    """Yield the settings in a program, whose first line has that number."""
    # Text of `codegen_config()` imports nothing.
    reader = PythonReader(code.encode(), names=("os", "torch"))
    for site in sorted(reader.sites, key=lambda each: each.span):
        line = first + site.span.line - 1
        if site.use in (*_SETTING, "change", "delete"):
            flag = _full(site.module, site.name)
            if site.use in _SETTING and site.value is not Unknown:
                yield Entry(flag, _as_data(site.value), line)
            else:
                yield _not_read(name, line, flag, "is not set to a literal")
        elif site.use in ("variable", "child-variable") and modules_set_by({site.name}):
            yield _not_read(name, line, site.name, "is an environment variable: set it for the run")


def _lines(text: str, name: str, problem: BaseException) -> Pasted:
    """Read the assignments in a text that is no program, such as a log or prose around them."""
    found: list[Entry | EnvironmentWarning] = []
    line, counted = 1, 0
    for match in itertools.islice(_ASSIGNMENT.finditer(text), _MOST_LINES):
        line, counted = line + text.count("\n", counted, match.start(1)), match.start(1)
        try:
            found += _settings(match[1], name, line)
        except _NO_PROGRAM:
            found.append(_not_read(name, line, match[1].partition("=")[0].strip(), "cannot be parsed"))
    if not found:
        reason = getattr(problem, "msg", "") or str(problem) or "it is nested too deeply"
        at = problem.lineno if isinstance(problem, SyntaxError) else None
        whole = f"{name} is not a program that can be read: {f'line {at}: ' if at else ''}{reason}"
        raise StateFileError(whole, place=(name, at))
    return _pasted(text, name, found)


def _not_read(file: str, line: int, flag: str, reason: str) -> EnvironmentWarning:
    return EnvironmentWarning(f"{file}:{line}: {flag} {reason}; left out", flag=flag, place=(file, line))


def _as_data(value: object) -> object:
    """Return a Python literal as the data that JSON would have in its place."""
    if isinstance(value, dict):
        return {key if isinstance(key, str) else repr(key): _as_data(each) for key, each in value.items()}
    if isinstance(value, (set, frozenset)):
        return sorted((_as_data(each) for each in value), key=repr)
    if isinstance(value, (list, tuple)):
        return [_as_data(each) for each in value]
    return value


# YAML of frameworks.


def _yaml(text: str, name: str) -> Pasted:
    """Read the options of torch.compile in YAML, wherever they are nested."""
    try:
        yaml = import_module("yaml")
    except ModuleNotFoundError:
        raise StateFileError(f"{name} is YAML, and PyYAML is not installed: pip install pyyaml") from None
    if len(text) > _MOST_YAML:
        raise StateFileError(f"{name} is too long: at most {_MOST_YAML} characters of YAML are read")
    loader, nodes = _parsed_yaml(yaml, text, name)
    found: list[Entry | EnvironmentWarning] = []
    for key, node in _options(nodes):
        line, flag = key.start_mark.line + 1, _full("inductor", key.value)
        try:
            found.append(Entry(flag, _yaml_value(loader, node), line))
        except Exception:  # noqa: BLE001  PyYAML converts with whatever is in the text: KeyError for !!bool zz
            found.append(_not_read(name, line, flag, "is not set to a literal"))
    if not found:
        raise StateFileError(
            f"{name} has no settings: expected options: of torch.compile, such as epilogue_fusion"
        )
    return _pasted(text, name, found)


def _parsed_yaml(yaml: Any, text: str, name: str) -> tuple[Any, list[Any]]:
    """Return the loader, which makes the values, and the root of each document; raise `StateFileError`."""
    loader, nodes = None, []
    try:
        loader = yaml.SafeLoader(text)
        while loader.check_node():
            nodes.append(loader.get_node())
    except Exception as problem:  # noqa: BLE001  not all are YAMLErrors: "\UFFFFFFFF" is an OverflowError
        mark = getattr(problem, "problem_mark", None) or loader
        # The loader itself refuses characters before it begins.
        line = 1 + (mark.line if mark else text.count("\n", 0, getattr(problem, "position", 0)))
        reason = getattr(problem, "problem", None) or str(problem).partition("\n")[0]
        if isinstance(problem, RecursionError):
            reason = "it is nested too deeply"
        whole = f"{name} is not valid YAML: {reason} at line {line}"
        raise StateFileError(whole, place=(name, line)) from None
    return loader, nodes


def _options(nodes: list[Any]) -> list[tuple[Any, Any]]:
    """Return keys and values of the mappings under ``options`` of which any key is a flag of Inductor.

    If there is none, all are returned: the errors suggest flags that are like their keys.
    """
    known, seen, mappings = catalogue("inductor"), set[int](), list[list[tuple[Any, Any]]]()
    while nodes:
        node = nodes.pop(0)
        if id(node) in seen:
            continue  # an alias, which may even stand for a node around it
        seen.add(id(node))
        if node.id == "sequence":
            nodes += node.value
        for key, value in node.value if node.id == "mapping" else ():
            nodes.append(value)
            if key.value == "options" and value.id == "mapping":
                mappings.append([(name, each) for name, each in value.value if name.id == "scalar"])
    found = [each for each in mappings if any(name.value in known.flags for name, _ in each)]
    return [option for each in found or mappings for option in each]


def _yaml_value(loader: Any, node: Any) -> object:
    """Return a scalar, or a list of scalars; raise ValueError for anything else."""
    if node.id == "sequence" and all(each.id == "scalar" for each in node.value):
        return [_yaml_value(loader, each) for each in node.value]
    value = loader.construct_object(node) if node.id == "scalar" else node
    if value is not None and not isinstance(value, (bool, int, float, str)):
        raise ValueError
    return value


# JSON that tools of torch write.


VLLM_HASHES = frozenset({"code_hash", "config_hash", "compiler_hash"})
"""Names in vLLM's ``cache_key_factors.json``."""


def _json(text: str, name: str, release: Release) -> Pasted | None:
    """Read JSON of a tool; None for anything else."""
    data = json_object(text)
    if data is None:
        return None
    components = data.get("components")
    values: Iterable[tuple[Setting | None, Any]]
    if isinstance(components, list) and "flags" not in data:
        values = ((part.setting, part.value) for _, part in key_parts(components, release))
    elif "_save_config_ignore" in data:
        module = module_with(data.keys())
        names = data.keys() & catalogue(module).flags.keys()
        values = ((find(each, release, module), data[each]) for each in names)
    elif "flags" not in data and VLLM_HASHES & data.keys():
        raise StateFileError(f"{name} has vLLM's cache keys, and no flags: `dynconf why-miss` compares two")
    else:
        return None
    found = []
    for setting, value in values:
        if setting and setting.public and not setting.is_computed:
            with suppress(Mismatch):  # most are torch's defaults
                if not is_same_value(setting.type.from_data(value), setting.default_value()):
                    found.append(Entry(_full(setting.module, setting.name), value, None))
    return _pasted(text, name, found)


def json_object(text: str | bytes) -> dict[str, Any] | None:
    """Return the object in a JSON text; None for anything else, even invalid JSON: others report it."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError, MemoryError):
        return None
    return data if isinstance(data, dict) else None


class Part(NamedTuple):
    """One part of a cache key: `digest` is equal exactly if the part is."""

    digest: str
    value: Any
    setting: Setting | None = None


def key_parts(components: Iterable[object], release: Release) -> Iterator[tuple[str, Part]]:
    """Yield the components of a cache key by name; settings that are literals, by their newest names."""
    for each in components:
        if not isinstance(each, str) or (found := _COMPONENT.match(each)) is None:
            continue
        digest, name, value = found.groups()
        part = Part(digest, value)
        if flag := _KEYED_FLAG.fullmatch(name):
            setting = find(flag[2], release, "comms" if flag[1] else "inductor")
            with suppress(ValueError, SyntaxError, TypeError, MemoryError, RecursionError):  # such as a pass
                literal = Part(digest, _as_data(ast.literal_eval(value)), setting)
                name, part = (setting.newest, literal) if setting else (name, part)
        yield name, part


def opened(
    path: str | os.PathLike[str], release: Release, warn: Callable[[DynconfWarning], object]
) -> str | Document:
    """Return a text that people paste as a `Document`; any other file as its path."""
    name = os.fspath(path)
    try:
        content = read_bytes(name)
    except StateFileError:
        return name  # whoever reads it says why it cannot be read, beside other mistakes
    document, unread = read_pasted(content, name, release) or (name, ())
    for warning in unread:
        warn(warning)
    return document


def switches_in(side: str | Document) -> Iterator[str]:
    """Yield a warning if a report has numerics switches that are not flags, so they are not put in force."""
    with suppress(StateFileError):  # whoever reads its flags says what is wrong
        document = side if isinstance(side, Document) else open_document(side)
        found = {**_USUAL, **document.part_of_report("numerics")}
        unusual = [f"{name}={short_repr(found[name])}" for name in _USUAL if found[name] != _USUAL[name]]
        if unusual:
            yield (
                f"{document.name} has switches that are not flags, so they are not put in force:"
                f" {', '.join(unusual)}; torch's own functions set them, and `dynconf diff` compares them"
            )


def read_side(
    path: str | os.PathLike[str],
    release: Release,
    warn: Callable[[DynconfWarning], object],
    *,
    trust: bool = False,
) -> State:
    """Read one side of a search: a state or settings in any form that people paste."""
    return read_for_diff(opened(path, release, warn), release, "warn", warn, trust=trust)
