"""The lines of an exception that tell people the cause."""

from dynconf.doctor.failure import in_one_line, key_lines


def test_a_short_message_is_shown_whole():
    """The class comes first; empty lines are left out; an exception without a message is its class."""
    assert key_lines(ValueError("one\n\n  two  ")) == ["ValueError: one", "  two"]
    assert key_lines(ValueError()) == ["ValueError"]


def test_of_a_long_message_the_first_and_the_last_lines_are_shown():
    """The first line names the failed step, the last ones the reason."""
    error = RuntimeError("\n".join(f"line {number}" for number in range(20)))
    assert key_lines(error, 4) == ["RuntimeError: line 0", "...", "line 18", "line 19"]
    assert in_one_line(error) == "RuntimeError: line 0 ... line 19"


def test_torchs_own_wrapping_and_advice_are_left_out():
    """The original exception is shown in place of Dynamo's wrapper, without torch's advice."""
    wrapper = RuntimeError("backend raised")
    wrapper.inner_exception = KeyError("the reason")
    assert key_lines(wrapper) == ["KeyError: 'the reason'"]
    advice = "Set TORCHDYNAMO_VERBOSE=1 for the internal stack trace"
    assert key_lines(RuntimeError(f"it broke\n\n{advice}\nand more")) == ["RuntimeError: it broke"]
