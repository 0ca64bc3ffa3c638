"""How programs with their own configuration set dynconf's flags in it: one function for each way.

Run: python examples/frameworks.py
"""

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict

import dynconf
from dynconf import CompileSettings, DynamoSettings


class Ours(DynamoSettings):
    """The defaults of a framework; users' files, variables and calls beat them."""

    recompile_limit: int = dynconf.at_least(32)
    suppress_errors: bool = True


class App(BaseSettings):
    """The settings of a program: ``APP_DYNAMO__RECOMPILE_LIMIT=64``, ``--dynamo.recompile_limit 64``."""

    model_config = SettingsConfigDict(env_prefix="APP_", env_nested_delimiter="__")
    rate: float = 0.1
    dynamo: Ours = Field(default_factory=Ours)


def with_pydantic_settings(arguments: list[str]) -> DynamoSettings:
    """Read the variables and the command line of a program."""
    return App(_cli_parse_args=arguments).dynamo  # type: ignore[call-arg]


class Trainer(BaseSettings):
    """The same with the flags of all modules: ``TRAINER_COMPILE__INDUCTOR__TRITON__CUDAGRAPHS=1``."""

    model_config = SettingsConfigDict(env_prefix="TRAINER_", env_nested_delimiter="__")
    compile: CompileSettings = CompileSettings()


def with_all_modules(arguments: list[str]) -> CompileSettings:
    """Read the variables and the command line of a program that sets flags of several modules."""
    return Trainer(_cli_parse_args=arguments).compile  # type: ignore[call-arg]


def with_argparse(arguments: list[str]) -> DynamoSettings:
    """Take ``--dynamo FLAG=VALUE`` options, each read as dynconf reads a variable."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--dynamo", action="append", default=[], metavar="FLAG=VALUE")
    chosen = dict(each.split("=", 1) for each in parser.parse_args(arguments).dynamo)
    return DynamoSettings(_cli_parse_args=[word for name in chosen for word in (f"--{name}", chosen[name])])


def with_jsonargparse(arguments: list[str]) -> DynamoSettings:
    """Have jsonargparse read flags by their types; it passes on those that were given, and nothing else."""
    import jsonargparse

    parser = jsonargparse.ArgumentParser()
    parser.add_argument("--dynamo", type=dynconf.FlagValues)
    return DynamoSettings.from_data(parser.parse_args(arguments).dynamo or {})


def with_omegaconf(text: str) -> DynamoSettings:
    """Read a node of an OmegaConf configuration, interpolations included."""
    from omegaconf import OmegaConf

    config = OmegaConf.create(text)
    return DynamoSettings.from_data(config.dynamo, origin="config.yaml")


def with_hydra(text: str) -> DynamoSettings:
    """Have Hydra make the settings: ``_target_: dynconf.DynamoSettings.from_data``."""
    from hydra.utils import instantiate
    from omegaconf import OmegaConf

    made: DynamoSettings = instantiate(OmegaConf.create(text).dynamo)
    return made


def with_a_json_variable(name: str) -> DynamoSettings:
    """Read a variable with a JSON object, as vLLM and others have them."""
    return DynamoSettings.from_data(json.loads(os.environ.get(name, "{}")), origin=name)


def main() -> None:
    """Set the same flag in every way, and show where dynconf says that it came from."""
    os.environ["RUN_DYNAMO"] = '{"recompile_limit": 64}'
    yaml = "limit: 64\ndynamo:\n  recompile_limit: ${limit}\n"
    hydra = (
        "dynamo:\n  _target_: dynconf.DynamoSettings.from_data\n  data: {recompile_limit: 64}\n"
        "  origin: conf/dynamo.yaml\n"
    )
    ways = {
        "pydantic-settings": lambda: with_pydantic_settings(["--dynamo.recompile_limit", "64"]),
        "argparse": lambda: with_argparse(["--dynamo", "recompile_limit=64"]),
        "jsonargparse": lambda: with_jsonargparse(["--dynamo.recompile_limit", "64"]),
        "OmegaConf": lambda: with_omegaconf(yaml),
        "Hydra": lambda: with_hydra(hydra),
        "a JSON variable": lambda: with_a_json_variable("RUN_DYNAMO"),
    }
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)  # no settings of this project
        for way, make in ways.items():
            try:
                settings = make()
            except ImportError as missing:
                print(f"{way:18} needs {missing.name}")
                continue
            with settings.install():
                limit = dynconf.snapshot()["recompile_limit"]
            print(f"{way:18} recompile_limit={limit}  {settings.origins['recompile_limit']}")
        os.chdir(Path(sys.executable).anchor)


if __name__ == "__main__":
    main()
