"""The aims of questions about flags, in the words of people and of torch's messages."""

import functools
import re
from collections.abc import Sequence
from typing import NamedTuple

SHORT = 4
"""The letters of a word that is no misspelt one: it is like too many others."""


class Intent(NamedTuple):
    """An aim, such as less memory, with the flags that an expert would name for it, the first one first.

    Attributes:
        stems: Groups of beginnings of words; the aim is meant if the question has a word of each group. What
            has a digit or a sign, such as the name of a function in a message, is a whole word.
        flags: Full names of flags; of `ANSWERS`, other words that ``dynconf explain`` knows.
    """

    stems: tuple[tuple[str, ...], ...]
    flags: tuple[str, ...]

    def words_in(self, words: Sequence[str]) -> set[str]:
        """Return the words of a question by which it has this aim, if it has."""
        groups = [
            {word for word in words if word in stems or (word.isalpha() and begins(word, stems))}
            for stems in self.stems
        ]
        return set().union(*groups) if all(groups) else set()


def begins(word: str, stems: tuple[str, ...]) -> bool:
    """Tell whether a word begins with a stem; one as short as inf must be all of it."""
    return word.removesuffix("s") in stems or word.startswith(_long(stems))


@functools.cache
def _long(stems: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(each for each in stems if len(each) >= SHORT)


_INTENTS = """
fast quick slow speed perf latenc throughput overhead:
    inductor.max_autotune inductor.triton.cudagraphs inductor.coordinate_descent_tuning inductor.freezing
    inductor.max_autotune_gemm_backends inductor.combo_kernels inductor.use_fast_math
compil + fast quick slow speed time long reduc:
    inductor.compile_threads inductor.fx_graph_cache functorch.enable_autograd_cache caching_precompile
    inductor.autotune_local_cache inductor.worker_start_method dynamo_profiler
cold warm startup start + cold warm startup fast slow time quick:
    inductor.fx_graph_cache functorch.enable_autograd_cache caching_precompile automatic_dynamic_local_pgo
    inductor.fx_graph_remote_cache inductor.compile_threads
memory oom ram vram:
    functorch.activation_memory_budget functorch.aggressive_recomputation functorch.donated_buffer
    inductor.reorder_for_peak_memory inductor.memory_planning inductor.allow_buffer_reuse
    functorch.recompute_views inductor.auto_chunker.enable inductor.triton.cudagraph_trees
activation gradient + checkpoint recomput:
    functorch.activation_memory_budget functorch.activation_memory_budget_solver
    functorch.aggressive_recomputation functorch.recompute_views
recompil:
    recompile_limit accumulated_recompile_limit automatic_dynamic_shapes assume_static_by_default
    error_on_recompile fail_on_recompile_limit_hit
recompil + few fewer less many much avoid reduc prevent stop:
    automatic_dynamic_shapes assume_static_by_default compiler.dynamic_sources specialize_float
    allow_unspec_int_on_nn_module automatic_dynamic_local_pgo recompile_limit accumulated_recompile_limit
recompil + debug why find explain log logging print trace error fail:
    error_on_recompile fail_on_recompile_limit_hit verbose recompile_limit accumulated_recompile_limit
    automatic_dynamic_shapes fx.print_specializations
dynamic vary varying variable + shape size length batch:
    automatic_dynamic_shapes assume_static_by_default compiler.dynamic_sources
    force_parameter_static_shapes specialize_int capture_dynamic_output_shape_ops fx.print_specializations
graph + break:
    nested_graph_breaks capture_scalar_outputs capture_dynamic_output_shape_ops
    reorderable_logging_functions ignore_logging_functions trace_autograd_ops
    enable_trace_load_build_class fx.no_data_dependent_graph_break
match same identical equal bitwise like + eager uncompiled:
    inductor.emulate_precision_casts inductor.eager_numerics.division_rounding
    inductor.eager_numerics.use_pytorch_libdevice inductor.eager_numerics.disable_ftz
    inductor.fallback_random inductor.align_random_eager inductor.numerics verify_correctness
numeric accura precis wrong incorrect differ mismatch bitwise:
    verify_correctness inductor.emulate_precision_casts inductor.numerics inductor.fallback_random
    inductor.eager_numerics.division_rounding inductor.use_fast_math repro_after repro_level
bf16 bfloat16 fp16 float16 half + numeric accura precis wrong incorrect differ mismatch match eager diverg:
    inductor.emulate_precision_casts verify_correctness inductor.numerics
    inductor.eager_numerics.division_rounding
determin reproducib repeatab seed:
    inductor.deterministic inductor.fallback_random inductor.align_random_eager
    inductor.emulate_precision_casts inductor.numerics
random dropout seed rng + eager same match differ:
    inductor.fallback_random inductor.align_random_eager use_numpy_random_stream inductor.deterministic
nan inf infinit:
    inductor.nan_asserts inductor.runtime_triton_nan_asserts verify_correctness
eager uncompiled:
    disable suppress_errors debug_backend_override verify_correctness
error fail crash exception + eager fallback ignore suppress continue:
    suppress_errors fail_on_recompile_limit_hit repro_after verbose
crash minif reproduc repro:
    repro_after repro_level suppress_errors verbose replay_record_enabled inductor.save_args
    debug_backend_override
disable off without stop + compil dynamo:
    disable suppress_errors debug_backend_override
debug log logging print verbose trace:
    verbose inductor.trace.enabled inductor.debug debug_dir_root inductor.trace.output_code repro_after
    functorch.debug_partitioner
generated output triton + code kernel source:
    inductor.trace.enabled inductor.trace.output_code inductor.debug debug_dir_root
    inductor.benchmark_kernel inductor.triton.unique_kernel_names
cudagraph:
    inductor.triton.cudagraphs inductor.triton.cudagraph_trees inductor.triton.cudagraph_or_error
    inductor.triton.cudagraph_skip_dynamic_graphs inductor.triton.cudagraph_support_input_mutation
    inductor.triton.cudagraph_dynamic_shape_warn_limit inductor.cudagraph_policy
cudagraph + dynamic + shape size + distinct record:
    inductor.triton.cudagraph_skip_dynamic_graphs inductor.triton.cudagraph_dynamic_shape_warn_limit
cudagraph + partition:
    inductor.graph_partition
pending + unbacked:
    fx.soft_pending_unbacked_not_found_error
cudagraph + mutat:
    inductor.triton.cudagraph_support_input_mutation inductor.triton.cudagraph_trees
data + dependent:
    capture_scalar_outputs capture_dynamic_output_shape_ops fx.no_data_dependent_graph_break
dynamic + output + shape:
    capture_dynamic_output_shape_ops capture_scalar_outputs
profiler + function record ignored:
    capture_profiler_record_function
child subprocess subproc worker + exception terminat abrupt died killed crash:
    inductor.compile_threads inductor.worker_start_method
compil inductor + worker + memory ram oom grow many:
    inductor.compile_threads inductor.quiesce_async_compile_pool inductor.worker_start_method
pool subproc + time timed:
    inductor.compile_threads
compil inductor + worker shutdown_compile_workers + time timed:
    inductor.compile_threads inductor.quiesce_async_compile_pool inductor.compile_worker_wait_timeout
shutdown_compile_workers:
    inductor.compile_threads inductor.quiesce_async_compile_pool
reorder_loops_by_dep_pair:
    inductor.loop_ordering_after_fusion
combo + compil slow time long:
    inductor.benchmark_combo_kernel inductor.combo_kernels inductor.combo_kernels_autotune
cutlass:
    inductor.cutlass.cutlass_dir inductor.max_autotune_gemm_backends
shared + memory + resource required limit:
    inductor.max_autotune_prune_choices_based_on_shared_mem inductor.max_autotune_gemm_backends
resource + required hardware:
    inductor.max_autotune_prune_choices_based_on_shared_mem
valid + triton + config:
    inductor.max_autotune_prune_choices_based_on_shared_mem inductor.max_autotune_gemm_backends
online + softmax:
    inductor.online_softmax inductor.split_reductions
compiler cl gcc clang + found find working missing:
    inductor.cpp.cxx
openmp mp omp omp.h libomp fopenmp + found find header file support include missing:
    inductor.cpp.cxx
cuda + graph graphs:
    inductor.triton.cudagraphs inductor.triton.cudagraph_trees inductor.triton.cudagraph_or_error
    inductor.triton.cudagraph_skip_dynamic_graphs
autotun tune tuning:
    inductor.max_autotune inductor.max_autotune_gemm inductor.max_autotune_pointwise
    inductor.coordinate_descent_tuning inductor.max_autotune_gemm_backends inductor.autotune_local_cache
    inductor.autotune_in_subproc
cach:
    inductor.fx_graph_cache functorch.enable_autograd_cache inductor.autotune_local_cache
    inductor.fx_graph_remote_cache caching_precompile compiler.force_disable_caches compiler.cache_key_tag
cach + disable off without no clear fresh:
    compiler.force_disable_caches inductor.fx_graph_cache functorch.enable_autograd_cache
    inductor.autotune_local_cache compiler.cache_key_tag
hang stuck deadlock freezes:
    inductor.compile_threads inductor.worker_start_method inductor.compile_worker_wait_timeout
    inductor.compile_worker_watchdog_interval_seconds inductor.file_lock_timeout
    enable_compiler_collectives
ddpoptimizer + backend higher order op graph:
    optimize_ddp
ddp multigpu distributed ranks:
    optimize_ddp enable_compiler_collectives compiler.compile_on_one_rank
    inductor.reorder_for_compute_comm_overlap
"""
"""Beginnings of words, in groups of which a question has one each, and the flags that it is about.

The words of a warning of torch's are a question, too: people paste it.
"""

_ANSWERS = """
thread: DC504
thread + backward gpu background main worker other another + config setting flag option patch ignor value:
    DC504
thread + ignor lost see seen reach silent carry propagat inherit local safe: DC504
mode + option + both either together: DC310
getpwuid: DC406 TORCHINDUCTOR_CACHE_DIR
uid getpwuid getuser + found name: DC406 TORCHINDUCTOR_CACHE_DIR
cach torchinductor + permission denied quota space writ readonly folder director: TORCHINDUCTOR_CACHE_DIR
torch._dynamo dynamo + attribut + config: torch._dynamo.config
torch._functorch functorch + attribut + config: torch._functorch.config
torch._inductor inductor + attribut + config: torch._inductor.config
precedenc priorit overrul: explanations/precedence
set setting value config file variabl env patch install + win beat overrid overrul precedenc priorit:
    explanations/precedence
trust: explanations/trust
audit: guides/audit
who what + changed change set + flag config setting value: guides/audit
bisect: guides/bisect
fastapi: guides/frameworks
setting: reference/file-format
report: guides/bug-report
default hold install patch propagat: reference/api/in-force
"""
"""The same with what is no flag: codes of `dynconf check`, variables, config modules, pages.

A single group is a question of that word alone.
"""


def _read(table: str) -> tuple[Intent, ...]:
    lines = (each.partition(":") for each in re.split(r"\n(?! )", table.strip()))
    return tuple(
        Intent(tuple(tuple(group.split()) for group in stems.split("+")), tuple(flags.split()))
        for stems, _, flags in lines
    )


INTENTS, ANSWERS = _read(_INTENTS), _read(_ANSWERS)

_STOP_WORDS = """
a an and are as at avoid be better by can do does flag flags for from get how i in is it its less make
makes me more my not of on option options or out save set setting settings should so than that the this
to too torch turn use what when where which why with
"""
STOP_WORDS = _STOP_WORDS.split()
"""Words of a question that tell nothing of what it is about."""

_SPELT_RIGHT = """
assets biased closing contact contest continuous contrast convention expert freeing invert masked modulus
present properly status storing strong tracked trailing turned unload unpacked
"""
SPELT_RIGHT = {*STOP_WORDS, *_SPELT_RIGHT.split()}
"""Words of questions that are no misspelt ones, although a word of a flag differs in a letter only."""
