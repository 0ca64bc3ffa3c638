"""The codes of findings in programs; those of rules over several flags are the rules' own."""

from typing import NamedTuple


class Code(NamedTuple):
    """A kind of finding: its title, and a text on the problem, its consequence and the remedy."""

    title: str
    text: str


CODES = {
    "DC300": Code(
        "A file that cannot be read",
        "It does not parse, is too large, or may not be opened, so nothing in it was checked. Python is"
        " parsed as the Python that runs dynconf does it: a program for a later one needs that one.",
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
}


def title(code: str) -> str:
    """Return the title of a code; rules over several flags share one."""
    return CODES[code].title if code in CODES else "A rule over several flags is broken"
