"""Tests of `dynconf.tools.show.search`."""

from pathlib import Path

import pytest

from dynconf.release import Release
from dynconf.state import State
from dynconf.tools.lint.codes import explain_code
from dynconf.tools.show.explanation import subject
from dynconf.tools.show.intents import ANSWERS, INTENTS
from dynconf.tools.show.search import corrected, index, search, topics

DOCS = Path(__file__).parents[3] / "docs"


def names(phrase: str) -> list[str]:
    """Return the full names of the flags that are found, the best first."""
    return [flag.qualified for flag in search(phrase)]


def test_globs_topics_and_words() -> None:
    """A glob finds full names; a topic all of its flags; a word names and descriptions, in any case."""
    assert names("*recompile_limit") == [
        "accumulated_recompile_limit",
        "recompile_limit",
    ]
    assert names("cache_size_*") == ["recompile_limit"]
    assert len(names("recompile")) == topics()["recompile"]
    assert "trace_numpy" in names("NUMPY")
    assert "functorch.donated_buffer" in names("donated")
    assert names("qqqq wwww") == []


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("dynamic shapes", "automatic_dynamic_shapes"),
        ("autotune speed", "inductor.max_autotune"),
        ("which flags make it faster?", "inductor.max_autotune"),
        ("which flags make it faster?", "inductor.triton.cudagraphs"),
        ("how do I save memory", "functorch.activation_memory_budget"),
        ("run eager", "disable"),
        ("eager on error", "suppress_errors"),
        ("debugging", "verbose"),
        ("why does it recompile", "recompile_limit"),
        ("where is the cache", "inductor.fx_graph_cache"),
        ("accuracy", "inductor.emulate_precision_casts"),
        ("cold start", "inductor.fx_graph_cache"),
        ("compilation hangs", "inductor.compile_threads"),
    ],
)
def test_questions_of_new_users(question: str, expected: str) -> None:
    """The flag that was meant is on the first screen, though its description may have none of the words."""
    assert expected in names(question)[:20]


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("faster", "inductor.max_autotune inductor.triton.cudagraphs inductor.coordinate_descent_tuning"),
        (
            "less memory",
            "functorch.activation_memory_budget functorch.aggressive_recomputation functorch.donated_buffer",
        ),
        ("match eager", "inductor.emulate_precision_casts inductor.eager_numerics.division_rounding"),
        ("debug recompiles", "error_on_recompile fail_on_recompile_limit_hit verbose recompile_limit"),
        ("fewer recompiles", "automatic_dynamic_shapes assume_static_by_default compiler.dynamic_sources"),
        ("slow compile", "inductor.compile_threads inductor.fx_graph_cache functorch.enable_autograd_cache"),
        ("cudagraphs", "inductor.triton.cudagraphs inductor.triton.cudagraph_trees"),
        ("deterministic", "inductor.deterministic inductor.fallback_random inductor.align_random_eager"),
        ("numerics differ", "verify_correctness inductor.emulate_precision_casts inductor.numerics"),
        ("why is it slow?", "inductor.max_autotune"),
        ("autotune, faster", "inductor.max_autotune"),
        # Names and variables, old ones, too, whatever else contains them.
        ("recompile_limit", "recompile_limit"),
        ("cache_size_limit", "recompile_limit"),
        ("triton.cudagraphs", "inductor.triton.cudagraphs"),
        ("torchinductor_max_autotune", "inductor.max_autotune"),
        ("TORCHDYNAMO_CACHE_SIZE_LIMIT", "recompile_limit"),
        # Messages of torch 2.13, in which the flag is named, or which it prints or cures.
        ("torch._dynamo hit config.recompile_limit (8)", "recompile_limit"),
        ("torch._dynamo hit config.cache_size_limit (8)", "recompile_limit"),
        (
            "CUDAGraph supports dynamic shapes by recording a new graph for each distinct input size.",
            "inductor.triton.cudagraph_skip_dynamic_graphs",
        ),
        (
            "skipping cudagraphs due to mutated inputs (1 instances)",
            "inductor.triton.cudagraph_support_input_mutation",
        ),
        ("Compiler: cl is not found.", "inductor.cpp.cxx"),
        ("Failed to find C compiler. Please specify via CC environment variable", "inductor.cpp.cxx"),
        (
            "No working C++ compiler found in torch._inductor.config.cpp.cxx: (None, 'g++')",
            "inductor.cpp.cxx",
        ),
        ("Not enough SMs to use max_autotune_gemm mode", "inductor.max_autotune_gemm"),
        (
            "Graph break from `Tensor.item()`, consider torch._dynamo.config.capture_scalar_outputs = True",
            "capture_scalar_outputs",
        ),
        ("Online softmax is disabled on the fly since Inductor decides to", "inductor.online_softmax"),
        ("set torch._dynamo.config.suppress_errors = True to fall back to eager", "suppress_errors"),
        ('Set TORCH_LOGS="+dynamo" and TORCHDYNAMO_VERBOSE=1 for more information', "verbose"),
        (
            "torch._subclasses.fake_tensor.DataDependentOutputException: aten._local_scalar_dense.default",
            "capture_scalar_outputs",
        ),
        (
            "torch._subclasses.fake_tensor.DynamicOutputShapeException: aten.nonzero.default",
            "capture_dynamic_output_shape_ops",
        ),
        ("Could not guard on data-dependent expression Eq(u0, 1)", "capture_scalar_outputs"),
        (
            "Profiler function <class 'torch.autograd.profiler.record_function'> will be ignored",
            "capture_profiler_record_function",
        ),
        (
            "concurrent.futures.process.BrokenProcessPool: A child process terminated abruptly",
            "inductor.compile_threads",
        ),
        (
            "torch._inductor.subproc_pool.SubprocException: An exception occurred in a subprocess",
            "inductor.compile_threads",
        ),
        ("No suitable Cutlass GEMM configs found, fallbacks used", "inductor.max_autotune_gemm_backends"),
        (
            "OutOfResources: out of resource: shared memory, Required: 147456, Hardware limit: 101376.",
            "inductor.max_autotune_prune_choices_based_on_shared_mem",
        ),
        ("cudagraph partition due to non gpu ops. Found from :", "inductor.graph_partition"),
        (
            "PendingUnbackedSymbolNotFound: Pending unbacked symbols {u0} not in returned outputs",
            "fx.soft_pending_unbacked_not_found_error",
        ),
        (
            "W0301 14:50:21.667 3 _inductor/utils.py:11] [2/0] Not enough SMs to use max_autotune_gemm mode",
            "inductor.max_autotune_gemm",
        ),
        (
            "torch._dynamo.exc.FailOnRecompileLimitHit: recompile_limit reached with fullgraph=True.",
            "recompile_limit",
        ),
        # Symptoms that people reported, each in several wordings.
        ("Inductor stuck", "inductor.compile_threads"),
        ("inductor hangs, RAM grows, many compile workers", "inductor.compile_threads"),
        ("compile workers use all my RAM", "inductor.compile_threads"),
        ("subprocess pool timeout", "inductor.compile_threads"),
        (
            "Exception ignored in atexit callback: <function shutdown_compile_workers at 0x7f888065ca40>",
            "inductor.compile_threads",
        ),
        (
            "OutOfMemoryError: out of resource: triton_flex_attention Required: 262144 Hardware limit:232448",
            "inductor.max_autotune_prune_choices_based_on_shared_mem",
        ),
        ("no valid triton config", "inductor.max_autotune_prune_choices_based_on_shared_mem"),
        ("bfloat16 mismatch with eager", "inductor.emulate_precision_casts"),
        ("numerical mismatch bf16", "inductor.emulate_precision_casts"),
        ("bf16 results differ from eager", "inductor.emulate_precision_casts"),
        ("compiled model is wrong in half precision", "inductor.emulate_precision_casts"),
        (
            "AttributeError: 'SchedulerNode' object has no attribute 'reorder_loops_by_dep_pair'",
            "inductor.loop_ordering_after_fusion",
        ),
        ("error in loop ordering", "inductor.loop_ordering_after_fusion"),
        ("combo kernels compile time", "inductor.benchmark_combo_kernel"),
        ("combo kernels are slow to compile", "inductor.benchmark_combo_kernel"),
        ("cl is not found", "inductor.cpp.cxx"),
        ("fatal error: 'omp.h' file not found", "inductor.cpp.cxx"),
        ("OpenMP header not found", "inductor.cpp.cxx"),
        ("DDPOptimizer backend: Found a higher order op in the graph", "optimize_ddp"),
    ],
)
def test_the_best_answer_comes_first(question: str, first: str) -> None:
    """To an expert's question the flags of the intent, in its order; else the one that is named or meant."""
    assert names(question)[: len(first.split())] == first.split()


def test_intents_name_flags_of_today() -> None:
    """None that is gone, or hardly ever meant, and none twice."""
    usual = {entry.flag.qualified for entry in index() if not entry.is_minor and not entry.flag.until}
    for intent in INTENTS:
        assert set(intent.flags) <= usual
        assert len(set(intent.flags)) == len(intent.flags)


def test_answers_are_known() -> None:
    """Each is a code, or a subject that is no flag, such as a page that exists."""
    release = Release.named("2.13")
    for name in {name for each in ANSWERS for name in each.flags}:
        assert "/" not in name or (DOCS / f"{name}.md").exists()
        assert explain_code(name) or isinstance(subject(name, release, State(release)), dict)


@pytest.mark.parametrize(
    ("phrase", "expected"),
    [
        ("inducter cache", "inductor cache"),
        ("memroy", "memory"),
        ("recompile_limt", "recompile_limit"),
        ("TORCHDYNAMO_VERBSE", "TORCHDYNAMO_VERBOSE"),
        ("comiple time", "compile time"),
        ("set torch._inductor.config.max_autotune", "set torch._inductor.config.max_autotune"),
        ("activaton checkpoiting", "activation checkpointing"),
        ("triton kernal?", "triton kernel?"),
        ("recompile faster", "recompile faster"),
        ("qqqq wwww", "qqqq wwww"),
        ("recompil_[ab", "recompil_[ab"),
        ("", ""),
    ],
)
def test_typos_are_corrected(phrase: str, expected: str) -> None:
    """Word by word, and only words that no flag has."""
    assert corrected(phrase) == expected


@pytest.mark.parametrize(
    "phrase",
    [
        *("isinstance error", "Apple clang", "DAVIDE", "adding a model", "present in graph", "seem slow"),
        *(
            "cannot find -lcuda",
            "DDPOptimizer error",
            "contact me",
            "'inducter'",
            "strong types",
            "unload model",
        ),
        "RuntimeError: inducter in a message of more words than people have for a question",
    ],
)
def test_what_is_not_misspelt_stays(phrase: str) -> None:
    """Ordinary words, Python's, quoted and capitalized ones, and all that a message has."""
    assert corrected(phrase) == phrase


def test_the_more_words_the_earlier() -> None:
    """Flags with all of the words come before those with one of them."""
    found = search("donated buffer")
    assert found[0].qualified == "functorch.donated_buffer"
    texts = [f"{flag.qualified} {flag.topic} {flag.description}".lower() for flag in found]
    counts = [("donated" in text) + ("buffer" in text) for text in texts]
    assert set(counts) == {1, 2}
    assert counts[0] == 2
    assert counts == sorted(counts, reverse=True)


def test_an_old_name_is_not_beside_the_newest() -> None:
    """Both say the same."""
    assert "recompile_limit" in names("recompile limit")
    assert "cache_size_limit" not in names("cache size limit")


def test_punctuation_matches_nothing() -> None:
    """A phrase without letters has no words."""
    assert search(".") == search("_") == search("") == []


@pytest.mark.parametrize(
    "question",
    [
        "how do I bake a cake",
        "foo bar qqzz",
        "TensorFloat32 tensor cores for float32 matrix multiplication available but not enabled.",
        "available but not enabled. Consider set_float32_matmul_precision('high') for better performance.",
        "OSError: [Errno 122] Disk quota exceeded: '/scratch/user/.cache/torchinductor'",
        "Cannot find a working triton installation. More information can be found at: https://example.org/",
        "ConstraintViolationError: Constraints violated (L['x'])! For information, TORCH_LOGS='+dynamic'",
    ],
)
def test_what_is_about_no_flag_finds_none(question: str) -> None:
    """A word or two that some flag has, too, is no answer."""
    assert names(corrected(question)) == []
