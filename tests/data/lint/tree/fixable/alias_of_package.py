import torch._dynamo as dynamo

dynamo.config.recompile_limit = 64  # found: DC303*
