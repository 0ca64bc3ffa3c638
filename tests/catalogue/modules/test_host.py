"""Defaults that torch derives from the machine."""

from pathlib import Path

import pytest

from dynconf.catalogue.modules.inductor import host
from dynconf.release import Release


@pytest.mark.parametrize(("release", "place"), [("2.8", "link"), ("2.9", "real")])
def test_a_torch_behind_a_link(release: str, place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Up to 2.8, torch leaves the link in the folder of CUTLASS; later ones follow it."""
    Path("real/torch").mkdir(parents=True)
    Path("link").symlink_to("real")
    monkeypatch.setattr(host, "torch_folder", lambda: str(Path("link/torch").absolute()))
    monkeypatch.setattr(Release, "at_hand", lambda: Release.named(release))
    assert host.DEFAULTS["cuda.cutlass_dir"].compute() == str(Path(place, "third_party/cutlass").absolute())
