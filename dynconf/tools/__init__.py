"""Everything that is not needed to set, install, save or show a flag; the core knows nothing of it."""
