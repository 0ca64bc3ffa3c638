"""The report for an issue, the facts of a machine, and the parts in which two cache keys differ."""
