from torch._dynamo import config

print(config.recompile_limt)  # found: DC301
print(getattr(config, "recompile_limt"))  # found: DC301
print(hasattr(config, "recompile_limt"))  # found: DC301
del config.recompile_limt  # found: DC301
