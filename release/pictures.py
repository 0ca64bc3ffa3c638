"""The pictures in the README: ``docs/images/{dump,check,explain}.svg``, drawn from what the commands print.

``python release/pictures.py`` draws them, and ``--check`` compares them with what the commands print now.
"""

import io
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from clone import ROOT
from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

IMAGES = ROOT / "docs" / "images"
COLUMNS = 108

FILE = """\
recompile_limit = 64
capture_scalar_outputs = true

[inductor]
max_autotune = true
triton.cudagraphs = true
"""

VARIABLES = {
    "TORCHDYNAMO_SUPPRESS_ERRORS": "0",
    "TORCHINDUCTOR_MAX_AUTOTUNE": "true",
    "TORCHDYNAMO_RECOMPILE_LIMITS": "128",
}

COMMANDS = {"dump": ("dump",), "check": ("check",), "explain": ("explain", "inductor.max_autotune")}
"""The words behind ``dynconf`` for each picture; each command sees the file and the variables."""

THEME = TerminalTheme(
    (30, 34, 42),
    (214, 218, 226),
    [(30, 34, 42), (240, 113, 120), (152, 195, 121), (229, 192, 123), (97, 175, 239), (198, 120, 221),
     (86, 182, 194), (214, 218, 226)],
)  # fmt: skip
"""Colours that can be read on any page, light or dark."""

FORMAT = """\
<svg class="rich-terminal" viewBox="-9 -9 {width} {terminal_height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{ font-family: ui-monospace, Menlo, Consolas, monospace; font-size: {char_height}px;
  line-height: {line_height}px; }}
{styles}
</style>
<defs>{lines}</defs>
<rect fill="#1e222a" x="-9" y="-9" width="{width}" height="{terminal_height}" rx="8"/>
<g>{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g></g>
</svg>
"""
"""That of rich loads a font from elsewhere."""


def printed(words: tuple[str, ...]) -> str:
    """Return the output of a command on a terminal with colours."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "PYTHONPATH") if name in os.environ}
    environ = {**kept, **VARIABLES, "FORCE_COLOR": "1", "COLUMNS": str(COLUMNS), "PYTHONUTF8": "1"}
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "dynconf.toml").write_text(FILE, encoding="utf-8")
        done = subprocess.run(
            [sys.executable, "-m", "dynconf", *words],
            cwd=folder, env=environ, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
        )  # fmt: skip
    return done.stdout


def picture(name: str) -> str:
    """Return the picture of a command and its output."""
    console = Console(record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True, highlight=False)
    console.print(Text(f"$ dynconf {' '.join(COMMANDS[name])}", "bold"))
    console.print(Text.from_ansi(printed(COMMANDS[name])), soft_wrap=True)
    return console.export_svg(theme=THEME, code_format=FORMAT, unique_id=f"dynconf-{name}")


def main() -> int:
    """Draw the pictures, or compare them."""
    stale = [
        name
        for name in COMMANDS
        if not (path := IMAGES / f"{name}.svg").exists() or path.read_text(encoding="utf-8") != picture(name)
    ]
    for name in stale:
        if "--check" in sys.argv[1:]:
            print(f"docs/images/{name}.svg is not what `dynconf {name}` prints: run `make pictures`")
        else:
            (IMAGES / f"{name}.svg").write_text(picture(name), encoding="utf-8")
    return int("--check" in sys.argv[1:] and bool(stale))


if __name__ == "__main__":
    sys.exit(main())
