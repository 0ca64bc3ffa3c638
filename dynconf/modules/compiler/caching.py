"""Caches and profiles that outlive a process, and what concerns all ranks of a job."""

from dynconf.flags.flag import Flag
from dynconf.flags.types import Bool, OrNone, Text
from dynconf.flags.variable import Variable

FLAGS = (
    Flag(
        name="cache_key_tag",
        type=Text(),
        default="",
        summary="Text that becomes part of the key of every compile cache.",
        details="A new text makes programs compile anew, without touching what is in the caches.",
        since="2.6",
        variables=(
            Variable("TORCH_COMPILE_CACHE_KEY_TAG", "text", until="2.6"),
            Variable("TORCH_COMPILE_CACHE_KEY_TAG", "default", since="2.7"),
        ),
    ),
    Flag(
        name="compile_on_one_rank",
        type=Bool(),
        default=False,
        summary="Compiles code in which nothing is particular to the rank, so that all ranks can run it.",
        details="Devices and process groups are then looked up at run time.",
        since="2.14",
        variables=(
            Variable("TORCH_COMPILE_ON_ONE_RANK", "default"),
            Variable("TORCH_DISTRIBUTED_COMPILE_ON_ONE_RANK", "default"),
        ),
    ),
    Flag(
        name="force_cudagraph_gc",
        type=Bool(),
        default=False,
        summary="Collects garbage before each recording of a CUDA graph.",
        since="2.9",
        variables=(Variable("TORCH_CUDAGRAPH_GC", "default"),),
    ),
    Flag(
        name="force_disable_caches",
        type=Bool(),
        default=False,
        summary="Turns off every compile cache, whatever the flags of each say.",
        details="For measuring cold compilation, and for ruling out a stale cache.",
        since="2.9",
        variables=(
            Variable("TORCHINDUCTOR_FORCE_DISABLE_CACHES", "force"),
            Variable("TORCH_COMPILE_FORCE_DISABLE_CACHES", "force"),
        ),
    ),
    Flag(
        name="job_id",
        type=OrNone(Text()),
        default=None,
        summary="Name under which a job keeps what it learned about sizes that vary, for its next run.",
        details=(
            "Runs that share it should do the same work on the same number of ranks. Without it, nothing is "
            "kept: automatic_dynamic_local_pgo and automatic_dynamic_remote_pgo of Dynamo then do nothing."
        ),
        since="2.6",
        variables=(
            Variable("TORCH_COMPILE_JOB_ID", "text", until="2.6"),
            Variable("TORCH_COMPILE_JOB_ID", "default", since="2.7"),
            Variable("TORCH_COMPILE_STICKY_PGO_KEY", "default", since="2.8"),
        ),
    ),
    Flag(
        name="pgo_extra_read_key",
        type=OrNone(Text()),
        default=None,
        summary="Name of another job whose knowledge of sizes is read as well.",
        since="2.9",
        variables=(Variable("TORCH_COMPILE_STICKY_PGO_READ", "default"),),
    ),
    Flag(
        name="pgo_extra_write_key",
        type=OrNone(Text()),
        default=None,
        summary="Name of another job under which the knowledge of sizes is stored as well.",
        since="2.9",
        variables=(Variable("TORCH_COMPILE_STICKY_PGO_WRITE", "default"),),
    ),
)
