from torch._dynamo import config

flags = {"recompile_limit": 64}  # found: DC303
with config.patch(flags):
    pass
with config.patch(**flags):
    pass
