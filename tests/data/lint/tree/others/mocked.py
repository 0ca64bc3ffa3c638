from unittest import mock

import torch._dynamo.config

with mock.patch("torch._dynamo.config.recompile_limit", 64):  # found: DC303
    pass
with mock.patch.object(torch._dynamo.config, "recompile_limit", 64):  # found: DC303
    pass
