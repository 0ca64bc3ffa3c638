"""What can be said of an environment and of files without importing torch."""
