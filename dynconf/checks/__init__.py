"""Does it hold? Each check returns findings as data; printing them is the command line's."""
