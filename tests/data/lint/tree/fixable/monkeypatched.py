import pytest
from torch._dynamo import config

with pytest.MonkeyPatch.context() as monkeypatch:
    monkeypatch.setattr(config, "recompile_limit", 64)  # dynconf: ignore[DC316]  # found: DC303*
    monkeypatch.setattr("torch._dynamo.config.recompile_limit", 32)  # dynconf: ignore[DC316]  # found: DC303*
