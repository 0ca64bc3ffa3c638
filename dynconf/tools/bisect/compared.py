"""A search over `compare`: which flags of the control side make it differ from the base side."""

from dynconf.errors import InvalidValueError
from dynconf.state import State
from dynconf.store.snapshot import live_state
from dynconf.tools.bisect.space import Space
from dynconf.tools.bisect.trials import Run
from dynconf.tools.doctor.compare import SIDE_FLAGS
from dynconf.tools.doctor.comparison import Comparison


def space_of_sides(base: State, control: State) -> Space:
    """Return the differences between two sides of a comparison, as far as flags make them.

    The good state has torch's defaults with the flags of the base side. The bad one has the flags in force,
    such as those of torch's variables, with the flags of the control side.

    Raises:
        InvalidValueError: There are none.
    """
    in_force = live_state().only_set().select(lambda setting: setting.newest not in SIDE_FLAGS)
    space = Space(base, in_force.with_entries(control))
    if not space.differences:
        raise InvalidValueError(
            "--bisect: no flag is set for the control side: set some with --set-control or torch's variables,"
            " or have those of a file in force with dynconf run -m dynconf compare"
        )
    return space


def run_of(comparison: Comparison) -> Run:
    """Return a comparison as a run: it is bad if the sides differ."""
    return Run("good") if comparison.ok else Run("bad", note=comparison.summary)
