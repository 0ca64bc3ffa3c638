#!/usr/bin/env bash
# Guess: what is passed to a pydantic-settings class in code is the value of the field: Settings(options={"b": 2}) has these
# options, and options={} has none, whatever a variable says.
# Seen: dicts of all sources are merged, those in code included. With a="1" in a variable or a file, options={} is a no-op,
# and nothing that is passed takes an entry away; a list is replaced. For a field that is a model it depends on the type of
# what is passed: a dict is merged with the variables, an object of the model is not. And two TOML files are not merged
# with each other: a table of the second replaces that of the first, all of it.
# pydantic-settings 2.16.3, pydantic 2.14.4. Prints each value.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet pydantic-settings==2.16.3 pydantic==2.14.4
printf '[part]\na = 5\n' > first.toml
printf '[part]\nb = 6\n' > second.toml
APP_OPTIONS='{"a": 1}' APP_NAMES='["a"]' APP_PART__A=5 env/bin/python - <<'PROGRAM'
from pydantic import BaseModel
from pydantic_settings import BaseSettings, SettingsConfigDict, TomlConfigSettingsSource


class Part(BaseModel):
    a: int = 0
    b: int = 0


class Settings(BaseSettings):
    model_config = SettingsConfigDict(env_prefix="APP_", env_nested_delimiter="__")
    options: dict[str, int] = {}
    names: list[str] = []
    part: Part = Part()


class FromFiles(BaseSettings):
    model_config = SettingsConfigDict(toml_file=["first.toml", "second.toml"])
    part: Part = Part()

    @classmethod
    def settings_customise_sources(cls, settings_cls, **sources):
        return (TomlConfigSettingsSource(settings_cls),)


found = {
    'options={"b": 2}': Settings(options={"b": 2}).options,
    "options={}": Settings(options={}).options,
    "names=[]": Settings(names=[]).names,
    'part={"b": 2}': Settings(part={"b": 2}).part.model_dump(),
    "part=Part(b=2)": Settings(part=Part(b=2)).part.model_dump(),
    "two files": FromFiles().part.model_dump(),
}
for name, value in found.items():
    print(f"{name}: {value}")
assert list(found.values()) == [
    {"a": 1, "b": 2},
    {"a": 1},
    [],
    {"a": 5, "b": 2},
    {"a": 0, "b": 2},
    {"a": 0, "b": 6},
]
PROGRAM
