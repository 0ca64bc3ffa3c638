import torch
from torch._dynamo import config

config.cache_size_limit = 64
config.optimize_ddp = "ddp_optimiser"
config.verbos = True
compiled = torch.compile(torch.sin, mode="max-autotune", options={"max_fusion_size": 32})
