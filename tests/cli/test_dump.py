"""Tests of ``dynconf dump``: the effective config with the origin of every value, in five formats."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import dynconf
from dynconf.catalogue.flags.flag import qualified
from dynconf.catalogue.modules import MODULES
from dynconf.catalogue.names import find, split
from dynconf.live.binding import bind
from dynconf.release import RELEASES, Release

FIXTURES = Path(__file__).parents[1] / "data" / "upstream"
FORMS = ("text", "json", "toml", "env", "python")

ODD = {
    "verbose": "yes",
    "recompile_limit": "64",
    "repro_tolerance": "1e-05",
    "optimize_ddp": "python_reducer",
    "dynamo_profiler": '/tmp/it\'s a "path" $(touch broken) `x` \\n é\x1b\x9b\nline',  # noqa: S108  only a text
    "debug_dir_root": "none",
    "repro_after": "aot",
    "automatic_dynamic_remote_pgo": "off",
    "reorderable_logging_functions": "builtins:print,logging:info",
    "allowed_functions_module_string_ignorelist": "a b,c",
    "compiled_autograd_kwargs_override": '{"fullgraph": true, "options": {"a": [1, "\'"]}}',
    "debug_backend_override": "0-5,>=10:eager;<3:inductor",
}
"""Options that set a flag of each type, some of them to texts that a shell or TOML must quote."""


def sets_of(release: Release) -> list[str]:
    """Return those options that set flags of the release."""
    odd = {name: raw for name, raw in ODD.items() if find(name, release)}
    return [word for name, raw in odd.items() for word in ("--set", f"{name}={raw}")]


SETS = sets_of(Release.named("2.13"))


@pytest.fixture(autouse=True)
def _on_one_release(monkeypatch, request):
    """Answer for the same release whatever torch the tests run on; those with the real one ask that."""
    for module in MODULES:
        bind(module)  # which asks for the release once and for all
    if not request.node.get_closest_marker("real_torch"):
        monkeypatch.setattr(Release, "at_hand", lambda: Release.named("2.13.0"))


def dump(run_cli, *words, code=0):
    """Run the command and return what it left, after a look at its exit code."""
    done = run_cli("dump", *words)
    assert done.code == code, done.err
    return done


def flags(run_cli, *words):
    """Return the flags of the JSON form."""
    done = dump(run_cli, *words, "--format", "json")
    whole = json.loads(done.out)
    assert set(whole) == {"dynconf", "torch", "flags"}
    assert whole["dynconf"] == 1
    return whole["flags"]


def shown_values(run_cli, *words):
    """Return the values of the JSON form."""
    return {name: entry["value"] for name, entry in flags(run_cli, *words).items()}


@pytest.mark.parametrize("release", RELEASES)
def test_the_defaults_of_a_release_are_its_real_ones(run_cli, release):
    """``--torch R --all`` has every flag of R's modules, by their newest names, and the values there."""
    modules = json.loads((FIXTURES / f"{release}.json").read_text())["modules"]
    upstream = {
        find(qualified(module, name), Release.named(release)).newest: facts
        for module in MODULES
        for name, facts in modules.get(module, {}).items()
        if "alias" not in facts
    }
    dumped = flags(run_cli, "--torch", release, "--all")
    assert set(dumped) == set(upstream)
    wrong = {}
    for name, facts in upstream.items():
        entry, default = dumped[name], facts.get("default")
        known = {"value": default, "default": default, "origin": {"kind": "default"}}
        if facts.get("depends_on"):  # on the machine, or on what is loaded
            del known["value"], known["default"]
        if not known.items() <= entry.items() or entry["value"] != entry["default"]:
            wrong[name] = (entry, known)
    assert wrong == {}
    assert (Path(dumped["base_dir"]["value"]) / "torch").is_dir()
    assert dumped["debug_dir_root"]["value"] == str(Path.cwd() / "torch_compile_debug")


@pytest.mark.real_torch
def test_live_is_what_dump_says(run_cli, tmp_path, warm):
    """In a clean environment ``--live --all`` has the live modules' flags, and says the same as without."""
    program = """
import sys
from dynconf.cli import main
sys.argv = ["dynconf", "dump", "--live", "--all", "--format", "json"]
try:
    main()
except SystemExit:
    pass
import torch._dynamo.config as config
aliases = {name for name, entry in config._config.items() if getattr(entry, "alias", None)}
print(*config._config.keys() - aliases - {"TYPE_CHECKING"}, file=sys.stderr)
"""
    # With a variable of its own, the config modules are executed in this folder, which a default contains.
    live = warm.run("-c", program, OF_THIS_TEST="1")
    said = dump(run_cli, "--all", "--format", "json")
    names = [find(name, Release.at_hand()).newest for name in live.stderr.splitlines()[-1].split()]
    assert {each for each in json.loads(live.stdout)["flags"] if split(each)[0] == "dynamo"} == set(names)
    wholes = [json.loads(live.stdout), json.loads(said.out)]
    if Release.at_hand().minor <= (2, 6):
        for each in wholes:  # the default is made of the attributes of torch.Tensor there
            del each["flags"]["_autograd_backward_strict_mode_banned_ops"]
    assert wholes[0] == wholes[1]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.real_torch
def test_live_shows_what_is_in_force(run_cli):
    """A patch around it, with the line that made it; of other modules, all of one that a pattern names."""
    with dynconf.patch(recompile_limit=99, functorch={"cse": False}):
        changed = flags(run_cli, "--live", "--changed")
        named = flags(run_cli, "--live", "functorch.*")
    assert list(changed) == ["recompile_limit", "functorch.cse"]
    entry = changed["recompile_limit"]
    assert (entry["value"], entry["origin"]["kind"], entry["origin"]["file"]) == (99, "patch", __file__)
    assert named["functorch.cse"]["value"] is False
    assert len(named) > 10


@pytest.mark.parametrize(
    ("setting", "flag", "value", "torch_reads"),
    [
        ("TORCHDYNAMO_SUPPRESS_ERRORS=0", "suppress_errors", False, True),
        ("TORCHDYNAMO_RECOMPILE_LIMIT=64", "recompile_limit", 64, 8),
        ("TORCH_COMPILE_CPROFILE=0", "cprofile", False, "0"),
        ("TORCHINDUCTOR_LAYOUT_OPTIMIZATION=true", "inductor.layout_optimization", True, False),
    ],
)
def test_what_bare_torch_would_read_differently_is_marked(
    run_cli, monkeypatch, setting, flag, value, torch_reads
):
    """In the text form beside the origin, in JSON as an entry of its own."""
    variable, _, raw = setting.partition("=")
    monkeypatch.setenv(variable, raw)
    entry = flags(run_cli, flag, "--torch", "2.13")[flag]
    assert entry["value"] is value or entry["value"] == value
    assert entry["torch_reads"] == torch_reads
    assert entry["origin"] == {"kind": "env", "name": variable, "raw": raw}
    line = dump(run_cli, flag, "--torch", "2.13").out.splitlines()[1]
    assert line.split()[:4] == [flag, repr(value), "environment", setting]
    assert line.endswith(f"! bare torch reads {torch_reads!r}")
    end = dump(run_cli, flag, "--torch", "2.13").out.splitlines()[-1]
    assert end == "! in force only with dynconf.install() or dynconf run"


def test_what_both_read_alike_is_not_marked(run_cli, monkeypatch):
    """Then there is no column for marks either."""
    monkeypatch.setenv("TORCHDYNAMO_VERBOSE", "1")
    monkeypatch.setenv("TORCHDYNAMO_SUPPRESS_ERRORS", "1")
    text = dump(run_cli, "--torch", "2.13").out
    assert text.splitlines()[0].split() == ["flag", "value", "origin"]
    assert "! bare torch" not in text
    assert not [
        entry for entry in flags(run_cli, "--torch", "2.13", "--all").values() if "torch_reads" in entry
    ]


def test_what_would_stop_torchs_import_is_bad_input(run_cli, monkeypatch):
    """``TORCHDYNAMO_REPRO_LEVEL=high`` is a ValueError to torch; here its row says so."""
    monkeypatch.setenv("TORCHDYNAMO_REPRO_LEVEL", "high")
    done = dump(run_cli, code=2)
    row = next(line for line in done.out.splitlines() if line.startswith("repro_level"))
    assert row.split()[1:5] == ["2", "default", "!", "'high'"]
    assert done.err == (
        "dynconf: error: repro_level: 'high' (from environment TORCHDYNAMO_REPRO_LEVEL=high) is not valid:"
        " expected a whole number from 1 to 4\n"
    )


def test_an_empty_variable_can_stop_torchs_import_too(run_cli, monkeypatch):
    """It counts as not set here, and is shown nevertheless; the mark says what bare torch does."""
    monkeypatch.setenv("TORCHDYNAMO_REPRO_LEVEL", "")
    done = dump(run_cli, "--torch", "2.13")
    entry = flags(run_cli, "repro_level", "--torch", "2.13")["repro_level"]
    assert (done.out.splitlines()[1].split()[:2], entry["value"]) == (["repro_level", "2"], 2)
    assert entry["torch_error"].startswith("ValueError: invalid literal for int()")
    assert "! bare torch: ValueError" in done.out


def test_each_source_is_an_origin(run_cli, monkeypatch):
    """File with line, variable, option; later ones win."""
    Path("dynconf.toml").write_text("\nverbose = true\nrecompile_limit = 1\nrepro_level = 1\n")
    monkeypatch.setenv("TORCHDYNAMO_RECOMPILE_LIMIT", "2")
    monkeypatch.setenv("TORCHDYNAMO_REPRO_LEVEL", "3")
    words = ("--changed", "--set", "repro_level=4")
    assert shown_values(run_cli, *words) == {"recompile_limit": 2, "repro_level": 4, "verbose": True}
    found = {name: entry["origin"] for name, entry in flags(run_cli, *words).items()}
    file = {"kind": "file", "name": "verbose", "raw": "True", "file": str(Path("dynconf.toml").absolute())}
    assert found["verbose"] == {**file, "line": 2}
    assert found["recompile_limit"]["kind"] == "env"
    assert found["repro_level"] == {"kind": "option", "name": "repro_level", "raw": "4"}
    text = dump(run_cli, *words).out
    limit = "environment TORCHDYNAMO_RECOMPILE_LIMIT=2"
    assert all(part in text for part in ("dynconf.toml:2 ", limit, "option --set repro_level=4"))
    assert "beats 1 (dynconf.toml:3)" in text  # whoever reads 2 wants to know what became of the file
    assert "beats 3 (environment TORCHDYNAMO_REPRO_LEVEL=3); beats 1 (dynconf.toml:4)" in text


def test_config_replaces_the_search(run_cli):
    """A TOML or JSON file; one that is not there is bad input."""
    Path("dynconf.toml").write_text("verbose = true\n")
    Path("other.json").write_text('{"disable": true}')
    assert list(flags(run_cli, "--changed", "--config", "other.json")) == ["disable"]
    assert "no_such.toml cannot be read" in dump(run_cli, "--config", "no_such.toml", code=2).err
    assert ". cannot be read: it is not a regular file" in dump(run_cli, "--config", ".", code=2).err


def test_missing_says_what_to_do_about_flags_of_other_releases(run_cli):
    """An error, a warning on stderr, or nothing."""
    Path("dynconf.toml").write_text("generate_pycode = true\n")
    words = ("--torch", "2.6", "--changed", "--format", "json")
    assert "it was added in torch 2.13" in dump(run_cli, *words, code=2).err
    warned = dump(run_cli, *words, "--missing", "warn")
    assert warned.err.startswith("dynconf: warning: 'generate_pycode' is not in torch 2.6.0 yet")
    assert dump(run_cli, *words, "--missing", "skip").err == ""


def test_a_flag_that_does_nothing_is_shown_if_it_is_set(run_cli, monkeypatch):
    """One that is set in any case, with a warning if it does nothing."""
    monkeypatch.setenv("TORCHDYNAMO_DYNAMIC_SHAPES", "0")
    done = dump(run_cli, "--torch", "2.13", "--changed")
    assert done.out.splitlines()[1].startswith("dynamic_shapes")
    assert done.err.startswith("dynconf: warning: dynamic_shapes does nothing in torch 2.13.0")


def test_what_a_flag_implies_is_shown_with_it(run_cli):
    """As --live shows it: torch 2.15 has these values whatever sets the flags."""
    words = ("--set", "inductor.numerics=strict", "--set", "inductor.emulate_precision_casts=0", "--torch")
    flags = json.loads(run_cli("dump", "--format", "json", *words, "2.15").out)["flags"]
    implied = [name for name, each in flags.items() if each["origin"]["kind"] == "implication"]
    assert [name.rpartition(".")[2] for name in implied] == [
        "disable_ftz",
        "division_rounding",
        "emulate_precision_casts",
    ]
    assert all(flags[name]["value"] is True for name in implied)
    older = json.loads(run_cli("dump", "--format", "json", *words, "2.14").out)["flags"]
    assert older["inductor.emulate_precision_casts"]["value"] is False


@pytest.mark.parametrize("form", ["text", "json", "toml", "python"])
def test_without_arguments_it_is_what_is_set(run_cli, form):
    """In every form, as `save` writes it; a flag that bare torch reads otherwise is shown, too."""
    assert json.loads(dump(run_cli, "--format", "json").out)["flags"] == {}
    assert dump(run_cli, "--format", "env").out == ""
    words = ("--set", "verbose=1", "--format", form)
    assert dump(run_cli, *words).out == dump(run_cli, *words, "--changed").out
    assert "verbose" in dump(run_cli, *words).out
    assert "repro_level" not in dump(run_cli, *words).out


def test_the_defaults_are_counted(run_cli):
    """With the way to see them; a pattern and --all leave nothing to count."""
    count = sum(split(name)[0] == "dynamo" for name in flags(run_cli, "--all"))
    seen = "flags of dynamo have the default of torch 2.13.0; `dynconf dump --all` shows them\n"
    assert dump(run_cli).out == f"nothing is set\n{count} {seen}"
    assert dump(run_cli, "--set", "verbose=1").out.endswith(f"\n{count - 1} other {seen}")
    for words in (["--all"], ["verbose"], ["*limit*"], ["--format", "toml"]):
        assert "have the default" not in dump(run_cli, *words).out


def test_a_piped_table_has_whole_cells_in_columns(run_cli):
    """Also of a long value; the mark that all rows share stands below, and no line ends in spaces."""
    Path("dynconf.toml").write_text(f'verbose = true\nreorderable_logging_functions = ["{"a" * 99}:b"]\n')
    header, functions, verbose, *rest = dump(run_cli).out.splitlines()
    assert f"{'a' * 99}:b" in functions
    assert functions.index("dynconf.toml:2") == verbose.index("dynconf.toml:1") == header.index("origin")
    assert all(line == line.rstrip() for line in (header, functions, verbose, *rest))


def test_other_modules_are_shown_where_they_are_set_or_named(run_cli, monkeypatch):
    """By their full names; a glob that matches them, or the name itself, shows those that are not set too."""
    words = ("--set", "functorch.donated_buffer=false", "--set", "verbose=1")
    assert list(flags(run_cli, *words, "--changed")) == ["verbose", "functorch.donated_buffer"]
    named = flags(run_cli, "inductor.*")
    assert {"inductor.max_autotune", "inductor.triton.cudagraphs"} <= set(named)
    assert {name.partition(".")[0] for name in named} == {"inductor"}
    assert list(flags(run_cli, "functorch.donated_buffer")) == ["functorch.donated_buffer"]
    assert {"verbose", "functorch.donated_buffer"} < set(flags(run_cli, "*"))
    assert "donated_buffer is a functorch flag" in dump(run_cli, "donated_buffer", code=2).err
    assert flags(run_cli) == {}
    monkeypatch.setenv("TORCHINDUCTOR_MAX_AUTOTUNE", "1")
    assert list(flags(run_cli)) == ["inductor.max_autotune"]


def test_patterns_choose_flags(run_cli):
    """Any of them, but no internal flags and no-ops; what matches nothing is named with a suggestion."""
    assert {"dynamic_shapes", "base_dir"}.isdisjoint(flags(run_cli, "*"))
    assert set(flags(run_cli, "repro_*", "verbose")) >= {"repro_level", "repro_after", "verbose"}
    assert "verbose" not in flags(run_cli, "repro_*")
    assert list(flags(run_cli, "verb*", "repro_level", "--changed", "--set", "verbose=1")) == ["verbose"]
    done = dump(run_cli, "verify_corectness", "log_level", "zzz*", "verbose", code=2)
    assert done.out == ""
    assert [line.partition(":")[0] for line in done.err.splitlines()] == ["dynconf"] * 3
    assert "did you mean 'verify_correctness'?" in done.err
    assert "'log_level' is gone" in done.err


@pytest.mark.parametrize("form", FORMS)
def test_every_form_can_hold_every_default(run_cli, form):
    """Without anything on stderr but what is left out, and why, and which variables bare torch ignores."""
    for words in ((), ("--all",), ("--changed",), ("--torch", "2.4"), ("--torch", "2.15", "--all")):
        done = dump(run_cli, "--format", form, *words)
        for line in done.err.splitlines():
            assert line.startswith("dynconf: note: ")
            assert "is left out: " in line or "note: bare torch does not read " in line


@pytest.mark.parametrize("release", RELEASES)
def test_toml_of_a_release_is_a_settings_file_of_that_release(run_cli, release):
    """With the names that it uses; all defaults, no-op flags too, come back."""
    before = shown_values(run_cli, "--torch", release, "--all")
    Path("dynconf.toml").write_text(dump(run_cli, "--torch", release, "--all", "--format", "toml").out)
    assert shown_values(run_cli, "--torch", release, "--all") == before


def test_json_is_a_state_file(run_cli):
    """Given as --config it gives the same values back."""
    done = dump(run_cli, *SETS, "--format", "json", "--changed")
    Path("state.json").write_text(done.out, encoding="utf-8")
    assert shown_values(run_cli, "--config", "state.json", "--trust") == shown_values(run_cli, *SETS)


def test_env_is_for_a_real_shell(run_cli, tmp_path):
    """Read by ``sh``, whatever is in the texts, it gives the same effective config."""
    before = shown_values(run_cli, *SETS)
    Path("exports.sh").write_text(dump(run_cli, *SETS, "--format", "env").out, encoding="utf-8")
    line = ["sh", "-c", '. ./exports.sh && exec "$@"', "sh", sys.executable, "-m", "dynconf", "dump"]
    line += ["--torch", "2.13", "--format", "json"]
    done = subprocess.run(line, capture_output=True, text=True, check=True, encoding="utf-8")
    assert {name: entry["value"] for name, entry in json.loads(done.stdout)["flags"].items()} == before
    assert {path.name for path in tmp_path.iterdir()} == {"exports.sh"}


@pytest.mark.parametrize("release", RELEASES)
def test_env_of_a_release_sets_that_release(run_cli, monkeypatch, release):
    """The names of the variables are those of the release's own flags."""
    words = ("--torch", release, "--set", "recompile_limit=64", "--set", "suppress_errors=1")
    for line in dump(run_cli, *words, "--format", "env").out.splitlines():
        name, _, raw = line.removeprefix("export ").partition("=")
        monkeypatch.setenv(name, raw)
    assert shown_values(run_cli, "--torch", release) == {"recompile_limit": 64, "suppress_errors": True}


@pytest.mark.real_torch
@pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::dynconf.DynconfWarning")
@pytest.mark.parametrize(
    "words", [[*sets_of(Release.at_hand()), "--changed"], ["--all"]], ids=["what is set", "every flag"]
)
def test_python_runs_on_bare_torch(run_cli, words):
    """The program sets the values; sets are sorted, objects are imported, dynconf is not."""
    out = dump(run_cli, *words, "--format", "python").out
    assert "import torch._dynamo.config\n" in out
    assert "dynconf" not in out
    assert out == dump(run_cli, *words, "--format", "python").out
    with dynconf.preserve():
        exec(compile(out, "dumped.py", "exec"), {})  # noqa: S102  the program is what is tested
        flags = json.loads(dump(run_cli, *words, "--format", "json").out)["flags"]
        live = dynconf.snapshot().as_state()
        found = {each.newest: each.type.to_data(value) for each, (value, _) in live.items() if each.public}
    settable = found.keys() & flags.keys()
    assert len(settable) >= len(sets_of(Release.at_hand())) // 2
    assert {name: found[name] for name in settable} == {name: flags[name]["value"] for name in settable}


def test_objects_are_names(run_cli):
    """Nothing is imported for a dump, and a user's own module need not be there."""
    name = "reorderable_logging_functions"
    found = shown_values(run_cli, name, "--set", f"{name}=no_such_module_of_mine:log")
    assert found == {name: ["no_such_module_of_mine:log"]}
    assert "no_such_module_of_mine" not in sys.modules


def test_a_file_is_shown_as_it_is_seen_from_here(run_cli, tmp_path):
    """Where it lies in the working directory, with its key if it is an old name; JSON has the whole path."""
    (tmp_path / "dynconf.toml").write_text("verbose = true\ncache_size_limit = 64\n")
    limit, verbose = run_cli("dump").out.splitlines()[1:3]
    assert "dynconf.toml:2 (cache_size_limit)" in limit
    assert " dynconf.toml:1 " in verbose
    assert "(verbose)" not in verbose
    assert "from dynconf.toml:1 (verbose)" in run_cli("explain", "verbose").out
    origin = json.loads(run_cli("dump", "verbose", "-f", "json").out)["flags"]["verbose"]["origin"]
    assert origin["file"] == str(tmp_path / "dynconf.toml")


# Other modules than dynamo.


def test_an_option_sets_a_flag_in_a_group_and_toml_has_a_table_for_it(run_cli):
    """By its full name, with a value that is checked; the TOML is read back as what it was."""
    words = ("--set", "inductor.triton.cudagraphs=true", "--set", "compiler.job_id=a", "--changed")
    found = flags(run_cli, *words)
    assert found["inductor.triton.cudagraphs"]["torch_reads"] is False
    text = dump(run_cli, *words, "--format", "toml").out
    assert "[inductor.triton]\ncudagraphs = true" in text
    Path("dynconf.toml").write_text(text)
    values = {"inductor.triton.cudagraphs": True, "compiler.job_id": "a"}
    assert shown_values(run_cli, "--changed") == shown_values(run_cli, *words) == values
    wrong = dump(run_cli, "--set", "inductor.triton.cudagraph=true", code=2)
    assert "did you mean 'inductor.triton.cudagraphs'?" in wrong.err


@pytest.mark.real_torch
@pytest.mark.parametrize(
    ("variable", "text"), [("TORCHINDUCTOR_COMPILE_THREADS", "many"), ("TORCHINDUCTOR_WORKER_START", "x")]
)
def test_a_variable_that_torch_cannot_read_ends_in_a_message(variable, text, warm):
    """It keeps torch from being imported; the error says so, and how to find the variable."""
    done = warm.run("-m", "dynconf", "dump", "--live", **{variable: text})
    if done.returncode == 0:
        pytest.skip("this release does not read the variable")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("dynconf: error: torch cannot be imported: ")
    assert text in done.stderr
    assert "`dynconf check` names the variable" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_switches_of_a_report_that_are_no_flags_are_named(run_cli):
    """Whoever runs with a colleague's report would get other numbers; a default is no news."""
    usual = {"float32_matmul_precision": "highest", "cudnn.allow_tf32": True, "cudnn.deterministic": False}
    unusual = {
        "float32_matmul_precision": "high",
        "deterministic_algorithms": "error",
        "cudnn.benchmark": True,
    }
    named = "float32_matmul_precision='high', deterministic_algorithms='error', cudnn.benchmark=True;"
    start = "dynconf: warning: report.json has switches that are not flags, so they are not put in force: "
    for numerics, warned in ((usual, ""), ({**usual, **unusual}, f"{start}{named}")):
        report = {"numerics": dict(sorted(numerics.items()))}
        Path("report.json").write_text(json.dumps({"dynconf": 1, "flags": {}, "report": report}))
        said = [line for line in dump(run_cli, "--config", "report.json").err.splitlines() if start in line]
        assert [line[: len(warned)] for line in said] == [warned] * bool(warned)
