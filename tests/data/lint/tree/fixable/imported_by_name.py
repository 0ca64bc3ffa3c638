import importlib

config = importlib.import_module("torch._dynamo.config")
config.ignore_logging_functions = set()  # found: DC303*
