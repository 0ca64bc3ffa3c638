"""The live config module of torch: binding to it, patching, installing, and telling where values came from."""
