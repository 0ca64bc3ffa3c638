"""Flags: their records, their types, their variables, and rules over several."""
