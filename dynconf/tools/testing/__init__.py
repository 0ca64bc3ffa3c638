"""Tests that leave no flag behind: the pytest plugin, and `preserve`."""
