"""Tests of the linter on programs: each defect is found once, at its place, in every way to write it."""

import contextvars
import gc
import json
import os
import re
import sys
import textwrap
import time
import weakref
from contextlib import nullcontext
from functools import partial
from pathlib import Path

import click
import pytest

import dynconf
from dynconf.cli.run import run
from dynconf.release import Release
from dynconf.tools.lint.files import read_source
from dynconf.tools.lint.program import LintOptions, project_options, read_sources, write_fixes
from dynconf.tools.lint.python import PythonReader

NEW, OLD = Release.named("2.13"), Release.named("2.6")


def found(text, *releases, name="program.py"):
    """Return the findings in a file with that text: code, line and the text that they point to."""
    Path(name).write_text(textwrap.dedent(text), encoding="utf-8")
    lines = Path(name).read_text(encoding="utf-8").splitlines()
    result = []
    source = read_source(name, releases or [NEW])
    for each in source.problems if source else ():
        span = each.span
        word = lines[span.line - 1].encode()[span.column : span.end_column].decode()
        result.append((each.code, span.line, word))
    return result


def codes(text, *releases, name="program.py"):
    """Return the codes of the findings in a file."""
    return [code for code, _, _ in found(text, *releases, name=name)]


def levels(text, *releases):
    """Return the levels of the findings in a program."""
    Path("program.py").write_text(text, encoding="utf-8")
    return [each.level for each in dynconf.lint("program.py", releases).findings]


def test_names_of_other_releases():
    """Gone, not there yet, renamed and moved flags have codes of their own."""
    assert found("import torch\ntorch._dynamo.config.log_level = 10") == [("DC302", 2, "log_level")]
    new = "import torch\ntorch._dynamo.config.recompile_limit = 64"
    assert codes(new) == []
    assert found(new, OLD, NEW) == [("DC303", 2, "recompile_limit")]
    old = "import torch\ntorch._dynamo.config.cache_size_limit = 64"
    assert found(old) == [("DC304", 2, "cache_size_limit")]
    assert codes(old, OLD) == codes(old, OLD, NEW) == []  # the name that both have
    assert codes("import torch\ntorch._inductor.config.force_disable_caches = True") == ["DC305"]
    old = "import torch\ntorch._dynamo.config.skip_code_recursive_on_cache_limit_hit = True"
    assert codes(old) == ["DC306"]  # the new name does nothing
    newer = "import torch\ntorch._inductor.config.use_static_triton_launcher = True"  # of two names
    assert (codes(newer, Release.named("2.8")), codes(newer)) == (["DC303"], [])
    option = "import torch\ntorch.compile(f, options={'guard_filter_fn': len, 'max_autotune': True})"
    assert (codes(option, OLD, NEW), codes(option, Release.named("2.8"), NEW)) == (["DC303"], [])


@pytest.mark.parametrize(
    ("flag", "wanted"),
    [("_broadcast_rank0_decision", ["DC304"]), ("_sync_decision_cross_ranks", []), ("_config", [])],
)
def test_internal_names_that_are_flags_are_judged(flag, wanted):
    """As any other name; what else is internal to a config module is nobody's business."""
    assert codes(f"import torch._functorch.config as c\nc.{flag} = True") == wanted


def test_flags_that_packages_for_other_devices_add():
    """They are no misspelt ones of another device."""
    assert codes("import torch\ntorch._inductor.config.npu_backend = 'mlir'") == []
    assert codes("import torch\ntorch.compile(f, options={'max_autotune_npu': True})") == []
    assert codes("import torch\ntorch._inductor.config.xpu_backen = 'x'") == ["DC301"]


@pytest.mark.parametrize(
    ("form", "why"),
    [
        ("config.cache_size_limit = config.recompile_limit = 64", "uses both"),
        ("hasattr(config, 'cache_size_limit')\nconfig.cache_size_limit = 8", "tests which name exists"),
        ("def f(**more): config.patch(cache_size_limit=64, **more)", "more may depend on it here"),
        ("config.cache_size_limit = 64", None),
    ],
)
def test_an_old_name_that_is_not_fixed_says_why(form, why):
    """Whoever reads the finding sees that it is left to them, and for which reason."""
    Path("program.py").write_text(f"from torch._dynamo import config\n{form}", encoding="utf-8")
    source = read_source("program.py", [NEW])
    (found,) = (each for each in source.problems if each.code == "DC304")
    assert (found.replacement is None) == (why is not None)
    assert ("--fix leaves it" in found.text) == (why is not None)
    assert (why or "") in found.text


@pytest.mark.parametrize(
    "form",
    [
        "if hasattr(config, 'FLAG'):\n    config.FLAG = 64",
        "if torch.__version__ >= '2.7':\n    config.FLAG = 64\nelse:\n    config.FLAG = 64",
        "try:\n    config.FLAG = 64\nexcept AttributeError:\n    print('no')",
        "def f():\n    if not hasattr(config, 'FLAG'):\n        return\n    config.FLAG = 64",
        "x = config.FLAG if hasattr(config, 'FLAG') else 8",
        "if is_torch_equal_or_newer('2.7.0'):\n    config.FLAG = 64",
        "if compat.TORCH_GE_2_7:\n    config.FLAG = 64",
        "if old: config._config['FLAG'] = entry\nconfig.FLAG = 64",
        "flags = {}\nif hasattr(config, 'FLAG'):\n    flags['FLAG'] = 64\nwith config.patch(flags): pass",
        "flags = {}\nif torch.__version__ >= '2.7':\n    flags = {\n'FLAG': 64}\np = config.patch(**flags)",
        "flags = {}\ntry: flags['FLAG'] = config.FLAG\nexcept AttributeError: log()\np = config.patch(flags)",
    ],
)
def test_guarded_settings_are_notes(form):
    """Where a program asks first, or handles the error, it is fine on both releases."""
    text = f"import torch\nfrom torch._dynamo import config\n{form}".replace("FLAG", "recompile_limit")
    Path("program.py").write_text(text, encoding="utf-8")
    report = dynconf.lint("program.py", ["2.6", "2.13"])
    assert report.ok
    assert {each.code for each in report.findings} <= {"DC303"}


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("torch.compile(f, options={'max-autotune': True})", []),  # with dashes, too
        ("def f(m, o): torch.compile(g, mode=m, options=o)", []),
        ("model.compile(options={'max_autotun': True})", ["DC301"]),
        ("self.model.compile(mode='max-autotuned', fullgraph=True)", ["DC312"]),
        ("model.compile(mode='default', options={'max_autotune': True})", ["DC310"]),
        ("model.compile(optimizer='adam', options={'max_autotun': True})", []),  # of another library
        ("model.compile('x', mode='max-autotuned')", []),
        ("compile_ = functools.partial(torch.compile, mode='max-autotuned')", ["DC312"]),
        ("o = dict(max_autotun=True)\ntorch.compile(f, options={**o, 'shape_padding': True})", ["DC301"]),
        ("kw = dict(options={'max_autotun': True})\ntorch.compile(f, **kw)", ["DC301"]),
        ("kw = {'options': {'max_autotun': True}, 'dynamic': True}\ntorch.compile(f, **kw)", ["DC301"]),
        ("kw = {'mode': 'lite', 'options': {'max_autotune': True}}\ntorch.compile(f, **kw)", ["DC310"]),
        ("torch.compile(f, options=dict(max_autotun=True))", ["DC301"]),
        ("torch.compile(f, options={'triton': {'cudagraphs': True}})", ["DC301"]),
        ("torch.compile(f, options={'triton': {'cudagraps': True}})", ["DC301", "DC301"]),
        ("torch.compile(f, backend='mine', options={'max_autotun': True})", []),
        ("torch.compile(f, backend='mine', mode='foo')", []),
        ("torch._inductor.compile(gm, inputs, {'max_autotun': True})", ["DC301"]),
        ("torch._inductor.aot_compile(gm, args, {'x': x}, options={'max_autotun': True})", ["DC301"]),
        ("torch._inductor.aot_compile(gm, args, options={'extern_node_serializer': f})", []),
        ("torch._inductor.aoti_compile_and_package(ep, inductor_configs={'max_autotun': 1})", ["DC301"]),
        ("from torch._inductor import standalone_compile as s\ns(gm, i, options={'a_b': 1})", ["DC301"]),
        ("torch._export.aot_compile(gm, args, options={'max-autotune': True})", ["DC301"]),  # no dashes
        (
            "from torch._inductor import config, compile_fx as m\nm.compile_fx(gm, [], f, {'a_b': 1})",
            ["DC301"],
        ),
        (
            "c = torch._inductor.compile_fx.compile_fx\nfunctools.partial(c, config_patches={'a_b': 1})",
            ["DC301"],
        ),
        ("for o in {'a': {'max_autotune': True}, 'b': {}}.values(): torch.compile(f, options=o)", []),
    ],
)
def test_forms_of_compile(form, expected):
    """Options are flags of inductor, and exclude a mode; the method of modules is known by its arguments."""
    assert codes(f"import functools\nfrom torch import nn\nimport torch\n{form}") == expected
    if "model" in form:
        assert codes(f"from torch import nn\n{form}") == expected
        assert codes(f"from other import nn\n{form}") == []


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("a.py LLM('m', compilation_config={'inductor_compile_config': {'max_autotun': True}})", ["DC301"]),
        ("a.py CompilationConfig(inductor_compile_config=dict(max_autotune='1'))", ["DC307"]),
        ("a.py TrainingArguments(torch_compile_mode='max-autotuned')", ["DC312"]),
        ("a.py TrainingArguments(torch_compile_backend='inducter')", ["DC312"]),
        ("a.py TrainingArguments(torch_compile_mode='default', torch_compile_backend='inductor')", []),
        ("a.py Other(torch_compiler_mode='off')", []),
        (
            'a.sh vllm serve -O \'{"inductor_compile_config": {"max_autotun": true, "shape_padding": 3}}\'',
            ["DC301", "DC307"],
        ),
        ('a.sh C="{\\"inductor_compile_config\\":{\\"combo_kernel\\":$combo}}"', ["DC301"]),
        (
            'a.yaml command: [--compilation-config, \'{"inductor_compile_config": {"combo_kernel": true}}\']',
            ["DC301"],
        ),
        ("a.yaml inductor_compile_config: {combo_kernels: true, combo_kernel: false}", ["DC301"]),
        ('a.sh # \'{"inductor_compile_config": {"max_autotun": true}}\'', []),
    ],
)
def test_what_libraries_hand_on(form, expected):
    """Flags of inductor that vLLM takes, and words for torch.compile that transformers takes."""
    name, _, text = form.partition(" ")
    head = "from transformers import TrainingArguments\n" if name == "a.py" else ""
    assert codes(head + text, name=name) == expected


def test_a_backward_outside_of_the_patch():
    """It is compiled when it runs, and sees the flags of then."""
    block = "from torch._dynamo import config\nwith config.patch(verbose=True):\n    loss = model(x)\n"
    assert found(block + "loss.backward()") == [("DC309", 2, "config.patch(verbose=True)")]
    assert codes(block + "    loss.backward()") == []


def test_variables_in_python():
    """Names that nothing reads, and misread texts, in the forms that are not in the tree of test_tree.py."""
    for form in (
        "import os\nos.environ.update({'NAME': 'TEXT'})",
        "import os\nos.environ |= {'NAME': 'TEXT'}",
        "import os\nos.putenv('NAME', 'TEXT')",
        "from os import environ\nenviron['NAME'] = 'TEXT'",
        "def test(monkeypatch): monkeypatch.setenv('NAME', 'TEXT')",
        "import os\nfrom unittest import mock\nmock.patch.dict(os.environ, {'NAME': 'TEXT'})",
        "import os\nname = 'NAME'\nos.environ[name] = 'TEXT'",
        "import os\nenv = os.environ.copy()\nenv.update(NAME='TEXT')",
        "import os\nenv = os.environ.copy()\nenv.setdefault('NAME', 'TEXT')",
        "import os, subprocess\nenv = os.environ.copy()\nenv['NAME'] = 'TEXT'\nsubprocess.run([], env=env)",
        "import os, subprocess\nenv = os.environ | {'NAME': 'TEXT'}\nsubprocess.run([], env=env)",
        "import ray\ntasks = {'env_vars': {'NAME': 'TEXT', 'X': y}, 'pip': []}\nray.init(runtime_env=tasks)",
        "import modal\nimage = modal.Image.debian_slim().env({'NAME': 'TEXT'})",
        "import os\ndef variables(): return {**os.environ, 'NAME': 'TEXT'}",
        "import subprocess as s\ndef run(c, env):\n    env['NAME'] = 'TEXT'\n    s.run(c, env=env)",
        "def tests(session): session.env['NAME'] = 'TEXT'",  # of nox
        "def tests(session): session.env.update(NAME='TEXT')",
        "class Job:\n    def start(self): self.env_vars.setdefault('NAME', 'TEXT')",
        "import subprocess\nsubprocess.run(['env', 'NAME=TEXT', 'python', 'train.py'])",
        "from subprocess import Popen\ncommand = f'NAME=TEXT python {file}'\nPopen(command, shell=True)",
        "import os\nos.system('NAME=TEXT python train.py')",
        "def variables(env): env |= {'NAME': 'TEXT'}",
        "import os\nfor name, text in [('HOME', 'x'), ('NAME', 'TEXT')]: os.environ[name] = text",
    ):
        wrong = form.replace("NAME", "TORCHDYNAMO_SUPRESS_ERRORS").replace("TEXT", "1")
        assert codes(wrong) == ["DC401"], form
        misread = form.replace("NAME", "TORCHDYNAMO_SUPPRESS_ERRORS").replace("TEXT", "0")
        assert codes(misread) == ["DC402"], form
        assert codes(form.replace("NAME", "HOME").replace("TEXT", "0")) == []


@pytest.mark.parametrize(
    "text",
    [
        "import os\nprint(os.environ | {}, 'TORCHDYNAMO_VERBOS=1 does nothing')",
        "import subprocess\nsubprocess.run(['echo', text], check=True)\nlog('TORCHDYNAMO_VERBOS=1 is set')",
        "env = {'TORCHDYNAMO_VERBOS': '1'}",  # nobody gets it
        "env = Environment()\nenv.step({'TORCHDYNAMO_VERBOS': '1'})",
        "import subprocess\nsubprocess.run(f'TORCHINDUCTOR_COMPILE_THREADS={n} python train.py', shell=True)",
    ],
)
def test_a_text_about_a_variable_sets_none(text):
    """Neither does a dict that no process gets, nor an environment of another kind."""
    assert codes(text) == []


@pytest.mark.parametrize(
    "loop",
    [
        "for name, text in {'NAME': '1'}.items(): os.environ[name] = text",
        "names = {'NAME': '1'}\nfor name in names: os.environ.setdefault(name, names[name])",
        "for name in ['HOME', 'NAME']: os.environ.pop(name, None)",
        "for name, text in dict(HOME='a', NAME='1').items(): os.environ[name] = text",
    ],
)
def test_variables_that_a_loop_sets(loop):
    """The name is judged where it is written."""
    name = "TORCHDYNAMO_SUPRESS_ERRORS"
    [(code, line, word)] = found("import os\n" + loop.replace("NAME", name))
    assert (code, line, word) == ("DC401", 2, name)


def test_flags_that_a_loop_asks_for_and_sets():
    """Each is found once, where it is written."""
    loop = "for name, value in FLAGS.items():\n    if hasattr(config, name): setattr(config, name, value)"
    for flags in ("{'verbos': True}", "dict(verbos=True)"):
        text = "from torch._dynamo import config\n" + loop.replace("FLAGS", flags)
        assert [(code, line) for code, line, _ in found(text)] == [("DC301", 2)], flags


@pytest.mark.parametrize(
    "statement",
    [
        "torch._dynamo.config.patch(verbose=True)",
        "torch._inductor.config.patch({'max_autotune': True})",
        "dynconf.inductor.patch(max_autotune=True)",
    ],
)
def test_a_patch_that_nothing_enters(statement):
    """As a statement it changes no flag; where its value is used, all is well."""
    assert found(f"import torch, dynconf\n{statement}") == [("DC313", 2, statement)]
    assert found(f"import torch, dynconf\ndef f():\n    {statement}") == [("DC313", 3, statement)]
    for use in ("with {}: pass", "stack.enter_context({})", "p = {}", "@{}\ndef f(): pass"):
        assert codes(f"import torch, dynconf\n{use.format(statement)}") == [], use
    assert codes("import dynconf\ndynconf.install(verbose=True)") == []


def test_a_flag_that_is_assigned_to_the_package_of_its_module():
    """`torch._dynamo.verbose = True` makes an attribute that nothing reads."""
    text = "import torch\ntorch._dynamo.verbose = True"
    assert found(text) == [("DC301", 2, "torch._dynamo.verbose")]
    assert codes("import torch\ntorch._dynamo.disable = lambda function: function") == []
    assert codes("import torch\ntorch._dynamo.something = True") == []


def test_a_variable_that_is_set_too_late():
    """After the import of the module that reads it; earlier, or for one that is read later, all is well."""
    late = "import os\nimport torch._dynamo\nos.environ['TORCHDYNAMO_VERBOSE'] = '1'"
    assert found(late) == [("DC405", 3, "TORCHDYNAMO_VERBOSE")]
    assert codes("import os, torch\nos.environ['TORCHDYNAMO_VERBOSE'] = '1'\nimport torch._dynamo") == []
    assert codes(late.replace("VERBOSE", "DISABLE")) == []  # torch.compile reads that one in each call
    for spawning in ("import torch.multiprocessing as mp", "from multiprocessing import Process"):
        assert codes(f"{spawning}\n{late}") == []  # the processes that it starts read it
    text = "import os, torch\nos.environ['TORCHINDUCTOR_FORCE_DISABLE_CACHES'] = '1'"
    assert codes(text, Release.named("2.8")) == []
    assert codes(text, Release.named("2.9")) == codes(text) == ["DC405"]  # `import torch` itself loads it
    text = "import os, torch.fx.experimental._config\nos.environ['TORCHDYNAMO_TRANSLATION_VALIDATION'] = '1'"
    assert codes(text, OLD) == codes(text) == ["DC405"]
    assert codes(text.replace(".fx.experimental._config", ""), OLD) == []  # `import torch` does since 2.7


@pytest.mark.parametrize("name", ["TORCH_LOGS", "TORCH_LOGS_OUT", "TORCH_TRACE"])
def test_a_variable_of_logs_that_is_set_after_any_import_of_torch(name):
    """`import torch` itself reads it."""
    assert codes(f"import os\nimport torch\nos.environ[{name!r}] = 'dynamo'") == ["DC405"]
    assert codes(f"import os\nfrom torch import nn\nos.environ[{name!r}] = 'dynamo'") == ["DC405"]
    assert codes(f"import os\nos.environ[{name!r}] = 'dynamo'\nimport torch") == []
    read_again = (
        f"import os\nimport torch\nos.environ[{name!r}] = 'dynamo'\ntorch._logging.set_logs(dynamo=10)"
    )
    assert codes(read_again) == (["DC405"] if name == "TORCH_LOGS" else [])  # as torch 2.13 does it


def test_a_log_that_does_not_exist():
    """With it torch cannot be imported; one that resembles none may be a module where the program runs."""
    switches = ("ERROR", "DEBUG", "off", "1", "")
    for text in ("recompile", "+dynammo,guards", "dynamo,perf_hint", "dynamo guards", *switches):
        assert codes(f"import os\nos.environ['TORCH_LOGS'] = {text!r}") == ["DC403"], text
        assert codes(f"TORCH_LOGS='{text}' python train.py", name="run.sh") == ["DC403"], text
    for text in ("recompiles", "+dynamo,+torchao", "torchtitan", "model", "vllm.compilation"):
        assert codes(f"import os\nos.environ['TORCH_LOGS'] = {text!r}") == [], text


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("run.sh", "export NAME=0  # off"),
        ("run.sh", "docker run -eNAME=0 image"),
        ("pod.yaml", "env:\n  - value: '0'\n    name: NAME"),
        ("pod.yaml", "env: [{name: NAME, value: '0'}]"),
        ("run.sh", "export APPTAINERENV_NAME=0"),
        ("train.service", "[Service]\nEnvironment=NAME=0"),
        ("supervisord.conf", "environment=NAME=0"),
        ("devcontainer.json", '{"containerEnv":\n{"NAME": "0"}}'),
        ("Makefile", "NAME := 0"),
        ("Makefile", "NAME ?= 0"),
        ("Makefile", "export NAME ::= 0"),
        ("rules.mk", "all: NAME = 0"),
        ("Makefile", "all:\n\tNAME=0 python x.py"),
        ("run.sh", ': "${NAME:=0}"'),
        ("run.sh", ": ${NAME=0}"),
        ("run.sh", "x=$(NAME=0 python x.py)"),
        ("ci.yaml", 'run: |\n  : "${NAME:=0}"'),
        ("task.json", '{"environment":\n[{"value": "0", "name": "NAME"}]}'),
        (".bazelrc", "test --test_env=NAME=0"),
        ("shell.nix", "mkShell {\n  NAME = 0;\n}"),
    ],
)
def test_variables_in_other_files(name, text):
    """In scripts and configuration, with the place of the name; more are in the tree of test_tree.py.

    The signs are those of make, and in a shell those that set a variable that is not set yet.
    """
    text = text.replace("NAME", "TORCHDYNAMO_SUPPRESS_ERRORS")
    [(code, _, word)] = found(text, name=name)
    assert (code, word) == ("DC402", "TORCHDYNAMO_SUPPRESS_ERRORS")
    assert codes(text.replace("0", "1"), name=name) == []
    assert codes(f"# {text}" if "\n" not in text else "", name=name) == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Makefile", "x = $(NAME:x=y)"),
        ("Makefile", "x = ${NAME:=.o}"),
        ("Makefile", "NAME: all"),
        ("Makefile", "LOGS := $(NAME)"),
        ("ci.yaml", 'run: echo "${NAME:-0}"'),
        ("ci.yaml", 'run: |\n  [ "${NAME:-no}" == no ]'),
        ("ci.yaml", 'run: echo "${NAME:+0} ${NAME:?no} ${NAME-0} ${NAME:0:3}"'),
        ("ci.yaml", "if: NAME == 'no'"),
        ("ci.yaml", "run: docker run -v NAME:/root image"),
        ("run.sh", 'echo "${NAME:-0}"'),
        ("web.dockerfile", "RUN echo ${NAME:-0}"),
        ("Jenkinsfile", "if (NAME == 'no') {}"),
    ],
)
def test_signs_that_only_read(name, text):
    """A default of a shell, a substitution of make, a comparison, a target, a volume."""
    for variable in ("TORCHDYNAMO_SUPPRESS_ERRORS", "TORCHDYNAMO_VERBOSE"):
        assert codes(text.replace("NAME", variable), name=name) == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.ipynb", '{"cells":[{"cell_type":"code","source":["!ls TORCH\\n","%sx"]}]}' % (" " * 10**6)),
        ("a.yaml", "TORCH\n" + f"value:{' ' * 999}x\n" * 1000),
        ("a.yaml", "TORCH\nvalue:" + "\n" * 10**5),
        ("a.yaml", "TORCH " + "value:{" * 10**5),
        ("a.yaml", "TORCH " + "value: #" * 10**5),
        ("a.yaml", "name: TORCH" + " " * 10**6),
        ("a.py", "from torch import (" + "\n" * 10**6),
    ],
)
def test_space_without_end_is_read_in_time(name, text):
    """In any place of a pattern: a pattern that tried each length of it would take hours."""
    Path(name).write_text(text, encoding="utf-8")
    assert {each.code for each in dynconf.lint(name, "2.13").findings} <= {"DC300"}


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["%%capture\n%%bash\npip install torch\nexport TORCHDYNAMO_SUPRESS_ERRORS=1"], [("DC401", 2, 4)]),
        (["%%bash\nexport TORCHDYNAMO_SUPRESS_ERRORS=1\nfor x in y; do echo; done\n"], [("DC401", 2, 2)]),
        (["import torch\ntorch?\nfiles = !ls\ntorch._dynamo.config.verbos = 1"], [("DC301", 2, 4)]),
        (["import torch._dynamo.config as c", "c.verbos = 1  # torch.compile"], [("DC301", 3, 1)]),
        (['%env TORCHDYNAMO_VERBOSE="1"', '!export TORCHDYNAMO_VERBOSE="1"'], [("DC403", 2, 1)]),
        (["%env TORCHDYNAMO_VERBOSE=1  # all\n%env TORCHDYNAMO_VERBOSE=1"], [("DC403", 2, 1)]),
        (['%set_env TORCH_LOGS="recompiles"'], [("DC403", 2, 1)]),
    ],
)
def test_notebooks(cells, expected):
    """The cells are read as one would run them, one after the other; magics set variables.

    The value of `%env` is all that follows, quotes and comments too, as in IPython 9.18.1:
    findings/ipython_env_keeps_quotes.sh.
    """
    code = [{"cell_type": "code", "source": each.splitlines(keepends=True)} for each in cells]
    Path("a.ipynb").write_text(json.dumps({"cells": [{"cell_type": "markdown", "source": "x.y = 1"}, *code]}))
    report = dynconf.lint("a.ipynb", "2.13")
    assert [(each.code, each.facts["cell"], each.line) for each in report.findings] == expected


def test_comments_that_ignore():
    """One line, one code, or the whole file."""
    line = "import torch\ntorch._dynamo.config.verbos = True"
    assert codes(f"{line}  # dynconf: ignore") == codes(f"{line}  # dynconf: ignore[DC301]") == []
    assert codes(f"{line}  # dynconf: ignore[DC302]") == ["DC301"]
    assert codes(f"# dynconf: ignore-file\n{line}") == []


def test_options_of_a_project():
    """In the nearest pyproject.toml: releases, codes, and files; an unknown one is an error."""
    Path("pyproject.toml").write_text(
        '[tool.dynconf]\nverbose = true\n[tool.dynconf.check]\ntorch = "2.6"\nignore = ["DC4"]\n'
        'exclude = ["old/*"]\nper-file-ignores = {"tests/*" = ["DC301"]}\n'
    )
    options = project_options()
    per_file = {"tests/*": ("DC301",)}
    assert options == LintOptions(("2.6",), (), ("DC4",), ("old/*",), per_file, Path.cwd())
    for folder in ("old", "tests", "src"):
        Path(folder).mkdir()
        Path(folder, "a.py").write_text("import torch\ntorch._dynamo.config.verbos = 1\n")
    assert [each.file for each in dynconf.lint(".").findings] == ["src/a.py"]
    assert dynconf.DynamoSettings(_torch="2.13").verbose  # the table is none of flags
    Path("pyproject.toml").write_text("[tool.dynconf.check]\ntorhc = []\n")
    with pytest.raises(dynconf.StateFileError, match="'torhc' is not an option: expected exclude"):
        dynconf.lint(".")


@pytest.mark.parametrize("folder", [".", "sub", "sub/gen", "../link", "../link/sub"])
def test_patterns_count_from_the_folder_of_their_file(folder, tmp_path, monkeypatch):
    """Wherever the check is started, whatever the paths are, and for files that are given by name, too."""
    project = tmp_path / "project"
    for name in ("third_party/a.py", "sub/gen/b.py", "sub/third_party/c.py"):
        (project / name).parent.mkdir(parents=True)
        (project / name).write_text("import torch\ntorch._dynamo.config.cache_size_limit = 1\n")
    (project / "pyproject.toml").write_text(
        '[tool.dynconf.check]\nexclude = ["third_party/*"]\nper-file-ignores = {"sub/gen/*" = ["DC304"]}\n'
    )
    (tmp_path / "link").symlink_to(project)
    monkeypatch.chdir(project / folder)
    files = ["third_party/a.py", "sub/gen/b.py", "sub/third_party/c.py"]
    for base in (os.path.relpath(project), project, tmp_path / "link"):
        for paths in ([base], [Path(base, each) for each in files]):
            reported = [each.file for each in dynconf.lint(paths, "2.13").findings]
            assert [Path(each).name for each in reported] == ["c.py"]


def test_options_need_not_be_in_the_file_of_the_flags(recwarn, monkeypatch):
    """Those in a pyproject.toml count beside and above a dynconf.toml without any, and hide no flags."""
    Path("sub").mkdir()
    Path("pyproject.toml").write_text('[tool.dynconf.check]\nignore = ["DC304"]\n')
    for folder in (".", "sub"):
        Path(folder, "dynconf.toml").write_text("verbose = true\n")
        monkeypatch.chdir(folder)
        assert project_options().ignore == ("DC304",)
        assert dynconf.DynamoSettings(_torch="2.13").verbose
    Path("dynconf.toml").unlink()
    Path("pyproject.toml").write_text("[tool.dynconf.check]\nignore = []\n")
    assert dynconf.DynamoSettings(_torch="2.13").verbose
    assert project_options().ignore == ()
    assert not recwarn.list


@pytest.mark.parametrize(
    ("text", "is_valid"),
    [("tool = 1", True), ("[project]\nname = 'x'", True), ("[tool]\ndynconf = 1", False),
     ("[tool.dynconf]\ncheck = 1", False)],
)  # fmt: skip
def test_projects_without_options(text, is_valid):
    """A file of which nothing concerns dynconf has none; options that are no table are an error in words."""
    Path("pyproject.toml").write_text(text)
    with nullcontext() if is_valid else pytest.raises(dynconf.StateFileError, match="table"):
        assert project_options() == LintOptions()


def test_files_that_cannot_be_read():
    """One finding each; the others are read nevertheless."""
    Path("a.py").write_bytes(b"import torch._dynamo.config\nx = (")
    Path("b.py").write_bytes(b"import torch\ntorch._dynamo.config.verbos = 1")
    Path("c.py").write_bytes(b"torch._dynamo.config = '\x00'")
    Path("d.ipynb").write_bytes(b"{torch._dynamo.config")
    Path("e.py").write_bytes(b"torch._dynamo.config" + b"(" * 100_000)
    report = dynconf.lint(".", "2.13")
    assert [(each.code, each.file) for each in report.findings] == [
        ("DC300", "a.py"),
        ("DC301", "b.py"),
        ("DC300", "c.py"),
        ("DC300", "d.ipynb"),
        ("DC300", "e.py"),
    ]
    with pytest.raises(dynconf.InvalidValueError, match="does not exist"):
        dynconf.lint("nowhere")


def test_fixes_change_their_places_and_nothing_else():
    """Old names become new ones where all releases have these; a second run changes nothing."""
    text = (
        "# é cache_size_limit\r\nfrom torch._dynamo import config; s = 'é'; config.cache_size_limit = 64\r\n"
        "p = config.patch(cache_size_limit=4, verbose=True)\r\np = config.patch({'cache_size_limit': 4})\r\n"
        'setattr(config, "cache_size_limit", 3)\r\nx = config.accumulated_cache_size_limit\r\n'
    )
    Path("a.py").write_bytes(text.encode())
    assert not dynconf.lint("a.py", ["2.6", "2.13"], fix=True).findings
    assert Path("a.py").read_bytes() == text.encode()
    assert not dynconf.lint("a.py", ["2.8", "2.13"], fix=True).findings
    start = text.index("from")
    expected = text[:start] + text[start:].replace("cache_size_limit", "recompile_limit")
    assert Path("a.py").read_bytes() == expected.encode()


def test_a_file_that_is_given_twice_is_fixed_once():
    """By its name, in its folder, or through a link: that is no change by somebody else."""
    Path("a.py").write_text("import torch\ntorch._dynamo.config.cache_size_limit = 1\n")
    assert len(dynconf.lint([".", "a.py", "./a.py", Path("a.py").absolute()], "2.13").findings) == 1
    Path("b.py").symlink_to("a.py")
    options = LintOptions(("2.13",))
    written = write_fixes(list(read_sources([".", "a.py", "b.py"], options)), options)
    assert not any(each.problems for each in written)
    assert Path("a.py").read_text() == "import torch\ntorch._dynamo.config.recompile_limit = 1\n"


IMPORTED = "import torch\nfrom torch._dynamo import config\n"
"""The imports of a form that has none of its own."""

FORMS = {
    "": r"""
import os
os.system("export TORCH_COMPILE_DEBUG=1 && python train.py")
---
import torch
torch.compiler.set_stance("eager_on_recompile")
torch.compile(f, backend="aot_eager_of_mine")
---
def main(config): config.verbos = True
---
from omegaconf import config
config.verbos = True
---
import torch._dynamo.config as config
config = load()
config.verbos = True
---
config._verbos = True
---
config.is_fbcode()
config.verbos()
---
if (config := load()): config.verbos = True
---
match x:
    case {"a": config}:
        config.verbos = True
---
match x:
    case [*config]:
        config.verbos = True
    case {**config}:
        config.verbos = True
    case str() as config:
        config.verbos = True
---
exec("config.verbos = (")
exec("config.verbos = True\\0")
---
[setattr(config, "verbos", True) for config in configs]
---
def load():
    global config
    config = other()
def use():
    config.verbos = True
---
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    from torch._dynamo import config
def f(config: "config"):
    config.verbos = True
---
try: pass
except E as config:
    config.verbos = True
---
def test(monkeypatch): monkeypatch.setattr(torch._dynamo, "reset", f)
---
from torch._dynamo.config import verbose, is_fbcode
---
torch._dynamo.config.verbos = True  # dynconf: ignore[DC3]
---
import dynconf
with dynconf.inductor.patch(triton={"cudagraphs": True}): pass
---
try: config.recompile_limit = 64
except: pass
---
@config.patch(verbose=True)
def f():
    def g(): yield 1
    return g
---
import dynconf
@dynconf.patch(verbose=True)
async def f(): pass
---
config.recompile_limit = 1024
def f(): config.accumulated_recompile_limit = 2048
""",
    "DC301": r"""
import dynconf
with dynconf.inductor.patch(triton={"cudagraps": True}): pass
---
import torch
settings = torch._dynamo.config
settings.verbos = True
---
if (c := torch._dynamo.config).verbose:
    c.verbos = True
---
config.verbos, x = True, 2
---
with config.patch({"verbose": True} | {"verbos": True}): pass
---
lambda: setattr(torch._dynamo.config, "verbos", True)
---
try:
    import torch._dynamo.config as c
except ImportError:
    c = None
c.verbos = True
---
class C:
    def f(self):
        import torch
        torch._dynamo.config.verbos = True
---
is_on = True
lines = [f"config.verbos = {is_on}"]
for line in lines:
    exec(line)
---
from torch._inductor import config
with config.patch(triton={"cudagraphs": True}): pass
---
with config.patch(**{"verbos": True}): pass
---
config = None
def load():
    global config
    config = torch._dynamo.config
def use():
    config.verbos = True
---
s = "# dynconf: ignore-file"
torch._dynamo.config.verbos = True
---
from unittest.mock import patch as mock_patch
import torch
@mock_patch.object(torch._dynamo.config, "verbos", True)
def test(): pass
""",
    "DC302": r"""
from torch._dynamo.config import log_level
""",
    "DC312": r"""
import torch
torch.compile(f, backend="inductorr")
---
import torch
torch._dynamo.optimize("aot-eager")(f)
---
import torch
with torch.compiler.set_stance(stance="force-eager"): pass
""",
    "DC316": r"""
def test(monkeypatch): monkeypatch.setattr(config, "verbose", True)
---
def test(mp): mp.setattr("torch._dynamo.config.verbose", True)
""",
    "DC401": r"""
import os
os.system("export TORCH_COMPILE_DEBUG=1")
---
import os
x = os.getenv("TORCHDYNAMO_SUPRESS_ERRORS", "0")
y = os.getenv("TORCH_COMPILE_FORCE_FULLGRAPH")
---
import os
x = "TORCHDYNAMO_SUPRESS_ERRORS" in os.environ
""",
    "DC402 DC403": r"""
import os
for name, text in {"TORCHDYNAMO_SUPPRESS_ERRORS": "0", "TORCH_LOGS": "off"}.items():
    os.environ[name] = text
""",
}
"""Programs by the codes that are found in each."""


@pytest.mark.parametrize(
    ("expected", "form"),
    [(found, form) for found, forms in FORMS.items() for form in forms.strip().split("\n---\n")],
)
def test_forms_that_bind_and_set(expected, form):
    """Whatever binds a name hides it, and whatever passes a setting on is followed; others are left alone.

    The usual forms are in the tree of test_tree.py.
    """
    program = form if "import " in form else IMPORTED + form
    assert codes(program) == expected.split()
    if (right := re.sub(r"\bverbos\b", "verbose", program)) != program:
        assert codes(right) == []


def test_pipes_and_broken_links_are_not_waited_for():
    """They are findings, and the rest of the folder is read."""
    os.mkfifo("a.py")
    Path("b.py").symlink_to("b.py")
    report = dynconf.lint(".", "2.13")
    assert [each.code for each in report.findings] == ["DC300", "DC300"]


def fixed_text(text, *releases, name="program.py"):
    """Return a text after its fixes."""
    Path(name).write_text(text, encoding="utf-8")
    dynconf.lint(name, releases, fix=True)
    return Path(name).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("form", "releases", "expected"),
    [
        ("config.patch(NEW=4)", ("2.8", "2.13"), "recompile_limit"),
        ("config.patch(OLD=4)", ("2.8", "2.13"), "recompile_limit"),
        ("config.patch(NEW=4)", ("2.6", "2.13"), "cache_size_limit"),
        ("mock.patch('torch._dynamo.config.OLD', 4)", ("2.8", "2.13"), "recompile_limit"),
        ("mock.patch('torch._dynamo.config.NEW', 4)", ("2.6", "2.13"), "recompile_limit"),
        ("mock.patch.object(config, 'NEW', 4)", ("2.6", "2.13"), "recompile_limit"),
    ],
)
def test_a_fix_writes_the_newest_name_that_all_releases_have(form, releases, expected):
    """It may be an older one, but not for `mock.patch`, after which torch has no alias of that name."""
    start = "from unittest import mock\nfrom torch._dynamo import config\n"
    text = form.replace("NEW", "recompile_limit").replace("OLD", "cache_size_limit")
    right = form.replace("NEW", expected).replace("OLD", expected)
    assert fixed_text(start + text, *releases) == start + right


@pytest.mark.parametrize(
    "form",
    [
        "config.patch(OLD=64, NEW=64)",
        "config.patch({'OLD': 64, 'NEW': 64})",
        "config.patch(OLD=64, **{'NEW': 64})",
        "config.patch(OLD=64, **options)",
        "config.patch({'OLD': 64, **options})",
        "config.patch({'OLD': 64, name: 32})",
        "config.patch(dict(options, OLD=64))",
        "if hasattr(config, 'NEW'):\n    config.NEW = 64\nelse:\n    config.OLD = 64",
        "has = hasattr(config, 'OLD')\nif has:\n    config.OLD = 64",
        "if is_old:\n    config.OLD = 64\nelse:\n    config.NEW = 64",
        "try:\n    config.NEW = 64\nexcept AttributeError:\n    config.OLD = 64",
        "try:\n    config.OLD = 64\nexcept Exception:\n    pass",
        "limit = getattr(config, 'NEW', None) or config.OLD",
        "name = 'NEW' if is_new else 'OLD'\nsetattr(config, name, config.OLD + config.NEW)",
        "options = {'OLD': 64}\nconfig.patch(options)\nprint(options['OLD'])",
        "options = {'OLD': 64}\nconfig.patch({**options})\nprint(options['OLD'])",
        "kw = {'options': {'memory_pool': 'none', 'OLD': 64}}\ntorch.compile(f, **kw)\nkw['options']['OLD']",
        "key = 'OLD'\nvalues = {'OLD': 64}\nsetattr(config, key, values[key])",
        "values = {'OLD': 64}\nfor key in ['OLD']:\n    setattr(config, key, values[key])",
        "saved = {key: getattr(config, key) for key in ('OLD',)}\nsaved['OLD']",
        "prepared = functools.partial(config.patch, OLD=64)\nprepared(OLD=32)",
        "prepared = functools.partial(config.patch, **{'OLD': 64})\nprepared(OLD=32)",
        "del config.OLD",
        "delattr(config, 'OLD')\nconfig.OLD = 64",
        "print(f'{config.OLD=}')",
        "print(f'{getattr(config, \"OLD\") + ( 1 ) = }')",
    ],
)
def test_a_fix_changes_no_program(form):
    """It leaves a name that something else may see, choose, or give again by its other name."""
    start = "import functools, torch\nfrom torch._dynamo import config\n"
    text = start + form.replace("OLD", "cache_size_limit").replace("NEW", "recompile_limit")
    assert fixed_text(text, "2.13") == text


@pytest.mark.parametrize(
    "form",
    [
        "config.patch(OLD=64, verbose=True)",
        "config.patch(**{'OLD': 64})",
        "config.patch({'OLD': 64, **{'verbose': True}})",
        "config.patch(dict(OLD=64))",
        "functools.partial(config.patch, {'OLD': 64})",
        "if hasattr(config, 'verbose'):\n    config.verbose = True\nconfig.OLD = 64",
        "options = {'verbose': True}\nconfig.patch(options)\nconfig.OLD = options['verbose']",
        "print(f'{x=}', config.OLD)",
        *(["print(f'limit={config.OLD}')"] if sys.version_info >= (3, 12) else []),  # before, it has no place
    ],
)
def test_a_fix_is_made_where_nothing_else_sees_the_name(form):
    """In the call or attribute that sets the flag itself, beside flags that have nothing to do with it."""
    start = "import functools, torch\nfrom torch._dynamo import config\n"
    old, new = (start + form.replace("OLD", name) for name in ("cache_size_limit", "recompile_limit"))
    assert fixed_text(old, "2.13") == new


def test_a_keyword_is_no_place_for_a_dotted_name():
    """A flag that moved into a group is fixed where it is a text or an attribute."""
    start = "from torch._inductor import config\n"
    assert "patch(allow_stack" in fixed_text(f"{start}config.patch(allow_stack_allocation=True)", "2.13")
    for form in ("config.FLAG = True", "config.patch({'FLAG': True})", "setattr(config, 'FLAG', True)"):
        text = fixed_text(start + form.replace("FLAG", "allow_stack_allocation"), "2.13")
        assert text == start + form.replace("FLAG", "aot_inductor.allow_stack_allocation")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("TORCHDYNAMO_SUPRESS_ERRORS=1", "TORCHDYNAMO_SUPPRESS_ERRORS=1"),
        ("TORCHDYNAMO_SUPRESS_ERRORS=0", "TORCHDYNAMO_SUPRESS_ERRORS=0"),  # 0 would switch it on
        ("TORCHDYNAMO_SUPRESS_ERRORS=$X", "TORCHDYNAMO_SUPRESS_ERRORS=$X"),
        ("TORCHINDUCTOR_MAX_AUTOTUNE_GEMM_TRIALS=1", "TORCHINDUCTOR_MAX_AUTOTUNE_GEMM_TRIALS=1"),
        ("ENABLE_AOT_AUTOGRAD_CACHE=1", "TORCHINDUCTOR_AUTOGRAD_CACHE=1"),
    ],
)
def test_variables_get_the_one_name_that_is_right(name, expected):
    """Only if it is the one that can be meant, and the text means under it what it seems to."""
    assert fixed_text(f"export {name}\n", "2.6", "2.13", name="run.sh") == f"export {expected}\n"
    assert fixed_text(f"é: [{name}]\n", "2.6", "2.13", name="a.yaml") == f"é: [{expected}]\n"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("run.sh", "export NAME=1\necho ${NAME}"),
        ("run.sh", ': "${NAME:=1}"'),
        ("run.sh", "NAME=1\nexport NAME"),
        ("run.sh", "export NAME=1\nunset NAME"),
        ("Dockerfile", "ARG NAME\nENV NAME=1"),
        ("Makefile", "NAME := 1\nall:; echo $(NAME)"),
        ("ci.yaml", "env: {NAME: 1}\nrun: echo ${{ env.NAME }}"),
        ("a.py", "import os\nos.environ['NAME'] = '1'\nfor each in ['NAME']: os.environ.pop(each)"),
        ("a.py", "import os\nextra = {'NAME': '1'}\nos.environ |= extra\nprint(extra['NAME'])"),
    ],
)
def test_a_variable_that_is_read_by_its_name_keeps_it(name, text):
    """Whoever reads it, a shell, make, a runner or the program, would find nothing."""
    text = text.replace("NAME", "TORCHDYNAMO_SUPRESS_ERRORS")
    assert codes(text, name=name).count("DC401")
    assert fixed_text(text, "2.13", name=name) == text


OF_DYNCONF = r"""
DynamoSettings(FLAG=3)
DynamoFlags(**{"FLAG": 3})
CompileSettings(FLAG=3)
CompileFlags(dynamo={"FLAG": 3})
dynamo.Settings(FLAG=3, _config="other.toml")
defaults(FLAG=3)
defaults({"dynamo.FLAG": 3}, quiet=True, allow=["verbose"])
hold("verbose", "FLAG")
hold(FLAG=3)
reset("dynamo.FLAG")
dynamo.reset("FLAG")
origin("FLAG")
fx.origin("dynamo.FLAG")
patch(FLAG=3, missing="skip")
patch({"dynamo.FLAG": 3})
patch(dynamo={"FLAG": 3})
patch({"dynamo": {"FLAG": 3}})
install(FLAG=3, scope="context", config="a.toml", missing="warn")
""".strip().splitlines()


@pytest.mark.parametrize("call", OF_DYNCONF)
def test_the_flags_that_functions_and_models_of_dynconf_name(call):
    """By whatever name they are imported, with a module in front or around; old names are notes.

    Their own parameters are no flags.
    """
    for start in (
        "import dynconf as d\nx = d.",
        f"from dynconf import {call.partition('(')[0].partition('.')[0]}\nx = ",
    ):
        assert codes(start + call.replace("FLAG", "recompile_limit")) == []
        assert found(start + call.replace("FLAG", "cache_size_limit")) == [("DC304", 2, "cache_size_limit")]
        assert [each.level for each in dynconf.lint("program.py", "2.13").findings] == ["note"]
        assert found(start + call.replace("FLAG", "recompile_limt")) == [("DC301", 2, "recompile_limt")]


@pytest.mark.parametrize(
    ("call", "code"),
    [
        ("dynconf.inductor.options('max-autotune', max_fusion_size=3, use_aoti=True)", []),
        ("dynconf.inductor.options('max-autotun', missing='skip')", ["DC312"]),
        ("dynconf.inductor.options(mode='max-autotun')", ["DC312"]),
        ("dynconf.inductor.options({'max-fusion-size': 3}, 'skip')", []),
        ("dynconf.inductor.options('max-autotune', coordinate_descent_check_all_directions=True)", []),
        ("x = dynconf.inductor.patch(force_disable_caches=True)", ["DC304"]),
        ("dynconf.install(skip_code_recursive_on_cache_limit_hit=False)", ["DC306"]),
        ("dynconf.DynamoSettings(skip_code_recursive_on_recompile_limit_hit=False)", ["DC306"]),
        ("dynconf.DynamoSettings(skip_code_recursive_on_recompile_limit_hit=True)", []),  # the default
        ("dynconf.defaults({'reorderable_logging_functions': ['builtins:print']}, allow=x)", []),
        ("dynconf.inductor.options(recompile_limit=3)", ["DC301"]),
        ("dynconf.inductor.options(max_fusion_size='x')", ["DC307"]),
        ("dynconf.hold(recompile_limit='x')", ["DC307"]),
        ("dynconf.defaults('recompile_limit', 'x')", ["DC307"]),
        ("x = dynconf.patch(mode='max-autotune')", ["DC301"]),
        ("import torch\nwith dynconf.hold(recompile_limit=4): torch.compile(f, recompile_limit=1)(x)", []),
        (
            "dynconf.DynamoFlags(recompile_limit='3', TORCHDYNAMO_VERBOSE='1', _x=1)",
            [],
        ),  # as pydantic reads it
        ("class DynamoSettings(dynconf.DynamoSettings): own: int\nDynamoSettings(own=3)", []),
        ("dynconf.reset('log_level')", ["DC302"]),
        ("x = dynconf.patch(log_level=3)", ["DC302"]),
    ],
)
def test_what_functions_and_models_of_dynconf_take(call, code):
    """A mode is none of the flags, a model converts its values, and one of the program has its own fields."""
    assert codes(f"import dynconf\n{call}") == code


OF_A_FLAG_THAT_IS_GONE = r"""
error | install(log_level=1)
error | install(skip_fsdp_hooks=True)
error | defaults(skip_fsdp_hooks=True)
error | hold("skip_fsdp_hooks")
error | DynamoSettings(skip_fsdp_hooks=False)
error | DynamoSettings(skip_fsdp_hooks=False, _missing="skip")
error | DynamoFlags(skip_fsdp_hooks=unknown)
error | dynamo.Settings(**{"skip_fsdp_hooks": False})
error | CompileFlags(inductor={"force_same_precision": True})
error | inductor.options(force_same_precision=True)
error | snapshot()["skip_fsdp_hooks"]
error | dynamo.snapshot(pins=True)["skip_fsdp_hooks"]
error | snapshot()["inductor.force_same_precision"]
error | DynamoSettings().skip_fsdp_hooks = False
error | CompileFlags().inductor.force_same_precision = True
note | DynamoFlags().skip_fsdp_hooks = True
note | patch(skip_fsdp_hooks=True, missing="skip")
note | DynamoSettings(skip_fsdp_hooks=False, _torch="2.8")
note | DynamoSettings(skip_fsdp_hooks=True)
note | CompileFlags(inductor={"force_same_precision": False})
""".strip().splitlines()


@pytest.mark.parametrize("form", OF_A_FLAG_THAT_IS_GONE)
def test_flags_that_a_call_of_dynconf_may_lack_are_notes(form):
    """The program says that they may, or gives a model the default; everything else raises an error."""
    level, _, call = form.partition(" | ")
    Path("program.py").write_text(f"import dynconf\nx = dynconf.{call}")
    assert [(each.code, each.level) for each in dynconf.lint("program.py", "2.15").findings] == [
        ("DC302", level)
    ]


def test_handlers_of_the_errors_of_dynconf():
    """One for flags that do not exist is a question; any other may well end the program."""
    for error, level in {"dynconf.UnknownFlagError": "note", "dynconf.DynconfError": "error"}.items():
        text = f"try: dynconf.install(skip_fsdp_hooks=False)\nexcept {error}: print('gone')"
        assert levels(f"import dynconf\n{text}", "2.15") == [level]


OF_MODELS_AND_SNAPSHOTS = r"""
s = dynconf.snapshot(); s["recompile_limit"], s[name], s["recompile_limt"] | DC301
s = dynconf.snapshot(); "recompile_limt" in s, s.origins["verbose"], s.get("recompile_limt") |
s = dynconf.inductor.snapshot(); s["max_autotune"], s["max_autotun"] | DC301
if "recompile_limit" in (s := dynconf.snapshot()): s["recompile_limit"] |
m = dynconf.DynamoFlags(); m.verbose = "1"; m._own = m.skip_fsdp_hooks; m.recompile_limt = 3 | DC301
m = dynconf.CompileFlags(); m.inductor = x; m.inductor.triton.cudagraphs = 1; m.fx.verbos = 1 | DC301
m = dynconf.DynamoSettings(_torch="2.8"); m.skip_fsdp_hooks = False |
def f(m): m.recompile_limt = 3 |
class Mine(dynconf.DynamoSettings): own: int\nm = Mine(); m.own = 3 |
""".strip().splitlines()


@pytest.mark.parametrize("form", OF_MODELS_AND_SNAPSHOTS)
def test_models_and_snapshots_that_a_name_stands_for(form):
    """They are known by the call that makes them; reading a field of a model is never an error."""
    text, _, expected = form.rpartition(" |")
    assert codes("import dynconf\n" + text.replace("\\n", "\n")) == expected.split()


def test_a_snapshot_that_is_asked_for_a_flag():
    """Before it is read, by `in`, or afterwards, by a handler."""
    for text in (
        's = dynconf.snapshot()\nif "skip_fsdp_hooks" in s: s["skip_fsdp_hooks"]',
        'try: dynconf.snapshot()["skip_fsdp_hooks"]\nexcept KeyError: print("gone")',
    ):
        assert levels(f"import dynconf\n{text}", "2.15") == ["note"]
    text = 'try: c.skip_fsdp_hooks = x["y"]\nexcept KeyError: print("gone")'  # torch raises another error
    assert levels(f"import torch._dynamo.config as c\n{text}", "2.15") == ["error"]


COMMANDS = r"""
run.sh | dynconf run --set recompile_limt=64 train.py | DC301 recompile_limt
run.sh | x=1 .venv/bin/dynconf run --set inductor.max_autotun=1 train.py | DC301 max_autotun
run.sh | dynconf run --set inductor.triton=1 train.py | DC301 triton
run.sh | dynconf run -sskip_fsdp_hooks=0 train.py | DC302 skip_fsdp_hooks
run.sh | dynconf run --set=cache_size_limit=8 train.py | DC304 cache_size_limit
run.sh | dynconf run --set dynamic_shapes=1 train.py | DC306 dynamic_shapes
run.sh | dynconf run -s recompile_limit=many train.py | DC307 recompile_limit
run.sh | dynconf run --hold recompile_limit=many train.py | DC307 recompile_limit
run.sh | dynconf run -q --show --config a.toml --set $X=1 \\n  -s 'verbos=1' train.py | DC301 verbos
run.sh | python -m dynconf run -s verbos=1 -m train; dynconf run -s vebose=1 x | DC301 verbos DC301 vebose
run.sh | dynconf run -s recompile_limit=64 -s verbose=$X -s inductor.cpp.cxx='["g++"]' train.py |
run.sh | dynconf run a.py --set verbos=1; dynconf run -m train -s verbos=1; dynconf run -- a -s verbos=1 |
run.sh | # dynconf run -s verbos=1 train.py\necho "dynconf run -s verbos=1 train.py" |
run.sh | my-dynconf run -s verbos=1 train.py; dynconf dump; run --set verbos=1 |
Dockerfile | CMD ["python", "-m", "torch_dynconf", "run", "--set", "verbos=1", "train.py"] | DC301 verbos
Dockerfile | ENTRYPOINT ["dynconf", "run", "--set=recompile_limit=many"] | DC307 recompile_limit
ci.yaml | - run: uv run dynconf run -s verbos=1 pytest | DC301 verbos
pod.yaml | command:\n- dynconf\n- run\n- --set\n- "verbos=1"\n- train.py | DC301 verbos
pod.yaml | args: [dynconf, run, -s, recompile_limit=many, train.py] | DC307 recompile_limit
page.md | Write `dynconf run -s verbos=1`\n```bash\n$ dynconf run --set verbos=1 train.py\n``` | DC301 verbos
""".strip().splitlines()


@pytest.mark.parametrize("form", COMMANDS)
def test_flags_on_a_command_line_of_dynconf(form):
    """They are judged as in a file of settings, but not those of the program, which come after it."""
    name, text, expected = form.split(" |")
    result = found(text.strip().replace("\\n", "\n"), Release.named("2.15"), name=name)
    assert " ".join(f"{code} {word}" for code, _, word in result) == expected.strip()


def test_the_options_of_run_that_have_a_value():
    """Behind any other option of `dynconf run` comes the program, or another option."""
    taking = {
        name
        for each in run.params
        if isinstance(each, click.Option) and not each.is_flag and each.name != "show"
        for name in each.opts
    }
    for name in taking:
        assert codes(f"dynconf run {name} x -s verbos=1 a.py", name="a.sh") == ["DC301"], name
    for name in {each for of in run.params if isinstance(of, click.Option) for each in of.opts} - taking:
        assert codes(f"dynconf run {name} a.py -s verbos=1", name="a.sh") == [], name


@pytest.mark.parametrize(
    "code",
    [
        "if x: pass\n" + "elif x: pass\n" * 2000,
        "y = " + "+".join("x" * 2000) + "\n",
        "y = x" + ".a()" * 700 + "\n",
        "y = " + "[" * 90 + "]" * 90 + "\n",
    ],
)
def test_deep_programs_are_read(code):
    """Generated code is nested as deep as Python itself allows."""
    assert codes(f"import torch\n{code}torch._dynamo.config.verbos = 1") == ["DC301"]


def test_a_line_with_thousands_of_findings():
    """They are found, placed and fixed in one go: twice as many take twice as long."""

    def seconds(count):
        text = "import torch;" + "'é';torch._dynamo.config.cache_size_limit = 9;" * count
        Path("a.py").write_text(text, encoding="utf-8")
        start = time.process_time()
        report = dynconf.lint("a.py", "2.13")
        assert [len(report.findings), report.findings[-1].column] == [count, text.rindex("cache") + 1]
        assert not dynconf.lint("a.py", "2.13", fix=True).findings
        return time.process_time() - start

    seconds(10)
    assert seconds(4000) < 8 * seconds(1000)


KEYWORDS_OF_COMPILE = r"""
torch.compile(f, full_graph=True) | DC314 2.4 2.13 2.15
torch.compile(f, option={}) | DC314 2.13
torch.compile(f, max_autotune=True) | DC314 2.13
torch.compile(f, backend="mine", full_graph=True) | DC314 2.13
torch.compile(f, recompile_limit=64) | DC314 2.6 2.11
torch.compile(f, recompile_limit=64) | 2.12 2.15
torch.compile(f, recompile_limit=300) | DC005 2.12 2.15
torch.compile(f, recompile_limit=300) | DC314 2.6
torch.compile(f, recompile_limit=300); torch._dynamo.config.accumulated_recompile_limit = 400 | 2.12 2.15
torch.compile(f, isolate_recompiles=True, name="x") | DC314 2.12
torch.compile(f, shapes_spec=x) | DC314 2.14
torch.compile(f, dynamic_shapes=x) | DC314 2.13
torch.compile(f, **{"full_graph": True}) | DC314 2.13
torch.compile(f, "max-autotune") | DC314 2.4 2.15
torch.compile(*f, **x) | 2.13
model.compile(recompile_limit=64) | DC314 2.6
model.compile(optimizer=adam, recompile_limit=64) | 2.6
torch.compile(f, fullgraph=True, dynamic=None, backend="x", mode="default", disable=True) | 2.4 2.15
if torch.__version__ >= "2.12": torch.compile(f, recompile_limit=64) | 2.6
""".strip().splitlines()


@pytest.mark.parametrize("form", KEYWORDS_OF_COMPILE)
def test_keywords_of_torch_compile(form):
    """Those that a release lacks, and those that none has, are TypeErrors; a program may ask first."""
    call, _, expected = form.partition(" | ")
    for release in [each for each in expected.split() if not each.startswith("DC")]:
        Path("a.py").write_text(f"import torch\n{call}")
        found = [each.code for each in dynconf.lint("a.py", release).findings if each.level != "note"]
        assert found == [each for each in expected.split() if each.startswith("DC")], release


@pytest.mark.parametrize(
    ("keyword", "advice"),
    [
        ("full_graph", "did you mean 'fullgraph'?"),
        ("max_autotune", "options={'max_autotune': ...}"),
        ("verbose", "dynconf.patch(verbose=...)"),
        ("optimizer", "expected model, fullgraph"),
    ],
)
def test_a_wrong_keyword_of_torch_compile_has_a_remedy(keyword, advice):
    """The one that was meant, or the place of a flag."""
    Path("a.py").write_text(f"import torch\ntorch.compile(f, {keyword}=1)")
    [finding] = dynconf.lint("a.py", "2.13").findings
    assert advice in finding.message


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("g = torch.compile(f, recompile_limit=8)\nwith config.patch(recompile_limit=64): g(x)", ["DC315"]),
        (
            "g = torch.compile(f, recompile_limit=8)\nwith dynconf.patch(recompile_limit=64):\n    y = g(x)",
            ["DC315"],
        ),
        ("@config.patch(recompile_limit=64)\n@torch.compile(recompile_limit=8)\ndef f(): pass", ["DC315"]),
        ("g = torch.compile(f)\nwith config.patch(recompile_limit=64): g(x)", []),
        ("g = torch.compile(f, recompile_limit=8)\nwith config.patch(verbose=True): g(x)", []),
        ("g = torch.compile(f, recompile_limit=8)\nwith config.patch(recompile_limit=64): h(x)", []),
    ],
)
def test_a_patch_of_a_limit_that_the_compiled_function_has_itself(form, expected):
    """Torch puts that of the call in force while it compiles, above every patch."""
    assert codes(f"import torch, dynconf\nfrom torch._dynamo import config\n{form}") == expected


@pytest.mark.parametrize(
    ("change", "is_missed"),
    [
        ("config.post_grad_fusion_options['x'] = {}", True),
        ("config.post_grad_fusion_options['x'], y = {}, 1", True),
        ("config.post_grad_fusion_options.update(x={})", True),
        ("config.reorder_for_compute_comm_overlap_passes.append('x')", True),
        ("options = config.post_grad_fusion_options\noptions['x'] = {}", True),
        ("options = config.post_grad_fusion_options\noptions.setdefault('x', {})['y'] = 1", True),
        ("config.post_grad_fusion_options |= {'x': {}}", False),  # which assigns it
        ("config.post_grad_fusion_options = {'x': {}}", False),
        ("config.post_grad_fusion_options = {}\nconfig.post_grad_fusion_options['x'] = {}", False),
        ("config.patch(post_grad_fusion_options={'x': {}}).__enter__()", False),
    ],
)
def test_a_change_in_place_that_the_key_of_the_cache_misses(change, is_missed):
    """As the torch at hand does it in a context of its own, and from torch 2.13 on."""
    start = "import torch\nfrom torch._inductor import config\nf = torch.compile(g)\n"
    assert ("DC317" in codes(f"{start}f(1)\n{change}")) is is_missed
    assert "DC317" not in codes(f"{start}{change}\nf(1)")
    assert "DC317" not in codes(f"{start}f(1)\n{change}", Release.named("2.12"))

    def is_missed_by_torch():
        from torch._inductor import config  # which takes a while

        form = {"ignore_private_configs": False, "readonly_values": True}  # of FxGraphHashDetails
        before = config.save_config_portable(**form)
        exec(change, {"config": config})  # noqa: S102
        return (
            config.save_config_portable(**form)
            == before
            != config.save_config_portable(ignore_private_configs=False)
        )

    if Release.at_hand().minor >= (2, 13):
        assert contextvars.Context().run(is_missed_by_torch) is is_missed


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("@torch.compile\ndef f(x): pass\nf(1)\nCHANGE", ["DC317"]),
        ("@torch.compile(dynamic=True)\ndef f(x): pass\ndef main():\n    f(1)\n    CHANGE", ["DC317"]),
        ("torch.compile(g)(1)\nCHANGE", ["DC317"]),
        ("torch._inductor.aot_compile(g, (1,))\nCHANGE", ["DC317"]),
        ("config.fx_graph_cache = False\ntorch.compile(g)(1)\nCHANGE", []),
        ("torch.compile(g, backend='eager')(1)\nCHANGE", []),
        ("if x: torch.compile(g)(1)\nCHANGE", []),
        ("torch.compile(g)(1)\ndef main(): CHANGE", []),  # which may be called before
        ("f = torch.compile(mode='default')(g)\nCHANGE", []),
        ("torch.compile(g)(1)\nprint(config.post_grad_fusion_options.get('x'))", []),
        ("torch.compile(g)(1)\nprint(config.post_grad_fusion_options['x'])", []),
    ],
)
def test_a_change_in_place_before_a_compilation_is_sound(form, expected):
    """Only after a call that compiles with inductor is there something to find."""
    change = "config.post_grad_fusion_options['x'] = {}"
    assert (
        codes(f"import torch\nfrom torch._inductor import config\n{form}".replace("CHANGE", change))
        == expected
    )


DYN, IND, FUN = "TORCH_COMPILE_DISABLE", "TORCHINDUCTOR_MAX_AUTOTUNE", "TORCHINDUCTOR_AUTOGRAD_CACHE"


@pytest.mark.parametrize(
    ("statement", "release", "late"),
    [
        ("f = torch.compile(g)", "2.13", [DYN, IND, FUN]),
        ("f = torch.compile(g, fullgraph=True)", "2.6", [DYN, IND, FUN]),
        ("import torch._dynamo", "2.6", [DYN, IND, FUN]),
        ("import torch._inductor.config", "2.13", [DYN, IND, FUN]),
        ("import torch._inductor.config", "2.6", [IND]),
        ("import torch._functorch.config", "2.13", [FUN]),
        ("import torch._functorch", "2.13", []),
        ("torch._dynamo.config.verbose = True", "2.13", [DYN, IND, FUN]),
        ("torch._dynamo.reset()", "2.13", [DYN, IND, FUN]),
        ("torch._inductor.config.max_autotune = True", "2.13", [DYN, FUN]),  # the other is for children
        ("class A(B): f = torch.compile(g)", "2.13", [DYN, IND, FUN]),
        ("@torch.compile\ndef f(x): return x", "2.13", [DYN, IND, FUN]),
        ("@torch.compile(mode='default')\ndef f(x): return x", "2.13", [DYN, IND, FUN]),
        ("f = functools.partial(torch.compile, mode='default')", "2.13", []),
        ("def f(x): return torch.compile(x)", "2.13", []),
        ("if x: f = torch.compile(g)", "2.13", []),
        ("def f():\n    g = torch.compile(h)\n    SET", "2.13", [DYN, IND, FUN]),
        ("f = torch.compile(g)\ndef h(): SET", "2.13", []),  # the children of the process may read it
    ],
)
def test_a_variable_that_is_set_after_its_module_was_loaded(statement, release, late):
    """A call of torch.compile loads config modules, and one of them may load others (tried on 2.13)."""
    found = []
    for name in (DYN, IND, FUN):
        set_it = f"os.environ[{name!r}] = '1'"
        text = statement.replace("SET", set_it) if "SET" in statement else f"{statement}\n{set_it}"
        if "DC405" in codes(f"import functools, os, torch\n{text}", Release.named(release)):
            found.append(name)
    assert found == late


@pytest.mark.parametrize(
    ("form", "level"),
    [
        ("if hasattr(model, 'output_code'): torch._inductor.config.output_code = True", "error"),
        ("if 'output_code' in dir(model): torch._inductor.config.output_code = True", "error"),
        ("if hasattr(torch._inductor.config, 'x'): torch._inductor.config.output_code = True", "note"),
        ("from torch._dynamo.config import log_level", "error"),
        ("try: from torch._dynamo.config import log_level\nexcept ImportError: log_level = 0", "note"),
        ("try: torch._dynamo.config.log_level = 10\nexcept ImportError: print(0)", "error"),
        ("with suppress(AttributeError): print(torch._dynamo.config.log_level)", "note"),  # nothing is lost
        ("with suppress(ImportError): print(torch._dynamo.config.log_level)", "error"),
    ],
)
def test_a_question_that_is_a_guard(form, level):
    """It is one of torch, or of the import; a model may have an attribute of any name."""
    assert levels(f"import torch\nfrom contextlib import suppress\n{form}", "2.13") == [level]


SCRIPTS = r"""
main.tf DC402 DC401 DC401
environment {
  name  = "TORCHDYNAMO_SUPPRESS_ERRORS"
  value = "0"
}
env = [{ name = "TORCHDYNAMO_SUPRESS_ERRORS", value = "1" }, {"name": "TORCHDYNAMO_VERBOS", "value": "1"}]
---
job.sh DC402 DC402 DC402
mpirun -genv TORCHDYNAMO_SUPPRESS_ERRORS 0 -n 2 python train.py
mpiexec -x TORCHDYNAMO_SUPPRESS_ERRORS=0 python train.py
gcloud run deploy --set-env-vars=A=1,TORCHDYNAMO_SUPPRESS_ERRORS=0
---
setup.ps1 DC402 DC401
[Environment]::SetEnvironmentVariable("TORCHDYNAMO_SUPPRESS_ERRORS", "0", "User")
[System.Environment]::SetEnvironmentVariable('TORCHDYNAMO_VERBOS','1')
Write-Output ("TORCHDYNAMO_VERBOS", "0")
---
p.py DC402 DC401 DC402 DC402 DC402
env = [{"name": "TORCHDYNAMO_SUPPRESS_ERRORS", "value": "0"}, {'value': x, 'name': "TORCHDYNAMO_VERBOS"}]
job(environment={"TORCHDYNAMO_SUPPRESS_ERRORS": "0"}, extra_env_vars={"TORCHDYNAMO_SUPPRESS_ERRORS": "0"})
task.set_env_variable("TORCHDYNAMO_SUPPRESS_ERRORS", "0")
---
a.sh DC402 DC402 DC401
export TORCHINDUCTOR_FREEZING="${FREEZE:-True}"
export TORCHINDUCTOR_FREEZING=${TORCHINDUCTOR_FREEZING-True}
export TORCHINDUCTOR_FREEZING="${FREEZE:-1}" TORCHDYNAMO_VERBOSE="${X:-$Y}"
export TORCHDYNAMO_SUPPRESS_ERRORS=$X TORCHDYNAMO_SUPRESS_ERRORS=$X
---
compose.yaml DC402
environment:
  TORCHINDUCTOR_FREEZING: ${FREEZE:-True}
---
a.ps1 DC402 DC402
$env:TORCHINDUCTOR_FREEZING = "True"
if ($x) { $env:TORCHINDUCTOR_FREEZING="True" }
if ($env:TORCHINDUCTOR_FREEZING -eq "True") { }
---
a.bat DC402 DC402 DC402
set TORCHINDUCTOR_FREEZING=True
set "TORCHINDUCTOR_FREEZING=True"
setx TORCHINDUCTOR_FREEZING True /M
rem set TORCHINDUCTOR_FREEZING=True
:: set TORCHINDUCTOR_FREEZING=True
---
a.fish DC402 DC402 DC401
set -gx TORCHINDUCTOR_FREEZING True
set --export TORCHINDUCTOR_FREEZING True
set -x TORCHDYNAMO_VERBOS 1
set -e TORCHINDUCTOR_FREEZING
set -q TORCHINDUCTOR_FREEZING; or exit
---
a.csh DC402
setenv TORCHINDUCTOR_FREEZING True
---
.vscode/launch.json DC402
{"configurations": [{"env": {"TORCHINDUCTOR_FREEZING": "True"}}]}
---
pod.yaml DC401
- name: TORCHDYNAMO_VERBOS
  valueFrom:
    configMapKeyRef: {name: x, key: y}
---
pod.yml DC403
- name: TORCH_LOGS
  value: ""
---
GNUmakefile DC402
export TORCHINDUCTOR_FREEZING := True
---
x.pbs DC402
#PBS -v TORCHINDUCTOR_FREEZING=True
# TORCHINDUCTOR_FREEZING=True
---
Dockerfile DC402 DC402
ENV TORCHINDUCTOR_FREEZING=${FREEZE:-True}
ENV A=1 \\
    TORCHINDUCTOR_CACHE_DIR=~/c
RUN B=1 \\
    TORCHINDUCTOR_CACHE_DIR=~/c python train.py
RUN echo "TORCHDYNAMO_VERBOS=1"
---
run.sh.j2 DC402
export TORCHINDUCTOR_FREEZING=True TORCHDYNAMO_VERBOSE={{ verbose }}
---
pod.yaml.j2 DC402
- name: TORCHINDUCTOR_FREEZING
  value: "True"
---
launch DC402
#!/bin/bash
export TORCHINDUCTOR_FREEZING=True
---
tool DC301
#!/usr/bin/env python3
import torch; torch._dynamo.config.verbos = True
---
LICENSE
export TORCHINDUCTOR_FREEZING=True
---
a.sh DC401 DC401
echo "TORCHDYNAMO_VERBOS=1"
printf 'set TORCHDYNAMO_VERBOS=1\n' && echo TORCHDYNAMO_VERBOS=1
echo "TORCHDYNAMO_VERBOS=1" >> $GITHUB_ENV
echo TORCHDYNAMO_VERBOS=1 | tee -a .env
---
ci.yaml DC401
    - run: echo "TORCHDYNAMO_VERBOS=1"
    - run: echo "TORCHDYNAMO_VERBOS=1" >> $GITHUB_ENV
---
a.md DC402 DC402 DC301 DC301 DC402 DC402
export TORCHINDUCTOR_FREEZING=True
```sh
export TORCHINDUCTOR_FREEZING=True
```
1. First

   ```console
   $ TORCHINDUCTOR_FREEZING=True python x.py
   TORCHINDUCTOR_FREEZING=True
   ```
```python
torch._dynamo.config.verbos = True
```
```python
>>> torch._dynamo.config.verbos = True
>>> config.verbose
True
```
```python
torch._dynamo.config.verbos = 1 ...
```
~~~dockerfile
ENV TORCHINDUCTOR_FREEZING True
~~~
```hcl
env = { TORCHINDUCTOR_FREEZING = "True" }
```
```text
TORCHINDUCTOR_FREEZING=True
```
---
a.rst DC402 DC301
export TORCHINDUCTOR_FREEZING=True

.. code-block:: bash
   :linenos:

   export TORCHINDUCTOR_FREEZING=True

and TORCHINDUCTOR_FREEZING=True

  .. code:: python

     torch._dynamo.config.verbos = True
""".strip().split("\n---\n")


@pytest.mark.parametrize(
    ("form", "level"),
    [
        ("config.coordinate_descent_tuning = 1", "note"),  # torch takes it for True
        ("with config.patch(coordinate_descent_tuning=0): pass", "note"),
        ("config.coordinate_descent_tuning = 2", "warning"),
        ("config.coordinate_descent_tuning = '1'", "warning"),
        ("torch.compile(f, options={'coordinate_descent_tuning': 1})", "error"),  # it raises a RuntimeError
        ("x = dynconf.inductor.patch(coordinate_descent_tuning=1)", "error"),
    ],
)
def test_a_number_for_a_bool(form, level):
    """The level says what torch does with it."""
    text = f"import torch, dynconf\nfrom torch._inductor import config\n{form}"
    Path("a.py").write_text(text, encoding="utf-8")
    assert {(each.code, each.level) for each in dynconf.lint("a.py", "2.13").findings} == {("DC307", level)}


@pytest.mark.real_torch
@pytest.mark.parametrize("value", [1, 0])
def test_torch_and_a_number_for_a_bool(value):
    """An assignment takes it, and options do not."""
    import torch._inductor.config

    with torch._inductor.config.patch(coordinate_descent_tuning=value):
        assert torch._inductor.config.coordinate_descent_tuning == value
    with pytest.raises(RuntimeError, match="Unexpected type"):
        torch.compile(len, options={"coordinate_descent_tuning": value})


@pytest.mark.parametrize(
    "line",
    [
        "config.verbos = True",
        "torch.compile(f, mode='max-autotuned')",
        "torch.compile(f, mode='default', options={'max_autotune': True})",
    ],
)
def test_a_swallowed_error(line):
    """A flag, a mode or a stance that does not exist, and a mode with options, are lost in silence alike."""
    head = "import contextlib, torch\nfrom torch._dynamo import config\n"
    assert codes(f"{head}with contextlib.suppress(Exception): {line}") == ["DC311"]
    assert codes(f"{head}try: {line}\nexcept Exception: pass") == ["DC311"]
    assert codes(f"{head}with contextlib.suppress(ImportError): {line}")[0] in ("DC301", "DC310", "DC312")
    Path("a.py").write_text(f"{head}try: {line}\nexcept RuntimeError: log()", encoding="utf-8")
    assert [each.level for each in dynconf.lint("a.py", "2.13").findings] == ["note"]


@pytest.mark.parametrize(
    ("form", "levels"),
    [
        ("config.patch(cache_size_limit=256, recompile_limit=32)", ["warning"]),
        ("dynconf.patch(cache_size_limit=256, recompile_limit=32)", ["error"]),
        ("config.patch(cache_size_limit=32, recompile_limit=32)", []),
        ("config.patch(cache_size_limit=256), config.patch(recompile_limit=32)", []),
    ],
)
def test_two_names_of_one_flag_in_a_call(form, levels):
    """Of two values one is lost, and dynconf's own patch refuses them; of two patches both count."""
    text = f"import dynconf\nfrom torch._dynamo import config\nwith {form}: pass"
    Path("a.py").write_text(text, encoding="utf-8")
    found = dynconf.lint("a.py", "2.13").findings
    assert [each.level for each in found if each.code == "DC505"] == levels
    if levels == ["error"]:
        with pytest.raises(dynconf.ConflictError):
            dynconf.patch(cache_size_limit=256, recompile_limit=32)


def test_a_flag_that_works_alone_and_better_with_another():
    """It is a note in a program and in a file: nonzero is captured, whatever .item() does."""
    Path("a.py").write_text(
        "import torch\ntorch._dynamo.config.capture_dynamic_output_shape_ops = True", "utf-8"
    )
    Path("dynconf.toml").write_text("capture_dynamic_output_shape_ops = true", "utf-8")
    report = dynconf.lint(".", "2.13")
    assert report.ok
    assert [each.code for each in report.findings] == ["DC006", "DC006"]


@pytest.mark.parametrize("read", ["os.environ.get('NAME')", "os.getenv('NAME')", "os.environ['NAME'] == '1'"])
def test_a_variable_of_the_program_itself(read):
    """What a file reads, nobody has misspelt where another sets it; a slip of the pen is one in both."""
    own, slip = "TORCHINDUCTOR_ENABLE_CHIPYARD_RUNNER", "TORCHDYNAMO_SUPRESS_ERRORS"
    Path("run.sh").write_text(
        f"export {own}=1 {slip}=1\nexport TORCHINDUCTOR_MAX_AUTOTUN=1\n", encoding="utf-8"
    )
    lint = partial(dynconf.lint, ".", "2.13")
    assert [each.variable for each in lint().findings] == [own, slip, "TORCHINDUCTOR_MAX_AUTOTUN"]
    for name in (own, slip):
        Path(f"{name}.py").write_text(f"import os\nif {read}: pass".replace("NAME", name), encoding="utf-8")
    assert [each.variable for each in lint().findings] == [slip, slip, "TORCHINDUCTOR_MAX_AUTOTUN"]
    assert lint(fix=True).ok


NAMES = """
npu.Dockerfile dockerfile dockerfile.npu x.dockerfile x.containerfile containerfile Containerfile.x
Dockerfile.j2 justfile makefile GNUmakefile Makefile.tmpl Procfile .bashrc .bash_profile .profile .zshrc
.env .env.local x.env.example x.pbs x.lsf x.qsub x.job x.ksh x.tcsh
x.psm1 x.def x.jsonc x.tfvars x.nomad x.tmpl x.tpl x.yaml.sample X.SH
"""


def test_every_file_that_is_read_is_found_below_a_folder():
    """By its ending or its name, in whatever case people write it; source of other languages is not."""
    for name in (*NAMES.split(), "x.go", "dockerfile_test.go", "x.rs"):
        Path(name).write_text("export TORCHINDUCTOR_FREEZING=True\n", encoding="utf-8")
    for name in ("x.qmd", "x.Rmd", "x.mdx"):
        text = "```{python}\ntorch._dynamo.config.verbos = True\n```"
        Path(name).write_text(text, encoding="utf-8")
    codes_of = {each.file: each.code for each in dynconf.lint(".", "2.13").findings}
    assert codes_of == {
        **dict.fromkeys(NAMES.split(), "DC402"),
        **dict.fromkeys(("x.qmd", "x.Rmd", "x.mdx"), "DC301"),
    }


@pytest.mark.parametrize("form", SCRIPTS)
def test_what_is_read_below_a_folder(form):
    """Scripts of every shell, templates, pages with code, and scripts that are known by their first line."""
    head, _, text = form.partition("\n")
    name, *expected = head.split()
    Path(name).parent.mkdir(exist_ok=True)
    Path(name).write_text(text, encoding="utf-8")
    findings = dynconf.lint(".", "2.13").findings
    assert [each.code for each in findings] == expected
    lines = text.split("\n")
    for each in findings:
        assert lines[each.line - 1][each.column - 1 :].startswith(("TORCH", "verbos")), each


def test_an_old_name_in_a_page_is_fixed_there():
    """In its block, whatever is in the text around it."""
    page = "cache_size_limit\n- x\n  ```py\n  torch._dynamo.config.NAME = 8\n  ```\n"
    before, after = (page.replace("NAME", each) for each in ("cache_size_limit", "recompile_limit"))
    assert fixed_text(before, "2.13", name="a.md") == after


@pytest.mark.parametrize(
    "form",
    [
        "def f():\n    c.verbos = 1",
        "def f():\n    import torch._dynamo.config as x\n    x.verbos = 1",
        "def f():\n    d = torch._dynamo\n    d.config.verbos = 1",
        "x = torch._dynamo.config\ndef f():\n    def g(): x.verbos = 1",
        "class A:\n    x = c\n    def f(self): self.x.verbos = 1",
        "class A:\n    def f(self): self.x = c\n    def g(self): self.x.verbos = 1",
        "import torch as t\ndef f(): t.compile(g, options={'verbos': True})",
        "from torch import compile\ndef f(): compile(g, options={'verbos': True})",
        "def f(): torch.compile(g, options={'verbos': True})",
        "def f(): m.compile(options={'verbos': True})",
        "import importlib\ndef f(): importlib.import_module('torch._dynamo.config').verbos = 1",
        "def f(): exec(text)\ntext = 'c.verbos = 1'",
        "import os\ndef f(): os.environ['TORCHDYNAMO_VERBOS'] = '1'",
        "from os import environ as e\ndef f(): e['TORCHDYNAMO_VERBOS'] = '1'",
        "import subprocess as s\ndef f(): s.run(a, env=E)\nE = {'TORCHDYNAMO_VERBOS': '1'}",
        "import dynconf as d\ndef f(): return d.patch(verbos=True)",
    ],
)
def test_what_a_function_names_from_around_it(form):
    """Functions without such a name are passed over; these are not."""
    assert len(codes(f"import torch, torch._dynamo.config as c\n{form}")) == 1


def test_a_program_that_names_nothing_of_torchs_configuration_is_not_parsed():
    """Whether it could be read does not matter then, and most files of a tree need no time."""
    for text in (
        "import torch\nx = (",
        "import os\nos.environ['HOME'] = (",
        "# see torch.compiler_api\nx = (",
        "from torch._inductor.compile_fx import compile_fx\nx = (",
        "# the environment variable TORCH_LOGS\nx = (",
    ):
        assert codes(text) == []
    for text in (
        "torch.compile(f",
        "os.environ['TORCH_LOGS'] = (",
        "from os import getenv as g\ng('TORCH_LOGS'",
        "containers.run(environment={'TORCH_LOGS': ",
        "from torch._dynamo import config\nx = (",
    ):
        assert codes(text) == ["DC300"]


def test_the_tree_of_a_file_is_freed_with_its_reader():
    """Those of a large folder would wait for the collector of cycles, and take its time and the memory."""
    gc.disable()
    try:
        reader = PythonReader(
            b"import os\ndef f(): return lambda: os.environ['TORCH_LOGS']\nclass C: x = f()"
        )
        waiting = weakref.ref(reader)
        del reader
        assert waiting() is None
    finally:
        gc.enable()
