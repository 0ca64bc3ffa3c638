"""Tests of `dynconf.tools.lint.misspelling`."""

import time

import pytest

from dynconf.catalogue._generated.index import VARIABLES
from dynconf.release import RELEASES, Release
from dynconf.tools.lint.misspelling import misspelling_findings


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("TORCHDYNAMO_SUPRESS_ERRORS", "did you mean TORCHDYNAMO_SUPPRESS_ERRORS?"),
        ("TORCH_COMPILE_DISABEL", "did you mean TORCH_COMPILE_DISABLE?"),
        ("TORCH_DYNAMO_VERBOSE", "did you mean TORCHDYNAMO_VERBOSE?"),
        ("TORCH_COMPILE_VERBOSE", "did you mean TORCHDYNAMO_VERBOSE?"),
        ("TORCHDYNAMO_REPLAY_RECORDS", "did you mean TORCH_COMPILE_REPLAY_RECORD?"),
        ("TORCHINDUCTOR_SUPPRESS_ERRORS", "did you mean TORCHDYNAMO_SUPPRESS_ERRORS?"),
        ("DYNAMO_VERBOSE", "did you mean TORCHDYNAMO_VERBOSE?"),
        ("torchdynamo_verbose", "did you mean TORCHDYNAMO_VERBOSE?"),
        ("TORCHDYANMO_VERBOSE", "did you mean TORCHDYNAMO_VERBOSE?"),
        ("TORCHFUNCTORCH_DONATED_BUFER", "did you mean TORCHFUNCTORCH_DONATED_BUFFER?"),
        ("DYNCONF_CONFG", "did you mean DYNCONF_CONFIG?"),
        ("DYNCONF_RECOMPILE_LIMIT", "did you mean TORCHDYNAMO_RECOMPILE_LIMIT?"),
        ("TORCH_INDUCTOR_CPP_WRAPPER", "did you mean TORCHINDUCTOR_CPP_WRAPPER?"),
        ("INDUCTOR_MAX_AUTOTUNE", "did you mean TORCHINDUCTOR_MAX_AUTOTUNE?"),
        ("TORCHLOGS", "did you mean TORCH_LOGS?"),
        ("TORCH_LOGS_OUTPUT", "did you mean TORCH_LOGS_OUT?"),
        ("TORCHINDUCTOR_DISABLE", "set TORCH_COMPILE_DISABLE=1"),
        ("TORCHINDUCTOR_CUDAGRAPH_TREES", "triton.cudagraph_trees"),
        ("TORCH_DISABLE_COMPILE", "set TORCH_COMPILE_DISABLE=1"),
        ("TORCH_COMPILE_ENABLE", "compiling is on"),
        ("TRITON_NO_COMPILE", "TRITON_INTERPRET=1"),
        ("TORCH_COMPILE_MODE", "torch.compile(mode=False)"),
        ("TORCHINDUCTOR_COMPILED_ARTIFACTS_DIR", "no variable of that name"),
        ("TORCH_INDUCTOR_VERBOSE", "set TORCH_LOGS=+inductor"),
        ("TORCH_INDUCTOR_CACHE_DIR", "did you mean TORCHINDUCTOR_CACHE_DIR?"),
        ("TORCHINDUCTOR_CACHE", "set TORCHINDUCTOR_CACHE_DIR"),
        ("TORCH_COMPILE_STANCE", "no variable of that name"),
        ("TORCH_COMPILE_PROFILE", "did you mean TORCH_COMPILE_CPROFILE?"),
        ("TORCHINDUCTOR_GPU_BACKEND", "no variable of that name"),
        ("TORCHINDUCTOR_XPU_BAKEND", "did you mean TORCHINDUCTOR_XPU_BACKEND?"),
        ("TORCHDYNAMO_RECOMPILE_LIMTS", "TORCHDYNAMO_RECOMPILE_LIMIT? Only programs that install dynconf"),
    ],
)
def test_a_variable_that_nothing_reads(name: str, advice: str) -> None:
    """It is a warning with the name that was meant, compared word by word, or with other advice."""
    (finding,) = misspelling_findings({name: "0"}, Release.named("2.13"))
    assert (finding.code, finding.level, finding.variable) == ("DC401", "warning", name)
    assert advice in finding.message


def test_the_switch_that_torch_reads_in_each_call_is_none_of_dynconf() -> None:
    """It sets no flag in torch, and torch reads it all the same."""
    (finding,) = misspelling_findings({"TORCHDYNAMO_DISABL": "1"}, Release.named("2.13"))
    assert finding.message.endswith("did you mean TORCHDYNAMO_DISABLE?")


OTHERS = """
TORCHDYNAMO_EXTENDED_DEBUG_CPP TORCHDYNAMO_EXTENDED_DEBUG_CREATE_SYMBOL TORCH_COMPILE_DEBUG
TORCH_COMPILE_JOB_ID TORCH_LOGS TORCHINDUCTOR_MAX_AUTOTUNE TORCH_HOME DYNCONF_CONFIG PYTHONPATH HOME
TORCHINDUCTOR_NPU_BACKEND TORCHINDUCTOR_NPU_EXT_CACHE_DIR
DYNAMODB_TABLE TORCH_CUDA_ARCH_LIST TORCH_EXTENSIONS_DIR TORCH_CPP_LOG_LEVEL TORCH_DISTRIBUTED_DEBUG
TORCH_NCCL_ASYNC_ERROR_HANDLING TORCH_NCCL_TRACE_BUFFER_SIZE TORCH_NCCL_DUMP_ON_TIMEOUT
TORCH_NCCL_DEBUG_INFO_TEMP_FILE TORCH_SHOW_CPP_STACKTRACES TORCH_SHOW_DISPATCH_TRACE TORCH_USE_CUDA_DSA
TORCH_ALLOW_TF32_CUBLAS_OVERRIDE TORCH_BLAS_PREFER_CUBLASLT TORCH_ROCM_AOTRITON_ENABLE_EXPERIMENTAL
TORCH_LINALG_PREFER_MAGMA TORCH_DISABLE_ADDR2LINE TORCH_PROFILER_LOG_LEVEL TORCHELASTIC_RUN_ID
TORCHELASTIC_ERROR_FILE TORCHAO_AUTOTUNER_ENABLE TORCHAUDIO_USE_BACKEND_DISPATCHER TORCHTUNE_CACHE
TORCHSERVE_HOME TORCHX_TRACKERS TORCH_XLA_FLAGS PYTORCH_ALLOC_CONF PYTORCH_CUDA_ALLOC_CONF
PYTORCH_ENABLE_MPS_FALLBACK PYTORCH_MPS_HIGH_WATERMARK_RATIO PYTORCH_NO_CUDA_MEMORY_CACHING
PYTORCH_NVML_BASED_CUDA_CHECK PYTORCH_TUNABLEOP_ENABLED PYTORCH_VERSION PYTORCH_BUILD_VERSION PYTORCH_HOME
PYTORCH_KERNEL_CACHE_PATH PYTORCH_TRANSFORMERS_CACHE TRITON_CACHE_DIR TRITON_INTERPRET
TRITON_PRINT_AUTOTUNING TRITON_PTXAS_PATH TRITON_ALWAYS_COMPILE NCCL_DEBUG VLLM_TORCH_COMPILE_LEVEL
ACCELERATE_DYNAMO_BACKEND ACCELERATE_DYNAMO_MODE DYNAMO_HOME DYNAMO_NAMESPACE
"""


def test_the_variables_of_others_raise_nothing() -> None:
    """Variables of other parts of torch, and of other programs, are left alone."""
    assert list(misspelling_findings(dict.fromkeys(OTHERS.split(), "1"), Release.named("2.13"))) == []


def test_of_several_variables_alike_the_nearest_is_named() -> None:
    """The name of another backend differs by a few letters, too."""
    name = "INDUCTOR_CK_BACKEND_GENERATE_TEST_RUNNER_CODE"
    (finding,) = misspelling_findings({name.replace("TEST", "TES"): "1"}, Release.named("2.13"))
    assert f"did you mean {name}?" in finding.message


def test_no_variable_of_ours_is_misspelt() -> None:
    """No variable of a flag, in any release, is taken for another."""
    names = dict.fromkeys(frozenset().union(*VARIABLES.values()), "1")
    found = [each for release in RELEASES for each in misspelling_findings(names, Release.named(release))]
    assert found == []


def test_an_unknown_variable() -> None:
    """With a prefix of ours it is a warning, which says more if it names a removed or internal flag."""
    environ = {"TORCHDYNAMO_QQXXZZ": "1", "TORCHDYNAMO_LOG_LEVEL": "10", "TORCHDYNAMO_BASE_DIR": "/"}
    internal, removed, unknown = misspelling_findings(environ, Release.named("2.13"))
    assert {each.code for each in (internal, removed, unknown)} == {"DC401"}
    assert "torch's own" in internal.message
    assert "TORCH_LOGS" in removed.message
    assert "no variable of that name" in unknown.message
    assert unknown.level == "warning"


def test_on_a_torch_newer_than_the_catalogue_it_may_be_new() -> None:
    """An unknown variable is only a note then."""
    (finding,) = misspelling_findings({"TORCHDYNAMO_QQXXZZ": "1"}, Release("2.99.0", "installed"))
    assert finding.level == "note"


@pytest.mark.parametrize("prefix", ["TORCH_", "TORCHINDUCTOR_"])
def test_a_huge_environment_takes_no_time(prefix: str) -> None:
    """Every unknown variable is reported, but only for some of them a similar one is searched."""
    environ = {f"{prefix}EPILOGUE_FUSIO{number:05}": "1" for number in range(5_000)}
    found = list(misspelling_findings(environ, Release.named("2.13")))
    assert len(found) == (0 if prefix == "TORCH_" else len(environ))
    assert sum("did you mean" in each.message for each in found) <= 100


def test_a_long_name_takes_no_time() -> None:
    """Only a name of about the length of one of ours is compared with it letter by letter."""
    start = time.process_time()
    assert not list(misspelling_findings({f"TORCH{'DYNAM' * 8_000}_VERBOSE": "1"}, Release.named("2.13")))
    assert time.process_time() - start < 4


def test_no_hint_is_a_flag_that_does_nothing() -> None:
    """Its variable is no better than the misspelt one."""
    (finding,) = misspelling_findings({"TORCHDYNAMO_CAPTURE_AUTOGRAD_FUNCTIO": "1"}, Release.named("2.13"))
    assert "TORCHDYNAMO_CAPTURE_AUTOGRAD_FUNCTION?" not in finding.message
