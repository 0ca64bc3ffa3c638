"""The rules over flags of inductor. Each was checked in torch's source; `Rule.source` says where."""

from dynconf.catalogue.flags.rule import Rule, set_alone

RULES = (
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
    Rule(
        code="DC202",
        flags=("triton.native_matmul", "triton.use_block_ptr"),
        why="no matmul compiles then: native matmuls do not support block pointers;"
        " set triton.use_block_ptr=False",
        source="torch/_inductor/kernel/mm_common.py, use_native_matmul",
    ),
    Rule(
        code="DC203",
        flags=("triton.native_matmul", "triton.enable_persistent_tma_matmul"),
        why="no matmul compiles then on a GPU with TMA; set triton.enable_persistent_tma_matmul=False",
        source="torch/_inductor/kernel/mm_common.py, use_native_matmul",
    ),
    Rule(
        code="DC204",
        flags=("coordinate_descent_check_all_directions", "coordinate_descent_tuning"),
        is_broken=set_alone,
        why="nothing is tuned that way, unless a mode of torch.compile turns it on;"
        " set coordinate_descent_tuning=True",
        source="torch/_inductor/runtime/coordinate_descent_tuner.py",
    ),
    Rule(
        code="DC205",
        flags=("autotune_multi_device", "autotune_in_subproc"),
        is_broken=set_alone,
        why="only other processes measure on other devices; set autotune_in_subproc=True",
        source="torch/_inductor/autotune_process.py",
    ),
    Rule(
        code="DC206",
        flags=("freezing_discard_parameters", "freezing"),
        is_broken=set_alone,
        why="parameters are only discarded once they are frozen; set freezing=True",
        source="torch/_inductor/freezing.py",
    ),
    Rule(
        code="DC207",
        flags=("benchmark_combo_kernel", "combo_kernels"),
        is_broken=set_alone,
        why="no kernels are combined, so there is nothing to measure; set combo_kernels=True",
        source="torch/_inductor/scheduler.py",
    ),
    Rule(
        code="DC208",
        flags=("bundled_autotune_remote_cache", "autotune_local_cache"),
        is_broken=set_alone,
        why="bundles are made of local entries; set autotune_local_cache=True",
        source="torch/_inductor/runtime/autotune_cache.py",
    ),
    Rule(
        code="DC209",
        flags=("selective_decompose", "fallback_by_default"),
        is_broken=set_alone,
        why="operators that stay whole and that Inductor knows only as a decomposition end the compilation;"
        " set fallback_by_default=True, as the mode lite does",
        source="torch/_inductor/lowering.py, make_fallback",
    ),
)
