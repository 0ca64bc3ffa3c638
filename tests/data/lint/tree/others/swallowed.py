import contextlib

from torch._dynamo import config

try:
    config.recompile_limt = 64  # found: DC311
except:
    pass
with contextlib.suppress(AttributeError):
    config.log_level = 10  # found: DC311
