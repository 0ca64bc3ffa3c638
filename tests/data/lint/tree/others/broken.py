import torch._dynamo
config = (  # found: DC300
