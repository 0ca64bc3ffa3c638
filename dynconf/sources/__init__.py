"""Where values come from: calls, the environment and files, each read into a layer, and their merging."""
