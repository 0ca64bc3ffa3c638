"""Checks that need torch: can this machine compile, which backends work, do results agree."""
