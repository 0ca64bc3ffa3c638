import torch

torch._dynamo.config.recompile_limit = 64  # found: DC303*
