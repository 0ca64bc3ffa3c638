"""The live config module of torch: binding to it, patching, installing, saying where values came from."""
