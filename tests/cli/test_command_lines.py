"""Command lines: which of them mean the same, and which are refused, with the option and the reason."""

import shlex

import pytest

from dynconf.cli import group

SAME = [
    ["dump -t 2.6", "dump -t2.6", "dump --torch 2.6", "dump --torch=2.6"],
    ["dump --changed -a", "dump --all --changed", "dump -aa --changed"],
    ["dump", "dump --", "dump --format text", "dump -f text"],
    ["dump verbose", "dump -- verbose", "dump verbose --", "dump -ftext verbose", "dump verbose -ftext"],
    ["dump a b --topic", "dump a --topic b", "dump --topic a b", "dump --topic -- a b"],
    ["dump -s a=1 -s b=2", "dump --set=a=1 -sb=2"],
    ["dump --config a.toml --trust", "dump --trust --config=a.toml", "dump --trust --trust --config a.toml"],
    ["dump -l '*limit*'", "dump '*limit*' --live"],
    ["explain dynamic shapes", "explain -- dynamic shapes"],
    ["check . -t 2.6 -t 2.13", "check -t2.6 --torch=2.13 -- ."],
    ["dump -o x.json -a -l", "dump -lao x.json", "dump --output=x.json --all --live"],
    ["verify -d cpu -b eager -v", "verify --backend=eager --verbose --device cpu", "verify -vdcpu -beager"],
    ["compare m.py:make -n 3", "compare -n3 m.py:make", "compare m.py:make --iterations=3 --optimizer"],
    ["compare m.py:make --no-optimizer", "compare m.py:make --optimizer --no-optimizer"],
    ["run prog.py", "run -- prog.py"],
    ["run -s a=1 prog.py -s b=2", "run -sa=1 prog.py -s b=2", "run --set=a=1 -- prog.py -s b=2"],
    ["run -m pkg.setup -x", "run -- -m pkg.setup -x"],
    ["run -c pass --audit", "run -- -c pass --audit"],
    ["run --audit -mpkg.setup", "run --audit -- -mpkg.setup"],
    ["run -s -c prog.py", "run -s-c prog.py"],
    ["run prog.py -- -x", "run -- prog.py -- -x"],
    ["run prog.py --help"],
]
"""Command lines that mean the same, in each list; a command that stands alone is only accepted."""

WRONG = {
    "dump --torch": "'--torch' requires an argument",
    "dump -f xml": "'xml' is not one of 'text', 'json', 'toml', 'env', 'fish', 'python'",
    "dump --chnaged": "Did you mean",
    "dump --form json": "--format",  # options are not abbreviated
    "dump --changed=1": "'--changed' does not take a value",
    "dump --no-changed": "--changed",
    "dump -x": "No such option",
    "dump -t 2.6 --torch 2.13": "'--torch' is given twice",
    "dump -t=2.6": "'=2.6' is not a torch release",
    "dump -s=verbose=1": "--set '=verbose=1': expected FLAG=VALUE",
    "dump --torch 9.9": "torch 9.9 is not in the catalogue",
    "dump -- --set": "there is no flag '--set'",
    "dump --live --torch 2.6": "choose one",
    "dump --live --set verbose=1": "choose one",
    "dump --live --missing skip": "choose one",
    "dump --set recompile_limit=-1": "--set recompile_limit=-1",
    "check absent": "absent does not exist: expected a file or a folder",
    "check . --threads a": "leave out the PATH",
    "check --fix": "--fix and --diff are for files",
    "check -f toml": "'toml' is not one of 'text', 'json', 'github', 'sarif'",
    "lint .": "'dynconf lint' is now 'dynconf check PATH'",
    "init extra": "unexpected extra argument (extra)",
    "diff": "compares two files",
    "diff a b c": "compares two files",
    "diff a b --live": "compares two files",
    "diff a --torch 2.6 --torch 2.7": "compares two files",
    "diff a --live --torch 2.6": "compares two files",
    "dump --live --from blob": "choose one",
    "dump --from blob --config x.toml": "choose one",
    "dump --from blob --set verbose=1": "choose one",
    "dump --from blob --defaults 2.8": "choose one",
    "dump --from blob --pins": "--pins is for --live",
    "dump --defaults 2.8 --live": "choose one",
    "dump --defaults 2.8 --set verbose=1": "choose one",
    "dump --defaults 2.8 --torch 2.8": "--torch is neither for --live nor for --defaults",
    "init --schema --force": "it takes no option but --output",
    "report audit.jsonl --live": "an AUDIT takes no options",
    "report --all": "an AUDIT takes no options",
    "save x.json": "'dynconf save' is now 'dynconf dump -o FILE'",
    "save --help": "'dynconf save' is now 'dynconf dump -o FILE'",
    "help env": "'dynconf env' is now 'dynconf dump --format env'",
    "schema": "'dynconf schema' is now 'dynconf init --schema'",
    "backends --try": "'dynconf backends' is now 'dynconf verify --list, or verify --try'",
    "audit logs": "'dynconf audit' is now 'dynconf report FILE'",
    "compare m.py:make --bisect": "is now 'dynconf bisect ... -- dynconf compare'",
    "compare": "Missing argument 'MODULE:FACTORY'",
    "run": "there is no program to run",
    "run --audit -s": "'-s' requires an argument",
    "run --set verbose=1": "there is no program to run",
    "run -m": "expected a module",
    "run -c": "expected code",
    "run -x prog.py": "No such option",
    "run -- -x prog.py": "there is no option -x",
    "run --mode max-autotune prog.py": "`dynconf explain mode`",
    "run --audti prog.py": "--audit",
    "run --config a --config b prog.py": "'--config' is given twice",
    "nonsense": "No such command 'nonsense'; try 'dynconf --help'",
    "help nonsense": "No such command 'nonsense'",
    "dumb": "Did you mean 'dump'?",
    "DUMP": "Did you mean 'dump'?",
    "--verson": "--version",
    "--changed dump": "No such option",
    "dump help": "there is no flag 'help'",
    "--show-completion tcsh": "'tcsh' is not one of 'bash', 'zsh', 'fish'",
}
"""Command lines that are refused, with the reason."""


def parsed(line: str) -> tuple[str, dict[str, object]]:
    """Return the command that *line* names, and its parameters."""
    name, *words = shlex.split(line)
    command = group.get_command(group.make_context("dynconf", [name]), name)
    return name, command.make_context(name, words).params


@pytest.mark.parametrize("lines", SAME, ids=lambda lines: lines[0])
def test_these_mean_the_same(lines: list[str]) -> None:
    """Options may stand anywhere before a lone ``--``, long or short, with their values joined or not."""
    expected = parsed(lines[0])
    for line in lines:
        assert parsed(line) == expected, line


@pytest.mark.parametrize(("line", "reason"), WRONG.items())
def test_these_are_refused(run_cli, line: str, reason: str) -> None:
    """In one line on stderr that names the option and the reason, with exit code 2."""
    said = run_cli(*shlex.split(line)).refused()
    assert reason in said
    assert said.startswith("dynconf: error: ")
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    "line", ["--help", "-h", "help", "help dump", "dump -h", "dump verbose --help", "-V"]
)
def test_help_may_be_asked_for_anywhere(run_cli, line: str) -> None:
    """It goes to stdout, with exit code 0."""
    done = run_cli(*shlex.split(line))
    assert (done.code, done.err) == (0, "")
    assert done.out
