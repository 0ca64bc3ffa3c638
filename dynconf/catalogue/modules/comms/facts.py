"""What no release reveals of the flags about communication, each fact with the flags that it is true of."""

from dynconf.catalogue.flags.described import Facts, facts_by_flag
from dynconf.catalogue.flags.types import Float, Int, OrNone

FACTS = facts_by_flag(
    {
        Facts(status="internal"): "env_str",
        Facts(type=Float(0)): """
            reorder_iterative_extra_comm_comp_overlap reorder_iterative_peak_memory_budget
            reorder_sink_runtime_estimations_comm_mult reorder_sink_runtime_estimations_non_comm_mult
            sink_iterative_extra_comm_comp_overlap sink_iterative_peak_memory_budget
        """,
        Facts(type=OrNone(Int(0))): """
            reorder_iterative_debug_limit_to_reorder sink_waits_iterative_debug_limit_to_sink
        """,
    }
)
