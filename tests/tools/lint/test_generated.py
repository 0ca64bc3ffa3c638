"""Tests of `dynconf.lint` on generated programs: old names are found once, and nothing else is touched.

A generated program has ``@OLD@`` wherever it uses a flag by its old name, and the old name itself wherever it
means something else. So the program before the fix and the one after it are both known, byte for byte.
"""

import ast
import re
import sys
from pathlib import Path

from hypothesis import assume, given
from hypothesis import strategies as st

from dynconf.release import Release
from dynconf.tools.lint.files import read_source
from dynconf.tools.lint.sites import Source

RELEASES = [Release.named("2.13")]
START = "import torch, torch._dynamo.config as _c; from unittest import mock as _m\n"

FORMS = r"""
_c.@OLD@ = 4
_c.@OLD@ += 4
_c.@OLD@: int = 4
print('é', _c . @OLD@, "cache_size_limit")
x = y = _c.@OLD@
a, _c.@OLD@ = 1, 2
(_c.@OLD@, *b) = z
_c \
    .@OLD@ = 3
print(_c
  .@OLD@)
_c.patch(@OLD@=1)
_c.patch({'é': 1, '@OLD@': 1})
_c.patch("@OLD@", 1)
_c.patch(  # cache_size_limit=1
    verbose=True, @OLD@ = 1,
)
setattr(_c, '@OLD@', {'cache_size_limit': 1})
getattr(_c, "@OLD@")
monkeypatch.setattr(_c, '@OLD@', 1)
_m.patch('torch._dynamo.config.@OLD@', 1)
_m.patch.object(_c, '@OLD@', 1)
torch._dynamo.config.@OLD@ = cache_size_limit
if (w := _c.@OLD@) > 1: pass
x = [lambda: _c.@OLD@, {i: _c.@OLD@ for i in y if _c.@OLD@}]
x[_c.@OLD@].cache_size_limit = _c.@OLD@
x = _c.@OLD@ if cache_size_limit else f(*_c.@OLD@, **{'k': _c.@OLD@})
assert _c.@OLD@, '''
cache_size_limit = 1'''
import torch._dynamo.config as _d; _d.@OLD@ = 2
async def f(cache_size_limit): await _c.@OLD@
def f(p=_c.@OLD@, *, cache_size_limit=_c.@OLD@): yield _c.@OLD@
class C(B, m=_c.@OLD@): cache_size_limit = _c.@OLD@
x = f'{_c.@INSIDE@:>{_c.@INSIDE@}} _c.cache_size_limit'
x = f'''é {_c.@INSIDE@!r}
_c.cache_size_limit {f"{_c.@INSIDE@}"}'''
""".strip()

OTHERS = r"""
cache_size_limit = 4
other.cache_size_limit = 4
'cache_size_limit'; "_c.cache_size_limit = 1"
# _c.cache_size_limit = 4
x = '_c.cache_size_limit', b'\x00', r'\d', '\N{BULLET}\u2028 é'
f(cache_size_limit=1)
def cache_size_limit(): pass
from other import cache_size_limit
global cache_size_limit
x: 'cache_size_limit' = ...
[a, [b, *c]] = {}, {*()}, [*x], (yield)
raise E from None
pass
""".strip()

HEADS = r"""
if _c.@OLD@:
if cache_size_limit: pass;
for cache_size_limit in _c.@OLD@:
while not _c.@OLD@:
with _c.patch(@OLD@=2), open('é') as f:
with (open(_c.@OLD@) as f, g):
async with a as b:
async for a in b:
def f(x, /, y: int = 2, *z, w, **v) -> int:
async def f():
class C:
@_c.patch(@OLD@=1)
match _c.@OLD@:
try:
""".strip()

if sys.version_info >= (3, 12):
    FORMS += "\ntype T[U] = _c.@OLD@\nx = f'{f'{_c.@INSIDE@}'} {_c.@INSIDE@ # cache_size_limit\n}'"
    OTHERS += "\ntype cache_size_limit = int"
    HEADS += "\ndef f[T: int](x: T):\nclass C[T]:"


def pieces(texts):
    """Yield the statements of a text; a line that does not begin one belongs to the last."""
    found = []
    for line in texts.split("\n"):
        is_rest = found and not complete(found[-1])
        found[-1:] = [f"{found[-1]}\n{line}"] if is_rest else [*found[-1:], line]
    return st.sampled_from(found)


def complete(statement):
    """Tell whether a statement, or the head of one, ends here."""
    body = {"@": "\ndef f(): pass", "m": "\n case _: pass", "t": " pass\nfinally: pass"}
    is_head = statement.endswith(":") or statement.startswith("@")
    try:
        ast.parse(
            statement.replace("@OLD@", "o").replace("@INSIDE@", "o")
            + body.get(statement[0], " pass") * is_head
        )
    except SyntaxError:
        return False
    return True


SIMPLE = st.one_of(pieces(FORMS), pieces(OTHERS))
COMMENTS = st.sampled_from(["", "", "  # é _c.cache_size_limit = 1", "\t", " ;" + " " * 2000])


@st.composite
def suites(draw, indent="", depth=0):
    """Draw a block as lines, with this indentation."""
    lines = []
    for _ in range(draw(st.integers(1, 4))):
        if depth < 3 and draw(st.integers(0, 3)) == 0:
            lines += draw(compounds(indent, depth))
        else:
            statement = draw(SIMPLE)
            is_block = statement.startswith(("async ", "def ", "class ", "if "))
            if not is_block and "#" not in statement and draw(st.booleans()):
                statement = f"x = 'é'; {statement}"
            ends_freely = "#" not in statement and not is_block
            lines.append(indent + statement + (draw(COMMENTS) if ends_freely else ""))
    return lines


@st.composite
def compounds(draw, indent, depth):
    """Draw a statement with a block in it."""
    head, inner = draw(pieces(HEADS)), indent + draw(st.sampled_from([" ", "    ", "\t", "\t "]))
    body = draw(suites(inner, depth + 1))
    if head.startswith("@"):
        return [indent + head, f"{indent}def decorated():", *body, f"{inner}pass"]
    if head.startswith("match"):
        deeper = draw(suites(f"{inner} ", depth + 1))
        return [indent + head, f"{inner}case [1, {{'é': _}}, *_] if _c.@OLD@:", *deeper, f"{inner} pass"]
    if head == "try:":
        return [indent + head, *body, f"{inner}pass", f"{indent}except (A, B) as e:", *body, f"{inner}pass"]
    if head.endswith(";"):
        return [indent + head]
    return [indent + head, *body, f"{inner}pass"]


@st.composite
def programs(draw):
    """Draw a program with placeholders, and the way in which its lines end."""
    lines = draw(suites())
    for number in draw(st.sets(st.integers(0, len(lines) - 1), max_size=3)):
        if not lines[number].startswith((" ", "\t")):
            lines[number] = "\f" + lines[number]
    end = draw(st.sampled_from(["\n", "\r\n", "\r"]))
    mark = draw(st.sampled_from(["", "\ufeff"]))
    return mark + (START + "\n".join(lines) + draw(st.sampled_from(["", "\n"]))).replace("\n", end)


def written(program, outside, inside):
    """Return a program with these names in its places, those in formatted strings on their own."""
    return program.replace("@OLD@", outside).replace("@INSIDE@", inside).encode()


def problems(content, name="any.py"):
    """Return the problems of a file with that content."""
    Path(name).write_bytes(content)
    source = read_source(name, RELEASES)
    return [*source.problems] if source else []


def is_python(content):
    """Tell whether Python parses it; a few combinations are none."""
    try:
        ast.parse(content)
    except SyntaxError:
        return False
    return True


def fixed(content, found):
    """Return the content with the replacements of these problems."""
    return Source("", content, tuple(found)).fixed()


@given(programs())
def test_old_names_are_found_once_and_nothing_else_is_touched(program):
    """In every form, at any depth, whatever else the program has in it."""
    before = written(program, "cache_size_limit", "cache_size_limit")
    assume(is_python(before))
    of_names = [each for each in problems(before) if each.code == "DC304"]
    assert len(of_names) == program.count("@OLD@") + program.count("@INSIDE@")
    after = fixed(before, of_names)
    either = "(?:cache_size_limit|recompile_limit)"  # until 3.12, Python does not say where these are
    pattern = re.escape(written(program, "recompile_limit", "@INSIDE@")).replace(b"@INSIDE@", either.encode())
    assert re.fullmatch(pattern, after)
    assert fixed(after, problems(after)) == after


LINES = st.sampled_from(
    [
        "export @NAME@=1",
        "@NAME@=1 TORCHDYNAMO_SUPRESS_ERRORS=0 python x.py  # TORCHDYNAMO_SUPRESS_ERRORS=1",
        "# @SAME@=1",
        "é='ü' ; @NAME@=1",
        "docker run --env=@NAME@=1 --env @NAME@=1 -e @NAME@=1",
        "\t@NAME@='1' \\",
    ]
)


@given(st.lists(LINES), st.sampled_from(["\n", "\r\n", "\r"]))
def test_variables_of_scripts_are_replaced_in_their_places(lines, end):
    """And in no comment, and not where the right name would mean something else."""
    script = end.join(lines).replace("@SAME@", "TORCHDYNAMO_SUPRESS_ERRORS")
    before = script.replace("@NAME@", "TORCHDYNAMO_SUPRESS_ERRORS").encode()
    after = script.replace("@NAME@", "TORCHDYNAMO_SUPPRESS_ERRORS").encode()
    assert fixed(before, problems(before, "run.sh")) == after
    assert fixed(after, problems(after, "run.sh")) == after


@given(
    st.binary(max_size=300), st.sampled_from(["a.py", "a.sh", "a.yaml", "a.ipynb", "Dockerfile", "a.toml"])
)
def test_no_content_is_too_strange(content, name):
    """Whatever it is, it is read, or there is one finding."""
    for start in (b"torch._dynamo ", b"#!/usr/bin/python\ntorch._dynamo\n", b"ENV TORCHDYNAMO_X="):
        found = problems(start + content, name)
        assert fixed(start + content, []) == start + content
        assert len(found) <= 1 or all(each.code != "DC300" for each in found)
