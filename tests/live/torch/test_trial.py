"""The trial of a module in a torch newer than the catalogue, on those that dynconf knows."""

import pytest
from conftest import fresh_config
from live_state import LIMIT, config

from dynconf.live.torch.internals import RecordStorage

records_only = pytest.mark.skipif(not RecordStorage.fits(config()), reason="torch 2.4 and 2.5 have dicts")


@records_only
def test_known_shapes_pass_and_stay_as_they_were():
    """Whatever is set meanwhile: a trial leaves the module, its class and its caches alone."""
    with fresh_config() as module:  # in which nothing has ever been installed
        setattr(module, LIMIT, 5)
        storage = RecordStorage(module)
        accesses = [storage.access(name) for name in storage.records]
        module.get_hash()  # which stores copies of containers

        def state():
            records = [dict(vars(each)) for each in storage.records.values()]
            overrides = [each.read() for each in accesses]
            return records, overrides, type(module), dict(vars(module)), module.get_hash()

        before = state()
        assert storage.is_as_known()
        assert state() == before


@records_only
def test_a_record_that_cannot_be_replaced_does_not_pass(monkeypatch):
    """Torch would go on reading its own, past what is installed."""
    monkeypatch.setattr(RecordStorage, "replace_override", lambda *_: None)
    with fresh_config() as module:
        assert not RecordStorage(module).is_as_known()
