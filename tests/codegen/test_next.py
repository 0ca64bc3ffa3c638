"""Taking a release out of the catalogue again, for `make next`."""

from run_next import without

TOPIC = '''
DESCRIPTIONS = """
kept: Stays.
    With details.
new: Goes.
    With details.
new_too:
    Goes, too.
new_kept: Stays.
"""

FACTS = {
    "kept": Facts(type=Int()),
    "new_too": Facts(
        type=Bool(),
    ),
}
'''


def test_a_topic_without_the_flags_of_a_release() -> None:
    """Their descriptions and handwritten facts are gone, and nothing else."""
    assert (
        without(TOPIC, {"new", "new_too"})
        == '''
DESCRIPTIONS = """
kept: Stays.
    With details.
new_kept: Stays.
"""

FACTS = {
    "kept": Facts(type=Int()),
}
'''
    )
