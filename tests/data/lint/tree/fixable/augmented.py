import torch._dynamo.config as c

c.accumulated_recompile_limit += 64  # found: DC303*
