"""Checks that need torch: whether this machine can compile, which backends work, and what they compute."""
