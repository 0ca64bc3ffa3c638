"""pydantic-settings' own tests, with dynconf's base in place of `BaseSettings`: `make tools` runs them."""

import os
import subprocess
import sys
import tarfile
from importlib.metadata import version
from pathlib import Path

import pytest

DIFFER = {
    # Unknown names in a .env file are left alone.
    "test_dotenv_extra_forbid",
    "test_dotenv_extra_forbid_similar_complex_fields",
    "test_dotenv_extra_forbid_similar_union_complex_fields",
    "test_dotenv_with_alias_and_env_prefix",
    "test_env_file_config_case_sensitive",
    "test_env_file_with_env_prefix_invalid",
    # Sources and the base have other names.
    "test_debug_sources_enabled",
    "test_protected_namespace_defaults",
}
"""The tests that may differ: docs/reference/settings-models.md names the reasons."""

FILES = ["settings", "precedence_and_merging"] + [
    f"source_{each}" for each in ("cli", "json", "toml", "yaml", "nested_secrets")
]


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """The tests of the release that is installed."""
    source = f"pydantic-settings=={version('pydantic-settings')}"
    download = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:"]
    subprocess.run([*download, source], cwd=tmp_path, check=True)
    [archive] = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        opened.extractall(tmp_path, filter="data")
    [tests] = tmp_path.glob("*/tests")
    return tests


def failures(suite: Path, *options: str) -> set[str]:
    """Return the tests that fail."""
    files = [path.name for name in FILES if (path := suite / f"test_{name}.py").exists()]
    quiet = "-q", "--tb=no", "-p", "no:cacheprovider", "-c", os.devnull, "--rootdir", "."
    command = [sys.executable, "-W", "ignore", "-m", "pytest", *quiet, *options, *files]
    environ = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}
    done = subprocess.run(command, cwd=suite, env=environ, capture_output=True, text=True, check=False)
    assert " passed" in done.stdout, done.stdout + done.stderr
    found = [line.split()[1] for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return {name.partition("::")[2].partition("[")[0] for name in found}


def test_the_tests_of_pydantic_settings_pass_with_the_base_of_dynconf(suite):
    """But those of which the page on the models says why they differ."""
    assert failures(suite, "-p", "own_base") - failures(suite) <= DIFFER
