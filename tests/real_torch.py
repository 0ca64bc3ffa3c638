"""Environments with a real torch: any release, under any Python, on a machine without a GPU.

The ordinary wheel for Linux needs gigabytes of CUDA's libraries before it can be imported. It calls none of
them where there is no GPU, beyond registering its kernels and counting devices. So each library that it names
and that is not there gets an empty stand-in, and one more library has all the functions that nobody else
defines, each of which answers cudaErrorNoDevice. Needs a C compiler.

The functions are in a library of their own because the loader trusts a versioned symbol (``cudaMalloc`` of
``libcudart.so.12``) from any library without versions, except from the one of that name.
"""

import ctypes
import email
import hashlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[1]
CACHE = ROOT / ".cache" / "real"

NO_DEVICE = 100
"""cudaErrorNoDevice."""

FUNCTIONS = "libdynconf_stand_ins.so"

COMPILER = "cc -shared -fPIC -nostdlib -w -fno-builtin -x c - -x none -Wl,--no-as-needed"

NOT_NEEDED = re.compile(r"(torch|triton|nvidia|cuda)\b")
"""Distributions that are not installed with the others: torch comes last, and CUDA is stood in for."""


class MissingWheelError(Exception):
    """A release that has no wheel for a Python."""


def environment(release: str, python: Path | str = sys.executable) -> Path:
    """Return the Python of an environment that has this release, the project, and what its tests need.

    Without a release, it has everything but torch. It is made once, in ``.cache``. For other requirements or
    constraints, and for another checkout that shares it, all is installed again but torch, which is a GB.

    Raises:
        MissingWheelError: If there is no wheel of the release for that Python.
    """
    tag = _output([python, "-c", "import sysconfig; print(sysconfig.get_config_var('SOABI'))"]).strip()
    folder = CACHE / f"{release or 'none'}-{tag}"
    made, unpacked, ready = folder / "bin" / "python", folder / "unpacked", folder / "ready"
    if not unpacked.is_file():
        shutil.rmtree(folder, ignore_errors=True)
        _output([python, "-m", "venv", folder])
        if release:
            _install_torch(release, made, *folder.glob("lib/python3*/site-packages"))
        unpacked.touch()
    content = hashlib.sha256(repr((ROOT, _project(), _constraints())).encode()).hexdigest()
    if ready.is_file() and ready.read_text(encoding="utf-8") == content:
        return made
    (site,) = folder.glob("lib/python3*/site-packages")
    requirements: list[str] = []
    for metadata in site.glob("torch-*.dist-info/METADATA"):
        requirements += email.message_from_string(metadata.read_text(encoding="utf-8")).get_all(
            "Requires-Dist", []
        )
    _install_requirements(made, requirements)
    ready.write_text(content, encoding="utf-8")
    return made


def _install_torch(release: str, python: Path, site: Path) -> None:
    """Unpack the wheel, because pip would install CUDA with it; the wheel itself is not kept."""
    with tempfile.TemporaryDirectory(dir=CACHE) as scratch:
        command = [python, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
        try:
            _output([*command, "--dest", scratch, f"torch=={release}"])
        except subprocess.CalledProcessError as error:
            raise MissingWheelError(
                f"pip finds no wheel of torch {release}: {error.stderr.strip()}"
            ) from None
        (wheel,) = Path(scratch).glob("*.whl")
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(site)
    # In a process of its own: it loads the libraries that are there, and another release needs others.
    _output([sys.executable, __file__, site / "torch" / "lib"])


def _install_requirements(python: Path, of_torch: list[str]) -> None:
    """Install the project, and everything but torch that it, its tests and torch need."""
    # Versions that a release pins are left out: the constraints decide, as they do for 2.13.
    names = [re.split(r"[ (<>=!~;]", each)[0] for each in of_torch if "extra ==" not in each]
    wanted = [*_project(), *names]
    pip = [python, "-m", "pip", "install", "--quiet"]
    with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as constraints:
        constraints.writelines(_constraints())
        constraints.flush()
        wanted = [each for each in wanted if not NOT_NEEDED.match(each)]
        _output([*pip, "--constraint", constraints.name, *wanted])
    _output([*pip, "--no-deps", "--editable", ROOT])


def _project() -> list[str]:
    """Return the requirements of the project and of its tests."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return [*project["dependencies"], *project["optional-dependencies"]["dev"]]


def _constraints() -> list[str]:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines(keepends=True)
    return [line for line in lines if not NOT_NEEDED.match(line)]


def stand_in(folder: Path) -> None:
    """Put a stand-in into *folder* for each library that those in it need and nobody has."""
    libraries = [each for each in folder.iterdir() if ".so" in each.name]
    needed = set(re.findall(r"\(NEEDED\).*\[(.+)\]", _output(["readelf", "--dynamic", "--wide", *libraries])))
    missing = sorted(name for name in needed - {each.name for each in libraries} if not _loads(name))
    if not missing:
        return
    # Symbols that may be missing are of type w; code asks whether they are there.
    undefined = set(re.findall(r" U (\w+)", _output(["nm", "--dynamic", "--undefined-only", *libraries])))
    defined = set(re.findall(r" [A-Za-z] (\w+)", _output(["nm", "--dynamic", "--defined-only", *libraries])))
    process = ctypes.CDLL(None)  # Python's own functions, and those of the libraries that could be loaded
    functions = sorted(name for name in undefined - defined if not hasattr(process, name))
    _compile(
        folder / FUNCTIONS, "".join(f"long {each}(void) {{ return {NO_DEVICE}; }}\n" for each in functions)
    )
    for name in missing:
        _compile(folder / name, "", "-L", str(folder), f"-l:{FUNCTIONS}", "-Wl,-rpath,$ORIGIN")


def _compile(library: Path, source: str, *arguments: str) -> None:
    command = COMPILER.split()
    command += [f"-Wl,-soname,{library.name}", "-o", str(library), *arguments]
    subprocess.run(command, input=source, text=True, check=True)


def _loads(name: str) -> bool:
    try:
        ctypes.CDLL(name, ctypes.RTLD_GLOBAL)
    except OSError:
        return False
    return True


def _output(command: list[object]) -> str:
    words = list(map(str, command))
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


if __name__ == "__main__":
    stand_in(Path(sys.argv[1]))
