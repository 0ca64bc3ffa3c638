"""The trial of a module in a torch newer than the catalogue, on those that dynconf knows."""

import pytest
from live_state import LIMIT, config, raw

import dynconf
from dynconf.live.torch.internals import RecordStorage

records_only = pytest.mark.skipif(not RecordStorage.fits(config()), reason="torch 2.4 and 2.5 have dicts")


@records_only
def test_known_shapes_pass_and_stay_as_they_were():
    """Whatever is set meanwhile: a trial leaves the module, its class and its caches alone."""
    setattr(config(), LIMIT, 5)
    with dynconf.patch(verify_correctness=True):
        hashed = config().get_hash()  # which stores copies of containers
        before, kind, contents = raw(), type(config()), dict(vars(config()))
        assert RecordStorage(config()).is_as_known()
        assert raw() == before
        assert (type(config()), dict(vars(config())), config().get_hash()) == (kind, contents, hashed)


@records_only
def test_a_record_that_cannot_be_replaced_does_not_pass(monkeypatch):
    """Torch would go on reading its own, past what is installed."""
    monkeypatch.setattr(RecordStorage, "replace_override", lambda *_: None)
    assert not RecordStorage(config()).is_as_known()
