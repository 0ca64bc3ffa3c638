"""The rules over flags of inductor. Each was checked in torch's source; `Rule.source` says where."""

from dynconf.catalogue.flags.described import described_rules
from dynconf.catalogue.flags.rule import Rule

DESCRIPTIONS = """
DC202 triton.native_matmul with triton.use_block_ptr (torch/_inductor/kernel/mm_common.py, use_native_matmul):
    no matmul compiles then: native matmuls do not support block pointers; set triton.use_block_ptr=False
DC203 triton.native_matmul with triton.enable_persistent_tma_matmul (torch/_inductor/kernel/mm_common.py,
    use_native_matmul):
    no matmul compiles then on a GPU with TMA; set triton.enable_persistent_tma_matmul=False
DC204 coordinate_descent_check_all_directions without coordinate_descent_tuning
    (torch/_inductor/runtime/coordinate_descent_tuner.py):
    nothing is tuned that way, unless a mode of torch.compile turns it on; set coordinate_descent_tuning=True
DC205 autotune_multi_device without autotune_in_subproc (torch/_inductor/autotune_process.py):
    only other processes measure on other devices; set autotune_in_subproc=True
DC206 freezing_discard_parameters without freezing (torch/_inductor/freezing.py):
    parameters are only discarded once they are frozen; set freezing=True
DC207 benchmark_combo_kernel without combo_kernels (torch/_inductor/scheduler.py):
    no kernels are combined, so there is nothing to measure; set combo_kernels=True
DC208 bundled_autotune_remote_cache without autotune_local_cache (torch/_inductor/runtime/autotune_cache.py):
    bundles are made of local entries; set autotune_local_cache=True
DC209 selective_decompose without fallback_by_default (torch/_inductor/lowering.py, make_fallback):
    operators that stay whole and that Inductor knows only as a decomposition end the compilation; set
    fallback_by_default=True, as the mode lite does
"""

RULES = described_rules(
    DESCRIPTIONS,
    Rule(
        code="DC201",
        flags=("aot_inductor.force_mmap_weights", "aot_inductor.package_constants_on_disk_format"),
        is_broken=lambda mmap, on_disk: mmap and on_disk == "binary_blob",
        when='force_mmap_weights with package_constants_on_disk_format="binary_blob", both of aot_inductor',
        why="torch refuses the two together: weights are mapped from the library or stored beside it; set"
        " aot_inductor.force_mmap_weights=False",
        source="torch/_inductor/utils.py, determine_aoti_mmap_flags",
        level="error",
    ),
)
