"""The AOTAutograd cache: compiled forward and backward graphs on disk, and what may enter it."""

from dynconf.flags.flag import Flag, by_release
from dynconf.flags.types import Bool, ListOf, OrNone, Text
from dynconf.flags.variable import Variable

FLAGS = (
    Flag(
        name="_save_config_ignore",
        type=ListOf(Text()),
        default=by_release(
            ("joint_custom_pass",),
            v2_11=(
                "joint_custom_pass",
                "activation_memory_budget_runtime_estimator",
                "activation_memory_budget_solver",
            ),
        ),
        summary="Names of flags that torch's save_config leaves out.",
        details="The cache key is made from what save_config returns, and so leaves them out as well.",
        since="2.10",
        compile_ignored=True,
        status="internal",
    ),
    Flag(
        name="autograd_cache_allow_custom_autograd_functions",
        type=Bool(),
        default=False,
        summary="Caches graphs that contain custom autograd.Functions.",
        details=(
            "The cache key then covers only what was traced into the graph: clear the cache after a change "
            "of other code that such a function depends on. If False, graphs with one are compiled anew in "
            "each process."
        ),
        since="2.8",
        variables=(Variable("TORCHINDUCTOR_AUTOGRAD_CACHE_ALLOW_CUSTOM_AUTOGRAD", "force"),),
    ),
    Flag(
        name="autograd_cache_normalize_inputs",
        type=Bool(),
        default=True,
        summary="Ignores the names of a graph's inputs in the cache key.",
        details="Graphs that differ only in those names then share one entry.",
        since="2.9",
    ),
    Flag(
        name="bundled_autograd_cache",
        type=Bool(),
        default=False,
        summary="Stores Inductor's output inside AOTAutograd's cache entries.",
        details=(
            "If False, an entry refers to entries of the FX graph cache, which must still exist when it is "
            "loaded. Precompilation (caching_precompile of Dynamo) bundles either way."
        ),
        since="2.8",
    ),
    Flag(
        name="bypass_autograd_cache_key",
        type=Bool(),
        default=False,
        summary="Makes up a random cache key for a graph that has none, instead of not caching it.",
        details=(
            "Ahead-of-time compilation turns it on, because it needs an entry for every graph and loads "
            "each by its own name. Elsewhere it only fills the cache with entries that are never found."
        ),
        since="2.11",
    ),
    Flag(
        name="enable_autograd_cache",
        type=Bool(),
        default=by_release(False, v2_7=True),
        summary="Keeps compiled forward and backward graphs on disk, for later processes.",
        details=(
            "On a hit, tracing by AOTAutograd and compilation by the backend are both skipped. Turning off "
            "all caches (force_disable_caches of torch.compiler.config) overrides it."
        ),
        since="2.5",
        variables=(
            Variable("ENABLE_AOT_AUTOGRAD_CACHE", "equals_one", since="2.5", until="2.5"),
            Variable("TORCHINDUCTOR_AUTOGRAD_CACHE", "equals_one", since="2.6", until="2.6"),
            Variable("TORCHINDUCTOR_AUTOGRAD_CACHE", "force", since="2.7"),
        ),
    ),
    Flag(
        name="enable_remote_autograd_cache",
        type=OrNone(Bool()),
        default=None,
        summary="Shares compiled graphs through a remote cache, such as a Redis server.",
        details="None leaves the decision to torch, which outside Meta means no remote cache.",
        since="2.6",
        variables=(Variable("TORCHINDUCTOR_AUTOGRAD_REMOTE_CACHE", "tristate"),),
    ),
    Flag(
        name="force_autograd_cache",
        type=Bool(),
        default=False,
        summary="Uses the cache with every backend, even one whose output is not known to be storable.",
        details=(
            "If False, only backends that declare their output serializable, as Inductor does, are cached. "
            'It also makes the backends "eager" and "aot_eager" return output that can be stored.'
        ),
        since="2.11",
    ),
    Flag(
        name="strict_autograd_cache",
        type=Bool(),
        default=False,
        summary="Raises if a graph cannot be looked up in or written to the cache.",
        details="If False, the reason is logged, and the graph is compiled without the cache.",
        since="2.5",
    ),
)
