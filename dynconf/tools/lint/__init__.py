"""Checks of an environment and of files that do not import torch."""
