"""What type checkers must accept; run by ``tests/test_typing.py``."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

from pydantic_settings import BaseSettings
from typing_extensions import Unpack, assert_type

import dynconf
from dynconf.catalogue.flags.flag import Flag
from dynconf.live.install import Installation, Scope
from dynconf.live.patch import Patch
from dynconf.provenance import Origin
from dynconf.settings import FunctorchSettings
from dynconf.state import Missing
from dynconf.store.diff import Change
from dynconf.store.snapshot import Snapshot

assert_type(dynconf.patch(verify_correctness=True), Patch)
assert_type(dynconf.patch({"verify_correctness": True, "recompile_limit": 8}), Patch)
assert_type(dynconf.patch("debug_dir_root", None), Patch)
assert_type(dynconf.patch(cache_size_limit=8), Patch)
assert_type(dynconf.patch(optimize_ddp="python_reducer"), Patch)
assert_type(dynconf.patch(optimize_ddp=False, debug_dir_root=None), Patch)
assert_type(dynconf.patch(reorderable_logging_functions={print}), Patch)
assert_type(dynconf.patch(verbose=True).recompile(), Patch)
assert_type(dynconf.patch(recompile_limit=64, functorch={"donated_buffer": False}), Patch)
assert_type(dynconf.patch(debug_dir_root=Path("/tmp")), Patch)
assert_type(dynconf.functorch.patch(donated_buffer=False), Patch)
assert_type(dynconf.functorch.patch({"donated_buffer": False}), Patch)
assert_type(dynconf.functorch.patch("donated_buffer", False), Patch)
assert_type(dynconf.dynamo.patch(cache_size_limit=8), Patch)
assert_type(dynconf.inductor.patch(max_autotune=True, triton={"cudagraphs": True}), Patch)
assert_type(dynconf.inductor.patch({"triton.cudagraphs": True}), Patch)
assert_type(dynconf.patch(inductor={"max_autotune": True, "triton.cudagraphs": True}), Patch)
assert_type(dynconf.inductor.options(), dict[str, Any])
assert_type(dynconf.inductor.options("max-autotune", max_fusion_size=7), dict[str, Any])
assert_type(dynconf.inductor.options("default", "skip", triton={"cudagraphs": True}), dict[str, Any])
assert_type(dynconf.inductor.options({"triton.cudagraphs": True}, mode="default"), dict[str, Any])
assert_type(dynconf.inductor.options(dynconf.InductorSettings(), missing="warn"), dict[str, Any])
assert_type(dynconf.inductor.options(guard_filter_fn=print, use_aoti=True), dict[str, Any])

with dynconf.patch(verbose=True) as patch:
    assert_type(patch.changes, dict[str, Any])


@dynconf.patch(verbose=True)
def plain(x: int, *, y: str = "") -> str:
    return y * x


@dynconf.patch(verbose=True)
async def coroutine(x: int) -> str:
    return str(x)


@dynconf.patch(verbose=True)
def generator(x: int) -> Iterator[int]:
    yield x


@dynconf.patch(verbose=True)
async def async_generator(x: int) -> AsyncIterator[int]:
    yield x


class Holder:
    @dynconf.patch(verbose=True)
    def method(self, x: int) -> bytes:
        return b"x" * x

    @dynconf.patch(verbose=True)
    @staticmethod
    def static(x: int) -> float:
        return float(x)


@dynconf.patch(verbose=True)
class TestSomething:
    def test_it(self) -> None:
        """Do nothing."""


async def awaits() -> None:
    assert_type(await coroutine(1), str)
    async for each in async_generator(1):
        assert_type(each, int)


assert_type(plain(1, y="a"), str)
assert_type(generator(1), Iterator[int])
assert_type(Holder().method(1), bytes)
assert_type(Holder.static(1), float)
assert_type(TestSomething(), TestSomething)

settings = dynconf.DynamoSettings(recompile_limit=8, cache_size_limit=8, optimize_ddp=True)
assert_type(settings.recompile_limit, int)
assert_type(settings.verbose, bool)
assert_type(settings.debug_dir_root, "str | None")
assert_type(settings.model_fields_set, set[str])
assert_type(settings.origins["verbose"], Origin)
settings.verbose = True
dynconf.DynamoSettings(_config="dynconf.toml", _torch="2.13", _missing="warn")
assert_type(settings.install(), Installation)
assert_type(settings.install("context"), Installation)
assert_type(settings.patch(), Patch)
with dynconf.install(recompile_limit=8, functorch={"donated_buffer": False}) as installation:
    assert_type(installation, Installation)
dynconf.install(scope="context", recompile_limit=8)
functorch = dynconf.functorch.Settings(donated_buffer=False, _torch="2.13")
assert_type(functorch.donated_buffer, bool)
assert_type(functorch.install(), Installation)
assert_type(dynconf.functorch.install(donated_buffer=False), Installation)
assert_type(dynconf.functorch.Settings, type[FunctorchSettings])
assert_type(dynconf.functorch.snapshot(), Snapshot)
assert_type(dynconf.functorch.origin("donated_buffer"), Origin)
assert_type(dynconf.functorch.FLAGS["donated_buffer"], Flag)
dynconf.functorch.reset("donated_buffer")
dynconf.patch(reorderable_logging_functions=frozenset({print}), skipfiles_inline_module_allowlist={})

inductor = dynconf.InductorSettings(max_autotune=True, triton={"cudagraphs": True})
assert_type(inductor.triton.cudagraphs, bool)
assert_type(inductor.triton, dynconf.InductorSettings.Triton)
dynconf.InductorSettings(triton=dynconf.InductorSettings.Triton(cudagraphs=True))
dynconf.inductor.patch(triton={"cudagraphs": True})
inductor.triton.cudagraphs = False
assert_type(dynconf.inductor.Settings, type[dynconf.InductorSettings])
assert_type(dynconf.patch(recompile_limit=3, inductor=inductor), Patch)
assert_type(dynconf.install(inductor=dynconf.snapshot()), Installation)
whole = dynconf.CompileSettings(dynamo={"verbose": True}, inductor=inductor, functorch={"cse": False})
assert_type(whole.inductor.triton.cudagraphs, bool)
assert_type(whole.dynamo, dynconf.DynamoSettings)
assert_type(whole.install("context"), Installation)
assert_type(whole.patch(), Patch)
assert_type(dynconf.CompileSettings.from_data({"verbose": True}), dynconf.CompileSettings)
assert_type(dynconf.fingerprint(whole), str)

flags = dynconf.InductorFlags(max_autotune=True, triton={"cudagraphs": True})
assert_type(flags.triton.cudagraphs, bool)
assert_type(flags.patch(), Patch)
assert_type(dynconf.DynamoFlags.model_validate_json("{}"), dynconf.DynamoFlags)
assert_type(dynconf.CompileFlags(dynamo={"verbose": True}).dynamo, dynconf.DynamoFlags)
assert_type(dynconf.CompileFlags.from_data({"verbose": True}), dynconf.CompileFlags)
accepts_flags: dynconf.DynamoFlags = settings

dynconf.DynamoSettings(_env_file=".env", _cli_parse_args=["--verbose", "1"])
assert_type(dynconf.DynamoSettings.from_data({"verbose": True}, origin="a.yaml"), dynconf.DynamoSettings)
assert_type(dynconf.DynamoSettings(cache_size_limit=dynconf.at_least(64)), dynconf.DynamoSettings)
assert_type(settings.model_copy(update={"verbose": True}), dynconf.DynamoSettings)
state = Snapshot({"verbose": True})
assert_type(state.torch, str)
for each_state in (settings, state):
    assert_type(dynconf.patch(each_state), Patch)
    assert_type(dynconf.install(each_state), Installation)
    assert_type(dynconf.fingerprint(each_state), str)
    assert_type(dynconf.diff(each_state, {"verbose": True}), list[Change])
    dynconf.save("a.json", each_state)
dynconf.install({"verbose": True})
dynconf.install("verbose", True)
dynconf.functorch.install(functorch)
assert_type(dynconf.FLAGS["verbose"].exists_in("2.6"), bool)


class Ours(dynconf.DynamoSettings):
    recompile_limit: int = 32
    rate: float = 0.1


class Triton(dynconf.InductorSettings.Triton):
    cudagraphs: bool = True


class Theirs(dynconf.InductorSettings):
    max_autotune: bool = True


assert_type(Triton(cudagraph_trees=False).cudagraphs, bool)
assert_type(Theirs(triton=Triton()).max_autotune, bool)
assert_type(Ours().recompile_limit, int)
assert_type(Ours(rate=0.5).rate, float)


class App(BaseSettings):
    dynamo: dynconf.DynamoSettings = dynconf.DynamoSettings()


assert_type(App().dynamo.verbose, bool)


def framework(
    scope: Scope, missing: Missing | None = None, **dynamo: Unpack[dynconf.FlagValues]
) -> Installation:
    return dynconf.install(scope=scope, missing=missing, **dynamo)


framework("process", recompile_limit=64, cache_size_limit=64, functorch={"cse": False})


async def asynchronous() -> None:
    async with dynconf.patch(verbose=True) as entered:
        assert_type(entered, Patch)


dynconf.reset()
dynconf.reset("verbose", "disable")
assert_type(dynconf.snapshot(), Snapshot)
assert_type(dynconf.origin("verbose"), Origin)
assert_type(dynconf.FLAGS["verbose"], Flag)
