from torch._dynamo import config
from torch._inductor import config as inductor

config.verbose = "yes"  # found: DC307
inductor.autotune_fallback_to_aten = True  # found: DC306
exec("inductor.memory_pool = combined")  # found: DC307
for line in ["config.recompile_limt = 1", "config.verbose = True"]:  # found: DC301
    exec(line)
