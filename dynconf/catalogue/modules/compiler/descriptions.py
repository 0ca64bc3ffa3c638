"""What each flag does, by topic: see `dynconf.catalogue.flags.described`."""

from dynconf.catalogue.modules.compiler.facts import FORWARDED

_NAMES = "Names or regular expressions, separated by commas, such as L['x']; "
_DIMENSION = ":0 at the end picks one dimension."

DESCRIPTIONS = f"""
[caching]: Caches and profiles that outlive a process, and their use by all ranks of a job.
cache_key_tag: Text that becomes part of the key of every compile cache.
    A new text makes programs compile anew, without touching the contents of the caches.
compile_on_one_rank: Compiles code in which nothing is particular to the rank, so that all ranks can run it.
    Devices and process groups are then looked up at run time.
force_cudagraph_gc: Collects garbage before each recording of a CUDA graph.
force_disable_caches: Turns off every compile cache, whatever the flags of each say.
    For measuring cold compilation, and for ruling out a stale cache.
job_id: Name under which a job keeps its profile of sizes that vary, for its next run.
    Runs that share it should do the same work on the same number of ranks. Without it, nothing is kept:
    automatic_dynamic_local_pgo and automatic_dynamic_remote_pgo of Dynamo then do nothing.
pgo_extra_read_key: Name of another job whose knowledge of sizes is read as well.
pgo_extra_write_key: Name of another job under which the knowledge of sizes is stored as well.

[sources]: Which inputs have sizes that vary, by the names that Dynamo gives them, such as ``L['x']``.
dynamic_sources: Inputs whose integers and dimensions are taken to vary from the start.
    {_NAMES}from torch 2.13 on, {_DIMENSION} It overrides dynamic=False of torch.compile.
dynamic_values: Integers; whatever is one of them at the first call is taken to vary.
    Separated by commas. Warm the program up with a size that is used nowhere else, such as 1111, and its
    sizes are followed through graph breaks as well.
static_sources: Inputs whose integers and dimensions are constants, whatever else says that they vary.
    {_NAMES}{_DIMENSION} Only an explicit torch._dynamo.mark_dynamic counts for more.
unbacked_sources: Inputs of whose integers and dimensions nothing is assumed, not even the first value.
    {_NAMES}from torch 2.13 on, {_DIMENSION}
    No guard on them is possible, so a branch that needs one is an error.
"""

DESCRIPTIONS += "\n[forwarded]: Names that torch forwards to Dynamo, where their records are.\n" + "\n".join(
    f"{flag.name}: {flag.summary} Dynamo's flag {flag.name}, under another name." for flag in FORWARDED
)
