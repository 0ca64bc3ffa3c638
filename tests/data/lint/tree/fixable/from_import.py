from torch._dynamo import config

config.fail_on_recompile_limit_hit = True  # found: DC303*
