import torch

torch._dynamo.config.recompile_limt = 64  # found: DC301
torch._dynamo.config.log_level = 10  # found: DC302
torch._dynamo.config.enable_cpp_framelocals_guard_eval = True  # found: DC303
torch._inductor.config.max_autotun = True  # found: DC301
torch._functorch.config.donated_bufer = True  # found: DC301
torch.fx.experimental._config.validate_shape_env_verbos = True  # found: DC301
torch.compiler.config.job_idd = "x"  # found: DC301
torch._inductor.config.force_disable_caches = True
