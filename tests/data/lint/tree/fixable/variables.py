import os

os.environ["TORCHDYNAMO_SUPRESS_ERRORS"] = "1"  # found: DC401*
os.environ.setdefault("TORCHDYANMO_VERBOSE", "1")  # found: DC401*
os.environ.update(DYNAMO_VERBOSE="1", ENABLE_AOT_AUTOGRAD_CACHE="1")  # found: DC401* DC404*

import torch._dynamo
