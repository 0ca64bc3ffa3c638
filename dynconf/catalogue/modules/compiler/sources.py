"""Which inputs have sizes that vary, by the names that Dynamo gives them, such as ``L['x']``."""

_NAMES = "Names or regular expressions, separated by commas, such as L['x']; "
_DIMENSION = ":0 at the end picks one dimension."

DESCRIPTIONS = f"""
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
