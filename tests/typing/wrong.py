"""What type checkers must refuse: exactly the lines marked ``# error``; run by ``tests/test_typing.py``."""

import dynconf
from dynconf.store.snapshot import Snapshot

dynconf.patch(verify_corectness=True)  # error
dynconf.patch(recompile_limit="8")  # error
dynconf.patch(recompile_limit=8)
dynconf.patch(recompile_limit=None)  # error
dynconf.patch(verbose=1)  # error
dynconf.patch(verbose="yes")  # error
dynconf.patch(optimize_ddp="ddp_optimiser")  # error
dynconf.patch(numpy_default_float="float8")  # error
dynconf.patch(reorderable_logging_functions=[print])  # error
dynconf.patch("verbose")  # error
dynconf.patch(1, True)  # error
dynconf.patch({"verbose": True}, verbose=True)  # error
dynconf.patch(base_dir="/")  # error

dynconf.DynamoSettings(recompile_limit="8")  # error
dynconf.DynamoSettings(recompile_limit=8)
dynconf.DynamoSettings(verify_corectness=True)  # error
dynconf.DynamoSettings(_missing="ignore")  # error
dynconf.DynamoSettings().recompile_limit = "8"  # error
dynconf.DynamoSettings().install(scope="thread")  # error

dynconf.install(recompile_limit="8")  # error
dynconf.install(verify_corectness=True)  # error
dynconf.install(verify_correctness=True)

dynconf.install(functorch={"donated_bufer": False})  # error
dynconf.patch(functorch={"donated_buffer": 1})  # error
dynconf.patch(donated_buffer=False)  # error
dynconf.functorch.patch(recompile_limit=8)  # error
dynconf.functorch.patch(donated_buffer="no")  # error
dynconf.functorch.install(recompile_limit=8)  # error
dynconf.functorch.Settings(recompile_limit=8)  # error
dynconf.DynamoSettings(functorch={"donated_buffer": False})  # error

dynconf.InductorSettings(triton={"cudagrafs": True})  # error
dynconf.InductorSettings(triton={"cudagraphs": 1})  # error
dynconf.InductorSettings(triton=3)  # error
dynconf.InductorSettings.Triton(cudagraphs="yes")  # error
dynconf.InductorSettings().triton.cudagraphs = "yes"  # error
dynconf.InductorSettings().triton.cudagrafs  # error
dynconf.inductor.patch(triton={"cudagraphs": 1})  # error
dynconf.CompileSettings(dynamo={"verbos": True})  # error
dynconf.CompileSettings(inductor=3)  # error
dynconf.CompileSettings().inductor.install(scope="thread")  # error

dynconf.DynamoFlags(verbos=True)  # error
dynconf.DynamoFlags(_config="dynconf.toml")  # error
dynconf.InductorFlags(triton={"cudagraphs": 1})  # error
dynconf.CompileFlags(dynamo=3)  # error

dynconf.inductor.options(max_autotun=True)  # error
dynconf.inductor.options(max_autotune="yes")  # error
dynconf.inductor.options(max_autotune=True)
dynconf.inductor.options(triton={"cudagraph": True})  # error
dynconf.inductor.options(missing="ignore")  # error
dynconf.inductor.options(mode=3)  # error
dynconf.inductor.options(3)  # error
dynconf.inductor.options({"max_autotune": True}, max_fusion_size=7)  # error
dynconf.inductor.options(use_aoti="yes")  # error
dynconf.dynamo.options()  # error

dynconf.at_least("64")  # error
dynconf.install(3)  # error
dynconf.fingerprint(3)  # error
dynconf.diff({"verbose": True}, 3)  # error
dynconf.DynamoSettings.from_data(["verbose"])  # error
Snapshot(3)  # error
dynconf.DynamoSettings(recompile_limit=dynconf.at_least(64), verbose=dynconf.at_least(1))  # error

dynconf.reset(1)  # error
dynconf.origin(1)  # error
dynconf.pach(verbose=True)  # error


@dynconf.patch(verbose=True)
def decorated(x: int) -> str:
    return str(x)


decorated("1")  # error
decorated(1).real  # error
