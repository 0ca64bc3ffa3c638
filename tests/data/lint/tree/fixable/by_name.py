import torch._dynamo.config as config

setattr(config, "recompile_limit", getattr(config, "recompile_limit") + 1)  # found: DC303* DC303*
