"""How torch keeps its configuration: the only place that reads and writes torch's own objects."""
