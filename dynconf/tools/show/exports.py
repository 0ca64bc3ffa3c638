"""A state in the languages that can set it: lines for a shell, a TOML file, a Python program."""

import os
import shlex
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from dynconf.catalogue.catalogue import Setting
from dynconf.catalogue.flags.types import Mismatch, Named, ValueType, is_same_value, short_repr
from dynconf.catalogue.modules import catalogue, module_path
from dynconf.catalogue.names import followers_of, in_order, newest_record, records_of
from dynconf.release import Release
from dynconf.sources.environment import plain_value
from dynconf.state import State
from dynconf.store.saving import is_lost_in_toml, toml_of
from dynconf.tools.show.bare_torch import text_for

Expression = TypeVar("Expression")

_MOST_NAMED = 10  # variables in a note


@dataclass(frozen=True, slots=True)
class Export:
    """A state as text, and the settings that were left out, with the reasons."""

    text: str
    left_out: Mapping[Setting, object]
    only_ours: tuple[str, ...] = ()  # the variables that bare torch does not read

    @property
    def notes(self) -> tuple[str, ...]:
        """A sentence for each setting that was left out, and one for variables that bare torch ignores."""
        rest = len(self.only_ours) - _MOST_NAMED
        names = ", ".join(self.only_ours[:_MOST_NAMED]) + f" and {rest} more" * (rest > 0)
        ours = f"bare torch does not read {names}: dynconf.install() or dynconf run does"
        left_out = (f"{setting.newest} is left out: {why}" for setting, why in self.left_out.items())
        return (*left_out, *([ours] if self.only_ours else []))


def to_shell(state: State, *, fish: bool = False) -> Export:
    """Return the lines with which a shell such as sh, bash and zsh sets the flags of a state, or *fish*.

    torch's own variable is preferred, so that bare torch sees the value too; a variable that would get in the
    way is unset.
    """
    values = {setting: state.value(setting) for setting in state}
    found, left_out = _expressed(state, lambda setting, _: _variables(setting, values))
    variables = {name: text for each in found.values() for name, text in each.items()}
    lines = (_shell_line(name, text, fish=fish) for name, text in variables.items())
    torchs = {variable.name for setting in found for variable in setting.variables}
    ours = (name for name, text in variables.items() if text is not None and name not in torchs)
    return Export("".join(f"{line}\n" for line in lines), left_out, tuple(ours))


def _shell_line(name: str, text: str | None, *, fish: bool) -> str:
    if text is None:
        return f"set --erase {name}" if fish else f"unset {name}"
    if not text.isprintable():
        # An escape sequence in it must do nothing to the terminal of someone who only looks at the lines.
        octal = "".join(f"\\{byte:03o}" for byte in text.encode())
        quoted = f"(printf '{octal}' | string collect)" if fish else f"\"$(printf '{octal}')\""
    elif fish:
        quoted = "'{}'".format(text.replace("\\", "\\\\").replace("'", "\\'"))
    else:
        quoted = shlex.quote(text)
    return f"set --global --export {name} {quoted}" if fish else f"export {name}={quoted}"


def to_toml(state: State) -> Export:
    """Return the flags of a state as a ``dynconf.toml``, those of modules other than dynamo in tables."""
    found, left_out = _expressed(state, lambda setting, value: _toml_data(setting.type, value))
    return Export(toml_of({setting.newest: data for setting, data in found.items()}), left_out)


def _toml_data(kind: ValueType, value: Any) -> Any:
    data = kind.to_data(value)
    if is_lost_in_toml(kind, data):
        raise Mismatch(f"TOML cannot express {short_repr(data)}")
    return data


def to_python(state: State) -> Export:
    """Return a program that sets the flags of a state with torch alone."""
    found, left_out = _expressed(state, _literal)
    imports = {module_path(setting.module) for setting in found}.union(
        *(named for _, named in found.values())
    )
    header = "".join(f"import {module}\n" for module in sorted(imports))
    lines = "".join(
        f"{module_path(setting.module)}.{setting.name} = {literal}\n"
        for setting, (literal, _) in found.items()
    )
    return Export(f"{header}\n{lines}" if found else "", left_out)


EXPORTS: dict[str, Callable[[State], Export]] = {
    "env": to_shell,
    "fish": partial(to_shell, fish=True),
    "python": to_python,
    "toml": to_toml,
}
"""The languages by the name of their format."""


def _expressed(
    state: State, express: Callable[[Setting, Any], Expression]
) -> tuple[dict[Setting, Expression], dict[Setting, object]]:
    """Return the expressions of the settings that a user can set, and the reasons to leave out the others."""
    found: dict[Setting, Expression] = {}
    left_out: dict[Setting, object] = {}
    for setting in in_order(state):
        try:
            if not setting.is_catalogued:
                raise Mismatch("it is newer than the catalogue")
            if not setting.public:
                raise Mismatch("it is internal to torch")
            value = state.value(setting)
            setting.type.to_data(value)  # what has no written form cannot be read back by anybody
            found[setting] = express(setting, value)
        except Mismatch as problem:
            left_out[setting] = problem
    return found, left_out


def _variables(setting: Setting, values: Mapping[Setting, Any]) -> dict[str, str | None]:
    """Return the variables that give the flag its value, None for one to unset.

    torch's own variable is used if dynconf and torch read the same text alike and no other flag gets another
    value from it, otherwise the uniform one, unless another part of torch reads that one.
    """
    value = values[setting]
    own = next(iter(setting.variables), None)
    if own is not None:
        text = text_for(setting, own, value)
        if text is not None and _says(own.name, text, values, setting.release):
            return {own.name: text}
    owns = {each.name for each in setting.variables}
    foreign = {each.name for each in catalogue(setting.module).foreign}
    # A uniform variable of another name of the flag would contradict this one; it is seldom there.
    uniforms = {each.uniform_variable for each in records_of(newest_record(setting.newest))} - owns - foreign
    unset: dict[str, str | None] = dict.fromkeys([*sorted(owns), *sorted(uniforms & os.environ.keys())])
    if own is not None and is_same_value(value, setting.default_value()):
        return unset
    if setting.flag.uniform_variable in uniforms:
        with suppress(Mismatch):
            # torch's own variables, which cannot express the value, would beat the uniform one.
            return {**unset, setting.flag.uniform_variable: setting.type.to_text(value)}
    raise Mismatch(f"no variable can express {short_repr(value)}")


def _says(name: str, text: str, values: Mapping[Setting, Any], release: Release) -> bool:
    """Tell whether all flags that follow a variable of torch have these values, or their defaults, by it."""
    try:
        return all(
            is_same_value(plain_value(other, text, variable.rule), values.get(other, other.default_value()))
            for other, variable in followers_of(name, release)
            if other.public
        )
    except Mismatch:
        return False


def _literal(setting: Setting, value: Any) -> tuple[str, set[str]]:
    """Return a value as Python source, and the modules that it needs.

    Raises:
        Mismatch: An object of that name is not there, or may not be named.
    """
    imports: set[str] = set()

    def source(value: Any) -> str:
        if isinstance(value, Named):
            named = Named.parse(str(value))
            named.resolve()
            imports.add(named.module)
            return f"{named.module}.{named.qualname}"
        if isinstance(value, (set, frozenset)):
            return f"{{{', '.join(sorted(map(source, value)))}}}" if value else "set()"
        if isinstance(value, list):
            return f"[{', '.join(map(source, value))}]"
        return repr(value)

    if setting.type.names_objects:
        return source(setting.type.by_name(value)), imports
    # Through its written form, in which there are no subclasses, to sets and tuples where torch has them.
    return source(setting.type.from_data(setting.type.to_data(value))), imports
