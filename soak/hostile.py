"""Files made to hang, crash or fool a reader, each within the limit of a megabyte."""

import struct

LIMIT = 2**20
QUOTES, SINGLE, BACKSLASH = '"' * 3, "'" * 3, "\\"


def lines(pattern: str, count: int) -> str:
    """Return numbered lines, as many as there is room for and *count* at most."""
    text = "".join(pattern.format(number) for number in range(count))[: LIMIT - 1]
    return text[: text.rfind("\n") + 1]


TOML = {
    "many unknown keys": lines("verbosee{} = 1\n", 2_000),
    "as many unknown keys as there is room for": lines("k{}=1\n", 200_000),
    "just as many keys as are counted": lines("k{}=1\n", 24_900),
    "just as many keys as are read": lines("verbosee{}=1\n", 5_000),
    "just as many tables as are counted": lines("[a{}]\n", 49_000),
    "just as many arrays of tables": lines("[[a]]\n", 49_000),
    "a text of many lines": f"debug_dir_root = {QUOTES}" + "x = 1\n" * 4_000 + f"{QUOTES}\nverbose=1",
    "a text of all lines": f"debug_dir_root = {QUOTES}" + "x\n" * 500_000 + QUOTES,
    "a key of many parts": ".".join(["a"] * 20_000) + "=1",
    "a key of all parts": ".".join(["a"] * 500_000) + "=1",
    "a key of quoted parts": ".".join(['"a"'] * 250_000) + "=1",
    "a key of quoted dots": "a." + '"....".' * 9_000 + "b=1",
    "a table of many parts": "[" + ".".join(["a"] * 20_000) + "]",
    "an inline key of many parts": "a={" + ".".join(["a"] * 20_000) + "=1}",
    "tables of some parts": lines("[" + ".".join(["a"] * 30) + ".b{}]\n", 14_000),
    "keys of some parts": lines(".".join(["a"] * 30) + ".b{}=1\n", 14_000),
    "keys of a few parts": lines("a.b.c.d.e{}=1\n", 6_000),
    "keys of as many parts as weigh nothing": ".".join(["a"] * 500) + "=1",
    "an array": "recompile_limit = [" + "1," * 500_000 + "]",
    "just as many items as are counted": "recompile_limit = [" + "1," * 49_900 + "]",
    "an array of names": "ignore_logging_functions = [" + "".join(f"'a:b{n}'," for n in range(49_000)) + "]",
    "tables in an array": "a=[" + "{}," * 340_000 + "]",
    "open arrays": "a=" + "[" * 500_000,
    "nested arrays": "a=" + "[" * 400 + "]" * 400,
    "open tables": "a=" + "{a=" * 49_000,
    "a number in hexadecimal digits": "optimize_ddp = 0x" + "f" * 3_600,
    "a number in all hexadecimal digits": "optimize_ddp = 0x" + "f" * 1_000_000,
    "a number in decimal digits": "optimize_ddp = " + "9" * 1_000_000,
    "numbers just as long as are read": lines("a{} = " + "9" * 4_200 + "\n", 240),
    "a number in digits after the point": "repro_tolerance = 1." + "1" * 1_000_000,
    "comments": "#\n" * 49_000,
    "backslashes": 'a = "' + BACKSLASH * 1_000_000 + '"',
    "escaped quotes": f"a = {QUOTES}" + f'""{BACKSLASH}"' * 200_000 + QUOTES,
    "characters by number": 'a = "' + r"\u0041" * 160_000 + '"',
    "a text without end": 'a = "' + "x" * 1_000_000,
    "a long text without end": f"a = {SINGLE}" + "''x" * 300_000,
    "texts that only begin": "." * 600 + (BACKSLASH + QUOTES + " " * 16 + "\n") * 49_000,
    "texts that begin at every key": "a.b.c." * 200 + (SINGLE + "x" * 10) * 60_000,
    "spaces": "a" + " " * 1_000_000 + "= 1",
    "nothing but spaces": " " * 1_000_000,
    "spaces in brackets": ("[ " * 500 + "tool . \n") * 1_000,
    "a word": "a" * 1_000_000,
    "dates": "a = [" + "1979-05-27T07:32:00Z," * 45_000 + "]",
    "rules": 'debug_backend_override = "' + "0:eager;" * 120_000 + '"',
    "a rule of many filters": 'debug_backend_override = "' + "0-1," * 49_000 + '0:eager"',
    "a rule without a value": 'debug_dynamo_config_override = "0:' + "a" * 1_000_000 + '"',
    "a path": 'debug_dir_root = "' + "a" * 1_000_000 + '"',
    "a choice": 'repro_after = "' + "aot" * 300_000 + '"',
    "what is missing": 'missing = "' + "x" * 1_000_000 + '"',
    "escape sequences": '"\\u001b[2J\\u0007\\u202e\\n" = "\\u001b]0;x\\u0007"\n[functorch]\n"a\\nb" = 1',
    "a program": 'debug_inductor_config_override = ">=0:cpp.cxx=/path/evil.sh"',
}

JSON = {
    "a key that comes twice": "{" + ",".join(f'"k{n}":1' for n in range(20_000)) + ',"k0":2}',
    "keys": "{" + ",".join(f'"k{n}":1' for n in range(80_000)) + "}",
    "just as many keys as are counted": "{" + ",".join(f'"k{n}":1' for n in range(24_900)) + "}",
    "keys with escapes": "{" + ",".join('"' + r"\\" * 30 + f'{n}":1' for n in range(14_000)) + "}",
    "open objects": '{"a":' * 49_000,
    "open arrays": "[" * LIMIT,
    "flags of a state": '{"dynconf":1,"flags":{'
    + ",".join(f'"verbosee{n}":{{"value":1}}' for n in range(24_000))
    + "}}",
    "entries of a state": '{"dynconf":1,' + ",".join(f'"k{n}":1' for n in range(24_000)) + "}",
    "digits": '{"recompile_limit":' + "9" * 1_000_000 + "}",
    "an array": '{"recompile_limit":[' + "1," * 49_000 + "1]}",
    "a dict of many keys": '{"compiled_autograd_kwargs_override":{'
    + ",".join(f'"k{n}":1' for n in range(24_000))
    + "}}",
    "a dict of arrays": '{"compiled_autograd_kwargs_override":{"a":[' + "[]," * 49_000 + "1]}}",
    "a deep dict": '{"compiled_autograd_kwargs_override":' + '{"a":' * 900 + "1" + "}" * 901,
    "not a number": '{"recompile_limit": NaN, "repro_tolerance": Infinity}',
    "halves of characters": '{"a":"' + r"\ud800" * 170_000 + '"}',
    "spaces": "{" + " " * 1_000_000 + "}",
    "names": '{"ignore_logging_functions":[' + ",".join(f'"a:b{n}"' for n in range(49_000)) + "]}",
}


def text(content: bytes) -> bytes:
    """Return pickle's opcode for a text."""
    return b"X" + struct.pack("<I", len(content)) + content


VERBOSE = text(b"verbose")
SET = b"c__builtin__\nset\n"
NESTED = b")" + b"\x85" * 90_000

PICKLES = {
    "a key of nested tuples": b"}" + NESTED + b"Ns",
    "a member of nested tuples": b"}" + VERBOSE + SET + b"](" + NESTED + b"e\x85Rs",
    "hashes that double": b"})" + b"q\x00h\x00\x86" * 20 + b"Ns",
    "a list in itself": b"}" + VERBOSE + b"]q\x00h\x00as",
    "a dict in itself": b"}q\x00" + VERBOSE + b"h\x00s",
    "lists that double": b"}" + VERBOSE + b"]" + b"q\x00(h\x00h\x00t" * 40 + b"s",
    "many sets of one list": b"}"
    + VERBOSE
    + b"]("
    + SET
    + b"q\x01]q\x02("
    + b"K\x01" * 30_000
    + b"e\x85R"
    + b"h\x01h\x02\x85R" * 8_000
    + b"es",
    "opcodes without end": b"N" * 200_000,
    "marks": b"(" * 90_000,
    "a long number": b"}" + VERBOSE + b"\x8a\xff" + b"\x7f" * 255 + b"s",
    "a longer number": b"}" + VERBOSE + b"\x8b" + struct.pack("<I", 500_000) + b"\x7f" * 500_000 + b"s",
    "a memo of gigabytes": b"}r\xff\xff\xff\xff" + VERBOSE + b"Ns",
    "a text that is not there": b"}X\xff\xff\xff\x7f",
    "a name without end": b"c" + b"a" * 500_000,
    "a set type as a value": b"}" + VERBOSE + SET + b"s",
    "a set from a tuple": b"}" + VERBOSE + SET + b")\x85Rs",
    "a set from two lists": b"}" + VERBOSE + SET + b"]]\x86Rs",
    "pairs that do not fit": b"}(NNNu",
    "items for a dict": b"}(NNe",
    "a frame": b"}\x95\x05\0\0\0\0\0\0\0",
    "text after the end": b"}.}",
    "two values": b"}}",
    "a function": b"}" + VERBOSE + b"cos\nsystem\nX\x04\x00\x00\x00true\x85Rs",
    "a class": b"}" + VERBOSE + b"cfractions\nFraction\ns",
    "an extension": b"}" + VERBOSE + b"\x82\xf0s",
    "an object built": b"}" + VERBOSE + b"cos\nsystem\n)\x81}bs",
}
"""Bodies of pickles of protocol 2, without beginning and end."""
