"""Shapes: which sizes and numbers are compiled in, and which stay dynamic."""

from dynconf.flags.flag import Flag, by_release
from dynconf.flags.types import Bool, Choice, Int, Opaque, OrNone
from dynconf.flags.variable import Variable

FLAGS = (
    Flag(
        name="_dynamic_shapes_spec",
        type=Opaque(),
        default=None,
        summary="Shapes declared by torch.compile(dynamic_shapes=...), in force while a frame is traced.",
        details=(
            "torch patches it in around each call of the compiled function; pass the argument instead "
            "of setting it."
        ),
        since="2.14",
        status="internal",
    ),
    Flag(
        name="_shapes_spec",
        type=Opaque(),
        default=None,
        summary="Shapes declared by torch.compile(shapes_spec=...), in force while a frame is traced.",
        details=(
            "torch patches it in around each call of the compiled function; pass the argument instead "
            "of setting it."
        ),
        since="2.13",
        until="2.13",
        status="internal",
        renamed="_dynamic_shapes_spec",
    ),
    Flag(
        name="allow_ignore_mark_dynamic",
        type=Bool(),
        default=False,
        summary="Accepts that a size marked by mark_dynamic ends up compiled in, instead of raising.",
        details=(
            "With False, torch raises when a dimension marked as dynamic had to be fixed to one "
            "value. With True the promise is dropped silently, and each new size may cost a "
            "recompilation."
        ),
    ),
    Flag(
        name="allow_unspec_int_on_nn_module",
        type=Bool(),
        default=False,
        summary="Lets int attributes of modules become dynamic instead of always compiling them in.",
        details=(
            "Helps a module that counts its own steps, which otherwise recompiles at each new count "
            "until the recompilation limit is reached. The attribute is still constant in the first "
            "compilation."
        ),
        since="2.7",
    ),
    Flag(
        name="assume_static_by_default",
        type=Bool(),
        default=True,
        summary="Compiles every size and int in as a constant until something calls for a dynamic one.",
        details=(
            "mark_dynamic, automatic_dynamic_shapes and similar requests still make single dimensions "
            "dynamic. torch.compile(dynamic=True) turns this flag off for its function, dynamic=False "
            "turns it on and automatic_dynamic_shapes off."
        ),
    ),
    Flag(
        name="automatic_dynamic_local_pgo",
        type=Bool(),
        default=by_release(False, v2_7=True),
        summary="Keeps on disk which sizes turned out dynamic, so later runs skip the static version.",
        details=(
            "Takes effect only with a job name (torch.compiler.config.job_id) and not with caches "
            "disabled. Entries are found by file, line and function name, so edits of the source lose "
            "them. An outdated profile costs no correctness; it makes more sizes dynamic than "
            "necessary."
        ),
        since="2.6",
        variables=(
            Variable("TORCH_DYNAMO_AUTOMATIC_DYNAMIC_LOCAL_PGO", "equals_one", until="2.6"),
            Variable("TORCH_DYNAMO_AUTOMATIC_DYNAMIC_LOCAL_PGO", "force", since="2.7"),
        ),
    ),
    Flag(
        name="automatic_dynamic_remote_pgo",
        type=OrNone(Bool()),
        default=None,
        summary="Shares the profile of dynamic sizes through a remote cache; None leaves it to torch.",
        details=(
            "None means off outside of Meta's own builds. With True the profile goes through the "
            "remote cache that Inductor is set up for (Redis in the public builds); a job name is "
            "needed here too."
        ),
        since="2.6",
        variables=(Variable("TORCH_DYNAMO_AUTOMATIC_DYNAMIC_REMOTE_PGO", "tristate"),),
    ),
    Flag(
        name="automatic_dynamic_shapes",
        type=Bool(),
        default=True,
        summary="Recompiles with a dynamic size once a dimension or number has been seen with two values.",
        details=(
            "With False every new size is compiled as a constant of its own, unless it is marked as "
            "dynamic, and the recompilation limit is reached soon."
        ),
        variables=(Variable("TORCH_DYNAMO_AUTOMATIC_DYNAMIC_SHAPES", "equals_one", since="2.11"),),
    ),
    Flag(
        name="automatic_dynamic_shapes_mark_as",
        type=Choice(("dynamic", "unbacked")),
        default="dynamic",
        summary="Kind of symbol that a size gets when it is found to vary.",
        details=(
            '"dynamic" makes an ordinary symbol: code may branch on it (with guards), and the values '
            '0 and 1 are compiled separately. "unbacked" makes a symbol without a known value: no '
            "recompilation for any value, but code that branches on it fails with a data-dependent "
            "error."
        ),
        since="2.6",
    ),
    Flag(
        name="capture_dynamic_output_shape_ops",
        type=Bool(),
        default=False,
        summary="Captures operators such as nonzero and unique, whose output size depends on the data.",
        details=(
            "With False they break the graph. Usually wanted together with capture_scalar_outputs. "
            "Newer releases (from 2.10) capture them anyway under fullgraph=True."
        ),
        variables=(Variable("TORCHDYNAMO_CAPTURE_DYNAMIC_OUTPUT_SHAPE_OPS", "equals_one"),),
    ),
    Flag(
        name="capture_scalar_outputs",
        type=Bool(),
        default=False,
        summary="Captures .item() and similar reads of a tensor's value as symbols in the graph.",
        details=(
            "With False they break the graph. The value is unknown while tracing, so branching on it "
            "still fails or breaks the graph; torch._check can state its bounds. Newer releases (from "
            "2.10) capture these reads anyway under fullgraph=True."
        ),
        variables=(Variable("TORCHDYNAMO_CAPTURE_SCALAR_OUTPUTS", "equals_one"),),
    ),
    Flag(
        name="computed_lazy_constant_max_nodes",
        type=Int(0),
        default=64,
        summary="Most operations on constant inputs whose guards are put off, per expression.",
        details=(
            "A longer expression gets its guards at once, with a recompilation for each new value of "
            "its inputs. 0 turns the delay off."
        ),
        since="2.14",
    ),
    Flag(
        name="dynamic_shapes",
        type=Bool(),
        default=True,
        summary="Once allowed sizes to stay dynamic; does nothing since torch 2.1.",
        status="no-op",
        instead="use torch.compile(dynamic=...) or assume_static_by_default",
    ),
    Flag(
        name="force_nn_module_property_static_shapes",
        type=Bool(),
        default=True,
        summary="Fixes the shapes of tensors held by modules, even under dynamic=True and mark_dynamic.",
        details=(
            "Concerns modules that Dynamo specializes and torch's built-in ones; parameters "
            "everywhere follow force_parameter_static_shapes as well."
        ),
    ),
    Flag(
        name="force_parameter_static_shapes",
        type=Bool(),
        default=True,
        summary="Fixes the shapes of parameters and buffers, even under dynamic=True and mark_dynamic.",
        details=(
            "Set both this and force_nn_module_property_static_shapes to False where weights change "
            "their size between calls. Names listed in torch.compiler.config.dynamic_sources (newer "
            "releases) are dynamic all the same."
        ),
    ),
    Flag(
        name="force_unspec_int_unbacked_size_like_on_torchrec_kjt",
        type=Bool(),
        default=False,
        summary="Treats the lengths and offsets of torchrec's KeyedJaggedTensor as unknown sizes.",
        details=(
            "They generalize at once and are taken never to be 0 or 1, which is not checked: a wrong "
            "result is possible where they are. Meant for export; AOTAutograd and Inductor may fail "
            "on such graphs."
        ),
    ),
    Flag(
        name="specialize_float",
        type=Bool(),
        default=by_release(True, v2_6=False),
        summary="Compiles each float input in as a constant and recompiles for a new value.",
        details=(
            "With False a float that was seen to vary becomes a tensor input, if "
            "automatic_dynamic_shapes is on. nan, infinities and any float under Inductor's CUDA "
            "graphs stay constants."
        ),
    ),
    Flag(
        name="specialize_int",
        type=Bool(),
        default=False,
        summary="Compiles each int input in as a constant and recompiles for a new value.",
        details=(
            "With False ints follow assume_static_by_default and automatic_dynamic_shapes, as sizes "
            "do. Export sets it to True. Sizes of tensors remain free to vary either way."
        ),
    ),
)
