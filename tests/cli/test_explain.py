"""Tests of ``dynconf explain``: all that is known of a flag, and what to use if there is none."""

import json
from pathlib import Path

import pytest

from dynconf.catalogue.modules import MODULES, catalogue
from dynconf.catalogue.names import FLAGS
from dynconf.release import RELEASES, Release

REMOVED = catalogue("dynamo").removed


@pytest.fixture(autouse=True)
def _on_one_release(monkeypatch):
    """Answer for the same release whatever torch the tests run on."""
    monkeypatch.setattr(Release, "at_hand", lambda: Release.named("2.13.0"))


def facts(run_cli, flag):
    """Return exit code, JSON form and stderr."""
    done = run_cli("explain", flag, "--format", "json")
    return done.code, json.loads(done.out), done.err


@pytest.mark.parametrize("module", MODULES)
def test_every_flag_is_explained(run_cli, module):
    """In both formats, by its newest name; the exit code says whether the torch at hand has it.

    Since and until are the first and the last release with a default, whatever the flag's name there.
    """
    known = catalogue(module)
    for flag in known.flags.values():
        text = run_cli("explain", flag.qualified)
        code, data, err = facts(run_cli, flag.qualified)
        assert (text.code, text.err) == (code, err)
        newest = known.flags[known.canonical(flag.name)]
        assert data["name"] == (FLAGS[newest.renamed_to] if newest.renamed_to else newest).qualified
        minors = [each.rpartition(".")[0] for each in data["defaults"]]
        assert data["since"] == minors[0]
        assert data["until"] == (None if RELEASES[-1].startswith(f"{minors[-1]}.") else minors[-1])
        summary = data["summary"] if data["described"] else "Not yet described"
        told = [data["name"], summary.split()[0], data["type"]]
        told += [variable["name"] for variable in data["variables"]]
        assert [each for each in told if each not in text.out] == []
        assert (code == 1) == (" in torch 2.13.0" in err), err


REPRO_LEVEL = {
    "summary": FLAGS["repro_level"].summary,
    "type": "a whole number from 1 to 4",
    "default": 2,
    "defaults": dict.fromkeys(RELEASES, 2),
    "recompiles": False,
    "uniform_variable": "TORCHDYNAMO_REPRO_LEVEL",
    "variables": [
        {
            "name": "TORCHDYNAMO_REPRO_LEVEL",
            "rule": "integer",
            "reads": "a whole number; anything else makes the import of torch fail",
            "since": "2.4",
            "until": None,
        }
    ],
}

CASTS = {
    "described": True,
    "in_cache_key": True,
    "reach": [],
    "implies": [],
    "implied_by": [
        {"flag": "inductor.numerics", "when": when, "value": True, "since": "2.15"}
        for when in ("strict", "strict_pointwise")
    ],
}


@pytest.mark.parametrize(
    ("flag", "facts_"),
    [
        ("repro_level", REPRO_LEVEL),
        ("repro_after", {"choices": ["aot", "dynamo"]}),
        ("verbose", {"choices": [], "in_cache_key": None}),
        ("_save_config_ignore", {"uniform_variable": None}),
        ("debug_dir_root", {"default": "(the working directory)"}),
        ("recompile_limit", {"old_names": ["cache_size_limit"]}),
        ("inductor.emulate_precision_casts", CASTS),
    ],
)
def test_the_facts_of_a_flag(run_cli, flag, facts_):
    """No variable sets torch's own; a default of the machine at hand is in words."""
    code, data, err = facts(run_cli, flag)
    assert (code, err) == (0, "")
    assert {name: data[name] for name in facts_} == facts_


@pytest.mark.parametrize(
    ("flag", "names", "told"),
    [
        (
            "recompile_limit",
            {"2.6.0": "cache_size_limit", "2.7.1": "recompile_limit"},
            "as cache_size_limit, recompile_limit from torch 2.7; torch 2.6.0 has cache_size_limit",
        ),
        (
            "inductor.force_disable_caches",
            {"2.8.0": "inductor.force_disable_caches", "2.9.1": "compiler.force_disable_caches"},
            "torch 2.6.0 has inductor.force_disable_caches",
        ),
        (
            "inductor.emulate_divison_rounding",
            {"2.10.0": "inductor.emulate_divison_rounding"},
            "as inductor.emulate_divison_rounding, inductor.eager_numerics.division_rounding from torch 2.11",
        ),
    ],
)
def test_a_renamed_flag_has_its_name_in_each_release(run_cli, flag, names, told):
    """Whoever asks about a release sees the name that its torch has, also where a question is answered."""
    data = json.loads(run_cli("explain", flag, "--torch", "2.6", "--format", "json").out)
    assert data["names"].items() >= names.items()
    assert data["torch_name"] == data["names"].get("2.6.0")
    done = run_cli("explain", flag, "--torch", "2.6")
    assert told in " ".join(done.out.split())
    if data["torch_name"]:
        assert f"torch 2.6.0 has {data['name']!r} as {data['torch_name']!r}" in " ".join(done.err.split())


def test_a_renamed_flag_that_an_answer_lists(run_cli):
    """It has its name in the release; one that has the same there has no mark."""
    done = run_cli("explain", "recompile", "too", "much", "--torch", "2.6")
    assert "cache_size_limit in torch 2.6.0: Maximum number" in done.out
    assert "cache_size_limit" not in run_cli("explain", "recompile", "too", "much").out
    data = json.loads(run_cli("explain", "recompile too much", "--torch", "2.6", "--format", "json").out)
    assert {each["name"]: each["torch_name"] for each in data["matches"]}.items() >= {
        "recompile_limit": "cache_size_limit",
        "specialize_int": "specialize_int",
        "compiler.dynamic_sources": None,
    }.items()


@pytest.mark.parametrize(
    "name", [f"DYNCONF_{each}" for each in ("AUDIT_FILE", "CONFIG", "LOG", "REPORT", "SHOW", "TRUST")]
)
def test_dynconfs_own_variables_are_explained(run_cli, name):
    """As those that torch reads for something other than a flag."""
    code, data, _ = facts(run_cli, name)
    assert (code, data["read_by"]) == (0, "dynconf")
    assert data["summary"]


def test_a_word_that_is_about_no_flag_leads_to_the_help(run_cli):
    """Which names what finds leaks and compares ranks."""
    assert "`dynconf --help` has the rest" in run_cli("explain", "leak").err
    shown = run_cli("--help").out
    assert "pytest --dynconf-leaks=error" in shown
    assert "check_consistency()" in shown


def test_a_variable_has_the_releases_that_read_it(run_cli):
    """Each span of releases, with what it takes there; never a release that lacks the flag."""
    read = facts(run_cli, "inductor.worker_start_method")[1]["variables"]
    spans = [(each["rule"], each["since"], each["until"]) for each in read]
    assert spans == [
        ("start_method", "2.4", "2.4"),
        ("start_method", "2.7", None),
        ("start_method_without_spawn", "2.5", "2.5"),
    ]
    assert facts(run_cli, "inductor.numerics")[1]["variables"][0]["since"] == "2.14"
    data = json.loads(run_cli("explain", "cpu_backend", "--torch", "2.7", "--format", "json").out)
    assert data["choices"] == ["cpp", "triton", "halide"]


def test_a_flag_of_other_releases_is_explained_with_exit_code_1(run_cli):
    """With what replaces it; what is known is printed all the same."""
    code, data, err = facts(run_cli, "allow_complex_guards_as_runtime_asserts")
    assert code == 1
    assert data["until"] == "2.8"
    assert data["instead"] == "prefer_deferred_runtime_asserts_over_guards"
    assert "use 'prefer_deferred_runtime_asserts_over_guards' instead" in err


@pytest.mark.parametrize("name", REMOVED)
def test_a_flag_from_before_the_catalogue_gets_advice(run_cli, name):
    """Exit code 1; the message is in the JSON too."""
    code, data, err = facts(run_cli, name)
    assert code == 1
    assert data["known"] is False
    assert REMOVED[name].advice in data["message"]
    assert err == f"dynconf: error: {data['message']}\n"
    assert run_cli("explain", name).out == ""


def test_a_flag_of_another_module_is_explained_by_either_name(run_cli):
    """By its full name; a bare name that dynamo does not have finds it too, and says where it lives."""
    code, data, err = facts(run_cli, "functorch.donated_buffer")
    assert (code, data["name"], err) == (0, "functorch.donated_buffer", "")
    assert data["defaults"]["2.13.0"] is True
    bare_code, bare, err = facts(run_cli, "donated_buffer")
    assert (bare_code, bare) == (0, data)
    assert "donated_buffer is a functorch flag" in err
    assert run_cli("explain", "functorch.donated_bufer").code == 1


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("verify_corectness", "did you mean 'verify_correctness'?"),
        ("max_autotunee", "did you mean 'inductor.max_autotune'?"),  # dynamo has nothing alike
        ("TORCHINDUCTOR_DISABLE", "TORCHINDUCTOR_DISABLE: nothing reads it: "),
        ("TORCHDYNAMO_RECOMPILE_LIMT", "did you mean TORCHDYNAMO_RECOMPILE_LIMIT?"),
        ("DC999", "dynconf: error: there is no rule DC999\n"),
        ("nonsense", "there is no flag 'nonsense'"),
        ("recompile_limt", "did you mean 'recompile_limit'?"),
        ("functorch.verbose", "verbose is a dynamo flag: give it as dynamo.verbose"),
    ],
)
def test_an_unknown_name_gets_a_suggestion(run_cli, word, said):
    """Exit code 1; a variable that nothing reads and a rule that does not exist are not called flags."""
    done = run_cli("explain", word)
    assert (done.code, done.out) == (1, "")
    assert said in done.err
    assert facts(run_cli, word)[1]["known"] is False


@pytest.mark.parametrize(
    ("word", "found"),
    [
        ("TORCHDYNAMO_VERBOSE", "verbose"),
        ("TORCH_COMPILE_DISABLE", "disable"),
        ("TORCHDYNAMO_SUPPRESS_ERRORS=0", "suppress_errors"),
        ("inductor.max_autotune=true", "inductor.max_autotune"),
        ("TORCHDYNAMO_CACHE_SIZE_LIMIT", "recompile_limit"),
        ("TORCHFUNCTORCH_DONATED_BUFFER", "functorch.donated_buffer"),
        ("torch._dynamo.config.verbose", "verbose"),
        ("torch._functorch.config.donated_buffer", "functorch.donated_buffer"),
        ("dynamo.verbose", "verbose"),
    ],
)
def test_variables_and_full_names_find_their_flag(run_cli, word, found):
    """As they stand in scripts and programs."""
    assert facts(run_cli, word)[1]["name"] == found


def test_a_rule_is_explained_by_its_code(run_cli):
    """In any case."""
    code, data, _ = facts(run_cli, "dc005")
    assert (code, data["code"], data["applies"]) == (0, "DC005", True)
    assert data["flags"] == ["recompile_limit", "accumulated_recompile_limit"]
    assert run_cli("explain", "DC005").out.startswith("DC005 (warning)\n")


def test_typos_in_several_words(run_cli):
    """They are corrected, and a note says so."""
    done = run_cli("explain", "inducter", "memroy")
    assert done.out == run_cli("explain", "inductor memory").out
    assert "searched for 'inductor memory'" in done.err
    assert run_cli("explain", "inducter memroy").out == done.out


def test_several_words(run_cli):
    """Several flags are explained one after the other; other words are a name, or a question."""
    done = run_cli("explain", "verbose", "DC005", "--format", "json")
    assert [each.get("name", each.get("code")) for each in json.loads(done.out)["explanations"]] == [
        "verbose",
        "DC005",
    ]
    assert facts(run_cli, "recompile limit")[1]["matches"]
    assert run_cli("explain", "recompile", "limit").out.startswith("recompile_limit = ")
    assert run_cli("explain", "scalar", "output").out.splitlines()[0].split() == ["flag", "summary"]
    assert run_cli("explain", "scalar", "nonsense").out.splitlines()[0].split() == ["flag", "summary"]
    done = run_cli("explain", "nonsense", "qqqq")
    assert (done.code, done.err) == (
        1,
        "dynconf: error: dynconf does not know: no flag has half of the words nonsense qqqq\n",
    )
    done = run_cli("explain", "verbose", "log_level")
    assert done.code == 1
    assert done.out.startswith("verbose = ")
    assert "log_level" in done.err


def test_a_flag_that_the_release_lacks_is_marked(run_cli):
    """After those that it has, with the releases that have it."""
    lines = run_cli("explain", "*cudagraph*").out.splitlines()[1:]
    marks = [" ! " in line for line in lines]
    assert marks == sorted(marks)
    assert any(" ! since torch 2.15: " in line for line in lines)
    assert " ! " not in run_cli("explain", "too", "many", "cudagraphs").out
    _, data, _ = facts(run_cli, "*cudagraph*")
    assert {each["name"]: each["applies"] for each in data["matches"]} == {
        flag.qualified: flag.exists_in("2.13")
        for module in MODULES
        for flag in catalogue(module).flags.values()
        if "cudagraph" in flag.qualified and not flag.renamed_to
    }


@pytest.mark.parametrize("name", ["disable_ftz", "cudagraph_trees", "tlx_mode"])
def test_the_last_part_of_a_name_is_enough(run_cli, name):
    """If it is that of one flag: others that have it in their texts do not count."""
    _, data, err = facts(run_cli, name)
    assert data["name"].endswith(f".{name}")
    assert "there is no flag" not in err
    assert "matches" in facts(run_cli, "descriptive_names")[1]


def test_without_a_name_topics_are_listed(run_cli):
    """Each of which lists its flags."""
    done = run_cli("explain")
    assert done.code == 0
    topics = [line.split() for line in done.out.splitlines()[1:]]
    flags = catalogue("dynamo").flags.values()
    count = sum(flag.topic == "recompile" and not flag.renamed_to for flag in flags)
    assert ["recompile", str(count)] in topics
    assert len(run_cli("explain", "recompile").out.splitlines()) == count + 1
    listed = json.loads(run_cli("explain", "--format", "json").out)["topics"]
    assert [each["name"] for each in listed] == [topic for topic, _ in topics]


def test_the_value_in_force_comes_first(run_cli, monkeypatch):
    """With where it comes from; ``--torch`` answers for another release; mistakes elsewhere do not matter."""
    monkeypatch.setenv("TORCHDYNAMO_RECOMPILE_LIMIT", "64")
    monkeypatch.setenv("TORCHDYNAMO_REPRO_LEVEL", "high")
    code, data, _ = facts(run_cli, "recompile_limit")
    assert (code, data["value"]) == (0, 64)
    assert data["origin"] == {"kind": "env", "name": "TORCHDYNAMO_RECOMPILE_LIMIT", "raw": "64"}
    text = run_cli("explain", "recompile_limit").out
    assert text.startswith("recompile_limit = 64, from environment TORCHDYNAMO_RECOMPILE_LIMIT=64\n")
    assert run_cli("explain", "verbose").out.startswith("verbose = False, the default of torch 2.13.0\n")
    other = run_cli("explain", "specialize_float", "--torch", "2.5").out
    assert other.startswith("specialize_float = True, the default of torch 2.5.1\n")
    assert run_cli("explain", "generate_pycode", "--torch", "2.6").code == 1


def test_a_mistake_that_keeps_the_value_out_is_told(run_cli, monkeypatch):
    """Be it in the value or in the whole file, it is on stderr, and the facts are there all the same."""
    monkeypatch.setenv("TORCHDYNAMO_VERBOSE", "maybe")
    done = run_cli("explain", "verbose")
    assert (done.code, done.out.partition("\n")[0]) == (0, "verbose = False, the default of torch 2.13.0")
    assert "warning: verbose: 'maybe' (from environment TORCHDYNAMO_VERBOSE=maybe) is not valid" in done.err
    assert not run_cli("explain", "recompile_limit").err
    Path("dynconf.toml").write_text("recompile_limit = = 3")
    assert "dynconf.toml is not valid TOML" in run_cli("explain", "recompile_limit").err


def test_a_long_value_is_shown_in_full(run_cli, monkeypatch):
    """Tables cut it, and so do messages."""
    path = "/long" * 60
    monkeypatch.setenv("TORCHDYNAMO_DEBUG_DIR_ROOT", path)
    assert path in "".join(run_cli("explain", "debug_dir_root").out.split())


def test_a_flag_that_nobody_has_described(run_cli):
    """It says so, and shows torch's facts all the same: as for one that a new release brings."""
    flag = catalogue("inductor").flags["aten_distributed_optimizations.bucket_exposed_first"]
    summary = flag.summary
    object.__setattr__(flag, "summary", "")
    try:
        done = run_cli("explain", flag.qualified)
    finally:
        object.__setattr__(flag, "summary", summary)
    assert "Not yet described" in done.out
    assert "True, None from torch 2.1" in done.out


@pytest.mark.parametrize(
    ("flag", "line"),
    [
        ("specialize_float", "True, False from torch 2.6"),
        ("inductor.max_autotune", "its value is part of the cache key"),
        ("inductor.post_grad_custom_pre_pass", "its uuid() is part of the cache key"),
        ("inductor._pre_fusion_custom_pass", "its uuid() is part of the cache key"),
        ("inductor.post_grad_fusion_options", "a change in place after the first compilation may be missed"),
        ("inductor.trace.upload_tar", "its value is not part of the cache key"),
        ("inductor.compile_threads", "its value is not part of the cache key"),
        ("inductor.max_autotune", "but not a backward that compiles later"),
        ("inductor.cpp.cxx", "a value that names something would make torch run a program or load code"),
        ("inductor.emulate_precision_casts", "True while inductor.numerics is 'strict' (since torch 2.15)"),
        ("inductor.numerics", "makes inductor.emulate_precision_casts True (since torch 2.15)"),
        ("compiler.force_disable_caches", "inductor.force_disable_caches"),
        ("force_compile_during_fx_trace", "since torch 2.11"),
        ("force_compile_during_fx_trace", "dynconf reads it in every release that has the flag"),
    ],
)
def test_what_is_special_of_a_flag(run_cli, flag, line):
    """Changed defaults, the cache key, a later backward, trust, implications, other names, variables."""
    assert line in " ".join(run_cli("explain", flag).out.split())


def test_a_value_that_another_flag_implies(run_cli, monkeypatch):
    """As torch 2.15 has it: whatever the flag itself is set to."""
    monkeypatch.setenv("TORCHINDUCTOR_NUMERICS", "strict")
    monkeypatch.setenv("TORCHINDUCTOR_EMULATE_PRECISION_CASTS", "0")
    for flag in ("emulate_precision_casts", "eager_numerics.disable_ftz"):
        done = run_cli("explain", f"inductor.{flag}", "--torch", "2.15")
        assert done.out.startswith(f"inductor.{flag} = True, from implication of inductor.numerics\n")
    done = run_cli("explain", "inductor.emulate_precision_casts", "--torch", "2.14")
    assert done.out.startswith("inductor.emulate_precision_casts = False, from environment")


@pytest.mark.parametrize(
    ("word", "note"),
    [
        (
            "max_autotune",
            "an inductor flag: dynconf.inductor.patch(max_autotune=...), or 'inductor.max_autot",
        ),
        ("triton.cudagraphs", "dynconf.inductor.patch({'triton.cudagraphs': ...})"),
        ("inductor.emulate_divison_rounding", "an old name of 'eager_numerics.division_rounding'"),
        ("ignore_logger_methods", "'ignore_logger_methods' is an old name of"),
        ("inductor.force_disable_caches", "is an old name of 'compiler.force_disable_caches'"),
        ("compiler.recompile_limit", "is another name of 'recompile_limit'"),
    ],
)
def test_a_name_that_leads_elsewhere(run_cli, word, note):
    """A note says where the flag lives."""
    done = run_cli("explain", word)
    assert done.code == 0
    assert note in " ".join(done.err.split())


def test_a_flag_that_nothing_reads_has_no_reader(run_cli):
    """`explain` says so; where it has none, setting it is warned of like a flag that does nothing."""
    without = f"no reader in torch {Release.at_hand().version}"
    assert without in run_cli("explain", "inductor.kernel_name_max_ops").out
    assert without not in run_cli("explain", "inductor.max_autotune").out
    done = run_cli("dump", "--set", "inductor.cpu_gpu_bw=60", "--torch", "2.13")
    assert "warning: nothing in torch 2.13.0 reads inductor.cpu_gpu_bw" in done.err
    assert "reads" not in run_cli("dump", "--set", "inductor.cpu_gpu_bw=60", "--torch", "2.11").err


def test_a_question(run_cli):
    """The best matches are listed, and the number of the others; JSON has all of them.

    Where a log of torch has the answer, its name is the better one.
    """
    done = run_cli("explain", "which", "flags", "make", "it", "faster?")
    assert done.code == 0
    lines = done.out.splitlines()
    assert lines[1].startswith("inductor.max_autotune ")
    assert len(lines) == 21
    assert "more flags match less well" in done.err
    assert len(facts(run_cli, "make it faster")[1]["matches"]) > 20
    for question in ("recompiles", "which function recompiles too much"):
        assert "recompiles" in run_cli("explain", *question.split()).err.partition("note: TORCH_LOGS=")[2]


def test_several_words_are_a_flag_only_if_it_does_something(run_cli):
    """``dynamic_shapes`` does nothing since torch 2.1; whoever asks means others."""
    first = run_cli("explain", "dynamic", "shapes").out.splitlines()[1:6]
    assert any(line.startswith("automatic_dynamic_shapes ") for line in first)


@pytest.mark.parametrize("word", ["max-autotune-no-cudagraphs", "mode=max-autotune-no-cudagraphs"])
def test_a_mode_of_torch_compile(run_cli, word):
    """The flags that it sets in the release, with their defaults and summaries."""
    code, data, err = facts(run_cli, word)
    assert (code, err, data["mode"], data["exists"]) == (0, "", "max-autotune-no-cudagraphs", True)
    values = {each["flag"]: (each["value"], each["default"]) for each in data["sets"]}
    tuned = {"inductor.max_autotune": (True, False), "inductor.coordinate_descent_tuning": (True, False)}
    assert values == tuned
    assert all(each["summary"] for each in data["sets"])
    text = run_cli("explain", word, "--torch", "2.4").out
    assert "in torch 2.4.1" in text
    assert "inductor.max_autotune  True" in text
    assert "coordinate" not in text


def test_all_modes(run_cli):
    """Those of the release."""
    rows = {line.split()[0]: line for line in run_cli("explain", "mode").out.splitlines()[4:]}
    assert list(rows) == ["default", "reduce-overhead", "max-autotune-no-cudagraphs", "max-autotune", "lite"]
    assert rows["reduce-overhead"].split() == ["reduce-overhead", "triton.cudagraphs=True"]
    modes = json.loads(run_cli("explain", "mode", "--torch", "2.8", "--format", "json").out)["modes"]
    assert [each["mode"] for each in modes] == [each for each in rows if each != "lite"]
    assert "torch 2.8.0 has no such mode" in run_cli("explain", "lite", "--torch", "2.8").out
    assert "sets no flag" in run_cli("explain", "default").out
    assert "did you mean 'reduce-overhead'?" in run_cli("explain", "mode", "reduce-overhed").err


def test_variables_that_set_no_flag(run_cli, monkeypatch):
    """They say so, with their effect, their reader and their value here."""
    monkeypatch.setenv("TORCH_LOGS", "+dynamo")
    code, data, err = facts(run_cli, "TORCH_LOGS")
    assert (code, err, data["value"], data["applies"]) == (0, "", "+dynamo", True)
    assert "recompiles" in data["summary"]
    text = run_cli("explain", "torch_logs").out
    assert text.startswith("TORCH_LOGS (set to '+dynamo' here)\n")
    assert "none: only the variable" in text
    assert "not torch 2.13.0" in run_cli("explain", "TORCHDYNAMO_PRINT_GUARDS").out
    assert "not torch" not in run_cli("explain", "TORCHDYNAMO_PRINT_GUARDS", "--torch", "2.5").out


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("config settings are silently ignored on the GPU thread", ["DC504"]),
        ("flags of the main thread are lost in backward", ["DC504"]),
        ("patch does not reach other threads", ["DC504"]),
        ("threads", ["DC504"]),
        ("number of compile threads", []),
        ("mode and options both", ["DC310"]),
        ("Either mode or options can be specified, but both can't be specified at the same time.", ["DC310"]),
        ("KeyError: 'getpwuid(): uid not found: 1000'", ["DC406", "TORCHINDUCTOR_CACHE_DIR"]),
        ("getpwuid", ["DC406", "TORCHINDUCTOR_CACHE_DIR"]),
        (
            "PermissionError: [Errno 13] Permission denied: '/tmp/torchinductor_ann'",
            ["TORCHINDUCTOR_CACHE_DIR"],
        ),
        (
            "OSError: [Errno 28] No space left on device: '/tmp/torchinductor_ann/x'",
            ["TORCHINDUCTOR_CACHE_DIR"],
        ),
        ("PermissionError: [Errno 13] Permission denied: '/home/ann/threads/backward'", []),
        (
            "Please remount, or set another directory with TORCHINDUCTOR_CACHE_DIR.",
            ["TORCHINDUCTOR_CACHE_DIR"],
        ),
        ("module 'torch._functorch' has no attribute 'config'", ["torch._functorch.config"]),
        ("AttributeError: module 'torch._inductor' has no attribute 'config'", ["torch._inductor.config"]),
        ("AttributeError: 'Model' object has no attribute 'config'", []),
        ("precedence", ["explanations/precedence"]),
        ("which setting wins", ["explanations/precedence"]),
        ("who changed this flag", ["guides/audit"]),
        ("hold", ["reference/api/in-force"]),
        ("bisect", ["guides/bisect"]),
        ("change the limit of recompilations", []),
    ],
)
def test_a_question_whose_answer_is_no_flag(run_cli, question, answers):
    """A code, a variable or a config module is explained; flags are listed only where the words are few."""
    data = facts(run_cli, question)[1]
    told = [
        each.get("finding") or each.get("variable") or each.get("config_module") or each["documentation"]
        for each in data.get("answers", ())
    ]
    assert told == answers
    if answers:
        done = run_cli("explain", question)
        assert done.code == 0
        assert done.out.startswith(f"{answers[0]} (")


def test_a_config_module_is_explained_by_its_path(run_cli):
    """With the import that torch may need, and its flags."""
    done = run_cli("explain", "torch._functorch.config")
    assert done.code == 0
    assert "import torch._functorch.config" in done.out
    assert "dynconf explain 'functorch.*'" in done.out


@pytest.mark.parametrize("question", ["guard_filter_fn", "guard_filter_fn option", "use_aoti"])
def test_an_option_that_torch_compile_keeps_for_itself(run_cli, question):
    """It is no flag, and the answer says where it belongs."""
    done = run_cli("explain", *question.split())
    assert done.code == 1
    assert "not a flag but an option of torch.compile: torch.compile(..., options={" in done.err


def test_a_keyword_of_torch_compile(run_cli):
    """It is no flag, and the answer says where it belongs; one that is a flag, too, beats that."""
    done = run_cli("explain", "fullgraph")
    assert "argument of torch.compile: torch.compile(..., fullgraph=...)" in done.err
    done = run_cli("explain", "recompile_limit")
    assert "torch.compile takes a recompile_limit of its own, which beats the flag" in done.out
