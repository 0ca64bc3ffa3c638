"""A settings file to begin with: every flag of a release, commented out, with what it does."""

import json
import textwrap
from collections.abc import Iterator
from typing import Any

from dynconf.catalogue import Setting, View
from dynconf.flags.types import Mismatch, Opaque
from dynconf.modules import MODULES
from dynconf.names import views
from dynconf.release import Release

_WIDTH = 100


def starter(release: Release, table: str = "", *, everything: bool = False) -> str:
    """Return the text of a settings file for a release in which nothing is set yet.

    It stands in *table*, such as ``tool.dynconf``, if that is not empty. With *everything* it shows every
    public flag of each module, otherwise only those of dynamo that do something.

    Example:
        >>> print(starter(Release.named("2.13")).splitlines()[0])
        # Settings for torch.compile, read by dynconf. Flags and defaults are those of torch 2.13.0.
    """
    of = f"Flags and defaults are those of torch {release.version}."
    lines = [
        f"# Settings for torch.compile, read by dynconf. {of}",
        "# They take effect in programs that call dynconf.install(), or that `dynconf run` starts.",
        *([f"[{table}]"] if table else []),
        '# missing = "warn"  # flags that another torch lacks: "error" (the default), "warn" or "skip"',
    ]
    for view in views(release, MODULES if everything else ("dynamo",)):
        if view.catalogue.name != "dynamo":
            lines += ["", f"# [{'.'.join(filter(None, (table, view.catalogue.name)))}]"]
        lines += _flags_of(view, everything=everything)
    return "\n".join(lines) + "\n"


def _flags_of(view: View, *, everything: bool) -> Iterator[str]:
    hidden = () if everything else ("no-op", "deprecated", "testing")
    public = [each for each in view.settings.values() if each.public and each.status not in hidden]
    for topic in view.catalogue.topics:
        shown = [each for each in public if each.flag.topic == topic]
        if shown:
            yield from ("", f"# --- {topic} ---")
        for setting in shown:
            yield from textwrap.wrap(
                setting.flag.summary, _WIDTH, initial_indent="# ", subsequent_indent="# "
            )
            yield f"# {setting.name} = {_value(setting)}"


def _value(setting: Setting) -> str:
    """Return the default as TOML; where TOML has no such value, what stands for it."""
    if setting.is_computed:
        return f'"..."  # {setting.default.from_what}'
    if isinstance(setting.type, Opaque):
        return '"..."'
    try:
        data = setting.type.to_data(setting.default_value())
    except Mismatch:
        return '"..."'
    return '"none"' if data is None else _inline(data)


def _inline(data: Any) -> str:
    """Return data as TOML in one line."""
    import tomli_w

    if isinstance(data, dict):
        return f"{{{', '.join(f'{json.dumps(key)} = {_inline(value)}' for key, value in data.items())}}}"
    if isinstance(data, list):
        return f"[{', '.join(map(_inline, data))}]"
    return tomli_w.dumps({"key": data}).removeprefix("key = ").strip()
