from torch._dynamo import config

if hasattr(config, "recompile_limit"):
    config.recompile_limit = 64
