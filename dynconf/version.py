"""The version of dynconf, from which that of the distribution is taken."""

__version__ = "0.1.0"
