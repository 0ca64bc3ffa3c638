"""Flags that moved from one config module to another: the same file and call mean the same on every torch."""

from pathlib import Path

import pytest
from pydantic import ValidationError

from dynconf import CompileSettings, InductorFlags, InductorSettings
from dynconf.catalogue.modules import catalogue
from dynconf.live.binding import bind
from dynconf.release import RELEASES, Release
from dynconf.settings import CompilerSettings

FLAG = "compiler.force_disable_caches"
BEFORE = "inductor.force_disable_caches"
SOURCES = ["call", "older call", "file", "older file", "torch's variable"]


bind("compiler")  # which reads the variable once, while it is imported


def given(source, monkeypatch):
    """Set the flag in that way; return the keywords of the call."""
    if source == "torch's variable":
        monkeypatch.setenv("TORCHINDUCTOR_FORCE_DISABLE_CACHES", "1")
    elif source.endswith("file"):
        module = "inductor" if source.startswith("older") else "compiler"
        Path("dynconf.toml").write_text(f"[{module}]\nforce_disable_caches = true\n")
    else:
        return {"inductor" if source.startswith("older") else "compiler": {"force_disable_caches": True}}
    return {}


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("source", SOURCES)
def test_it_is_a_field_of_the_newer_module(source, release, monkeypatch):
    """In every release, from every source; the state has the name of the release."""
    settings = CompileSettings(_torch=release, **given(source, monkeypatch))
    assert settings.compiler.force_disable_caches is True
    assert settings.model_fields_set == {"compiler"}
    assert settings.model_dump(exclude_unset=True) == {"compiler": {"force_disable_caches": True}}
    is_older = "force_disable_caches" in catalogue("inductor").at(Release.named(release)).settings
    assert [each.qualified for each in settings.as_state()] == [BEFORE if is_older else FLAG]


@pytest.mark.parametrize("release", ["2.6", "2.13"])
@pytest.mark.parametrize("source", SOURCES[2:])
def test_the_settings_of_each_module_read_their_own(source, release, monkeypatch):
    """Those of the older module leave it alone, those of the newer have it."""
    given(source, monkeypatch)

    class Ours(CompilerSettings):
        rate: float = 0.1

    for model in (CompilerSettings, Ours):
        assert model(_torch=release).force_disable_caches is True
    assert InductorSettings(_torch=release).model_fields_set == set()


@pytest.mark.parametrize("release", ["2.6", "2.13"])
def test_a_call_for_the_older_module_is_told_of_the_newer(release):
    """Once, and of models that read as much."""
    with pytest.raises(ValidationError, match=r"use dynconf\.compiler\.Flags, or dynconf\.CompileFlags"):
        InductorFlags(force_disable_caches=True)
    with pytest.raises(
        ValidationError, match=r"is not a flag of inductor: use dynconf\.compiler\.Settings, or"
    ) as refused:
        InductorSettings(_torch=release, force_disable_caches=True)
    assert refused.value.error_count() == 1


def test_it_is_put_in_force_where_it_is():
    """By its newest name."""
    with CompileSettings(inductor={"force_disable_caches": True}).install() as installation:
        assert installation.changes == {FLAG: True}
