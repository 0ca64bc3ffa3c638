import functools

import torch

model = torch.nn.Linear(2, 2)
torch.compile(model, options={"max_autotun": True})  # found: DC301
torch.compile(model, mode="max-autotuned")  # found: DC312
torch.compile(model, mode="default", options={"max_autotune": True})  # found: DC310
model.compile(options={"max_autotun": True})  # found: DC301
options = {"max_autotun": True}  # found: DC301
options["triton.cudagraps"] = True  # found: DC301
torch.compile(model, options=options)


@torch.compile(options={"max_autotun": True})  # found: DC301
def step(x):
    return x


@functools.partial(torch.compile, options={"max_autotun": True})  # found: DC301
def other_step(x):
    return x
