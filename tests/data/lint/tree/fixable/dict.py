from torch._dynamo import config

with config.patch({"recompile_limit": 64}):  # found: DC303*
    pass
