"""The codes of findings in programs; those of rules over several flags are the rules' own."""

CODES = {
    "DC300": "A file that cannot be read",
    "DC301": "A flag that no release has",
    "DC302": "A flag that is gone",
    "DC303": "A flag that is not there yet",
    "DC304": "An old name of a flag",
    "DC305": "A flag that moved to another config module",
    "DC306": "A flag that does nothing",
    "DC307": "A value that the flag does not accept",
    "DC308": "torch's patch on an async function or a generator",
    "DC309": "A patch around a forward, but not its backward",
    "DC310": "A mode together with options",
    "DC311": "A setting whose error is swallowed",
    "DC401": "A variable that nothing reads",
    "DC402": "A text that torch reads otherwise than it looks",
    "DC403": "A text that the flag does not accept",
    "DC404": "A variable that only other releases read",
    "DC405": "A variable that is set too late",
}
