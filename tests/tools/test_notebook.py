"""In the hand: help, completion, texts and tables."""

import asyncio
import inspect
import itertools
import pickle
import pydoc
import warnings

import pytest

import dynconf
from dynconf import DynamoSettings
from dynconf.catalogue.modules import MODULES, catalogue
from dynconf.store.snapshot import Snapshot


@pytest.mark.parametrize("name", ["patch", "install"])
def test_help_lists_the_flags(name):
    """It shows their annotations, their old names, and the modules that take flags of their own."""
    parameters = inspect.signature(getattr(dynconf, name)).parameters
    assert parameters["recompile_limit"].annotation == "int"
    assert {"verbose", "cache_size_limit", *MODULES[1:]} <= {*parameters}


@pytest.mark.parametrize("module", MODULES)
def test_help_lists_the_flags_of_a_namespace(module):
    """Each namespace its own, with the groups of dotted names; no name that is torch's own."""
    namespace = getattr(dynconf, module)
    known = catalogue(module)
    public = {
        name
        for name in known.flags
        if known.flags[known.canonical(name)].public and name.isidentifier() and name[0] != "_"
    }
    for method in (
        namespace.patch,
        namespace.install,
        *([namespace.options] if module == "inductor" else []),
    ):
        parameters = inspect.signature(method).parameters
        assert public | known.groups <= {*parameters}
        assert {*parameters} & {"self", "flags"} == {"flags"}
        assert method is getattr(namespace, method.__name__)
        assert method.__doc__
    again = pickle.loads(pickle.dumps(namespace))  # noqa: S301  made here
    assert again.patch.__name__ == "patch"


@pytest.mark.parametrize("function", [dynconf.patch, dynconf.install, dynconf.inductor.patch])
def test_help_fits_a_screen(function):
    """The flags are in its signature, and not in the text of that."""
    shown = pydoc.render_doc(function).splitlines()
    assert len(shown) < 40
    assert max(map(len, shown)) < 250
    assert "recompile_limit" not in str(inspect.signature(function))


def test_ipython_completes_flags():
    """Keywords by itself; names in strings once the extension is loaded."""
    pytest.importorskip("IPython")
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell()

    def completed(text):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = itertools.islice(shell.Completer.completions(text, len(text)), 500)
            return {each.text.rstrip("=") for each in found}

    shell.run_cell("import dynconf")
    shell.run_line_magic("load_ext", "dynconf")
    for text in (
        "dynconf.patch(recompile_l",
        "dynconf.install(recompile_l",
        "dynconf.DynamoSettings(recompile_l",
        'dynconf.FLAGS["recompile_l',
        'dynconf.origin("recompile_l',
        'dynconf.reset("verbose", "recompile_l',
        'dynconf.dynamo.origin("recompile_l',
    ):
        assert "recompile_limit" in completed(text), text
    for text in (
        "dynconf.inductor.patch(max_aut",
        "dynconf.inductor.options(max_aut",
        'dynconf.inductor.FLAGS["max_aut',
        'dynconf.inductor.origin("max_aut',
        'dynconf.origin("inductor.max_aut',
    ):
        assert "max_autotune" in completed(text), text
    assert "triton" in completed("dynconf.inductor.options(trit")
    assert "cudagraphs" in completed('dynconf.inductor.reset("triton.cudagr')
    assert "recompile_limit" not in completed('print("recompile_l')
    matchers = [*shell.Completer.custom_matchers]
    shell.run_line_magic("reload_ext", "dynconf")
    assert shell.Completer.custom_matchers == matchers
    for keyed in (dynconf.FLAGS, dynconf.snapshot(), DynamoSettings().origins):
        assert "recompile_limit" in keyed._ipython_key_completions_()


def test_ipython_sets_flags(capsys):
    """As for `--set`, with the cell as origin; without any it shows what is set; mistakes are short."""
    pytest.importorskip("IPython")
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell()
    shell.run_line_magic("load_ext", "dynconf")
    before = dynconf.snapshot()
    try:
        shell.run_cell("%dynconf verbose=true repro_level=4")
        assert dict(dynconf.snapshot().only_set()) == {"verbose": True, "repro_level": 4}
        assert str(dynconf.origin("verbose")).startswith("install at ")
        shell.run_cell("%dynconf verbose = false  repro_level= 3 debug_dir_root ='a = b'")
        changed = {"verbose": False, "repro_level": 3, "debug_dir_root": "a = b"}
        assert dict(dynconf.snapshot().only_set()) == changed
        shell.run_cell("%dynconf verbose=true repro_level=4")
        assert "repro_level=4" in repr(shell.run_line_magic("dynconf", ""))
        for words, message in (
            ("verbos=1 repro_level=3", "did you mean 'verbose'"),
            ("verbose", "FLAG=VALUE"),
        ):
            capsys.readouterr()
            shell.run_cell(f"%dynconf {words}")
            lines = capsys.readouterr().err.splitlines()
            assert len(lines) == 1, lines
            assert lines[0].startswith("UsageError: ")
            assert message in lines[0]
        assert dynconf.snapshot()["repro_level"] == 4
    finally:
        dynconf.reset()
    assert dynconf.snapshot() == before


def test_texts_show_what_is_set_and_count_the_rest():
    """Settings and snapshots show the flags that are set, and count the others."""
    settings = DynamoSettings(recompile_limit=64)
    assert repr(settings) == "DynamoSettings(recompile_limit=64)"
    with settings.patch():
        state = dynconf.snapshot()
    name = next(iter(state.only_set()))
    assert f"{name}=64, {len(state) - 1} defaults>" in repr(state)


def test_tables_are_escaped():
    """Markup in a value is shown as text."""
    settings = DynamoSettings(debug_dir_root="<script>")
    for table in (settings._repr_html_(), Snapshot(settings)._repr_html_()):
        assert "&lt;script&gt;" in table
        assert "<script>" not in table
        assert "debug_dir_root" in table


def test_a_patch_is_an_asynchronous_context_manager_too():
    """It is in force in the task that entered it."""

    async def run():
        async with dynconf.patch(verbose=True) as patch:
            assert dynconf.snapshot()["verbose"] is True
            return patch

    assert asyncio.run(run()).changes == {"verbose": True}
    assert dynconf.snapshot()["verbose"] is False
