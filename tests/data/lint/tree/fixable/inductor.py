import torch
from torch._inductor import config

config.allow_stack_allocation = True  # found: DC304*
with config.patch({"use_minimal_arrayref_interface": True}):  # found: DC304*
    pass
torch.compile(lambda x: x, options={"allow_stack_allocation": True})  # found: DC304*
