from torch._dynamo import config

limits = {"é": config.recompile_limit}  # found: DC303*
