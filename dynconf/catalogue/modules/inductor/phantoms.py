"""Variables that public scripts set for Inductor and that no release of torch reads, with advice."""

PHANTOMS = {
    "TORCHINDUCTOR_AUTOTUNE_VERBOSE": "set TORCH_LOGS=-inductor to have less printed",
    "TORCHINDUCTOR_CACHE": "set TORCHINDUCTOR_CACHE_DIR",
    "TORCHINDUCTOR_CUDAGRAPH_TREES": (
        "set the flag triton.cudagraph_trees in the program; to have no CUDA graphs, triton.cudagraphs"
    ),
    "TORCHINDUCTOR_DISABLE": "set TORCH_COMPILE_DISABLE=1, which compiles nothing",
    "TORCHINDUCTOR_DISABLE_CUDAGRAPHS": "set the flag triton.cudagraphs in the program",
    "TORCHINDUCTOR_DISABLE_PCH": "set TORCHINDUCTOR_CPP_CACHE_PRECOMPILE_HEADERS=0",
    "TORCHINDUCTOR_DISABLE_TRITON": 'set TORCH_COMPILE_DISABLE=1, or the backend "aot_eager" in the program',
    "TORCHINDUCTOR_NUM_THREADS": "set TORCHINDUCTOR_COMPILE_THREADS",
    "TORCHINDUCTOR_SAVE_IR": "set TORCH_COMPILE_DEBUG=1, or TORCH_LOGS=ir_post_fusion",
    "TORCHINDUCTOR_TRACE": "set TORCH_COMPILE_DEBUG=1",
    "TORCHINDUCTOR_VERBOSE": "set TORCH_LOGS=+inductor, or -inductor to have less printed",
    "TORCHINDUCTOR_WRITE_KERNELS": "set TORCH_LOGS=output_code, or TORCH_COMPILE_DEBUG=1",
}
