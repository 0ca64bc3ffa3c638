"""Caches and profiles that outlive a process, and their use by all ranks of a job."""

DESCRIPTIONS = """
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
"""
