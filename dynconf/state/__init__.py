"""States as data: what all flags are at one moment, to look at, write down and compare."""

from dynconf.state import ignore as ignore
