"""The codes of findings; those of rules over several flags are the rules' own."""

from typing import NamedTuple


class Code(NamedTuple):
    """A kind of finding: its title, and a text on the problem, its consequence and the remedy."""

    title: str
    text: str


LINT_CODES = {
    "DC300": Code(
        "A file that cannot be read",
        "It does not parse, is too large, or may not be opened, so nothing in it was checked. Python is"
        " parsed as the Python that runs dynconf does it: a program for a later one needs that one. `--fix`"
        " leaves a file alone that has changed since it was checked.",
    ),
    "DC301": Code(
        "A flag that no release has",
        "torch raises an AttributeError where it is set or patched. Use the name that is suggested, or"
        " search for one with `dynconf explain WORDS`.",
    ),
    "DC302": Code(
        "A flag that is gone",
        "Older releases have it; one that you asked for raises an AttributeError. Use the one that is named"
        " instead, or ask with `hasattr` first.",
    ),
    "DC303": Code(
        "A flag that is not there yet",
        "Newer releases have it; one that you asked for raises an AttributeError. Ask with `hasattr` before"
        " you set it. `--fix` writes an older name if all releases that you asked for have one.",
    ),
    "DC304": Code(
        "An old name of a flag",
        "It still works where torch keeps it as an alias, which may end with any release, and once"
        " `mock.patch` has patched an alias, torch has it no more. `--fix` writes the new name if all"
        " releases that you asked for have it.",
    ),
    "DC305": Code(
        "A flag that moved to another config module",
        "The old place is an alias, or gone. Import the new module; `--fix` does not, because names may"
        " collide.",
    ),
    "DC306": Code(
        "A flag that does nothing",
        "torch accepts it and nothing reads it, so that the program is not configured as it says. Remove"
        " the setting, or use the flag that is named instead.",
    ),
    "DC307": Code(
        "A value that the flag does not accept",
        "It has a wrong type or is none of the choices. torch checks few of them when they are set: most"
        " fail later, or count as false. Write one of the values that are named.",
    ),
    "DC308": Code(
        "torch's patch on an async function or a generator",
        "Calling such a function only creates a coroutine or generator, and the patch ends before the body"
        " runs. Use `dynconf.patch`, or a `with` block inside.",
    ),
    "DC309": Code(
        "A patch around a forward, but not its backward",
        "The backward is compiled when it first runs, and reads the flags of then. Move it into the block,"
        " or use `dynconf.inductor.options`, which covers both.",
    ),
    "DC310": Code(
        "A mode together with options",
        "torch.compile raises a RuntimeError for both. Write the flags of the mode into the options:"
        " `dynconf explain mode` lists them.",
    ),
    "DC311": Code(
        "A setting whose error is swallowed",
        "The release lacks the flag, and `except: pass` or `suppress` hides that nothing was set. Use the"
        " name of that release, or say something in the handler.",
    ),
    "DC312": Code(
        "A mode of torch.compile that does not exist",
        "torch.compile raises a RuntimeError for it. Use the mode that is suggested; `dynconf explain mode`"
        " lists those of a release.",
    ),
    "DC313": Code(
        "A patch of torch's that is never entered",
        "`config.patch(...)` only makes a context manager or decorator: as a statement of its own it changes"
        " nothing, in silence. Put the code that needs it in a `with` block, or assign the flag.",
    ),
    "DC314": Code(
        "A keyword that torch.compile does not take",
        "torch.compile raises a TypeError, in a release that you asked for or in all. Flags of inductor go"
        " into `options={...}`, those of dynamo into a patch around what compiles.",
    ),
    "DC315": Code(
        "A patch that a keyword of torch.compile beats",
        "A function that is compiled with a `recompile_limit` of its own, as torch 2.12 and newer can, has"
        " that one wherever it is called. Change the keyword, or leave it out.",
    ),
    "DC316": Code(
        "A flag that pytest deletes",
        "From pytest 9.2 on, `monkeypatch.setattr` finds no attribute of that name in a config module, and"
        " deletes the flag when the test ends, so that later tests fail. Use torch's own patch or"
        " `dynconf.patch`.",
    ),
    "DC401": Code(
        "A variable that nothing reads",
        "It looks like one of torch's, and no part of torch has it: setting it changes nothing, in silence."
        " Use the name that is suggested, or set the flag in the program. `--fix` writes the name if only one"
        " can be meant, and if torch reads the text as it looks.",
    ),
    "DC402": Code(
        "A text that torch reads otherwise than it looks",
        "Some variables are true for every text that is not empty, so that `0` switches something on."
        " `dynconf explain VARIABLE` says how each is read.",
    ),
    "DC403": Code(
        "A text that the flag does not accept",
        "torch fails when it is imported or used, or falls back to something else. Write one of the values"
        " that are named.",
    ),
    "DC404": Code(
        "A variable that only other releases read",
        "In one that you asked for it changes nothing, in silence. Set the flag in the program instead, or"
        " the variable that this release reads.",
    ),
    "DC405": Code(
        "A variable that is set too late",
        "torch reads most variables once, when the module is imported, and this line comes after that. Move"
        " it above the import, or set the flag.",
    ),
    "DC406": Code(
        "A user that may have no name",
        "Up to torch 2.12, Inductor names its default cache folder after the user. Under a number that has no"
        " entry in the image, the first compilation fails. Set `TORCHINDUCTOR_CACHE_DIR`, or `USER`.",
    ),
}

CHECK_CODES = {
    "stops-import": Code(
        "A text with which torch cannot be imported",
        "`import torch` or a config module fails with the error that is named. Write one of the values that"
        " are named, or unset the variable.",
    ),
    "invalid-value": Code(
        "A value that the flag does not accept",
        "dynconf refuses it, so that nothing is put in force. torch may accept it, and fail when the flag is"
        " used. Write one of the values that are named.",
    ),
    "misread": Code(
        "A variable that torch reads otherwise than it looks",
        "Some variables are true for every text that is not empty, so that `0` switches something on."
        " `dynconf explain VARIABLE` says how torch reads one. dynconf reads all of them alike: install it,"
        " or write the text that is named.",
    ),
    "misspelt-variable": Code(
        "A variable that looks like one of torch's",
        "Nothing reads it, so setting it changes nothing, in silence. Use the name that is suggested.",
    ),
    "unknown-variable": Code(
        "A variable that nothing reads",
        "It begins as those of torch do, and no part of torch has it: setting it changes nothing, in silence."
        " Unset it, or set the flag in the program or in `dynconf.toml`.",
    ),
    "not-read-yet": Code(
        "A variable that only newer releases read",
        "This torch ignores it. Set the flag in the program or in `dynconf.toml`, or use the variable that"
        " this release reads, if one is named.",
    ),
    "no-longer-read": Code(
        "A variable that only older releases read",
        "This torch ignores it. Set the flag in the program or in `dynconf.toml`, or use the variable that"
        " this release reads, if one is named.",
    ),
    "foreign-variable": Code(
        "A variable of another part of torch",
        "It sets no flag of a config module. This torch ignores it, and the part that is named reads it in"
        " other releases.",
    ),
    "uniform-variable": Code(
        "A variable that only dynconf reads",
        "Every flag has a variable such as `TORCHDYNAMO_RECOMPILE_LIMIT`, even if torch has none for it. It"
        " counts under `dynconf run` and after `dynconf.install()`, and nowhere else.",
    ),
    "shadowed-variable": Code(
        "A variable that another one beats",
        "Two variables set the same flag. torch's own wins over that of dynconf. Unset one of them.",
    ),
    "text-counts": Code(
        "A switch whose text is a value, too",
        "The switch is on for any text, and another flag takes the text itself, such as a folder. Where only"
        " the switch is meant, write `1`.",
    ),
    "forced-flag": Code(
        "A variable above every assignment",
        "torch reads it whenever the flag is used, so that no patch, file or assignment changes the flag"
        " while the variable is set.",
    ),
    "two-switches": Code(
        "Two switches that turn torch.compile off",
        "torch reads `TORCHDYNAMO_DISABLE` at each call of `torch.compile`, and `TORCH_COMPILE_DISABLE` once,"
        " while it is imported. The message says which is set, and its effect.",
    ),
    "changed-after-import": Code(
        "A variable that was changed after torch read it",
        "torch reads most variables once, while it is imported. Set it before, or use `dynconf.patch` or"
        " `dynconf.install`.",
    ),
    "unknown-flag": Code(
        "A name that is no flag",
        "A settings file has it, and no release of torch does. Use the name that is suggested, or search for"
        " one with `dynconf explain WORDS`.",
    ),
    "missing-flag": Code(
        "A flag that this release lacks",
        "Other releases have it. If the file is for several releases, set `missing` to `warn` or `skip` in"
        " it.",
    ),
    "no-op-flag": Code(
        "A flag that does nothing",
        "torch accepts it, and nothing in this release reads it. Remove the setting, or use the flag that is"
        " named instead.",
    ),
    "no-effect": Code(
        "A setting that a variable or another flag overrules",
        "torch ranks that above everything else. Unset it, or remove the setting.",
    ),
    "overruled-setting": Code(
        "A setting that this process inherits otherwise",
        "A program under `dynconf run` started this one, and passes its settings on, above the files here."
        " Set the flag there.",
    ),
    "thread-only": Code(
        "A value that only one thread has",
        "Since torch 2.12, an assignment holds in the thread that makes it, and others keep their own value."
        " `dynconf.install` sets a flag for all of them.",
    ),
    "conflict": Code(
        "Flags that do not go together",
        "Each value is good by itself, and torch refuses both together, or one of them has no effect. The"
        " message names the rule; `dynconf explain DC002` describes one.",
    ),
    "bad-file": Code(
        "A settings file that cannot be read",
        "It does not parse, or contains something else than flags. Nothing of it is put in force.",
    ),
    "skipped-file": Code(
        "A settings file that somebody else may have planted",
        "Only files that nobody but you can change are found. Correct its owner and its permissions, or name"
        " it with `--config`.",
    ),
    "dangerous-flag": Code(
        "A flag that does more than compile",
        "With this value, torch runs a program, writes to a path, contacts a host, or the like. Make sure"
        " that you know who wrote the file. This is a note with `--trust` or `DYNCONF_TRUST=1`, which say"
        " that you do.",
    ),
}
"""Those of `dynconf check`."""

CODES = {**LINT_CODES, **CHECK_CODES}


def title(code: str) -> str:
    """Return the title of a code; rules over several flags share one."""
    return CODES[code].title if code in CODES else "A rule over several flags is broken"
