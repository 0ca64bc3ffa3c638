"""The place through which all writes of other code pass."""

from types import ModuleType

from live_state import interrupted_at_each_line

from dynconf.live.torch import door


def test_a_listener_that_was_interrupted_is_complete_the_next_time(monkeypatch):
    """Ctrl-C in the first installation must not leave assignments unrecorded for the rest of the process."""

    class Kind(ModuleType):
        def __setattr__(self, name, value):
            super().__setattr__(name, value)

    monkeypatch.setattr(door, "config_classes", lambda: [Kind])

    def listener(_write):
        return None

    for _ in interrupted_at_each_line(lambda: door.listen(listener), KeyboardInterrupt):
        door.listen(listener)
        assert listener in door._listeners
        assert Kind in door._doors
        door.ignore(listener)
        door._doors.discard(Kind)
    door.ignore(listener)
    door._doors.discard(Kind)
