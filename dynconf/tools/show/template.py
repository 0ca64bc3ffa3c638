"""The settings file that ``dynconf init`` writes: flags of a release with their summaries, commented out."""

import json
import textwrap
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from dynconf.catalogue.catalogue import Setting
from dynconf.catalogue.flags.flag import BARE_MODULE, Flag
from dynconf.catalogue.flags.types import Mismatch, short_repr
from dynconf.catalogue.modules.often_set import OFTEN_SET
from dynconf.catalogue.names import find, module_views, newest_record, split
from dynconf.errors import StateFileError
from dynconf.release import Release
from dynconf.sources.files import open_document, parse
from dynconf.tools.show.selection import by_topic


def settings_template(release: Release, table: str = "", *, everything: bool = False) -> str:
    """Return the text of a settings file in which every flag is commented out.

    Args:
        release: The release.
        table: The TOML table for the flags, such as ``tool.dynconf``; empty for the top level.
        everything: Whether to list all public flags, by module, instead of the thirty that people set.

    Example:
        >>> print(settings_template(Release.named("2.13")).splitlines()[0])
        # Settings for torch.compile, read by dynconf. Flags and defaults are those of torch 2.13.0.
    """
    of_release = f"Flags and defaults are those of torch {release.version}."
    lines = [
        f"# Settings for torch.compile, read by dynconf. {of_release}",
        "# They take effect in programs that call dynconf.install(), or that `dynconf run` starts.",
        *([f"[{table}]"] if table else []),
        *(
            []
            if everything
            else ["# Below are the flags that people set, the most often set first; all: dynconf init --all."]
        ),
        '# missing = "warn"  # flags that another torch lacks: "error" (the default), "warn" or "skip"',
    ]
    for name in () if everything else OFTEN_SET:
        setting = find(name, release)
        if setting and not setting.inert:
            lines += ["", *_lines_of(setting, name, newest_record(name))]
    for view in module_views(release) if everything else ():
        if view.catalogue.name != BARE_MODULE:
            lines += ["", f"# [{'.'.join(filter(None, (table, view.catalogue.name)))}]"]
        for topic, settings in by_topic(each for each in view.settings.values() if each.public).items():
            lines += ["", f"# --- {split(topic)[1]} ---"]
            for each in settings:
                lines += _lines_of(each, each.key, view.catalogue.flags[each.key])
    return "\n".join(lines) + "\n"


def _lines_of(setting: Setting, key: str, flag: Flag) -> Iterator[str]:
    yield from textwrap.wrap(flag.summary, 100, initial_indent="# ", subsequent_indent="# ")
    yield f"# {key} = {_toml_default(setting)}"


def _toml_default(setting: Setting) -> str:
    """Return the default as TOML, or ``"..."`` where it depends on the machine or is an object."""
    if setting.is_computed:
        return f'"..."  # {setting.default.from_what}'
    try:
        data = setting.type.to_data(setting.default_value())
    except Mismatch:
        return '"..."'
    return '"none"' if data is None else _toml_inline(data)


def _toml_inline(data: Any) -> str:
    """Return *data* as TOML in one line, where tomli_w would need several: as JSON, except for tables."""
    if isinstance(data, dict):
        return f"{{{', '.join(f'{json.dumps(key)} = {_toml_inline(value)}' for key, value in data.items())}}}"
    return json.dumps(data, ensure_ascii=False)


def with_table(path: Path, table: str) -> str:
    """Return the text of a pyproject.toml with our table at its end.

    Raises:
        StateFileError: It cannot be read, or cannot have the table.
    """
    before = open_document(path) if path.exists() else None
    tool = None if before is None else before.data.get("tool")
    if isinstance(tool, dict) and "dynconf" in tool:
        raise StateFileError(f"{path} has a [tool.dynconf] table already; edit that one")
    if before is None or not before.text.strip():
        return table
    text = f"{before.text.rstrip()}\n\n{table}"
    # Not every `tool` can be extended: an inline table has all of its entries in one place.
    with suppress(StateFileError):
        tools = parse(text, str(path), "toml").data["tool"]
        if isinstance(tools, dict) and tools["dynconf"] == {}:
            return text
    raise StateFileError(
        f"{path} cannot be given a table [tool.dynconf]: in it, tool is {short_repr(tool)}; write that as"
        " tables, such as [tool.black], or use `dynconf init`, which writes a dynconf.toml"
    )
