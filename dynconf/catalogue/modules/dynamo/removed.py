"""Flags that `torch._dynamo.config` lost before torch 2.4 and that scripts still set."""

from dynconf.catalogue.flags.described import described_removals

REMOVED = described_removals("""
constant_functions (2.1): delete it: for your own functions, use torch.compiler.assume_constant_result
DO_NOT_USE_legacy_non_fake_example_inputs (2.0): delete it: nothing replaces it
dynamic_propagation: delete it: shapes are always propagated
fake_tensor_propagation: delete it: fake tensors are always propagated
inject_EVALUATE_EXPR_flip_equality_TESTING_ONLY (2.1): use the flag of the same name in
    torch.fx.experimental._config
log_level (2.0): call torch._logging.set_logs(dynamo=logging.DEBUG), or set TORCH_LOGS=+dynamo
normalize_ir: delete it: nothing replaces it
optimize_user_defined_triton_kernels (2.3): delete it: that optimization is always on
output_code (2.0): call torch._logging.set_logs(graph_code=True, bytecode=True), or set
    TORCH_LOGS=graph_code,bytecode (output_code there is Inductor's)
output_graph_code (2.0): choose graph_code (Python) or graph (table) in torch._logging.set_logs or TORCH_LOGS
print_graph_breaks (2.0): call torch._logging.set_logs(graph_breaks=True), or set TORCH_LOGS=graph_breaks
print_guards: call torch._logging.set_logs(guards=True), or set TORCH_LOGS=guards
print_specializations (2.1): use torch.fx.experimental._config.print_specializations
raise_on_backend_change (2.1): delete it: compiled code is cached per backend, and a new backend compiles its
    own
specialize_int_float (2.0): use specialize_int and specialize_float
translation_validation (2.1): use torch.fx.experimental._config.translation_validation, or
    TORCHDYNAMO_TRANSLATION_VALIDATION=1
translation_validation_timeout (2.1): use torch.fx.experimental._config.translation_validation_timeout
    (milliseconds), or TORCHDYNAMO_TRANSLATION_VALIDATION_TIMEOUT
""")
