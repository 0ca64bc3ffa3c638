from torch._dynamo import config

config.suppress_errors = True
config.error_on_recompile = True  # found: DC012
with config.patch(cache_size_limit=1024):  # found: DC005
    pass
