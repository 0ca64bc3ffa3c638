"""Where values come from: the environment, files and calls, each read into a `Reading`, and their merging."""
