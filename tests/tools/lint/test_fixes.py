"""Tests of `dynconf.lint` on what it fixes: a program does afterwards what it did before."""

import contextlib
import io
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dynconf.release import Release
from dynconf.tools.lint.files import read_source

pytestmark = [pytest.mark.real_torch, pytest.mark.since("2.8")]

START = """
import functools
from torch._dynamo import config
key, options = "@NAME@", {"@NAME@": 3}
def show(shown=None):
    print(shown, config.@NAME@)
""".lstrip()

STATEMENTS = """
config.@NAME@ = 5
config.@NAME@ += 1
show(config.@NAME@)
with config.patch(@NAME@=6): show()
with config.patch(@NAME@=6, verbose=True): show(config.verbose)
with config.patch(@NAME@=6, @OTHER@=7): show()
with config.patch({"@NAME@": 6, "@OTHER@": 7}): show()
with config.patch("@NAME@", 6): show()
with config.patch(options): show(options)
with config.patch(**options): show()
with config.patch({"@NAME@": 6, **options}): show()
with config.patch({**options, "@NAME@": 6}): show()
with config.patch(@NAME@=6, **options): show()
with config.patch(dict(@NAME@=6)): show()
with config.patch(dict(options, @NAME@=6)): show()
with functools.partial(config.patch, {"@NAME@": 6})(): show()
prepared = functools.partial(config.patch, @NAME@=6); show(prepared.keywords)
with functools.partial(config.patch, @NAME@=6)(@OTHER@=7): show()
options = {"@NAME@": 4}
options["@NAME@"] = 8
options.pop("@OTHER@", None)
show(options["@NAME@"])
show({each: options[each] for each in ("@NAME@",)})
key = "@NAME@"
setattr(config, "@NAME@", 9)
setattr(config, key, options[key])
setattr(config, key, options.get(key, 10))
for key in ["@NAME@"]: show((key, getattr(config, key)))
for key, value in {"@NAME@": 11}.items(): setattr(config, key, value); show(key)
show(f"{config.@NAME@=}, {config.@NAME@}")
show([each for each in dir(config) if each == "@NAME@"])
show(getattr(config, "@NAME@", None))
if hasattr(config, "@NAME@"): config.@NAME@ = 12
show(config.@NAME@ if hasattr(config, "@OTHER@") else config.@OTHER@)
exec("config.@NAME@ = 13")
""".strip().splitlines()

OLD, NEW = "cache_size_limit", "recompile_limit"
NAMES = st.sampled_from([OLD, OLD, OLD, NEW])


@st.composite
def programs(draw):
    """Draw a program that uses a flag by its old name, or by both."""
    statements = [START, *draw(st.lists(st.sampled_from(STATEMENTS), min_size=1, max_size=6))]
    named = [each.replace("@NAME@", draw(NAMES)).replace("@OTHER@", draw(NAMES)) for each in statements]
    return "\n".join(named)


def behaviour(program):
    """Return what a program prints, the error that ends it, and the value that it leaves."""
    from torch._dynamo import config

    shown, error = io.StringIO(), None
    with config.patch({NEW: 8}), contextlib.redirect_stdout(shown):
        try:
            exec(compile(program, "program", "exec"), {})  # noqa: S102  its statements are above
        except (AssertionError, AttributeError, KeyError, SyntaxError, TypeError) as caught:
            error = type(caught)
        left = config.recompile_limit
    return shown.getvalue(), error, left


@given(programs())
@settings(deadline=None)
def test_programs_do_the_same_after_their_fixes(tmp_path_factory, program):
    """Whatever other way they have to see the name: a dict, a loop, a partial, a text that is printed."""
    path = Path(tmp_path_factory.getbasetemp(), "program.py")
    path.write_text(program, encoding="utf-8")
    source = read_source(str(path), [Release.named("2.13")])
    after = source.fixed() if source else program.encode()
    assert behaviour(after.decode()) == behaviour(program)
