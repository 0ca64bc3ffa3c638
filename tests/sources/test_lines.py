"""Lines of entries: what the one-pass scanners find is what the parsers themselves confirm, slowly."""

import functools
import json
import re
import sys
import time

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dynconf.sources.lines import Lines, json_lines, line_of, toml_lines

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

Paths = dict[tuple[str, ...], int]


def key_paths(data: object, *above: str, arrays: bool = True) -> set[tuple[str, ...]]:
    """Return the paths of all keys in *data*, those in arrays too unless told otherwise."""
    if isinstance(data, list) and arrays:
        return set().union(*(key_paths(item, *above) for item in data))
    if not isinstance(data, dict):
        return set()
    paths = {(*above, key) for key in data}
    return paths.union(*(key_paths(value, *above, key, arrays=arrays) for key, value in data.items()))


def scanned_paths(lines: Lines, *above: str) -> set[tuple[str, ...]]:
    """Return the paths of all keys that a scanner has found."""
    paths = {(*above, key) for key in lines}
    return paths.union(*(scanned_paths(below, *above, key) for key, (_, below) in lines.items()))


def toml_oracle(text: str) -> Paths:
    """Return the line of each key outside arrays.

    The text up to the end of a line is valid only if that does not cut a statement. So a key that is not in
    the valid text before a line, but is in the next longer one, belongs to the statement on that line.
    """
    found: Paths = {}
    lines = text.split("\n")
    begins = 1
    for count in range(1, len(lines) + 1):
        try:
            data = tomllib.loads("\n".join(lines[:count]) + "\n")
        except tomllib.TOMLDecodeError:
            continue
        for path in key_paths(data, arrays=False) - found.keys():
            found[path] = begins
        begins = count + 1
    return found


def json_oracle(text: str) -> Paths:
    """Return the line of each key: what looks like one is one if its name can be replaced in the data."""
    found: Paths = {}
    keys = re.compile(r'"(?:[^"\\]|\\.)*"(?=\s*:)')
    for start in range(len(text)):
        key = keys.match(text, start)
        if not key:
            continue
        try:
            data = json.loads(text[:start] + '"PROBE"' + text[key.end() :])
        except ValueError:
            continue
        for path in key_paths(data, arrays=False):
            if path[-1] == "PROBE":
                found[(*path[:-1], json.loads(key[0]))] = text.count("\n", 0, start) + 1
    return found


def agrees(text: str, data: object, lines: Lines, truth: Paths) -> None:
    """Assert that the scanner found the line of every key outside arrays, and no key that is not there."""
    assert {path: line_of(lines, path) for path in truth} == truth, text
    assert scanned_paths(lines) <= key_paths(data), text


KEYS = st.sampled_from(
    ["a", "b", "c-1", "2", "'a'", '"b"', "'x.y'", '"#"', '"\\u0061"', '"\\""', '"\'"', "'\"'", "''", "d_e"]
)
GAPS = st.sampled_from(["", " ", "\t "])


@st.composite
def dotted_keys(draw: st.DrawFn) -> str:
    """Return a key of one part or more."""
    parts = draw(st.lists(KEYS, min_size=1, max_size=3))
    return f"{draw(GAPS)}.{draw(GAPS)}".join(parts)


SCALARS = st.sampled_from(
    [
        "1",
        "true",
        "1979-05-27 07:32:00",
        "-inf",
        '"text # [ { = \\" \\\\"',
        "'literal \\ # ]'",
        '""',
        "''",
        '""""""',
        "''''''",
        '"""""two quotes"""""',
        '"""\na = 1\n[b]\n"""',
        '"""one "quote" \\""" \\\\""""',
        '"""\\\n  [c]\n  """',
        "'''\n[a]\n'b' = ''2''\n'''''",
        "'''\\'''",
    ]
)


def containers(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Return arrays over several lines, and inline tables."""
    breaks = st.sampled_from(["", " ", "\n", "  # ] }\n", "\r\n"])
    arrays = st.tuples(st.lists(st.tuples(breaks, inner, breaks).map("".join), max_size=3), breaks).map(
        lambda parts: f"[{','.join(parts[0])}{parts[1]}]"
    )
    pairs = st.lists(st.tuples(KEYS, inner), max_size=3, unique_by=lambda pair: pair[0])
    return arrays | pairs.map(lambda pairs: "{" + ", ".join(f"{key} = {value}" for key, value in pairs) + "}")


VALUES = st.recursive(SCALARS, containers, max_leaves=5)
STATEMENTS = st.one_of(
    st.tuples(dotted_keys(), GAPS, st.just("="), GAPS, VALUES).map("".join),
    st.tuples(st.just("["), GAPS, dotted_keys(), GAPS, st.just("]")).map("".join),
    st.tuples(st.just("[["), GAPS, dotted_keys(), GAPS, st.just("]]")).map("".join),
    st.sampled_from(["", "# a = 1", "#", "\t"]),
)
LINES = st.tuples(GAPS, STATEMENTS, st.sampled_from(["", " ", " # [a]", "#\"'", "\r"])).map("".join)


@settings(max_examples=400)
@given(st.lists(LINES, max_size=8), st.booleans())
def test_toml_statements_are_found_where_the_parser_finds_them(statements, ends_with_newline):
    """Comments, all kinds of strings, arrays, inline tables, dotted and quoted keys, headers of tables."""
    kept: list[str] = []
    for statement in statements:  # leave out what contradicts an earlier one
        try:
            tomllib.loads("\n".join([*kept, statement, ""]))
        except tomllib.TOMLDecodeError:
            continue
        kept.append(statement)
    assume(kept)
    text = "\n".join(kept).rstrip("\r") + "\n" * ends_with_newline
    agrees(text, tomllib.loads(text), toml_lines(text), toml_oracle(text))


@pytest.mark.parametrize(
    ("text", "path", "line"),
    [
        ("a = 1\nb = 2", "b", 2),
        ("\n# b = 1\n\n  b=2", "b", 4),
        ("[t]\nb = 1\n[u]\nb = 2", "u b", 4),
        ("[[t]]\nx = 1\n[[t]]\nb = 2", "t b", 4),
        ("t.u.b = 1\n", "t u b", 1),
        ("a = 1\nt = {u = {b = 1}}", "t u b", 2),
        ('s = """\nb = 1\n"""\nb = 2', "b", 4),
        ("s = [\n 'b', # ]\n [1]]\nb = 2", "b", 4),
        ("'b c' . d = 1", "b c", 1),
        ("b = 1", "c", None),
        ("", "b", None),
        ("# b = 1", "b", None),
    ],
)
def test_the_line_of_a_toml_entry(text, path, line):
    """A key in an inline table has the line on which its statement begins."""
    assert line_of(toml_lines(text), path.split(" ") if path != "b c" else ["b c"]) == line


SPACES = st.sampled_from(["", " ", "\n", "\r\n", " \n\n "])
JSON_KEYS = st.sampled_from(["a", "b", "", '"', "a:b", "\\", '"a": 1', "\n", "{", "ä"])


@st.composite
def json_texts(draw: st.DrawFn, depth: int = 3) -> str:
    """Return JSON with white space wherever it may be."""
    kind = draw(st.sampled_from(["object", "array", "scalar"] if depth else ["scalar"]))
    space = functools.partial(draw, SPACES)
    if kind == "object":
        keys = draw(st.lists(JSON_KEYS, unique=True, max_size=3))
        members = [
            f"{space()}{json.dumps(key, ensure_ascii=draw(st.booleans()))}{space()}:{space()}"
            f"{draw(json_texts(depth - 1))}{space()}"
            for key in keys
        ]
        return "{" + (",".join(members) or space()) + "}"
    if kind == "array":
        items = draw(st.lists(json_texts(depth - 1), max_size=3))
        return f"[{','.join(items)}{space()}]"
    return draw(st.sampled_from(["1", "null", '"a"', '"\\"b\\": 1"', '"{[\\\\"', '"}"']))


@given(json_texts())
def test_json_keys_are_found_where_the_parser_finds_them(text):
    """By their path; a text that only speaks of a key does not count."""
    agrees(text, json.loads(text), json_lines(text), json_oracle(text))


@pytest.mark.parametrize(
    "text",
    [
        "\n" * 500_000,
        "# c\n" * 100_000,
        "a = '''\n" + "b = 1\n" * 80_000 + "'''",
        'a = """' + '\\" "" ' * 80_000 + '"""',
        "a = [" + "'x', [], " * 50_000 + "]",
        "a = [\n" + "1, # ]\n" * 60_000 + "]",
        "".join(f"k{number} = 1\n" for number in range(40_000)),
        ".".join("k" * 200) + " = 1",
        "a = [",
    ],
    ids=lambda text: text[:12],
)
def test_time_is_linear_in_the_text(text):
    """Texts of half a megabyte that repeat one thing take a fraction of a second each."""
    start = time.process_time()
    toml_lines(text)
    assert time.process_time() - start < 1


def test_json_time_is_linear_in_the_text():
    """Nested, long and full of escapes."""
    start = time.process_time()
    for text in ('{"a":' * 50_000 + "1" + "}" * 50_000, '{"' + '\\"' * 200_000 + '": 1}', "[" * 300_000):
        json_lines(text)
    assert time.process_time() - start < 1.5
