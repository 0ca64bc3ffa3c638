"""A text of each kind means the same on every path of a model, for all flags of all modules."""

import functools
import json
import os
from importlib.metadata import version

import pytest
from pydantic import Field, ValidationError
from pydantic_settings import BaseSettings, CliSettingsSource, EnvSettingsSource, SettingsConfigDict

from dynconf import CompileFlags, CompileSettings
from dynconf.catalogue.flags.types import is_same_value
from dynconf.catalogue.flags.variable import VARIABLE_RULES

TEXTS = [
    *("0", "True", " on ", "None", "null", "8", "-1", "3.0", "1e3", "0x10", "", " ", "maybe", "a,b"),
    *("builtins:print", '["a"]', '{"a": 1}', "a/b/c", "spawn"),
]
"""The types themselves have tests with more words, in ``catalogue/flags/types``."""
PATHS = {each.path: each.flag.setting for each in CompileFlags.__dynconf__.places() if each.flag}
assert len(PATHS) > 800
OLD_COMMAND_LINE = tuple(map(int, version("pydantic-settings").split(".")[:2])) < (2, 11)


class Remembers:
    """A source that looks for the field of a name once.

    pydantic-settings compares each part of each variable with all fields of the model, in every construction:
    that took nine tenths of the time of this test.
    """

    known = {}  # noqa: RUF012  shared on purpose

    def next_field(self, field, key, *more):
        place = (id(field), key, *more)
        if place not in self.known:
            self.known[place] = field, super().next_field(field, key, *more)  # the field keeps its id
        return self.known[place][1]


class Environment(Remembers, EnvSettingsSource):
    """The variables of a program."""


class CommandLine(Remembers, CliSettingsSource):
    """The options of a program."""


class App(BaseSettings):
    """A program. Without `case_sensitive`, pydantic-settings compares each variable with all fields."""

    model_config = SettingsConfigDict(env_prefix="APP_", env_nested_delimiter="__", case_sensitive=True)
    compile: CompileSettings = Field(default_factory=CompileSettings)

    @classmethod
    def settings_customise_sources(cls, settings_cls, init_settings, **_):
        """Return those that are read."""
        return init_settings, Environment(settings_cls)


def nested(paths, text):
    """Return data with this text for each flag."""
    data = {}
    for *outer, name in paths:
        holder = data
        for part in outer:
            holder = holder.setdefault(part, {})
        holder[name] = text
    return data


def with_environment(variables, make):
    """Return the model that is made with these variables."""
    before = dict(os.environ)
    os.environ.update(variables)
    try:
        return make()
    finally:
        os.environ.clear()
        os.environ.update(before)


TRUSTED = {"trust": True}
READERS = {
    "a call": lambda paths, text: CompileFlags(**nested(paths, text)),
    "data": lambda paths, text: CompileFlags.model_validate(nested(paths, text), context=TRUSTED),
    "strings": lambda paths, text: CompileFlags.model_validate_strings(nested(paths, text), context=TRUSTED),
    "JSON": lambda paths, text: CompileFlags.model_validate_json(
        json.dumps(nested(paths, text)), context=TRUSTED
    ),
    "a variable": lambda paths, text: with_environment(
        {PATHS[path].flag.uniform_variable: text for path in paths}, CompileSettings
    ),
    "a program's variable": lambda paths, text: (
        with_environment({"__".join(("APP_compile", *path)): text for path in paths}, App).compile
    ),
    "an option": lambda paths, text: (
        App(
            _cli_settings_source=command_line()(args=[f"--compile.{'.'.join(path)}={text}" for path in paths])
        ).compile
    ),
}


@functools.cache
def command_line():
    """Return the options of the program, of which there are thousands, made once."""
    return CommandLine(App)


def outcomes(reader, paths, text, refused):
    """Return the value of each flag that accepts the text, and ValidationError for the others.

    Args:
        reader: The path on which the text is read.
        paths: The flags.
        text: The text.
        refused: The flags that are expected to refuse it: one mistake hides the values of all others.
    """
    found = {}
    pending = [[path for path in paths if path in refused], [path for path in paths if path not in refused]]
    while pending:
        now = pending.pop()
        if not now:
            continue
        try:
            made = READERS[reader](now, text)
        except ValidationError as error:
            wrong, together = set(), []
            for each in error.errors():
                location = tuple(part for part in each["loc"] if part != "compile")
                if each["type"] == "flag_conflict":  # a rule over several flags
                    together += [path for path in now if path[-1] in each["input"] and path not in together]
                else:
                    path = next(location[:size] for size in range(2, 5) if location[:size] in PATHS)
                    wrong.add(path)
                    found[path] = ValidationError
            if len(together) == 1:  # with the defaults of the others
                found[together[0]] = ValidationError
            else:
                pending += [together[::2], together[1::2]]
            if not wrong and not together:
                raise
            pending.append([path for path in now if path not in wrong and path not in together])
        else:
            for path in now:
                found[path] = functools.reduce(getattr, path, made)
    return found


@pytest.mark.filterwarnings("ignore::dynconf.errors.DynconfWarning")
@pytest.mark.parametrize("text", TEXTS)
def test_every_text_means_the_same_on_every_path(text):
    """A call, data, strings, JSON, a variable of torch's kind and of a program, an option."""
    expected = outcomes("a call", PATHS, text, set())
    assert expected.keys() == PATHS.keys()
    refused = {path for path, value in expected.items() if value is ValidationError}
    for reader in [*READERS][1:]:
        paths = [path for path in PATHS if is_read(reader, path, text)]
        found = outcomes(reader, paths, text, refused)
        assert found.keys() == {*paths}
        different = {
            path: (value, expected[path])
            for path, value in found.items()
            if not is_same_value(value, expected[path])
        }
        assert different == {}, reader


def is_read(reader, path, text):
    """Tell whether the text is left to dynconf on this path, as docs/reference/settings-models.md says."""
    setting = PATHS[path]
    if reader == "a variable":
        rules = {each.rule for each in setting.variables if each.name == setting.flag.uniform_variable}
        is_torchs = any(rule == "force" or VARIABLE_RULES[rule].transforms for rule in rules)
        return bool(text.strip()) and not is_torchs and not setting.is_absent
    if reader == "an option":
        # "null" is the word of pydantic-settings for None. Before 2.11 it takes options of dicts and lists
        # apart by rules of its own: key=value, JSON in items, an empty item of an empty text.
        kind = setting.type.annotation
        is_taken_apart = any(word in kind for word in ("dict", "list", "set")) or not text.strip()
        return text != "null" and not (OLD_COMMAND_LINE and is_taken_apart)
    return True
