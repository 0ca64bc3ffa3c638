"""Autotuning: measuring candidates on the machine before choosing one."""

DESCRIPTIONS = """
_conv_default_backends:
    Default of max_autotune_conv_bwd_input_backends and max_autotune_conv_bwd_weight_backends.
autoheuristic_collect.pad_mm: Collects data on whether padding a matmul pays; see autoheuristic_log_path.
autoheuristic_log_path: File that collected autotuning data is written to; DEFAULT is one in the cache folder.
autoheuristic_use.pad_mm: Lets a learned heuristic decide whether shape_padding pads a matmul.
    From torch 2.13 on, None does so only under deterministic, where measuring is not allowed.
autotune_cudagraph_benchmarking:
    Measures each candidate as a replayed CUDA graph, without the cost of launching it.
    For programs whose output runs inside a CUDA graph. Only with max_autotune.
autotune_cudagraph_benchmarking_iters:
    How often a candidate runs in one CUDA graph under autotune_cudagraph_benchmarking.
autotune_fallback_to_aten: Uses ATen's kernel where no candidate of the chosen backends works.
    Instead: list ATEN in max_autotune_gemm_backends
autotune_in_subproc: Measures matmul candidates in another process, which may crash without harm.
autotune_local_cache: Keeps the results of autotuning Triton kernels on disk, for later processes.
autotune_lookup_table:
    Configurations to use for given Triton kernels, by a hash of the source, instead of tuning.
autotune_multi_device: Measures candidates on all visible devices at once; only with autotune_in_subproc.
autotune_num_choices_displayed: Prints at most this many candidates of each autotuned matmul; None prints all.
autotune_remote_cache: Shares the results of autotuning Triton kernels through a remote cache, such as Redis.
    None leaves the decision to torch, which outside Meta means no.
benchmark_combo_kernel: Combines kernels only where a measurement shows that it pays.
benchmark_epilogue_fusion:
    Measures whether a matmul template is faster with its epilogue fused or in a kernel of its own.
    Only with max_autotune. Turning it off saves compile time.
benchmark_fusion: Fuses two kernels only where a measurement shows that it pays.
    Compilation takes much longer.
benchmark_template_fusion:
    Measures whether a matmul template is faster with what comes before or after it fused.
    Only with max_autotune.
bundled_autotune_remote_cache: Stores all autotuning results of a graph as one entry of the remote cache.
    Needs autotune_local_cache. None leaves the decision to torch.
coordinate_descent_check_all_directions:
    Also tries changes of several parameters at once in coordinate_descent_tuning.
    Sometimes finds better kernels, with many more measurements.
coordinate_descent_search_radius:
    How many steps away from the best value coordinate_descent_check_all_directions looks.
coordinate_descent_tuning: Improves each Triton kernel by measuring small changes of its launch parameters.
    It starts from the best known configuration, changes one parameter at a time, and keeps improvements.
    Compilation takes longer; results are cached. The modes max-autotune set it.
distributed_max_autotune_gemm:
    Divides the candidates of a matmul among the ranks, which share their measurements.
inductor_default_autotune_rep: Milliseconds for which the kernel of each candidate is measured.
inductor_default_autotune_warmup: Milliseconds for which each candidate runs before it is measured.
lookup_table.check_src_hash: Leaves out stored configurations whose template has changed since.
    If False, a configuration is used for any version of its template.
lookup_table.table: Template configurations for given matmuls, which are used in place of torch's own.
    Needs an inductor_choices_class derived from torch._inductor.lookup_table.LookupTableChoices, and a GPU.
    Texts in it become part of the generated code.
max_autotune: Measures more candidates for matmuls, convolutions and Triton kernels, and takes the fastest.
    Turns on max_autotune_gemm and max_autotune_pointwise. Compilation takes much longer. On GPUs it pays most
    where matmuls dominate; on small ones torch skips it for matmuls.
max_autotune_allow_flexible_layouts:
    Lets candidates choose the layout of their output while they are measured.
max_autotune_conv_backends: Libraries whose convolutions max_autotune measures: ATEN, TRITON.
    A convolution of size 1 that is done as a matmul follows max_autotune_gemm_backends.
max_autotune_conv_bwd_input_backends:
    Libraries whose kernels max_autotune measures for the input gradient of a convolution: ATEN, TRITON.
max_autotune_conv_bwd_weight_backends:
    Libraries whose kernels max_autotune measures for the weight gradient of a convolution: ATEN, TRITON.
max_autotune_flex_search_space: How many configurations of flex attention max_autotune measures.
    EXHAUSTIVE takes very long.
max_autotune_gemm: Measures candidates for matmuls, and takes the fastest; part of max_autotune.
max_autotune_gemm_backends: Libraries whose matmuls max_autotune measures, such as ATEN,TRITON,CPP.
    ATEN: the kernels of eager mode; TRITON: templates; CPP: templates for CPUs; CUTLASS, CUTEDSL and NVGEMM:
    NVIDIA GPUs only; CK, CKTILE and FLYDSL: AMD GPUs only. torch silently ignores a name that it does not
    know or that the machine cannot use. Without ATEN, a matmul that no other library can do is an error.
max_autotune_gemm_search_space: How many configurations of each matmul template max_autotune measures.
    EXHAUSTIVE takes very long.
max_autotune_pointwise: Measures more candidates for pointwise kernels and reductions, and takes the fastest.
    max_autotune includes it.
max_autotune_prune_choices_based_on_shared_mem:
    Does not try matmul configurations that would need more shared memory than the GPU has.
max_autotune_report_choices_stats: Records statistics on the candidates of each autotuned matmul.
max_autotune_subproc_graceful_timeout_seconds:
    Seconds that a measuring process has to end by itself after its time is over, before it gets SIGTERM.
    max_autotune_subproc_result_timeout_seconds says when its time is over.
max_autotune_subproc_result_timeout_seconds:
    Seconds to wait for a measurement in another process; only with autotune_in_subproc.
max_autotune_subproc_terminate_timeout_seconds:
    Seconds that a measuring process has to end after SIGTERM, before it gets SIGKILL.
max_template_fusion_benchmarked_choices:
    How many of the fastest templates of a matmul are measured with what could be fused into them.
multi_kernel_hints: Sizes for which a matmul with varying sizes is tuned; the nearest is picked at run time.
pipeline_max_autotune_gemm: Measures matmul candidates while the rest of the graph is still being lowered.
precompilation_timeout_seconds: Seconds that candidates have to compile before they are measured.
    A candidate that takes longer is left out.
search_autotune_cache: Looks for matmul configurations among earlier results, even without max_autotune.
    Instead: delete it: cached results are used anyway
triton.autotune_cublasLt:
    Measures a cuBLASLt kernel as well where a bias is added to each row of a matmul.
    Only with ATEN among max_autotune_gemm_backends, and not under cpp_wrapper.
triton.disallow_failing_autotune_kernels_TESTING_ONLY:
    Raises if a fusion that is measured does not compile or run; for tests.
test_configs.autotune_choice_desc_regex:
    Measures only candidates whose description matches this regular expression; for tests.
test_configs.autotune_choice_name_regex:
    Measures only candidates whose name matches this regular expression; for tests.
test_configs.distort_benchmarking_result: Falsifies the measurements of kernels; for tests.
    "inverse" takes the slowest for the fastest, "random" makes numbers up; an empty text is off.
test_configs.force_custom_op_decomposition:
    Which candidate wins where custom operators are tuned; for tests.
    True: a decomposition; False: the operator itself; None: the faster one.
test_configs.force_extern_kernel_in_multi_template:
    Takes a kernel of ATEN for each matmul that was tuned but not fused; for tests.
test_configs.force_filter_reduction_configs:
    Leaves out configurations of reductions as deterministic does, whatever that is set to; for tests.
test_configs.force_no_impl_grouping:
    Chooses among the implementations of a custom operator for each range of sizes alone; for tests.
    Ranges with the same implementation are otherwise merged.
test_configs.max_flex_configs:
    How many configurations of flex attention with FlashAttention are measured; for tests.
test_configs.max_mm_configs: How many configurations of each matmul template are measured; for tests.
unsafe_ignore_unsupported_triton_autotune_args:
    Ignores arguments of triton.autotune that torch.compile does not support in your kernels.
    Otherwise they are an error. Without them a kernel may be tuned wrongly.
use_experimental_benchmarker: Measures candidates with Inductor's own benchmark instead of Triton's do_bench.
    Faster; the numbers are not comparable.
use_torch_profiler_benchmarker:
    Measures candidates with the profiler of torch; ranks above use_experimental_benchmarker.
bmm_shared_a: Measures a template for batched matmuls whose first matrix is the same for all of the batch.
    Only for batches of 64 and more.
cuda.autotune_tunableop_dynamic_dims_wildcard:
    Lets TunableOp reuse what it found for a matmul whatever value its dynamic sizes have.
cutedsl_enable_autotuning:
    Measures several configurations of CuTeDSL kernels for grouped matmuls, instead of taking one.
flydsl_enable_autotuning:
    Measures several configurations of FlyDSL kernels for matmuls, instead of taking one.
incremental_autotune: Spreads the measurements of Triton kernels over their first calls; only inside Meta.
"""
