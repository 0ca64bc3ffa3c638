"""What people paste: scripts, logs, YAML, JSON of other tools, and the config that torch saved."""
