"""Which inputs have sizes that vary, by the names that Dynamo gives them, such as ``L['x']``."""

from dynconf.flags.flag import Flag
from dynconf.flags.types import Text
from dynconf.flags.variable import Variable

_NAMES = (
    "Names or regular expressions, separated by commas, such as L['x']; from torch 2.13 on, :0 at the end "
    "picks one dimension."
)

FLAGS = (
    Flag(
        name="dynamic_sources",
        type=Text(),
        default="",
        summary="Inputs whose integers and dimensions are taken to vary from the start.",
        details=f"{_NAMES} It overrides dynamic=False of torch.compile.",
        since="2.7",
        variables=(Variable("TORCH_COMPILE_DYNAMIC_SOURCES", "default"),),
    ),
    Flag(
        name="dynamic_values",
        type=Text(),
        default="",
        summary="Integers; whatever is one of them at the first call is taken to vary.",
        details=(
            "Separated by commas. Warm the program up with a size that is used nowhere else, such as 1111, "
            "and its sizes are followed through graph breaks as well."
        ),
        since="2.13",
        variables=(Variable("TORCH_COMPILE_DYNAMIC_VALUES", "default"),),
    ),
    Flag(
        name="static_sources",
        type=Text(),
        default="",
        summary="Inputs whose integers and dimensions are constants, whatever else says that they vary.",
        details=f"{_NAMES} Only an explicit torch._dynamo.mark_dynamic counts for more.",
        since="2.15",
        variables=(Variable("TORCH_COMPILE_STATIC_SOURCES", "default"),),
    ),
    Flag(
        name="unbacked_sources",
        type=Text(),
        default="",
        summary="Inputs of whose integers and dimensions nothing is assumed, not even the first value.",
        details=f"{_NAMES} No guard on them is possible, so a branch that needs one is an error.",
        since="2.8",
        variables=(Variable("TORCH_COMPILE_UNBACKED_SOURCES", "default"),),
    ),
)
