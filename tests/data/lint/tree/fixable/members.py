import torch


class Trainer:
    config = torch._dynamo.config

    def fit(self):
        self.config.recompile_limit = 64  # found: DC303*


Trainer().fit()
