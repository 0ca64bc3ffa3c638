"""What no release reveals of the flags of symbolic shapes, each fact with the flags that it is true of."""

from dynconf.catalogue.flags.described import Facts, facts_by_flag
from dynconf.catalogue.flags.types import Int, OrNone

FACTS = facts_by_flag(
    {
        Facts(status="testing"): "check_shape_env_recorded_events validate_shape_env_version_key",
        Facts(type=Int(0)): "translation_validation_timeout",
        Facts(type=Int(0, 2)): "aggressive_guard_free_semantics",
        Facts(type=OrNone(Int(0))): "symbol_guard_limit_before_specialize",
    }
)
