"""Run the whole suite on real torch: on other releases, and under other Pythons.

``python tests/run_real.py releases 2.6.0 2.15.0`` runs it on these releases, under this Python.
``python tests/run_real.py pythons`` runs it on the release that is pinned, under each CPython that this
machine has, and names those that it does not have. It can be given some of them: ``pythons 3.10 3.13t``.

A Python for which the release has no wheel runs the law tests on the config modules alone.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from real_torch import ROOT, MissingWheelError, environment
from run_compat import LAWS

PYTHONS = ("3.10", "3.11", "3.12", "3.13", "3.13t", "3.14", "3.14t", "3.15", "3.15t")
"""Every Python from the oldest supported one on; t is for free-threaded."""

INSTALLERS = (
    "~/.pyenv/versions/*/bin",
    "~/.local/share/uv/python/*/bin",
    "/opt/python/*/bin",
    "/usr/local/bin",
)
"""Where Pythons are beside those on the PATH, where pyenv has stand-ins that work only if they are chosen."""

IDENTITY = """
import platform, sys, sysconfig
if platform.python_implementation() == "CPython" and sys.prefix == sys.base_prefix:
    print("%d.%d" % sys.version_info[:2] + "t" * bool(sysconfig.get_config_var("Py_GIL_DISABLED")))
"""

WITHOUT_TYPING = ("--ignore", "tests/test_typing.py")


def pytest(python: Path | str, *arguments: str, folder: Path = ROOT) -> bool:
    """Run pytest on a checkout, show its failures and its last line, and tell whether all tests passed."""
    options = ("-q", "-n", "2", "--dist", "worksteal", "-p", "no:cacheprovider")
    command = [python, "-m", "pytest", *options, *arguments]
    # The project that is installed may be another checkout.
    environ = {**os.environ, "PYTHONPATH": str(folder)}
    done = subprocess.run(command, cwd=folder, env=environ, capture_output=True, text=True, check=False)
    failures = re.findall(r"^(?:FAILED|ERROR) .*", done.stdout, re.MULTILINE)
    print("\n".join(failures[:200]) if failures or not done.returncode else done.stdout + done.stderr)
    print((done.stdout.splitlines() or [""])[-1], flush=True)
    return done.returncode == 0


def pythons() -> dict[str, str]:
    """Return the CPythons of this machine by version, the newest patch release of each."""
    found: dict[str, str] = {}
    for folder in (*os.environ.get("PATH", "").split(os.pathsep), *INSTALLERS):
        pattern = str(Path(folder).expanduser() / "python3.*").lstrip("/")
        for path in sorted(map(str, Path("/").glob(pattern)), key=_numbers):
            if re.fullmatch(r".*/python3\.\d\d+t?", path):
                done = subprocess.run([path, "-c", IDENTITY], capture_output=True, text=True, check=False)
                if version := done.stdout.strip():
                    found[version] = path
    return found


def _numbers(path: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", path)]


def _run_releases(releases: list[str]) -> Iterator[bool]:
    for release in releases:
        print(f"== torch {release}", flush=True)
        yield pytest(environment(release), "tests", *WITHOUT_TYPING)


def _run_pythons(wanted: list[str]) -> Iterator[bool]:
    found = pythons()
    pinned = re.search(
        r"^torch==(\S+)$", (ROOT / "constraints.txt").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert pinned is not None
    for version in wanted or PYTHONS:
        if version not in found:
            continue
        print(f"== Python {version}, torch {pinned[1]}: {found[version]}", flush=True)
        try:
            yield pytest(environment(pinned[1], found[version]), "tests", *WITHOUT_TYPING)
        except MissingWheelError as missing:
            print(f"{missing}; the config modules alone:", flush=True)
            yield pytest(environment("", found[version]), *LAWS, "--torch-release", pinned[1])
    print(
        f"not on this machine: {', '.join(each for each in wanted or PYTHONS if each not in found) or 'none'}"
    )


def main() -> int:
    """Run what is asked for; return 1 if a test failed."""
    what, *names = sys.argv[1:]
    return 0 if all(list({"releases": _run_releases, "pythons": _run_pythons}[what](names))) else 1


if __name__ == "__main__":
    sys.exit(main())
