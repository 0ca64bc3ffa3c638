"""The texts of variables without a flag: what torch does with each was tried on torch 2.13."""

import pwd
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest
from warm import Warm

from dynconf.catalogue.flags.variable import SWITCH
from dynconf.catalogue.modules import MODULES, catalogue
from dynconf.catalogue.modules.modes import BACKENDS
from dynconf.release import Release
from dynconf.tools.lint.environment import check_environment
from dynconf.tools.lint.foreign import value_findings
from dynconf.tools.lint.program import lint
from dynconf.tools.lint.sites import Unknown
from dynconf.tools.lint.texts import variable_sites

AT = Release.named("2.13.0")

WRONG = [
    ("TORCH_LOGS_OUT", "/no/such/dir/f", "DC403", "there is no folder /no/such/dir"),
    ("TORCH_LOGS_OUT", "", "DC403", "it is empty"),
    ("TORCH_LOGS_OUT", "/", "DC403", "/ is a folder"),
    ("TORCH_LOGS_OUT", "~/log", "DC403", "there is no folder '~'"),
    ("TORCH_TRACE", "/proc/none", "DC403", "the first compilation fails, because nothing can be"),
    ("TORCH_TRACE", "/dev/null/x", "DC403", "/dev/null is not a folder"),
    ("TORCH_TRACE", "", "DC403", "the first compilation fails"),
    (
        "TORCHINDUCTOR_CACHE_DIR",
        "",
        "DC403",
        "from torch 2.13 on caches go into the working directory",
    ),
    ("TORCHINDUCTOR_CACHE_DIR", "~/c", "DC402", "a folder named '~'"),
    ("TRITON_CACHE_DIR", "~", "DC402", "a folder named '~'"),
    ("TORCHINDUCTOR_MM_LOGGING_FILE", "/no/such/mm", "DC403", "there is no folder /no/such"),
    ("TORCHINDUCTOR_REDIS_PORT", "six", "DC403", "expected a whole number"),
    ("TORCHINDUCTOR_AUTOTUNE_POOL_INACTIVITY_TIMEOUT", "1.5", "DC403", "expected a whole number"),
    ("TORCHINDUCTOR_FX_COMPILE_MODE", "SUBPROCES", "DC402", "did you mean 'SUBPROCESS'?"),
    ("TORCHINDUCTOR_DEBUG_COMPILE", "true", "DC402", "True was probably meant: write '1'"),
    ("TORCH_FAKE_TENSOR_DEBUG", "yes", "DC402", "torch reads False"),
    ("TORCH_COMPILE_OVERRIDE_BACKENDS", ">=0:eagr", "DC402", "did you mean 'eager'?"),
    ("TORCHDYNAMO_DEBUG_BACKEND_OVERRIDE", ">=0:eagr", "DC402", "did you mean 'eager'?"),
    ("TORCH_LOGS", "+dynammo", "DC403", "it has no log 'dynammo': did you mean +dynamo?"),
    ("TORCH_LOGS", "dynamo,-recompile", "DC403", "did you mean -recompiles?"),
    ("TORCH_LOGS", "+aot_autograd", "DC403", "did you mean +aot?"),
    ("TORCH_LOGS", "symbolic_shapes", "DC403", "did you mean dynamic?"),
    ("TORCH_LOGS", "qqqqqqqq", "DC403", "TORCH_LOGS=help lists the names"),
    ("TORCH_LOGS", "dynamo,__main__", "DC403", "it has no log '__main__'"),
    ("TORCH_LOGS", "dynamo guards", "DC403", "expected names separated by commas"),
    ("TORCH_LOGS", "dynamo,", "DC403", "expected names separated by commas"),
    ("TORCH_LOGS", "native_dsl_compile", "DC403", "yet: it came with torch 2.14"),
    ("TORCH_LOGS", "", "DC403", "it is empty: unset it"),
]

RIGHT = [
    ("TORCH_LOGS_OUT", "/dev/null"),
    ("TORCH_LOGS_OUT", "log.txt"),
    ("TORCH_TRACE", "new/folder"),
    ("TORCH_DTRACE", ""),
    ("TORCHINDUCTOR_CACHE_DIR", "~name"),
    ("TORCHINDUCTOR_CONV_LOGGING_FILE", ""),
    ("TORCHINDUCTOR_REDIS_PORT", "6380"),
    ("TORCHINDUCTOR_FX_COMPILE_MODE", "progressive+async+Normal"),
    ("TORCHINDUCTOR_DEBUG_COMPILE", "0"),
    ("TORCHINDUCTOR_DEBUG_SYMBOL", ""),
    ("TORCHDYNAMO_DEBUG_FUNCTION", "anything"),
    ("TORCH_COMPILE_OVERRIDE_BACKENDS", "0:eager;>3:my_own"),
    ("TORCH_LOGS", "help"),
    ("TORCH_LOGS", "+help"),
    ("TORCH_LOGS", "all"),
    ("TORCH_LOGS", "+dynamo, -inductor,guards"),
    ("TORCH_LOGS", "torch.fx"),
    ("TORCH_LOGS", "json"),
    ("TORCH_LOGS", "my.module"),  # which may be one
]


@pytest.mark.parametrize(("name", "raw", "code", "text"), WRONG)
def test_a_text_that_a_variable_is_not_for(name: str, raw: str, code: str, text: str) -> None:
    """The finding says what torch does, and why; a text that torch takes for another is a warning."""
    (finding,) = value_findings({name: raw}, AT)
    assert (finding.code, finding.variable, finding.raw) == (code, name, raw)
    assert finding.level == ("warning" if code == "DC402" else "error")
    assert text in finding.message


@pytest.mark.parametrize(("name", "raw"), RIGHT)
def test_a_text_that_a_variable_is_for(name: str, raw: str) -> None:
    """There is nothing to say."""
    assert list(value_findings({name: raw}, AT)) == []


def test_a_word_with_a_side_effect() -> None:
    """Is worth a note: config.save_config_portable, which the other process gets, has no custom passes."""
    (finding,) = value_findings({"TORCHINDUCTOR_FX_COMPILE_MODE": "async+subprocess"}, AT)
    assert (finding.code, finding.level) == ("DC501", "note")
    assert "without custom passes" in finding.message


def test_folders_of_another_machine_are_not_judged() -> None:
    """A home folder that nothing expands is the same mistake everywhere; what exists there is not known."""
    found = [
        each.variable
        for name, raw, _, _ in WRONG
        if raw.startswith(("/", "~"))
        for each in value_findings({name: raw}, AT, is_elsewhere=True)
    ]
    assert found == ["TORCH_LOGS_OUT", "TORCHINDUCTOR_CACHE_DIR", "TRITON_CACHE_DIR"]


def test_a_folder_named_like_the_home_folder_may_exist(tmp_path: Path) -> None:
    """Then it is one like any other."""
    (tmp_path / "~").mkdir()
    assert list(value_findings({"TORCH_LOGS_OUT": "~/log"}, AT)) == []


@pytest.mark.parametrize(
    ("name", "lacks", "has"),
    [("TORCHINDUCTOR_FX_COMPILE_MODE", "2.6", ""), ("TORCHDYNAMO_PRINT_GUARDS", "2.13", "2.4")],
)
def test_a_release_that_does_not_read_the_variable(name: str, lacks: str, has: str) -> None:
    """Has no use for any text, which is mentioned, and is no problem."""
    (finding,) = value_findings({name: "x"}, Release.named(lacks))
    assert (finding.code, finding.level) == ("DC404", "note")
    assert not has or list(value_findings({name: "1"}, Release.named(has))) == []


def test_a_user_without_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before 2.13, torch cannot name its cache folder: in a container under a number that has no entry."""

    def unknown(number: int) -> None:
        raise KeyError(f"getpwuid(): uid not found: {number}")

    monkeypatch.setattr(pwd, "getpwuid", unknown)
    old = Release.named("2.9")
    (finding,) = value_findings({}, old)
    assert (finding.code, finding.level) == ("DC403", "error")
    assert "the user, who has no name here; set TORCHINDUCTOR_CACHE_DIR, or USER" in finding.message
    for named in ("USER", "LOGNAME", "TORCHINDUCTOR_CACHE_DIR"):
        assert list(value_findings({named: "someone"}, old)) == []
    assert list(value_findings({"USER": ""}, old)) == [finding]
    assert list(value_findings({}, AT)) == []
    assert list(value_findings({}, old, is_elsewhere=True)) == []


@pytest.mark.real_torch
def test_torch_reads_the_switches_so() -> None:
    """The sources of the torch at hand compare each with "1"."""
    import torch

    folder = Path(torch.__file__).parents[1]
    foreign = [each for module in MODULES for each in catalogue(module).foreign]
    switches = [each for each in foreign if each.takes is SWITCH]
    assert len(switches) > 5
    for switch in switches:
        if switch.is_read_in(Release.at_hand().minor):
            source = (folder / switch.read_by.replace(".", "/")).with_suffix(".py").read_text("utf-8")
            is_compared = re.search(rf'"{switch.name}"[^=]*== "1"', source)
            assert is_compared or re.search(r'return env_\w+ == "1"', source), switch.name


@pytest.mark.real_torch
def test_torch_registers_the_backends() -> None:
    """Those that are listed, and no others but those of packages."""
    import torch._dynamo

    own = {
        name
        for name in torch._dynamo.list_backends(exclude_tags=())
        if torch._dynamo.lookup_backend(name).__module__.startswith(("torch.", "functools"))
    }
    assert own <= set(BACKENDS)
    assert {"eager", "inductor", "aot_eager", "cudagraphs"} <= own


@pytest.mark.parametrize(
    ("text", "suffix", "values"),
    [
        ("export TORCH_TRACE=~/t", ".sh", [Unknown]),
        ('export TORCH_TRACE="~/t"', ".sh", ["~/t"]),
        ("RUN TORCH_TRACE=~/t python train.py", "", [Unknown]),
        ("ENV TORCH_TRACE=~/t", "", ["~/t"]),
        ("TORCH_TRACE=~/t", ".env", ["~/t"]),
        ("\ufeffTORCH_TRACE=t", ".env", ["t"]),
        ("TORCH_TRACE: ~/t", ".yaml", ["~/t"]),
        ("run: TORCH_TRACE=~/t python train.py", ".yaml", [Unknown]),
        ('[[ $TORCH_TRACE =~ "t" ]]', ".sh", []),
    ],
)
def test_a_shell_knows_the_home_folder(text: str, suffix: str, values: list[object]) -> None:
    """Where it is not quoted; other languages leave it to torch, which does not."""
    assert [site.value for site in variable_sites(text.encode(), suffix)] == values


IMAGE = "FROM pytorch/pytorch:2.9.1\nUSER root\n{}USER {}\nCMD python train.py\n"
RUN = "docker run --gpus all {} {} pytorch/pytorch:2.9.1 python train.py\n"
POD = "image: pytorch/pytorch:2.9.1\nsecurityContext:\n  runAsUser: {}\n"


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("Dockerfile", IMAGE.format("", "10001:0"), 3),
        ("pod.yaml", POD.format(10001), 3),
        ("run.sh", RUN.format("--user", "$(id -u):$(id -g)"), 1),
        ("run.sh", RUN.format("-u", '"$UID:$GID"'), 1),
        ("compose.yaml", 'image: pytorch/pytorch:2.9.1\nuser: "${UID}:${GID}"\n', 2),
        ("run.sh", RUN.format("-u", "$(id -u):$(id -g) -e USER=app"), None),
        ("run.sh", RUN.format("-v /etc/passwd:/etc/passwd -u", "$(id -u):$(id -g)"), None),
        ("run.sh", RUN.format("-u", "1000:1000"), None),
        ("run.sh", RUN.format("--user", "$(id -u):$(id -g) \\\n --user app"), None),
        ("run.sh", "ps -u $(id -u) | grep torch\n", None),
        ("run.sh", f"# {RUN.format('-u', '$(id -u):$(id -g)')}", None),
        ("Dockerfile", IMAGE.format("", "app"), None),
        ("Dockerfile", IMAGE.format("", "1000"), None),
        ("Dockerfile", IMAGE.format("RUN useradd -u 10001 app\n", "10001"), None),
        ("Dockerfile", IMAGE.format("ENV TORCHINDUCTOR_CACHE_DIR=/c\n", "10001"), None),
        ("Dockerfile", IMAGE.format("ENV USER=app\n", "10001"), None),
        ("Dockerfile", IMAGE.format("", "10001") + "USER app\n", None),
        ("Dockerfile", "FROM debian\nUSER 10001\n", None),
        ("pod.yaml", POD.format(10001) + "env:\n- name: USER\n  value: app\n", None),
    ],
)
def test_a_user_of_an_image_without_a_name(tmp_path: Path, name: str, text: str, line: int | None) -> None:
    """A number for which nothing in the file has a name, where torch is, up to torch 2.12."""
    (tmp_path / name).write_text(text)
    found = [(each.code, each.line) for each in lint([tmp_path / name], torch="2.9").findings]
    assert found == ([] if line is None else [("DC406", line)])
    assert lint([tmp_path / name], torch="2.13").findings == ()


def test_the_column_of_a_user_behind_other_letters(tmp_path: Path) -> None:
    """It is counted in characters, as that of any finding."""
    text = "- run: echo übung torch && docker run --user 12345 image"
    (tmp_path / "ci.yml").write_text(text, encoding="utf-8")
    (found,) = lint(tmp_path, torch="2.12").findings
    assert (found.code, found.column) == ("DC406", text.index("12345") + 1)


def test_a_module_that_was_loaded_without_a_spec(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python cannot search for it: neither can torch, whose import fails."""
    monkeypatch.setitem(sys.modules, "without_spec", ModuleType("without_spec"))
    (finding,) = value_findings({"TORCH_LOGS": "without_spec"}, AT)
    assert "it has no log 'without_spec'" in finding.message


def test_a_torch_newer_than_the_catalogue_may_have_more() -> None:
    """There it is a note."""
    report = check_environment({"TORCH_LOGS": "new_log"}, torch="2.13")
    assert not report.ok
    (finding,) = value_findings({"TORCH_LOGS": "new_log"}, Release("2.99.0", "installed"))
    assert finding.level == "note"


@pytest.mark.real_torch
@pytest.mark.parametrize(
    ("name", "raw", "refused"),
    [
        ("TORCH_LOGS", "+dynammo", True),
        ("TORCH_LOGS", "dynamo guards", True),
        ("TORCH_LOGS", "dynamo,", True),
        ("TORCH_LOGS", "", True),
        ("TORCH_LOGS", "+dynamo, json", False),
        ("TORCH_LOGS", "__main__", Release.at_hand().minor > (2, 4)),
        ("TORCH_LOGS_OUT", "", True),
        ("TORCH_LOGS_OUT", "~/log", True),
        ("TORCH_LOGS_OUT", "log.txt", False),
    ],
)
def test_the_real_torch_agrees(name: str, raw: str, warm: Warm, *, refused: bool) -> None:
    """What its import calls fails where a finding says so."""
    done = warm.run("-c", "import torch; torch._logging._init_logs()", **{name: raw})
    assert bool(done.returncode) == refused == bool([*value_findings({name: raw}, Release.at_hand())])
