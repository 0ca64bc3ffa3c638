"""What the tests of the settings models share: an ordinary model, the measure of them."""

import pytest
from pydantic import AliasChoices, Field
from pydantic_settings import BaseSettings


class Ordinary(BaseSettings):
    """A model as anybody would write it, with a few of the same fields and variables."""

    recompile_limit: int = Field(
        8, ge=0, validation_alias=AliasChoices("recompile_limit", "TORCHDYNAMO_RECOMPILE_LIMIT")
    )
    verbose: bool = Field(False, validation_alias=AliasChoices("verbose", "TORCHDYNAMO_VERBOSE"))


@pytest.fixture
def ordinary() -> type[BaseSettings]:
    """The ordinary model."""
    return Ordinary
