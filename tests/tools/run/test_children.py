"""Interpreters that a program under `dynconf run` starts: they follow, and notice nothing else."""

import json
import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest
from warm import Warm, cold

import dynconf.tools.run.children
from dynconf.release import Release
from dynconf.sources.gather import gather
from dynconf.tools.run.children import environment_to_follow

RUN = ("-m", "dynconf", "run")

SETTINGS = "functorch.activation_memory_budget = 0.5\n"
"""Of a config module that loads in half the time of Dynamo's."""


POOLS = """
import concurrent.futures, multiprocessing, subprocess, sys

def budget():
    import torch._functorch.config as c
    import dynconf
    return c.activation_memory_budget, str(dynconf.origin("functorch.activation_memory_budget"))

def spawned(method):
    with multiprocessing.get_context(method).Pool(1) as pool:
        return pool.apply(budget)

def submitted():
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(1, mp_context=context) as pool:
        return pool.submit(budget).result()

def nested():
    program = "import program; print(*program.budget())"
    option = "functorch.activation_memory_budget=0.25"
    command = [sys.executable, "-m", "dynconf", "run", "--set", option, "-c", program]
    return subprocess.run(command, capture_output=True, text=True).stdout.split(" ", 1)

if __name__ == "__main__":
    with concurrent.futures.ThreadPoolExecutor() as threads:
        for each in (
            threads.submit(spawned, "spawn"), threads.submit(spawned, "forkserver"),
            threads.submit(submitted), threads.submit(nested),
        ):
            print(*each.result())
    print("torch" in sys.modules)
"""


@pytest.mark.real_torch
def test_pools_of_processes_follow(tmp_path: Path, quick_torch: str) -> None:
    """However they are started; the origin is the file and line of the parent, which imports no torch.

    Where a child is under a `dynconf run` of its own, that has the last word.
    """
    (tmp_path / "dynconf.toml").write_text(SETTINGS)
    (tmp_path / "program.py").write_text(POOLS)
    done = cold(*RUN, "program.py", PYTHONPATH=quick_torch)
    line = f"0.5 {tmp_path}/dynconf.toml:1 (functorch.activation_memory_budget)"
    nested = "0.25 option --set functorch.activation_memory_budget=0.25"
    assert done.stdout.splitlines() == [line, line, line, nested, "", "False"], done.stderr
    assert done.stderr == ""


HOLDING = """
import os, subprocess, sys

import torch._functorch.config as c
c.activation_memory_budget = 0.25
origin = __import__("dynconf").origin("functorch.activation_memory_budget")
print(c.activation_memory_budget, origin, flush=True)
if sys.argv[1:]:
    subprocess.run([sys.executable, __file__, *sys.argv[2:]], check=True)
"""


@pytest.mark.real_torch
@pytest.mark.parametrize(
    ("text", "file", "held", "origin"),
    [
        ("=0.5", "", "0.5", "option --hold {flag}=0.5, held"),
        ("", SETTINGS, "0.5", "{folder}/dynconf.toml:1 ({flag}), held"),
        ("", "", "1.0", "option --hold {flag}, held"),
    ],
    ids=["with its value", "by its name", "at torch's default"],
)
def test_what_is_held_is_held_in_children_and_theirs(
    text: str, file: str, held: str, origin: str, tmp_path: Path, *, warm: Warm, quick_torch: str
) -> None:
    """Each process names the line that assigns, and has the origin of the first one."""
    (tmp_path / "dynconf.toml").write_text(file)
    program = tmp_path / "program.py"
    program.write_text(HOLDING)
    flag = "functorch.activation_memory_budget"
    words = ("--hold", f"{flag}{text}", "program.py", "child", "grandchild")
    done = warm.run("-m", "dynconf", "run", *words, PYTHONPATH=quick_torch)
    line = f"{held} {origin.format(folder=tmp_path, flag=flag)}"
    assert done.stdout.splitlines() == [line] * 3, done.stderr
    warning = f"ForcedFlagWarning: {flag}: 0.25 has no effect: it is held at {held}"
    assert done.stderr.count(warning) == 3


STARTING = """
import os, subprocess, sys

os.environ["TORCHFUNCTORCH_ACTIVATION_MEMORY_BUDGET"] = "0.25"  # as a library does
os.environ["TORCHFUNCTORCH_CSE"] = "0"
flags = ("functorch.activation_memory_budget", "functorch.cse")
subprocess.run([sys.executable, "-m", "dynconf", "dump", *flags, "--format", "json"], check=True)
read, option = ["-c", sys.argv[1]], f"{flags[0]}=0.75"
subprocess.run([sys.executable, "-m", "dynconf", "run", "--set", option, *read], check=True)
subprocess.run([sys.executable, *read], check=True)
"""

READING = "import torch._functorch.config as c; print(c.activation_memory_budget, c.cse)"


@pytest.mark.real_torch
def test_what_is_held_beats_all_that_children_are_given_besides(tmp_path: Path, quick_torch: str) -> None:
    """A variable that a library sets, and the options of a run of their own; both are named."""
    (tmp_path / "program.py").write_text(STARTING)
    budget = "functorch.activation_memory_budget"
    words = ("--hold", f"{budget}=0.5", "--set", "functorch.cse=true", "program.py", READING)
    done = cold(*RUN, *words, PYTHONPATH=quick_torch)
    shown, *read = done.stdout.rsplit("\n", 3)[:-1]
    flags = json.loads(shown)["flags"]
    held = {"kind": "option", "name": f"--hold {budget}", "raw": "0.5", "held": True}
    assert (flags[budget]["value"], flags[budget]["origin"]) == (0.5, held)
    assert flags["functorch.cse"]["value"] is False
    assert read == ["0.5 False", "0.5 False"], done.stderr
    for source, times in (("0.25 (from environment TORCHFUNCTORCH_", 3), ("0.75 (from option --set ", 1)):
        assert done.stderr.count(f"{budget}: {source}") == times
    assert done.stderr.count(f"has no effect: it is held at 0.5 (option --hold {budget}=0.5") == 4


RANK = """
import os, sys
sys.path.insert(0, sys.argv[1])
import torch._dynamo.config as c
sys.stdout.write(f"rank {os.environ['RANK']} {c.optimize_ddp}\\n")
"""


@pytest.mark.real_torch
def test_the_ranks_of_torchrun_follow(tmp_path: Path, quick_torch: str) -> None:
    """All of them have the Python reducer, or none; torchrun is a command here, and no file."""
    if not (Path(sysconfig.get_path("scripts")) / "torchrun").exists():
        pytest.skip("this torch was installed without its commands")
    (tmp_path / "dynconf.toml").write_text('optimize_ddp = "python_reducer"\ncompiled_autograd = true\n')
    (tmp_path / "train.py").write_text(RANK)
    done = cold(*RUN, "torchrun", "--nproc-per-node", "2", "--standalone", "train.py", quick_torch)
    ranks = sorted(line for line in done.stdout.splitlines() if line.startswith("rank"))
    assert ranks == ["rank 0 python_reducer", "rank 1 python_reducer"], done.stderr


TESTS = """
import torch._functorch.config as c
import dynconf

def test_budget(worker_id):
    print(worker_id, c.activation_memory_budget, dynconf.origin("functorch.activation_memory_budget"))
"""

OTHERS = ("-pno:cacheprovider", "-pno:asyncio", "-pno:anyio", "-pno:hydra_pytest", "-pno:hypothesispytest")
PYTEST = ("-m", "pytest", "-rP", *OTHERS, "--rootdir=.", "-cpytest.ini")


def workers(done: "subprocess.CompletedProcess[str]") -> list[str]:
    """Return the lines that the tests printed."""
    return sorted(line for line in done.stdout.splitlines() if line.startswith("gw"))


@pytest.mark.real_torch
def test_the_workers_of_xdist_follow(tmp_path: Path, quick_torch: str) -> None:
    """A suite under `dynconf run` tests the same configuration with `-n 1` as without."""
    (tmp_path / "dynconf.toml").write_text(SETTINGS)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "test_a.py").write_text(TESTS)
    done = cold(*RUN, *PYTEST, "-n1", PYTHONPATH=quick_torch)
    line = f"0.5 {tmp_path}/dynconf.toml:1 (functorch.activation_memory_budget)"
    assert workers(done) == [f"gw0 {line}"], done.stdout + done.stderr


@pytest.mark.real_torch
def test_the_workers_of_xdist_install_what_their_controller_has(tmp_path: Path, quick_torch: str) -> None:
    """Without `dynconf run`, too, unless they have installed something else themselves."""
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "conftest.py").write_text(
        "import os\nimport dynconf\nworker = os.environ.get('PYTEST_XDIST_WORKER')\n"
        "if worker is None:\n    dynconf.functorch.install(activation_memory_budget=0.5)\n"
        "elif worker == 'gw1':\n    dynconf.functorch.install(activation_memory_budget=0.25)\n"
    )
    for name in ("test_a.py", "test_b.py"):
        (tmp_path / name).write_text(TESTS)
    words = [*PYTEST, "-n2", "-pdynconf.tools.testing.pytest_plugin", "-pno:dynconf"]
    environ = {name: text for name, text in os.environ.items() if not name.startswith("PYTEST_")}
    done = cold(*words, environ=environ, PYTHONPATH=quick_torch)
    place = f"install at {tmp_path}/conftest.py"
    assert workers(done) == [f"gw0 0.5 {place}:5", f"gw1 0.25 {place}:7"], done.stdout + done.stderr


CHILD = (
    "import sys; print(any(type(each).__name__ == '_BeforeTorch' for each in sys.meta_path), *sys.path[1:])"
)


def children(*commands: str) -> str:
    """Return a program that starts commands, given as Python expressions of the arguments of a Popen."""
    calls = "".join(f"subprocess.run({each}, check=True)\n" for each in commands)
    return (
        f"import os, subprocess, sys\nPYTHON, CHILD = sys.executable, {CHILD!r}\n"
        f"COMMAND = [PYTHON, '-c', CHILD]\n{calls}"
    )


def test_who_follows(tmp_path: Path) -> None:
    """Whatever the options of Python that leave PYTHONPATH alone; the path is what it would be without."""
    program = children(
        "[PYTHON, '-c', CHILD]",
        "[PYTHON, '-P', '-c', CHILD]" if sys.version_info >= (3, 11) else "[PYTHON, '-c', CHILD]",
        "[PYTHON, '-s', '-c', CHILD]",
        "[PYTHON, '-c', CHILD], env={**os.environ, 'PYTHONPATH': 'x:' + os.environ['PYTHONPATH']}",
        "[PYTHON, '-m', 'dynconf', 'run', '-c', f'import os; os.execv({PYTHON!r}, {COMMAND})']",
    )
    done = cold(*RUN, "-s", "verbose=1", "-c", program, PYTHONPATH=str(tmp_path))
    bare = cold("-c", CHILD, PYTHONPATH=str(tmp_path)).stdout.split()
    path = " ".join(bare[1:])
    expected = [f"True {path}"] * 5
    expected[1] = expected[1] if sys.version_info < (3, 11) else f"True {' '.join(bare[2:])}"
    expected[3] = f"True {tmp_path}/x {path}"
    assert done.stdout.splitlines() == expected, done.stderr
    assert done.stderr == ""


BOOTSTRAP = Path(dynconf.tools.run.children.__file__).parent / "bootstrap"

ISOLATED = (
    " keeps it from PYTHONPATH or sitecustomize; dynconf.install() in its code reaches it, and so do"
    " torch's own variables, as `dynconf dump --format env` prints them"
)


def test_who_cannot_follow_is_named(tmp_path: Path) -> None:
    """Once for each reason, by the process that starts it; options of other programs are none of Python."""
    program = children(
        *(f"[PYTHON, '{option}', '-c', CHILD]" for option in ("-I", "-I", "-S", "-uE")),
        "[PYTHON, '-c', CHILD], env={}",
        "[PYTHON, '-c', CHILD, '-I']",
        "[PYTHON, '-W', 'ignore', '-X', 'utf8', '-c', CHILD, '-S']",
        "['/bin/echo', '-I']",
        "'echo -I', shell=True",
    )
    done = cold(*RUN, "-s", "verbose=1", "-c", program)
    follows = [line.split()[0] for line in done.stdout.splitlines()]
    assert follows == ["False", "False", "False", "False", "False", "True", "True", "-I", "-I"], done.stderr
    start = "dynconf: warning: a Python that the program starts does not get the settings: "
    reasons = [line.removeprefix(start) for line in done.stderr.splitlines()]
    assert reasons == [
        *(f"-{each}{ISOLATED}" for each in "ISE"),
        "its environment lacks DYNCONF_CONFIG; env=dynconf.child_env() has it",
    ]
    bare = children("[PYTHON, '-c', CHILD], env={}")
    done = cold(*RUN, "--show", "-s", "verbose=1", "-c", bare)
    assert start + reasons[-1] in done.stderr.splitlines()  # it lacks DYNCONF_SHOW, too
    path = f"its PYTHONPATH lacks {BOOTSTRAP}; extend the variable instead of replacing it"
    for replaced in (
        "[PYTHON, '-c', CHILD], env={**os.environ, 'PYTHONPATH': 'src'}",
        "[PYTHON, '-c', CHILD], env=os.environ.update(PYTHONPATH='src')",
        "[PYTHON, '-c', CHILD], env=os.environ.pop('PYTHONPATH') and None",
    ):
        done = cold(*RUN, "-s", "verbose=1", "-c", children(replaced))
        assert (done.stdout.split()[0], done.stderr) == ("False", f"{start}{path}\n")
    torchs = "[PYTHON, '-c', CHILD], env={**os.environ, 'PYTHONPATH': os.pathsep.join(sys.path)}"
    assert (
        cold(*RUN, "-s", "verbose=1", "-c", children(torchs)).stderr == ""
    )  # as Inductor starts its workers
    # multiprocessing hands the options of its own Python on.
    spawn = "import multiprocessing.popen_fork, multiprocessing.popen_spawn_posix"
    assert cold("-I", *RUN, "-s", "verbose=1", "-c", spawn).stderr == f"{start}{reasons[0]}\n"
    done = cold(*RUN, "-s", "verbose=1", "--no-children", "-c", program)
    assert (done.returncode, "True" in done.stdout, done.stderr) == (0, False, "")


def test_where_nothing_is_set_only_reports_are_missed(tmp_path: Path) -> None:
    """A child that lacks no variable that it needs is not named; one that will not show its settings is."""
    program = children(
        "[PYTHON, '-c', CHILD], env=dict(os.environ)",
        "[PYTHON, '-c', CHILD], env={'PYTHONPATH': os.environ['PYTHONPATH']}",
        "[PYTHON, '-I', '-c', CHILD]",
    )
    start = "dynconf: warning: a Python that the program starts does not get the settings: "
    reasons = ["its environment lacks {0}; env=dynconf.child_env() has it", f"-I{ISOLATED}"]
    for options, variable in (
        ([], ""),
        (["--show"], "DYNCONF_SHOW"),
        (["--audit-file", "logs/"], "DYNCONF_AUDIT_FILE"),
    ):
        done = cold(*RUN, *options, "-c", program)
        assert [line.split()[0] for line in done.stdout.splitlines()] == ["True", "True", "False"]
        found = [line for line in done.stderr.splitlines() if "in force at the end" not in line]
        assert found == [start + each.format(variable) for each in reasons if variable]


CARELESS = """
import collections, os, subprocess, sys

class Broken:
    def __getattr__(self, name):
        raise RuntimeError("nobody may write")

class Counted(collections.UserDict):
    def __iter__(self):
        raise LookupError("only items")
    def items(self):
        return os.environ.items()

sys.stderr.close() if sys.argv[1] == "closed" else None
sys.stderr = {"closed": sys.stderr, "none": None, "broken": Broken()}[sys.argv[1]]
print(subprocess.run([sys.executable, "-I", "-c", "pass"]).returncode)
print(subprocess.run([sys.executable, "-c", "pass"], env={}).returncode)
print(os.posix_spawn(sys.executable, [sys.executable, "-c", "pass"], os.environ) > 0)
try:
    subprocess.run([sys.executable, "-c", "pass"], env=Counted())
except LookupError:
    print("their own")
"""


@pytest.mark.parametrize("stderr", ["closed", "none", "broken"])
def test_a_warning_that_nobody_can_read_does_not_fail_the_call(stderr: str, warm: Warm) -> None:
    """Of the program that starts another, whatever has become of its stderr."""
    done = warm.run("-m", "dynconf", "run", "-s", "verbose=1", "-c", CARELESS, stderr)
    bare = warm.run("-c", CARELESS, stderr)
    assert (done.returncode, done.stdout) == (bare.returncode, bare.stdout)
    assert done.stdout.startswith("0\n0\nTrue\n")


@pytest.fixture
def follower() -> dict[str, str]:
    """Return an environment as a child of `dynconf run` has it."""
    state = gather(Release.at_hand(), environ={"TORCHDYNAMO_RECOMPILE_LIMIT": "64"}).state
    return environment_to_follow(state, dict(os.environ))[0]


def test_an_environment_without_dynconf_is_left_alone(tmp_path: Path, follower: dict[str, str]) -> None:
    """Whoever imports torch there gets torch, and no complaint."""
    venv.create(tmp_path / "venv", symlinks=True)
    (tmp_path / "venv" / "library" / "torch").mkdir(parents=True)
    (tmp_path / "venv" / "library" / "torch" / "__init__.py").write_text("print('torch')")
    (tmp_path / "venv" / "library" / "sitecustomize.py").write_text("print('theirs', __file__)")
    bootstrap, *_ = follower["PYTHONPATH"].split(os.pathsep)  # the others may have dynconf
    follower["PYTHONPATH"] = f"{bootstrap}{os.pathsep}{tmp_path}/venv/library"
    program = "import sys, torch; print(len(sys.meta_path), 'dynconf' in sys.modules)"
    python = str(tmp_path / "venv" / "bin" / "python")
    done = subprocess.run(
        [python, "-c", program], cwd=tmp_path, env=follower, capture_output=True, text=True, check=False
    )
    assert done.stdout.splitlines() == [
        f"theirs {tmp_path}/venv/library/sitecustomize.py",
        "torch",
        "3 False",
    ], done.stderr
    assert done.stderr == ""


def test_settings_that_cannot_be_installed_end_no_child(tmp_path: Path, follower: dict[str, str]) -> None:
    """It goes on as it would without them, with a warning."""
    (tmp_path / "torch.py").write_text("")
    (tmp_path / "program.py").write_text("import torch\nprint('done')\n")
    follower["DYNCONF_CONFIG"] = json.dumps({"verbos": True, "inherited": {}})
    done = cold("program.py", environ=follower)
    assert (done.returncode, done.stdout) == (0, "done\n")
    assert "EnvironmentWarning: this process does not get the settings of `dynconf run`: " in done.stderr
    assert "did you mean 'verbose'" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_finder_without_find_spec_ends_no_child(tmp_path: Path, follower: dict[str, str]) -> None:
    """Python imports torch by another one, and the child has the settings."""
    (tmp_path / "torch.py").write_text("print('torch')")
    program = (
        "import sys\nclass Old:\n    def find_module(self, name, path=None): pass\n"
        "sys.meta_path.insert(1, Old())\nimport torch\nprint('dynconf.tools.run' in sys.modules)"
    )
    done = cold("-c", program, environ=follower)
    assert (done.returncode, done.stdout) == (0, "torch\nTrue\n"), done.stderr


def test_where_warnings_are_errors_a_child_goes_on(tmp_path: Path, follower: dict[str, str]) -> None:
    """The warning is a line on stderr then."""
    (tmp_path / "torch.py").write_text("")
    follower |= {"DYNCONF_SHOW": "never", "DYNCONF_LOG": "much", "DYNCONF_AUDIT_FILE": f"{tmp_path}/no/file"}
    done = cold("-W", "error", "-c", "import torch; print('done')", environ=follower)
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stderr
    assert [text.split()[:3] for text in done.stderr.splitlines()] == [
        ["dynconf:", "warning:", "the"],
        ["dynconf:", "warning:", "DYNCONF_LOG=much:"],
        ["dynconf:", "warning:", "DYNCONF_SHOW=never"],
    ]


def test_a_child_that_only_looks_for_torch_pays_nothing(tmp_path: Path, follower: dict[str, str]) -> None:
    """It imports dynconf right before torch is executed, by whichever spec."""
    (tmp_path / "torch.py").write_text("import sys; print('dynconf' in sys.modules)")
    program = (
        "import importlib.util, sys\n"
        "spec = importlib.util.find_spec('torch')\n"
        "print('dynconf' in sys.modules, spec.origin)\n"
        "import torch\n"
        "print(torch is sys.modules['torch'], torch.__spec__.origin == spec.origin)\n"
        "spec.loader.exec_module(importlib.util.module_from_spec(spec))\n"
        "importlib.reload(torch)\n"
    )
    done = cold("-c", program, environ=follower)
    assert done.stdout.splitlines() == [f"False {tmp_path}/torch.py", "True", "True True", "True", "True"]
    assert done.stderr == ""


AUDITED = """
import os, subprocess, sys
child = '''
import os, torch._functorch.config as c
c.donated_buffer = False
print(os.getpid(), c.activation_memory_budget)
'''
for words, environ in (
    ([], {}), (["-m", "dynconf", "run"], {}), ([], {"DYNCONF_AUDIT_FILE": os.path.join("nowhere", "file")}),
):
    subprocess.run([sys.executable, *words, "-c", child], env={**os.environ, **environ})
"""


@pytest.mark.real_torch
def test_children_write_audits_of_their_own(tmp_path: Path, quick_torch: str) -> None:
    """Also under a `dynconf run` of their own; one that cannot write still gets the settings."""
    (tmp_path / "dynconf.toml").write_text(SETTINGS)
    (tmp_path / "program.py").write_text(AUDITED)
    done = cold(*RUN, "--audit-file", "logs/", "program.py", PYTHONPATH=quick_torch)
    first, second, third = (line.split() for line in done.stdout.splitlines())
    assert [first[1], second[1], third[1]] == ["0.5", "0.5", "0.5"]
    files = {path.name.split(".")[2]: path for path in (tmp_path / "logs").iterdir()}
    assert {first[0], second[0]} < files.keys()
    assert third[0] not in files
    for process in (first[0], second[0]):
        found = [json.loads(line)["flag"] for line in files[process].read_text().splitlines()]
        assert {"functorch.activation_memory_budget", "functorch.donated_buffer"} <= {*found}
    assert "the changes in this process are not recorded: " in done.stderr


@pytest.mark.parametrize(
    "text", ["1 / 0", "import no_such_module", "print(sorted(globals()), __name__, __spec__.name)"]
)
def test_the_next_sitecustomize_does_what_it_did(tmp_path: Path, follower: dict[str, str], text: str) -> None:
    """Its mistakes are Python's to tell."""
    (tmp_path / "sitecustomize.py").write_text(text)
    ends = []
    for path in (str(tmp_path), os.pathsep.join([follower["PYTHONPATH"], str(tmp_path)])):
        done = cold("-c", "print(1)", environ=follower, PYTHONPATH=path)
        ends.append((done.returncode, done.stdout, done.stderr))
    assert ends[0] == ends[1]
    assert ends[0][1].endswith("1\n")


def test_a_child_that_needs_no_torch_imports_nothing_else(follower: dict[str, str]) -> None:
    """Neither of dynconf, torch and pydantic nor of the standard library: that is what a start takes."""

    def modules(environ: dict[str, str]) -> set[str]:
        return {*cold("-c", "import sys; print(*sys.modules)", environ=environ).stdout.split()}

    assert modules(follower) - modules({**os.environ}) == {"sitecustomize"}


def test_a_child_in_another_project_keeps_its_own_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For flags that the parent did not set; `check` names the others, and `--set` of its own beats all."""
    for folder, text in (
        ("ours", "recompile_limit = 64\n"),
        ("theirs", "recompile_limit = 16\nverbose = true\n"),
    ):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "dynconf.toml").write_text(text)
    program = (
        "import subprocess, sys\n"
        "for words in (['check'], ['dump', '--changed', '--format', 'json'],"
        " ['run', '--set', 'recompile_limit=3', '-m', 'dynconf', 'dump', '--changed', '--format', 'json']):\n"
        f"    subprocess.run([sys.executable, '-m', 'dynconf', *words], cwd={str(tmp_path / 'theirs')!r})\n"
    )
    monkeypatch.chdir(tmp_path / "ours")
    done = cold(*RUN, "-c", program)
    note, rest = done.stdout.split("\n", 1)
    theirs = f"{tmp_path}/theirs/dynconf.toml"
    assert note == (
        f"dynconf.toml:1: note: DC501 recompile_limit: 16 (from {theirs}:1 (recompile_limit)) has no"
        f" effect: this process inherits 64 (from {tmp_path}/ours/dynconf.toml:1 (recompile_limit)): a"
        " program under `dynconf run` started it"
    )
    decoder = json.JSONDecoder()
    found = []
    while (start := rest.find("{")) >= 0:
        document, end = decoder.raw_decode(rest[start:])
        rest = rest[start + end :]
        found.append({name: each["value"] for name, each in document["flags"].items()})
    assert found == [{"recompile_limit": 64, "verbose": True}, {"recompile_limit": 3, "verbose": True}]


@pytest.mark.parametrize(
    ("words", "content"),
    [
        (["--config", "{}"], ""),
        (["--config", "{}", "--set", "verbose=true"], "recompile_limit = 64\n"),
        ([], ""),
        ([], "recompile_limit = 64\n"),
    ],
)
def test_where_the_user_names_a_file_children_search_for_none(
    words: list[str], content: str, tmp_path: Path
) -> None:
    """Nor do theirs: a file that is named counts in place of the search."""
    named = tmp_path / "named.toml"
    named.write_text(content)
    (tmp_path / "theirs").mkdir()
    (tmp_path / "theirs" / "dynconf.toml").write_text("recompile_limit = 16\nrepro_level = 3\n")
    program = (
        "import subprocess, sys\n"
        "for words in ([], ['run', '--set', 'repro_after=dynamo', '-m', 'dynconf']):\n"
        "    dump = ['dump', '--changed', '--format', 'json']\n"
        "    subprocess.run([sys.executable, '-m', 'dynconf', *words, *dump], cwd='theirs')\n"
    )
    variables = {} if words else {"DYNCONF_CONFIG": str(named)}
    done = cold(*RUN, *(word.format(named) for word in words), "-c", program, **variables)
    expected = {"recompile_limit"} if content else set()
    expected |= {"verbose"} if "--set" in words else set()
    first, second = done.stdout.replace("}\n{", "}\n\0{").split("\0")
    assert {*json.loads(first)["flags"]} == expected
    assert {*json.loads(second)["flags"]} == expected | {"repro_after"}
