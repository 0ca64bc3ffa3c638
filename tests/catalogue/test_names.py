"""Names across config modules and releases, and why one is refused."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dynconf
from dynconf.catalogue.modules import MODULES, catalogue
from dynconf.catalogue.names import (
    FLAGS,
    FlagTable,
    find,
    is_known,
    module_views,
    setting,
    split,
    why_unknown,
)
from dynconf.errors import UnknownFlagError
from dynconf.release import RELEASES, Release
from dynconf.store.snapshot import Snapshot
from dynconf.text import nearest
from dynconf.tools.lint.environment import check_environment

SEARCH = "`dynconf explain WORD` searches the flags, and `dynconf --help` has the rest"
VARIABLE = "is not a flag but the variable of one:"

OLD, NEW = Release.named("2.6"), Release.named("2.13")

GONE = (
    "'allow_complex_guards_as_runtime_asserts' is no longer in torch 2.13.0: torch 2.8 was the last release"
    " to have it; use 'prefer_deferred_runtime_asserts_over_guards' instead"
)
IN_FUNCTORCH = (
    "activation_memory_budget is a functorch flag: dynconf.functorch.patch(activation_memory_budget=...),"
    " or 'functorch.activation_memory_budget' by its full name"
)


def test_a_bare_name_is_of_the_module_that_asks():
    """A name with a module in front is of that module; a dot alone makes no module."""
    assert split("verbose") == ("dynamo", "verbose")
    assert split("donated_buffer", "functorch") == ("functorch", "donated_buffer")
    assert split("functorch.donated_buffer") == split("functorch.donated_buffer", "functorch")
    assert split("dynamo.verbose", "functorch") == ("dynamo", "verbose")
    assert split("triton.cudagraphs") == ("dynamo", "triton.cudagraphs")
    assert split("verbose.") == ("dynamo", "verbose.")
    assert split("") == ("dynamo", "")


def test_every_name_of_every_module_is_found():
    """Bare from its own module and qualified from any; find and setting return the same object."""
    for view in module_views(NEW):
        module = view.catalogue.name
        for name in view.names:
            found = view.get(name) or find(view.aliases[name], NEW)
            assert found is not None
            assert {find(f"{module}.{name}", NEW, asking) for asking in MODULES} == {found}
            assert setting(name, NEW, module) is find(name, NEW, module) is found


def test_views_are_those_of_the_modules_asked_for():
    """They come in the order of the request, all of one release."""
    assert [view.catalogue.name for view in module_views(OLD)] == list(MODULES)
    assert {view.release for view in module_views(OLD)} == {OLD}
    assert [view.catalogue.name for view in module_views(NEW, ("functorch",))] == ["functorch"]


@pytest.mark.parametrize(
    ("name", "release", "why"),
    [
        (
            "verify_corectness",
            NEW,
            "there is no flag 'verify_corectness': did you mean 'verify_correctness'?",
        ),
        ("VERBOSE", NEW, "there is no flag 'VERBOSE': did you mean 'verbose'?"),
        ("TORCHINDUCTOR_MAX_AUTOTUNE", NEW, f"TORCHINDUCTOR_MAX_AUTOTUNE {VARIABLE} 'inductor.max_autotune'"),
        ("TORCHDYNAMO_RECOMPILE_LIMIT", NEW, f"TORCHDYNAMO_RECOMPILE_LIMIT {VARIABLE} 'recompile_limit'"),
        ("zzzzzzzzzz", NEW, f"there is no flag 'zzzzzzzzzz'; {SEARCH}"),
        (
            "functorch.donated_bufer",
            NEW,
            "there is no functorch flag 'donated_bufer': did you mean 'functorch.donated_buffer'?",
        ),
        (
            "enable_trace_load_build_class",
            OLD,
            "'enable_trace_load_build_class' is not in torch 2.6.0 yet: it was added in torch 2.13",
        ),
        (
            "fail_on_recompile_limit_hit",
            Release.named("2.4"),
            "'fail_on_recompile_limit_hit' is not in torch 2.4.1 yet: it was added in torch 2.6 as 'fail_on_",
        ),
        ("allow_complex_guards_as_runtime_asserts", NEW, GONE),
        ("skip_fsdp_hooks", NEW, "'skip_fsdp_hooks' is no longer in torch 2.13.0: torch 2.12 was the last"),
        ("log_level", NEW, "'log_level' is gone: "),
        ("output_code", NEW, "'output_code' is gone: "),
        ("fake_tensor_propagation", NEW, "'fake_tensor_propagation' is gone: "),
    ],
)
def test_a_refusal_says_which_case_it_is(name, release, why):
    """The message tells whether the flag never existed, is not there yet, or is gone."""
    with pytest.raises(UnknownFlagError) as refused:
        setting(name, release)
    message = str(refused.value)
    assert message.startswith(why)
    assert refused.value.flag == name
    assert why_unknown(name, release) == message
    assert find(name, release) is None
    assert " is gone: " not in message or "torch 2.0" in message


@pytest.mark.parametrize(
    ("name", "asking", "told"),
    [
        ("activation_memory_budget", "dynamo", IN_FUNCTORCH),
        (
            "recompile_limit",
            "functorch",
            "recompile_limit is a dynamo flag: dynconf.dynamo.patch(recompile_limit=",
        ),
        ("cache_size_limit", "functorch", "cache_size_limit is a dynamo flag: "),
        ("dynamo.donated_buffer", "functorch", "donated_buffer is a functorch flag: "),
        ("functorch.verbose", "dynamo", "verbose is a dynamo flag: "),
    ],
)
def test_a_flag_of_another_module_is_told_where_it_lives(name, asking, told):
    """The error has the call that sets it, and its full name."""
    with pytest.raises(UnknownFlagError) as refused:
        setting(name, NEW, asking)
    assert str(refused.value).startswith(told)
    full = str(refused.value).partition(", or '")[2].partition("'")[0]
    assert find(full, NEW, asking) is not None


def test_a_flag_that_torch_compile_takes_as_an_argument_is_told_of_it():
    """In the releases that have the argument."""
    assert why_unknown("recompile_limit", NEW, "inductor").endswith("or torch.compile(recompile_limit=...)")
    assert "torch.compile" not in why_unknown("recompile_limit", Release.named("2.11"), "inductor")


def test_a_flag_of_another_module_that_the_release_lacks_is_not_called_unknown():
    """As little as with its module in front: it is not there yet."""
    why = "'inductor.graph_partition' is not in torch 2.6.0 yet: it was added in torch 2.7"
    assert why_unknown("graph_partition", OLD) == why_unknown("inductor.graph_partition", OLD) == why
    later = "enable_trace_load_build_class"
    assert f"there is no functorch flag '{later}'" in why_unknown(later, OLD, "functorch")


def test_what_any_release_had_is_known():
    """Also flags from before the catalogue, by bare and full name."""
    for module in MODULES:
        known = catalogue(module)
        assert all(is_known(name, module) and is_known(f"{module}.{name}") for name in known.flags)
        assert all(is_known(name, module) for name in known.removed)
    assert not is_known("recompile_limit", "functorch")
    assert not is_known("no_such_flag")


@given(st.text(), st.sampled_from(MODULES), st.sampled_from(RELEASES))
def test_any_text_is_a_name_or_refused(name, module, version):
    """`setting` raises nothing but the documented error, in one line."""
    try:
        setting(name, Release.named(version), module)
    except UnknownFlagError as error:
        assert str(error).isprintable()  # noqa: PT017  most texts are refused, but not all


class TestFlagTable:
    """`dynconf.FLAGS` and that of each module."""

    def test_it_has_every_flag_of_its_module(self):
        """Old names included; those of other modules are found by their full names but not listed."""
        for module in MODULES:
            table, flags = FlagTable(module), catalogue(module).flags
            assert list(table) == list(flags)
            assert len(table) == len(flags)
            assert all(table[name] is flag for name, flag in flags.items())
            assert all(name in table and table.get(f"{module}.{name}") is flags[name] for name in flags)
        assert FLAGS["functorch.donated_buffer"] is FlagTable("functorch")["donated_buffer"]
        assert "functorch.donated_buffer" in FLAGS
        assert "donated_buffer" not in FLAGS
        assert 3 not in FLAGS
        assert repr(FLAGS) == f"<flags of torch._dynamo.config: {len(FLAGS)}>"

    @pytest.mark.parametrize(
        ("name", "why"),
        [
            ("recompile_limt", "did you mean 'recompile_limit'"),
            ("log_level", "is gone"),
            ("donated_buffer", "is a functorch flag"),
            ("functorch.donated_bufer", "did you mean 'functorch.donated_buffer'"),
            (3, "there is no flag '3'"),
        ],
    )
    @pytest.mark.since("2.5")
    def test_a_missing_name_is_explained(self, name, why):
        """The KeyError suggests the closest flag, or names its module."""
        with pytest.raises(KeyError, match=why):
            FLAGS[name]
        assert FLAGS.get(name) is None

    def test_it_cannot_be_changed(self):
        """No caller can spoil it for the others."""
        with pytest.raises(TypeError):
            FLAGS["verbose"] = FLAGS["disable"]  # type: ignore[index]


def test_only_what_is_close_is_suggested():
    """A word that is like none of the others has no nearest one; case and length do not matter."""
    words = ("recompile_limit", "verbose")
    assert nearest("recompile_limt", words) == nearest(" Recompile_Limit ", words) == "recompile_limit"
    assert nearest("qqqq", words) is None
    assert nearest("", words) is None
    assert nearest("recompile_limit" * 10_000, words) is None
    assert nearest("x", ()) is None


A_GROUP = "'triton' is a group of inductor flags: give its flags, such as 'inductor.triton."


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("max_autotune", "max_autotune is an inductor flag: dynconf.inductor.patch(max_autotune=...)"),
        ("triton.cudagraphs", "dynconf.inductor.patch({'triton.cudagraphs': ...})"),
        ("triton", A_GROUP),
        ("inductor.triton", A_GROUP),
        ("inductor", "'inductor' is a config module: give its flags, such as 'inductor."),
        ("dynamo.inductor", "'inductor' is a config module: give its flags, such as 'inductor."),
        ("dynamo.inductor.max_autotune", "max_autotune is an inductor flag: dynconf.inductor.patch("),
        ("max_autotunee", "did you mean 'inductor.max_autotune'?"),
        ("inductor.cudagraphs", "did you mean 'inductor.triton.cudagraphs'?"),  # without its group
        ("cudagraphs", "did you mean 'inductor.triton.cudagraphs'?"),
        ("inductor.max_autotunee", "did you mean 'inductor.max_autotune'?"),
        ("graph_partitio", "did you mean 'inductor.graph_partition'?"),  # not use_graph_deduplication
        ("inductor.recompile_limt", "did you mean 'recompile_limit'?"),
        ("torch._dynamo.config.recompile_limit", "did you mean 'recompile_limit'?"),
        ("torch._inductor.config.triton.cudagraphs", "did you mean 'inductor.triton.cudagraphs'?"),
        ("torch._inductor.config.max_autotunee", "did you mean 'inductor.max_autotune'?"),
        ("torch", "write inductor.max_autotune for torch._inductor.config.max_autotune"),  # a table of a file
    ],
)
def test_why_a_name_is_unknown(name, why):
    """The message names the flag's module, explains a group, or suggests the closest name in any module."""
    assert why in why_unknown(name, NEW)


def test_the_advice_has_the_form_of_the_place(tmp_path):
    """A key or table of a file, an option, a pattern; the name to write is the first thing to see."""
    found = {}
    for name, text in {
        "key": "max_autotune = true",
        "misspelt": "[inductr]\nmax_autotune = true",
        "group": "[triton]\ncudagraphs = true",
    }.items():
        for file, start in {"dynconf.toml": "", "pyproject.toml": "tool.dynconf."}.items():
            path = tmp_path / file
            text_there = text.replace("[", f"[{start}") if "[" in text else f"[tool.dynconf]\n{text}"
            path.write_text(text_there if start else text)
            report = check_environment({}, config=path, torch="2.13")
            found[name, start] = report.findings[0].message
    assert "write inductor.max_autotune, or max_autotune in [inductor]" in found["key", ""]
    assert "or max_autotune in [tool.dynconf.inductor]" in found["key", "tool.dynconf."]
    assert "there is no table [inductr]: did you mean [inductor]?" in found["misspelt", ""]
    assert "did you mean [tool.dynconf.inductor]?" in found["misspelt", "tool.dynconf."]
    assert "give its flags in [inductor.triton]" in found["group", ""]
    assert "give its flags in [tool.dynconf.inductor.triton]" in found["group", "tool.dynconf."]


@pytest.mark.parametrize(
    ("text", "flag"),
    [
        ("[inductor]\nrecompile_limit = 3", "recompile_limit = 3"),
        ("[dynamo]\nmax_autotune = true", "max_autotune = true"),
        ("[dynamo.inductor]\nmax_autotune = true", "max_autotune = true"),
        ("[inductor.dynamo]\nrecompile_limit = 3", "recompile_limit = 3"),
        ("[dynamo]\ninductor.max_autotune = true", "max_autotune = true"),
        ('"dynamo.inductor.max_autotune" = true', "max_autotune = true"),
        ("[inductor]\ntriton = 3", "cudagraphs = true"),
        ("[functorch.triton]\ncudagraphs = true", "cudagraphs = true"),
        ("[dynamo.inductr]\nmax_autotune = true", "max_autotune = true"),
        ("max_autotune = true", "max_autotune = true"),
        ("[inductor]\nmax_autotun = true", "max_autotune = true"),
        ("[inductor.triton]\ncudagraph = true", "triton.cudagraphs = true"),
        ("[functorch]\nmax_autotun = true", "max_autotune = true"),
        ("[inductor]\nverbos = true", "verbose = true"),
    ],
)
@pytest.mark.parametrize("file", ["dynconf.toml", "pyproject.toml"])
def test_the_table_of_the_advice_takes_the_flag(run_cli, text, flag, file):
    """Whichever table the flag is in, and in a pyproject.toml, too."""
    if file == "pyproject.toml":
        head = "" if text.startswith("[") else "[tool.dynconf]\n"
        text = head + text.replace("[", "[tool.dynconf.")
    Path(file).write_text(text)
    done = run_cli("dump", "--config", file)
    tables = re.findall(r"(?: in|mean) \[([\w.]+)\]", done.err)
    top = re.findall(r"(?:write|or) (\w+\.\w+) (?:above all tables|in \[tool.dynconf\])", done.err)
    Path(file).write_text(f"[{tables[0]}]\n{flag}\n")
    assert run_cli("dump", "--config", file).code == 0
    for name in top:
        start = "" if file == "dynconf.toml" else "[tool.dynconf]\n"
        Path(file).write_text(f"{start}{name} = {flag.partition(' = ')[2]}\n")
        assert run_cli("dump", "--config", file).code == 0


@pytest.mark.parametrize(
    "words",
    [
        ("dump", "--set", "inductor=true"),
        ("dump", "--set", "triton=true"),
        ("dump", "--set", "inductor.triton=true"),
        ("dump", "--set", "dynamo.inductor.max_autotune=true"),
        ("dump", "inductor"),
        ("dump", "inductor.triton"),
        ("dump", "--config", "held.toml"),
        ("dump", "--config", "script.py"),
        ("dump", "--config", "state.json"),
    ],
)
def test_the_name_of_the_advice_is_a_flag(run_cli, words):
    """In options, and wherever names stand alone."""
    Path("held.toml").write_text('hold = ["max_autotune"]')
    Path("script.py").write_text("torch._inductor.config.recompile_limit = 3")
    Path("state.json").write_text('{"dynconf": 1, "flags": {"max_autotune": {"value": true}}}')
    done = run_cli(*words)
    (name,) = re.findall(r"(?:such as '|give it as )([\w.]+)", done.err)
    assert run_cli("dump", name).code == 0


def test_the_advice_on_the_command_line(run_cli):
    """It is the name as it is typed there."""
    for words in (("dump", "max_autotune"), ("dump", "--set", "max_autotune=true")):
        assert "max_autotune is an inductor flag: give it as inductor.max_autotune" in run_cli(*words).err
    assert "did you mean 'inductor'?" in run_cli("dump", "--set", "inductr=1").err
    with pytest.raises(UnknownFlagError, match="no flag or config module 'inductr': did you mean 'inductor'"):
        dynconf.patch(inductr={"max_autotune": True})


TAKERS = {
    "patch": dynconf.patch,
    "install": dynconf.install,
    "defaults": dynconf.defaults,
    "hold": dynconf.hold,
    "Snapshot": Snapshot,
    "fingerprint": dynconf.fingerprint,
    "options": dynconf.inductor.options,
    "diff": lambda flags: dynconf.diff(flags, {}),
    "ignore": lambda flags: dynconf.save("state.json", ignore=flags),
    "allow": lambda flags: dynconf.defaults({"verbose": True}, allow=flags),
}


@pytest.mark.parametrize("take", TAKERS.values(), ids=TAKERS)
def test_a_key_that_is_no_text_is_the_name_of_no_flag(take):
    """YAML reads ``on:`` as the key True; whoever takes flags says that there is no such flag."""
    with pytest.raises(dynconf.UnknownFlagError, match=r"there is no .*flag 'True'"):
        take({True: 1})
