"""The typed view: the pydantic-settings model and the typed keywords, both generated from the catalogue."""
