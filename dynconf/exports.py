"""A state in the languages that can set it: lines for a shell, a TOML file, a Python program."""

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from dynconf.catalogue import Setting
from dynconf.flags.flag import BARE_MODULE
from dynconf.flags.types import Mismatch, Named, SetOf, is_same_value, short_repr
from dynconf.modules import catalogue, modules_set_by
from dynconf.names import in_order, module_views
from dynconf.release import Release
from dynconf.saving import is_lost_in_toml, toml_of
from dynconf.sources.environment import plain_value, text_for
from dynconf.state import State


@dataclass(frozen=True, slots=True)
class Export:
    """A state as text, and the settings that were left out, with the reasons."""

    text: str
    left_out: Mapping[Setting, object]

    @property
    def notes(self) -> tuple[str, ...]:
        """A sentence for each of the settings that were left out."""
        return tuple(f"{setting.newest} is left out: {why}" for setting, why in self.left_out.items())


Shell = Literal["posix", "fish"]
"""The languages of shells: that of sh, bash and zsh, and that of fish."""


def to_shell(state: State, shell: Shell = "posix") -> Export:
    """Return the lines with which a shell sets the flags of a state.

    torch's own variable is preferred, so that bare torch sees the value too; a variable that would get in the
    way is unset.
    """
    left_out: dict[Setting, object] = {}
    variables: dict[str, str | None] = {}
    values = {setting: value for setting, value, _ in _settable(state, left_out)}
    for setting, value in values.items():
        found = _variables(setting, values)
        variables |= found
        if not found:
            left_out[setting] = f"no variable can express {short_repr(value)}"
    lines = (_shell_line(name, text, shell) for name, text in variables.items())
    return Export("".join(f"{line}\n" for line in lines), left_out)


def _shell_line(name: str, text: str | None, shell: Shell) -> str:
    if text is None:
        return f"unset {name}" if shell == "posix" else f"set --erase {name}"
    if not text.isprintable():
        # An escape sequence in it must do nothing to the terminal of someone who only looks at the lines.
        octal = "".join(f"\\{byte:03o}" for byte in text.encode())
        quoted = f"\"$(printf '{octal}')\"" if shell == "posix" else f"(printf '{octal}' | string collect)"
    elif shell == "posix":
        quoted = shlex.quote(text)
    else:
        fish = text.replace("\\", "\\\\").replace("'", "\\'")
        quoted = f"'{fish}'"
    return f"export {name}={quoted}" if shell == "posix" else f"set --global --export {name} {quoted}"


def to_toml(state: State) -> Export:
    """Return the flags of a state as a ``dynconf.toml``, those of modules other than dynamo in tables."""
    left_out: dict[Setting, object] = {}
    values: dict[str, Any] = {}
    for setting, _, data in _settable(state, left_out):
        if is_lost_in_toml(data):
            left_out[setting] = f"TOML cannot express {short_repr(data)}"
        else:
            values[setting.newest] = data
    return Export(toml_of(values), left_out)


def to_python(state: State) -> Export:
    """Return a program that installs the flags of a state."""
    left_out: dict[Setting, object] = {}
    imports = {"dynconf"}
    keywords: dict[str, str] = {}
    others: dict[str, list[str]] = {}
    for setting, value, data in _settable(state, left_out):
        needed: set[str] = set()
        if setting.type.names_objects:
            value = setting.type.by_name(value)  # noqa: PLW2901  the same, by name
        else:
            value = set(data) if isinstance(setting.type, SetOf) else data  # noqa: PLW2901  as literals
        try:
            literal = _source(value, needed)
        except Mismatch as problem:
            left_out[setting] = problem
            continue
        imports |= needed
        if setting.module == BARE_MODULE:
            keywords[setting.name] = literal
        else:
            others.setdefault(setting.module, []).append(f"{setting.name!r}: {literal}")
    keywords |= {module: f"{{{', '.join(items)}}}" for module, items in others.items()}
    lines = "".join(f"    {name}={literal},\n" for name, literal in keywords.items())
    header = "".join(f"import {module}\n" for module in sorted(imports))
    return Export(f"{header}\ndynconf.install(\n{lines})\n", left_out)


def _settable(state: State, left_out: dict[Setting, object]) -> Iterator[tuple[Setting, Any, Any]]:
    """Yield the settings that a user can set, with their values, also as data; the others are left out."""
    for setting in in_order(state):
        if not setting.public or not setting.is_catalogued:
            left_out[setting] = "it is internal to torch"
            continue
        value = setting.type.truth(state.value(setting))
        try:
            data = setting.type.to_data(value)
        except Mismatch as problem:
            left_out[setting] = problem
            continue
        yield setting, value, data


def _variables(setting: Setting, values: Mapping[Setting, Any]) -> dict[str, str | None]:
    """Return the variables that give the flag its value, None for one to unset; none if none can.

    torch's own variable is used if dynconf and torch read the same text alike and no other flag gets another
    value from it, otherwise the uniform one, unless another part of torch reads that one.
    """
    value = values[setting]
    own = next(iter(setting.variables), None)
    if own is not None:
        text = text_for(setting, own, value)
        if text is not None and _says(own.name, text, values, setting.release):
            return {own.name: text}
        if is_same_value(value, setting.default_value()):
            return {own.name: None}
    uniform = setting.flag.uniform_variable
    if uniform in {own.name if own else "", *(each.name for each in catalogue(setting.module).foreign)}:
        return {}
    try:
        text = setting.type.to_text(value)
    except Mismatch:
        return {}
    # torch's own variable, which cannot express the value, would beat the uniform one.
    return {uniform: text} if own is None else {own.name: None, uniform: text}


def _says(name: str, text: str, values: Mapping[Setting, Any], release: Release) -> bool:
    """Tell whether all flags that follow a variable of torch have these values, or their defaults, by it."""
    followers = [
        follower
        for view in module_views(release, modules_set_by({name}))
        for follower in view.followers.get(name, ())
        if follower[0].public
    ]
    try:
        return all(
            is_same_value(plain_value(other, text, variable.rule), values.get(other, other.default_value()))
            for other, variable in followers
        )
    except Mismatch:
        return False


def _source(value: Any, imports: set[str]) -> str:
    """Return Python source for a value with names in place of objects; modules that it needs are added.

    Raises:
        Mismatch: An object of that name is not there, or may not be named.
    """
    if isinstance(value, Named):
        named = Named.parse(str(value))
        named.resolve()
        imports.add(named.module)
        return f"{named.module}.{named.qualname}"
    if isinstance(value, (set, frozenset)):
        return f"{{{', '.join(sorted(_source(item, imports) for item in value))}}}" if value else "set()"
    if isinstance(value, list):
        return f"[{', '.join(_source(item, imports) for item in value)}]"
    if isinstance(value, tuple):
        return f"({''.join(f'{_source(item, imports)}, ' for item in value).strip()})"
    return repr(value)
