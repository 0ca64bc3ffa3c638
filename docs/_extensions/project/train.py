import torch
from torch._dynamo import config


@torch.compile(backend="eager")
def step(x):
    return x.sin() + x.cos()


step(torch.ones(8))
print("recompile_limit is", config.recompile_limit)
