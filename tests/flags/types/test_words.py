"""Words in one text."""

import pytest
from strategies import accepts

from dynconf.flags.types import Mismatch, Words

BACKENDS = Words(("ATEN", "TRITON", "CPP"))


@pytest.mark.parametrize("text", ["ATEN", "aten, Triton", "CPP,ATEN"])
def test_words_count_in_any_case_and_order(text: str) -> None:
    """As torch reads them; the text is kept as it is."""
    assert BACKENDS.check(text) == text


@pytest.mark.parametrize("value", ["", "ATEN,", "CUDA", ["ATEN"], None])
def test_what_is_not_such_a_text(value: object) -> None:
    """An empty word is none of them."""
    assert not accepts(BACKENDS, value)


def test_a_misspelt_word_is_suggested() -> None:
    """Torch itself would say nothing, and use the other ones."""
    with pytest.raises(Mismatch, match="did you mean 'TRITON'"):
        BACKENDS.check("ATEN,TRITTON")
    assert BACKENDS.expected == "any of ATEN, TRITON, CPP, separated by commas"
    assert BACKENDS.choices == ("ATEN", "TRITON", "CPP")
