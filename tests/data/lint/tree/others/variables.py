import os
import subprocess

import torch._dynamo

os.environ["TORCHDYNAMO_VERBOSE"] = "1"  # found: DC405
os.environ["TORCHDYNAMO_SUPPRESS_ERRORS"] = "0"  # found: DC402
os.environ["TORCHINDUCTOR_DISABLE"] = "1"  # found: DC401
os.environ["TORCHINDUCTOR_COMPILE_THREADS"] = "many"  # found: DC403
os.environ["TORCHDYNAMO_INLINE_INBUILT_NN_MODULES"] = "1"  # found: DC404
subprocess.run(["train"], env={**os.environ, "TORCHDYNAMO_SUPRESS_ERRORS": "0"})  # found: DC401
