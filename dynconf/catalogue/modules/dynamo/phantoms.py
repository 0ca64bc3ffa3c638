"""Variables that people set to switch compilation off or on and that nothing reads, with advice."""

_OFF = "set TORCH_COMPILE_DISABLE=1, which compiles nothing"
_ON = f"compiling is on; to switch it off, {_OFF}"

PHANTOMS = {
    "PYTORCH_COMPILE_DISABLE": _OFF,
    "PYTORCH_DISABLE_COMPILE": _OFF,
    "PYTORCH_NO_COMPILE": _OFF,
    "TORCHDYNAMO_ENABLE": _ON,
    "TORCH_COMPILE_ENABLE": _ON,
    "TORCH_DISABLE_COMPILE": _OFF,
    "TORCH_DISABLE_DYNAMO": _OFF,
    "TORCH_DISABLE_INDUCTOR": _OFF,
    "TORCH_DYNAMO_DISABLE": _OFF,
    "TORCH_NO_COMPILE": _OFF,
    "TRITON_NO_COMPILE": f"to run without Triton's kernels, {_OFF}; TRITON_INTERPRET=1 interprets them",
}
