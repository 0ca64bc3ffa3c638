"""The public surface as text, one line for each name, in ``release/surface.txt``.

``python release/surface.py`` writes the file, and ``--check`` compares it with the code: a name or a
parameter that is gone is a line that is gone, for the reader of a change and for `make release-check`, which
compares it with the last release. The fields of the settings models are torch's flags, and are not listed.
"""

import difflib
import importlib
import inspect
import pkgutil
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import click

import dynconf
from dynconf.cli import group

FILE = Path(__file__).with_name("surface.txt")


BESIDES = (
    *("dynconf.catalogue.flags.flag.Flag", "dynconf.provenance.Origin", "dynconf.state.Missing"),
    *("dynconf.live.patch.Patch", "dynconf.live.install.Installation", "dynconf.live.install.Scope"),
    *("dynconf.store.snapshot.Snapshot", "dynconf.store.diff.Change", "dynconf.namespace.calls.Namespace"),
    *("dynconf.settings.DotenvSource", "dynconf.settings.EnvironmentSource", "dynconf.settings.FileSource"),
    *(
        "dynconf.tools.audit.audit.Audit",
        "dynconf.tools.baseline.Undone",
        "dynconf.tools.show.finding.Report",
    ),
    *("dynconf.tools.show.finding.Finding", "dynconf.tools.testing.preserve.Preserve"),
    *("dynconf.tools.bisect.result.BisectResult", "dynconf.tools.doctor.backends.Backend"),
    *("dynconf.tools.doctor.comparison.Comparison", "dynconf.tools.doctor.comparison.ValueComparison"),
    *("dynconf.tools.report.report.ConfigReport", "dynconf.tools.report.why_miss.KeyDifference"),
    *("dynconf.tools.report.why_miss.KeyDifferences", "dynconf.errors"),
)
"""What is public beside the names of the package: what its functions return and warn of, in its home."""


def lines() -> Iterator[str]:
    """Yield the line of each public name, member, command and option."""
    for path in BESIDES:
        yield from described(path, pkgutil.resolve_name(path))
    for name, home in sorted(vars(dynconf)["_HOMES"].items()):
        owner = importlib.import_module(home)
        value = getattr(owner, name) if hasattr(owner, name) else getattr(dynconf, name)
        yield from described(f"dynconf.{name}", value)
    context = click.Context(group)
    for name in sorted(group.list_commands(context)):
        command = group.get_command(context, name)
        assert command is not None
        words = sorted(
            parameter.opts[-1] if isinstance(parameter, click.Option) else parameter.make_metavar(context)
            for parameter in command.params
        )
        yield from (f"$ dynconf {name} {word}" for word in ["", *words])


def described(name: str, value: object) -> Iterator[str]:
    """Yield the line of a name, and those of its members if it is a class, an instance or a module."""
    if inspect.isfunction(value):
        yield f"{name}{signature(value)}"
    elif inspect.ismodule(value):
        for each, member in sorted(vars(value).items()):
            if not each.startswith("_") and (each.isupper() or owned_by(member, value.__name__)):
                yield from described(f"{name}.{each}", member)
    elif inspect.isclass(value):
        bases = ", ".join(base.__name__ for base in value.__bases__)
        yield f"class {name}({bases})"
        yield from (f"{name}.{line}" for line in members(value))
    else:
        yield f"{name}: {type(value).__name__}"
        if type(value).__module__.startswith("dynconf"):
            yield from (f"{name}.{line}" for line in members(type(value)))


def owned_by(member: object, module: str) -> bool:
    """Tell whether a module defines a function or a class, or only imports it."""
    return getattr(member, "__module__", None) == module


def members(owner: type) -> Iterator[str]:
    """Yield the lines of the public members that dynconf defines."""
    ours = [each for each in owner.__mro__ if each.__module__.startswith("dynconf")]
    fields = getattr(owner, "model_fields", {})
    names = {name: each for base in reversed(ours) for name, each in vars(base).items()}
    annotated = {name for base in ours for name in inspect.get_annotations(base)}
    for name in sorted({*names, *annotated}):
        if (name.startswith("_") and name != "__init__") or name in fields or name.startswith("model_"):
            continue
        value = names.get(name)
        value = getattr(value, "__func__", value)
        yield f"{name}{signature(value)}" if inspect.isfunction(value) else name


def signature(function: object) -> str:
    """Return the parameters of a function without annotations, which `make check` judges."""
    found = inspect.signature(function)  # type: ignore[arg-type]
    plain = [each.replace(annotation=inspect.Parameter.empty) for each in found.parameters.values()]
    text = str(found.replace(parameters=plain, return_annotation=inspect.Signature.empty))
    return re.sub(r"<(.*?)( object)? at 0x\w+>", r"<\1>", text)


def main() -> int:
    """Write the file, or compare it with the code."""
    text = "".join(f"{line.rstrip()}\n" for line in lines())
    if "--check" not in sys.argv[1:]:
        FILE.write_text(text, encoding="utf-8")
        return 0
    listed = FILE.read_text(encoding="utf-8")
    changed = difflib.unified_diff(listed.splitlines(), text.splitlines(), "listed", "found", "", "", 0, "")
    for line in changed:
        print(line)
    if listed != text:
        print("the public surface has changed: if that is intended, run `make generate`")
    return int(listed != text)


if __name__ == "__main__":
    sys.exit(main())
