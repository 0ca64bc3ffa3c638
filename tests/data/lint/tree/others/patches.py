from torch._dynamo import config


@config.patch(verbose=True)  # found: DC308
async def serve():
    pass


@config.patch(verbose=True)  # found: DC308
def batches():
    yield 1


def step(model, x):
    with config.patch(verbose=True):  # found: DC309
        loss = model(x)
    loss.backward()
