"""Where values come from: the environment, files and calls, each read into a layer, and their merging."""
