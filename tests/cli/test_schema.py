"""``dynconf schema``."""

import json

from dynconf.tools.show.schema import settings_schema


def test_it_prints_the_schema(run_cli):
    """As JSON, on stdout, whatever the environment says."""
    done = run_cli("schema")
    assert (done.code, done.err) == (0, "")
    assert json.loads(done.out) == settings_schema()
