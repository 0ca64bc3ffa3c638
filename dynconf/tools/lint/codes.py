"""The codes of findings; those of rules over several flags are the rules' own."""

from typing import Any, NamedTuple

from dynconf.catalogue.flags.described import texts_of
from dynconf.tools.show.finding import page_of


class Code(NamedTuple):
    """A kind of finding: its title, and a text on the problem, its consequence and the remedy."""

    title: str
    text: str


_TEXTS = """
DC300: A file that cannot be read.
    It does not parse, is too large, cannot be opened, or is a settings file with something other than flags;
    it is ignored as a whole. Programs are parsed by the Python that runs dynconf: syntax of a later Python
    needs that version. `--fix` does not touch a file that has changed since it was checked.
DC301: A flag that no release has.
    torch raises an AttributeError where it is set or patched, and dynconf refuses a file with it. Use the
    suggested name, or search for one with `dynconf explain WORDS`.
DC302: A flag that was removed.
    Older releases have it. In a release that you asked for, torch raises an AttributeError, and dynconf an
    UnknownFlagError, which is one; its models raise pydantic's ValidationError, except for the flag's
    default, and a snapshot raises a KeyError.
    Use the named replacement, or test with `hasattr` first. In a file for several releases, and in calls of
    dynconf that accept it, set `missing` to `warn`.
DC303: A flag that does not exist yet.
    Newer releases have it. In a release that you asked for, it raises the error of a removed flag (DC302).
    Test with `hasattr` before you set it. `--fix` writes an older name if all those releases have one.
DC304: An old name of a flag.
    It still works where torch keeps it as an alias, but any release may drop that, and `mock.patch` on an
    alias deletes it. To dynconf it means the same on every release, so in its calls and files this is a note.
    `--fix` writes the new name if all releases that you asked for have it; where it leaves the old name, the
    finding says why.
DC305: A flag that moved to another config module.
    The old place is an alias, or gone. Import the new module; `--fix` does not, because names may collide.
DC306: A flag that does nothing.
    torch accepts it but nothing reads it, so the program is not configured as it says. Remove the setting,
    or use the named replacement.
DC307: A value that the flag does not accept.
    It has the wrong type or is not one of the choices, and dynconf refuses it. torch checks few values when
    they are set: most fail later, or count as false. Write one of the named values. A lambda cannot be
    written to a file: a report shows it, but only the program itself can set it.
DC308: torch's patch on an async function or a generator.
    Calling such a function only creates a coroutine or generator, and the patch ends before the body runs.
    Use `dynconf.patch`, or a `with` block inside.
DC309: A patch around a forward, but not its backward.
    The backward is compiled when it first runs, and reads the flags at that time. Move it into the block, or
    use `dynconf.inductor.options`, which covers both.
DC310: A mode together with options.
    torch.compile raises a RuntimeError if it gets both. Add the flags of the mode to the options: `dynconf
    explain mode` lists them.
DC311: A setting whose error is swallowed.
    The release lacks the flag, or the argument of torch.compile, and `except: pass` or `suppress` hides that
    nothing was set. Use the name of that release, or report the error in the handler.
DC312: A mode, stance or backend of torch.compile that does not exist.
    torch raises an error for it, unless the program registers that backend. Use the suggested word;
    `dynconf explain mode` lists the modes of a release.
DC313: A patch that is never entered.
    torch's `config.patch(...)` or `dynconf.patch(...)` only creates a context manager or decorator: as a
    statement on its own, it silently changes nothing. Put the code that needs it in a `with` block, or
    assign the flag.
DC314: An argument that torch.compile does not take.
    torch.compile raises a TypeError, in a release that you asked for or in all. Pass everything but the model
    by keyword; flags of inductor go into `options={...}`, those of dynamo into a patch around the code that
    compiles.
DC315: A patch that a keyword of torch.compile beats.
    A function that is compiled with its own `recompile_limit`, as is possible from torch 2.12 on, keeps that
    limit wherever it is called. Change the keyword, or leave it out.
DC316: A flag that pytest deletes.
    From pytest 9.2 on, `monkeypatch.setattr` takes a flag of a config module for an attribute that did not
    exist, and deletes it when the test ends, so later tests fail. Use torch's own patch or `dynconf.patch`.
DC317: A change in place that the cache does not see.
    From torch 2.13 on, the key of the FX graph cache keeps the contents that a dict or list of inductor had
    at the first compilation. After a change in place, old code is served, and new code is stored under the
    old key, for other processes too. Assign a new dict or list.
DC401: A variable that nothing reads.
    It looks like one of torch's, but no part of torch reads it: setting it silently changes nothing. Use the
    suggested name, or set the flag in the program. `--fix` writes the name if there is only one candidate,
    and if torch reads the text as it looks.
DC402: A text that does not mean to torch what it says.
    Some variables are true for any text that is not empty, so `0` switches something on. `dynconf explain
    VARIABLE` says how each is read. dynconf reads all of them in the same way: call `dynconf.install`, or
    write the named text.
DC403: A text that the flag does not accept.
    torch fails when it is imported or used, or falls back to something else, and dynconf refuses it. Write
    one of the named values.
DC404: A variable that only other releases read.
    In a release that you asked for, it silently changes nothing. Set the flag in the program instead, or the
    variable that this release reads.
DC405: A variable that is set too late.
    torch reads most variables once, when the module is imported, and this one is set after that. Set it
    before the import, or set the flag.
DC406: A user that may have no name.
    Up to torch 2.12, Inductor names its default cache folder after the user. If the user id has no name in
    the image, the first compilation fails. Set `TORCHINDUCTOR_CACHE_DIR`, or `USER`.
DC407: A variable that only dynconf reads.
    Every flag has a variable such as `TORCHDYNAMO_RECOMPILE_LIMIT`, even if torch has none for it. It counts
    under `dynconf run` and after `dynconf.install()`, and nowhere else.
DC408: A variable that another one beats.
    Two variables set the same flag. torch's own wins over that of dynconf. Unset one of them.
DC409: A switch whose text is a value, too.
    The switch is on for any text, and another flag takes the text itself, for example as a folder. If you
    only mean the switch, write `1`.
DC410: A variable above every assignment.
    torch reads it whenever the flag is used, so no patch, file or assignment changes the flag while the
    variable is set.
DC411: Two switches that turn torch.compile off.
    torch reads `TORCHDYNAMO_DISABLE` at each call of `torch.compile`, and `TORCH_COMPILE_DISABLE` once, while
    it is imported. The message says which is set, and its effect.
DC501: A setting that something else overrules.
    torch ranks a variable or another flag above it, or a program under `dynconf run` started this one and
    passes its own settings on. Unset what wins, or remove the setting.
DC502: A settings file that is skipped.
    A file is discovered only if nobody but you can change it: correct its owner and permissions, or name it
    with `--config`. If there are several files, the nearest counts, and the others are not merged with it.
DC503: A flag that does more than compile.
    With this value, torch runs a program, writes to a path, contacts a host, or the like. Make sure that you
    know who wrote the file. With `--trust` or `DYNCONF_TRUST=1`, which confirm that, this is only a note.
DC504: A value that only one thread has.
    From torch 2.12 on, an assignment applies to the thread that makes it, and other threads, such as those of
    a pool, keep their own value. `dynconf.install` sets a flag for all threads, and `dynconf.propagate`
    passes on what one thread has set to a function that another thread runs.
DC505: Two names of one flag with different values.
    Both mean the same flag, so one of the values would be lost: dynconf refuses them, and in torch's patch
    the last one counts. Keep one of them.
DC506: A default that changes.
    The program does not set the flag, and the releases have different defaults. `dynconf bisect --defaults
    RELEASE` finds out whether that matters; to keep the old default, set it.
"""

CODES = {code: Code(title.removesuffix("."), text) for code, (title, text) in texts_of(_TEXTS)}
"""All codes except those of rules over several flags."""


def explain_code(code: str) -> dict[str, Any] | None:
    """Explain a code of `CODES`, in any case, as JSON; None if there is no such code."""
    found = CODES.get(code.upper())
    return {"finding": code.upper(), **found._asdict(), "page": page_of(code.upper())} if found else None


def title(code: str) -> str:
    """Return the title of a code; rules over several flags share one."""
    return CODES[code].title if code in CODES else "A rule over several flags is broken"
