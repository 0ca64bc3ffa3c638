"""The place through which all writes of other code pass."""

from types import ModuleType

from live_state import interrupted_at_each_line

from dynconf.live.torch import door


class Kind(ModuleType):
    """As a class of torch's config modules."""

    def __setattr__(self, name, value):
        super().__setattr__(name, value)


def test_a_listener_that_was_interrupted_hears_each_write_once_the_next_time(monkeypatch):
    """Ctrl-C in the first installation leaves no assignment unrecorded, nor any recorded twice."""
    monkeypatch.setattr(door, "config_classes", lambda: [Kind])
    monkeypatch.setattr(door, "_listeners", [])
    assign = Kind.__setattr__
    for _ in interrupted_at_each_line(lambda: door.listen(print), KeyboardInterrupt):
        door.listen(print)
        assert door._listeners == [print]
        assert Kind.__setattr__.__wrapped__ is assign
        door._listeners.clear()
        Kind.__setattr__ = assign
    Kind.__setattr__ = assign
