"""The effect of flags on compiled code, compared with the code that torch generates."""

import re

import pytest

import dynconf
from dynconf.catalogue.modules import MODULES, catalogue
from dynconf.catalogue.names import find
from dynconf.release import Release

OTHERS = {
    "inductor.enabled_metric_tables": "kernel_metadata",
    "inductor.sleep_sec_TESTING_ONLY": 1,
    "inductor.size_asserts": False,
}
"""Values for flags that are not of type bool, and for one that does change the code."""


def compiled_code(flags: dict[str, object]) -> str:
    """Return the code that Inductor generates for a small function, but for the number of the graph."""
    import torch
    from torch._inductor.utils import run_and_get_code

    torch._dynamo.reset()
    # Neither tries out vector instructions nor compiles torch's headers in advance.
    fast = {"inductor.cpp.vec_isa_ok": False, "inductor.cpp_cache_precompile_headers": False}
    with dynconf.patch({name: fast[name] for name in fast if find(name, Release.at_hand())} | flags):
        function = torch.compile(lambda x: (x.sin() + 1).sum())
        _, code = run_and_get_code(function, torch.ones(8))
    return re.sub(r"AOT ID: .*", "", "\n".join(code))


@pytest.mark.real_torch
@pytest.mark.filterwarnings("ignore::DeprecationWarning:torch")
def test_flags_that_leave_the_code_as_it_is(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    """To the letter, for each flag whose record says so; another flag does change it."""
    pytest.importorskip("torch._inductor.utils", reason="needs all of torch")
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(tmp_path / "cache"))
    plain = compiled_code({})
    found = [
        setting
        for module in MODULES
        for flag in catalogue(module).flags.values()
        if flag.same_code and (setting := find(flag.qualified, Release.at_hand()))
    ]
    assert len(found) >= 6
    for setting in found:
        value = OTHERS.get(setting.newest, not setting.default_value())
        assert compiled_code({setting.newest: value}) == plain, setting.newest
    assert compiled_code({"inductor.size_asserts": False}) != plain


def test_effects() -> None:
    """The word of torch that a flag is in no key is enough; passes are in keys in another form."""
    effects = {
        "inductor.verbose_progress": "nothing",
        "inductor.debug": "debugging",
        "inductor.epilogue_fusion": "code",
        "inductor.compile_threads": "nothing",
        "inductor.post_grad_custom_pre_pass": "code",
        "specialize_float": "code",
        "recompile_limit": "nothing",
    }
    release = Release.named("2.13")
    assert {name: find(name, release).effect for name in effects} == effects
