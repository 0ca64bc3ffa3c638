"""Examples for the rules over flags of inductor, in the form of ``rule_examples``."""

from typing import Any

BROKEN: dict[str, dict[str, Any]] = {
    "DC201": {
        "inductor.aot_inductor.force_mmap_weights": True,
        "inductor.aot_inductor.package_constants_on_disk_format": "binary_blob",
    },
    "DC202": {"inductor.triton.native_matmul": True, "inductor.triton.use_block_ptr": True},
    "DC203": {"inductor.triton.native_matmul": True, "inductor.triton.enable_persistent_tma_matmul": True},
    "DC204": {
        "inductor.coordinate_descent_check_all_directions": True,
        "inductor.coordinate_descent_tuning": False,
    },
    "DC205": {"inductor.autotune_multi_device": True, "inductor.autotune_in_subproc": False},
    "DC206": {"inductor.freezing_discard_parameters": True, "inductor.freezing": False},
    "DC207": {"inductor.benchmark_combo_kernel": True, "inductor.combo_kernels": False},
    "DC208": {"inductor.bundled_autotune_remote_cache": True, "inductor.autotune_local_cache": False},
}
"""For each rule, a state that breaks it."""

SOUND: dict[str, dict[str, Any]] = {
    "DC201": {
        "inductor.aot_inductor.force_mmap_weights": True,
        "inductor.aot_inductor.package_constants_on_disk_format": "pickle_weights",
    },
    "DC202": {"inductor.triton.native_matmul": True, "inductor.triton.use_block_ptr": False},
    "DC203": {"inductor.triton.native_matmul": False, "inductor.triton.enable_persistent_tma_matmul": True},
    "DC204": {
        "inductor.coordinate_descent_check_all_directions": True,
        "inductor.coordinate_descent_tuning": True,
    },
    "DC205": {"inductor.autotune_multi_device": True, "inductor.autotune_in_subproc": True},
    "DC206": {"inductor.freezing_discard_parameters": False, "inductor.freezing": False},
    "DC207": {"inductor.benchmark_combo_kernel": True, "inductor.combo_kernels": True},
    "DC208": {"inductor.bundled_autotune_remote_cache": None, "inductor.autotune_local_cache": False},
}
"""For each rule, a state that keeps it."""
