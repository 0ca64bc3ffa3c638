"""Finding the code that changes the configuration."""
