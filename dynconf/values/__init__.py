"""Values of flags: check one, read one from text or JSON, write one, say what was expected.

One function for each, dispatched on the flag's type. They raise `Mismatch`, which knows nothing of where
the value came from; `checked` and the sources turn it into an error that does.
"""

from dynconf.values.checking import Check, checked, checker, plain, same
from dynconf.values.forms import as_json, as_text, decode, from_json
from dynconf.values.wording import WORDS, Mismatch, expected, invalid, shown

__all__ = [
    "WORDS",
    "Check",
    "Mismatch",
    "as_json",
    "as_text",
    "checked",
    "checker",
    "decode",
    "expected",
    "from_json",
    "invalid",
    "plain",
    "same",
    "shown",
]
