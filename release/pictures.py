"""The picture in the README: ``docs/images/check.svg``, drawn from what `dynconf check` prints.

``python release/pictures.py`` draws it, and ``--check`` compares it with what the command prints now.
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

PICTURE = ROOT / "docs" / "images" / "check.svg"
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


def printed() -> str:
    """Return the output of the command on a terminal with colours."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "PYTHONPATH") if name in os.environ}
    environ = {**kept, **VARIABLES, "FORCE_COLOR": "1", "COLUMNS": str(COLUMNS), "PYTHONUTF8": "1"}
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "dynconf.toml").write_text(FILE, encoding="utf-8")
        done = subprocess.run(
            [sys.executable, "-m", "dynconf", "check"],
            cwd=folder, env=environ, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
        )  # fmt: skip
    return done.stdout


def picture() -> str:
    """Return the picture of the command and its output."""
    console = Console(record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True, highlight=False)
    console.print(Text("$ dynconf check", "bold"))
    console.print(Text.from_ansi(printed()), soft_wrap=True)
    return console.export_svg(theme=THEME, code_format=FORMAT, unique_id="dynconf-check")


def main() -> int:
    """Draw the picture, or compare it."""
    if PICTURE.exists() and PICTURE.read_text(encoding="utf-8") == picture():
        return 0
    if "--check" in sys.argv[1:]:
        print("docs/images/check.svg is not what `dynconf check` prints: run `make pictures`")
        return 1
    PICTURE.write_text(picture(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
