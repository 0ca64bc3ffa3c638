"""Imagined next releases of torch, and what users do in each of them.

A future is the installed torch's config machinery with a few texts replaced, under the stand-in for the rest
of torch; scenarios run in forks of a process that has imported the future, under a watchdog. That one is a
fork, too, of a process that has imported dynconf, which is this file as a script.
"""

import contextlib
import gc
import hashlib
import importlib.util
import io
import json
import os
import pickle
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import dynconf
from dynconf.errors import DynconfError, DynconfWarning

ROOT = Path(__file__).parents[2]
MACHINERY = "utils/_config_module.py"
DYNAMO = "_dynamo/config.py"
FILES = (
    MACHINERY,
    DYNAMO,
    "_inductor/config.py",
    "_inductor/config_comms.py",
    "_functorch/config.py",
    "fx/experimental/_config.py",
    "compiler/config.py",
)
SECONDS, THREADS, MEMORY = 60, 100, 4 << 30
GOOD = ("exact", "warned", "as torch", "refused")

ALL = "*"

Change = tuple[str, str, str]


def renamed(*pairs: tuple[str, str]) -> list[Change]:
    """Return the changes that rename each first word to the second throughout the machinery."""
    return [(MACHINERY, old, new) for old, new in pairs]


CELL = """class _Cell:
    def __init__(self, name, default):
        self.value = default
    def get(self):
        return self.value
    def set(self, value):
        self.value = value


@dataclass
class _ConfigEntry:"""
THREAD_CELL = "import threading\n\n\n" + CELL.replace("_Cell:", "_Cell(threading.local):")
ONE_DICT = """_OVERRIDES = ContextVar("overrides", default={})


class _Cell:
    def __init__(self, name, default):
        self.key, self.default = id(self), default
    def get(self):
        return _OVERRIDES.get().get(self.key, self.default)
    def set(self, value):
        _OVERRIDES.set({**_OVERRIDES.get(), self.key: value})


@dataclass
class _ConfigEntry:"""
ENTRY = "@dataclass\nclass _ConfigEntry:"
MAKE = "self.user_override = ContextVar(name, default=_UNSET_SENTINEL)"
MAKE_CELL = "self.user_override = _Cell(name, default=_UNSET_SENTINEL)"
FREEZE = "module._config = config  # type: ignore[attr-defined]"
UNKNOWN = renamed(("user_override", "override_var"))

FUTURES: dict[str, list[Change]] = {
    "version only": [],
    "user_override renamed": renamed(("user_override", "override_var")),
    "default renamed": [
        (MACHINERY, "entry.default", "entry.base"),
        (MACHINERY, "config_val.default", "config_val.base"),
        (
            MACHINERY,
            "    hide: bool = False",
            "    hide: bool = False\n    base = property(lambda self: self.default)",
        ),
    ],
    "env_value_default renamed": renamed(("env_value_default", "env_default")),
    "env_value_force renamed": renamed(("env_value_force", "env_forced")),
    "hide renamed": renamed(
        ("config.hide", "config.hidden"), ("].hide", "].hidden"), ("    hide: bool", "    hidden: bool")
    ),
    "sentinel renamed": renamed(("_UNSET_SENTINEL", "_NOT_SET")),
    "sentinel is a class": [(MACHINERY, "_UNSET_SENTINEL = object()", "class _UNSET_SENTINEL: ...")],
    "hash mark renamed": renamed(("_hash_dirty_var", "_hash_stale_var")),
    "copy mark renamed": renamed(("_get_dict_dirty_keys_var", "_dict_stale_keys_var")),
    "_mark_get_dict_dirty renamed": renamed(("_mark_get_dict_dirty", "_mark_dirty")),
    "_config renamed": renamed(
        ("module._config =", "module._entries ="),
        ("self._config[", "self._entries["),
        ("in self._config:", "in self._entries:"),
        ("self._config.keys", "self._entries.keys"),
        ("= self._config\n", "= self._entries\n"),
    ),
    "prior renamed": renamed(("prior", "before")),
    "changes renamed": renamed(
        ("k, v in changes.items", "name, v in changes.items"),
        (
            (
                "config[k].user_override.set(v)\n                self._hash_dirty_var.set(True)\n"
                "                self._mark_get_dict_dirty(k)\n\n"
            ),
            (
                "config[name].user_override.set(v)\n                self._hash_dirty_var.set(True)\n"
                "                self._mark_get_dict_dirty(name)\n\n"
            ),
        ),
    ),
    "closure's locals renamed": renamed(
        ("def change()", "def enter()"),
        ("return change\n", "return enter\n"),
        ("def revert()", "def leave()"),
        ("return revert\n", "return leave\n"),
    ),
    "cell per process": [(MACHINERY, ENTRY, CELL), (MACHINERY, MAKE, MAKE_CELL)],
    "inductor's per process": [
        (MACHINERY, ENTRY, CELL),
        (
            MACHINERY,
            FREEZE,
            (
                "for name, entry in config.items() if 'inductor' in module.__name__ else ():\n"
                "        entry.user_override = _Cell(name, default=_UNSET_SENTINEL)\n"
                "    module._config = config"
            ),
        ),
    ],
    "cell per thread": [(MACHINERY, ENTRY, THREAD_CELL), (MACHINERY, MAKE, MAKE_CELL)],
    "one dict of overrides": [(MACHINERY, ENTRY, ONE_DICT), (MACHINERY, MAKE, MAKE_CELL)],
    "mirror beside the record": [
        (
            MACHINERY,
            "                config.user_override.set(value)\n",
            "                config.user_override.set(value)\n                config.mirror = value\n",
        )
    ],
    "records of several classes": [
        (
            MACHINERY,
            "class ConfigModule(ModuleType):",
            "class _OtherEntry(_ConfigEntry): ...\n\n\nclass ConfigModule(ModuleType):",
        ),
        (MACHINERY, "config[name] = _ConfigEntry(value, name)", "config[name] = _OtherEntry(value, name)"),
    ],
    "_config frozen": [
        (
            MACHINERY,
            FREEZE,
            "from types import MappingProxyType\n    module._config = MappingProxyType(config)",
        )
    ],
    "classes renamed": renamed(
        ("ConfigPatch", "_Patched"),
        ("_ConfigEntry", "_Record"),
        ("ConfigModule", "SettingsModule"),
        ("def codegen_config(", "def _codegen_config("),
    ),
    "__setattr__ elsewhere": [
        (
            MACHINERY,
            "    def __setattr__(self, name: str, value: object) -> None:\n        if name in",
            (
                "    def __setattr__(self, name, value):\n        self._assign(name, value)\n\n"
                "    def _assign(self, name, value):\n        if name in"
            ),
        )
    ],
    "flag renamed, no alias": [(DYNAMO, "recompile_limit = 8", "recompilation_bound = 8")],
    "flag retyped": [(DYNAMO, "verify_correctness = False", 'verify_correctness = "off"')],
    "machinery moved": [(ALL, "torch.utils._config_module", "torch.utils._settings_module")],
    "flag absorbed": [
        (
            DYNAMO,
            "verify_correctness = False",
            'verify_correctness: bool = Config(alias="torch._functorch.config.verify_correctness")',
        ),
        ("_functorch/config.py", "\ncse = True", "\ncse = True\nverify_correctness = False"),
    ],
    "flags in the class": [
        (
            MACHINERY,
            "    def __getattr__(self, name: str) -> Any:\n        try:",
            (
                "    def __getattribute__(self, name):\n"
                "        flags = ModuleType.__getattribute__(self, '__dict__').get('_config')\n"
                "        if flags and name in flags:\n            return self._read(name)\n"
                "        return ModuleType.__getattribute__(self, name)\n\n"
                "    def __getattr__(self, name):\n        return self._read(name)\n\n"
                "    def _read(self, name):\n        try:"
            ),
        ),
    ],
    "plain dict per process": [
        (MACHINERY, ENTRY, CELL),
        (MACHINERY, MAKE, MAKE_CELL),
        (MACHINERY, "module._config = config", "module._table = module._config = config"),
        (MACHINERY, "user_override", "value_now"),
    ],
    "types checked": [
        (
            MACHINERY,
            "                config.user_override.set(value)\n",
            (
                "                if isinstance(config.default, bool) and not isinstance(value, bool):\n"
                "                    raise TypeError(f'{name}: {value!r}')\n"
                "                config.user_override.set(value)\n"
            ),
        )
    ],
    "codegen_config raises": [
        (MACHINERY, "        # additional imports required\n", "        raise NotImplementedError\n"),
        *UNKNOWN,
    ],
    "flags are descriptors": [
        (
            MACHINERY,
            '    visit(module, module, "")\n',
            (
                '    visit(module, module, "")\n'
                "    def flag(name):\n"
                "        def put(self, value):\n"
                "            ConfigModule.__setattr__(self, name, value)\n"
                "        def drop(self):\n"
                "            ConfigModule.__delattr__(self, name)\n"
                "        return property(lambda self: ConfigModule._look_up(self, name), put, drop)\n"
                "    for name in config:\n"
                "        setattr(ConfigModuleInstance, name, flag(name))\n"
            ),
        ),
        (
            MACHINERY,
            ("    def __getattr__(self, name: str) -> Any:\n        try:\n            config ="),
            (
                "    def __getattr__(self, name):\n"
                "        return self._look_up(name)\n"
                "\n"
                "    def _look_up(self, name):\n"
                "        try:\n"
                "            config ="
            ),
        ),
        *UNKNOWN,
    ],
    "deprecated is an error": [
        (
            MACHINERY,
            "            warnings.warn(msg, FutureWarning, stacklevel=3)\n",
            "            raise FutureWarning(msg)\n",
        ),
        (
            DYNAMO,
            "verify_correctness = False",
            "verify_correctness: bool = Config(default=False, deprecated=True)",
        ),
        *UNKNOWN,
    ],
    "class is final": [
        (
            MACHINERY,
            "    class ConfigModuleInstance(ConfigModule):\n",
            (
                "    class ConfigModuleInstance(ConfigModule):\n"
                "        def __init_subclass__(cls):\n"
                "            raise TypeError('final')\n"
                "\n"
            ),
        ),
        *UNKNOWN,
    ],
    "class is frozen": [
        (
            MACHINERY,
            "class ConfigModule(ModuleType):",
            (
                "class _Frozen(type):\n"
                "    def __setattr__(cls, name, value):\n"
                "        raise TypeError('frozen')\n"
                "    def __delattr__(cls, name):\n"
                "        raise TypeError('frozen')\n"
                "\n"
                "\n"
                "class ConfigModule(ModuleType, metaclass=_Frozen):"
            ),
        )
    ],
    "config is no module": [
        (MACHINERY, "class ConfigModule(ModuleType):", "class ConfigModule:"),
        (
            MACHINERY,
            "    module.__class__ = ConfigModuleInstance\n",
            (
                "    made = object.__new__(ConfigModuleInstance)\n"
                "    made.__dict__.update(vars(module))\n"
                "    import sys\n"
                "    sys.modules[module.__name__] = made\n"
                "    for each in vars(made).values():\n"
                "        if isinstance(each, SubConfigProxy):\n"
                "            object.__setattr__(each, '_config', made)\n"
                "    module = made\n"
            ),
        ),
        (
            MACHINERY,
            '            "_hash_dirty_var",\n',
            '            "_hash_dirty_var", "__spec__", "__loader__",\n',
        ),
        *UNKNOWN,
    ],
    "default a callable": renamed(
        ("config_val.default", "config_val.default()"),
        ("entry.default", "entry.default()"),
        ("self.default = config.default\n", "self.default = lambda: config.default\n"),
        ("else type(self.default)", "else type(config.default)"),
        ("isinstance(self.default, bool)", "isinstance(config.default, bool)"),
        ("default=config.default)\n\n            # Ref", "default=config.default())\n\n            # Ref"),
        (
            "            if not isinstance(config.default, _IMM",
            "            if not isinstance(config.default(), _IMM",
        ),
        ("copy.deepcopy(config.default)", "copy.deepcopy(config.default())"),
        ("            return config.default\n", "            return config.default()\n"),
    ),
    "one flag cannot be set": [
        (
            MACHINERY,
            "            # Issue deprecation warning on write",
            (
                "            if name == 'verify_correctness':\n"
                "                raise RuntimeError('read-only')\n"
                "            # Issue deprecation warning on write"
            ),
        ),
        *UNKNOWN,
    ],
    "hash by generation": renamed(
        (
            "if self._hash_dirty_var.get() or self._hash_cache_var.get() is None:",
            (
                "if self._generation != self._hashed_at.get():\n"
                "            self._hashed_at.set(self._generation)"
            ),
        ),
        (
            "                config.hide = False\n",
            "                config.hide = False\n                vars(self)['_generation'] += 1\n",
        ),
        ("[name].hide = True\n", "[name].hide = True\n        vars(self)['_generation'] += 1\n"),
        (
            "    module.__class__ = ",
            (
                "    module._generation, module._hashed_at = 0, ContextVar('hashed_at', default=-1)\n"
                "    module.__class__ = "
            ),
        ),
    ),
    "patch a generator": [
        (
            MACHINERY,
            "        class ConfigPatch(ContextDecorator):",
            (
                "        @contextlib.contextmanager\n"
                "        def patched():\n"
                "            found = {k: getattr(config, k) for k in changes}\n"
                "            config.load_config(changes)\n"
                "            try:\n"
                "                yield\n"
                "            finally:\n"
                "                for k, v in found.items():\n"
                "                    setattr(config, k, v)\n\n"
                "        return patched()\n\n"
                "        class ConfigPatch(ContextDecorator):"
            ),
        )
    ],
    "assigned for the process": renamed(
        ("    hide: bool = False\n", "    hide: bool = False\n    for_all: Any = _UNSET_SENTINEL\n"),
        ("config.user_override.set(value)", "config.for_all = value"),
        ("].user_override.set(_UNSET_SENTINEL)", "].for_all = _UNSET_SENTINEL"),
        (
            "            user_override = config.user_override.get()\n",
            (
                "            user_override = config.user_override.get()\n"
                "            if user_override is _UNSET_SENTINEL:\n"
                "                user_override = config.for_all\n"
            ),
        ),
        (
            "            user_override = entry.user_override.get()\n",
            (
                "            user_override = entry.user_override.get()\n"
                "            if user_override is _UNSET_SENTINEL:\n"
                "                user_override = entry.for_all\n"
            ),
        ),
        ("unset = config_val.user_override.get() is", "unset = config_val.for_all is"),
        ("if self._hash_dirty_var.get() or self._hash_cache_var.get() is None:", "if True:"),
        ("if cached is not None and dirty_keys is not None:", "if False:"),
    ),
    "no __dict__": renamed(
        (
            "class ConfigModule(ModuleType):",
            (
                "class ConfigModule:\n"
                "    __slots__ = (\n"
                "        '_others', '_hash_dirty_var', '_hash_cache_var', '_get_dict_dirty_keys_var',\n"
                "        '_get_dict_cache_var',\n"
                "    )"
            ),
        ),
        ("_bypass_keys = {\n", "__slots__ = ()\n        _bypass_keys = {\n"),
        (
            "            super().__setattr__(name, value)\n        elif",
            "            object.__setattr__(self, name, value)\n        elif",
        ),
        (
            "    def __getattr__(self, name: str) -> Any:\n        try:\n            config =",
            (
                "    def __getattr__(self, name):\n"
                "        if name in self._others:\n"
                "            return self._others[name]\n"
                "        try:\n"
                "            config ="
            ),
        ),
        (
            "    module.__class__ = ConfigModuleInstance\n",
            (
                "    import sys\n"
                "    made = object.__new__(ConfigModuleInstance)\n"
                "    object.__setattr__(made, '_others', vars(module))\n"
                "    for each in made._others.values():\n"
                "        if isinstance(each, SubConfigProxy):\n"
                "            object.__setattr__(each, '_config', made)\n"
                "    sys.modules[module.__name__] = module = made\n"
            ),
        ),
    ),
    "read and written in C": renamed(
        ("config.user_override.get(", "ContextVar.get(config.user_override"),
        ("config.user_override.set(", "ContextVar.set(config.user_override, "),
        ("entry.user_override.get(", "ContextVar.get(entry.user_override"),
    ),
    "marks read in C": renamed(("self._hash_dirty_var.get(", "ContextVar.get(self._hash_dirty_var")),
    "mark means fresh": renamed(
        ('_hash_dirty", default=True', '_hash_dirty", default=False'),
        ("_hash_dirty_var.set(False)", "_hash_dirty_var.set(1)"),
        ("_hash_dirty_var.set(True)", "_hash_dirty_var.set(False)"),
        ("if self._hash_dirty_var.get() or", "if not self._hash_dirty_var.get() or"),
    ),
    "__setattr__ takes more": renamed(
        ("def __setattr__(self, name: str, value: object)", "def __setattr__(self, name, value, *, by=None)"),
        ("config.__setattr__(k, v)", "config.__setattr__(k, v, by=config)"),
    ),
    "hide is a ContextVar": renamed(
        (
            "        self.alias = config.alias\n",
            "        self.alias, self.hide = config.alias, ContextVar(name, default=False)\n",
        ),
        ("if config.hide:", "if config.hide.get():"),
        ("config.hide = False", "config.hide.set(False)"),
        ("].hide = True", "].hide.set(True)"),
    ),
    "alias a pair": renamed(
        ("self.alias = config.alias\n", "self.alias = config.alias and config.alias.rsplit('.', 1)\n"),
        ('= alias.rsplit(".", 1)', "= alias"),
    ),
    "deprecation by more arguments": renamed(
        ("def _warn_if_deprecated(self, name: str,", "def _warn_if_deprecated(self, by, name,"),
        ("self._warn_if_deprecated(name,", "self._warn_if_deprecated(self, name,"),
    ),
    "records are handles": renamed(
        ("    config: dict[str, _ConfigEntry] = {}\n", "    config = _Handles()\n"),
        (
            "COMPILE_IGNORED_MARKER = ",
            (
                "class _Handles(dict):\n"
                "    def __getitem__(self, name):\n"
                "        return copy.copy(dict.__getitem__(self, name))\n"
                "    def values(self):\n"
                "        return [self[name] for name in self]\n"
                "    def items(self):\n"
                "        return [(name, self[name]) for name in self]\n\n\n"
                "COMPILE_IGNORED_MARKER = "
            ),
        ),
        ("config.hide = False", "dict.__getitem__(self._config, name).hide = False"),
        ("self._config[name].hide = True", "dict.__getitem__(self._config, name).hide = True"),
    ),
    "None means unset": renamed(
        ("_UNSET_SENTINEL = object()", "class _None: ...\n_UNSET_SENTINEL = None"),
        ("config.user_override.set(value)", "config.user_override.set(_None if value is None else value)"),
        (
            "                return user_override\n",
            "                return None if user_override is _None else user_override\n",
        ),
        (
            "                val = user_override\n",
            "                val = None if user_override is _None else user_override\n",
        ),
    ),
    "new flag": [(DYNAMO, "verify_correctness = False", "verify_correctness = False\nbrand_new = 3")],
}


def build(name: str, folder: Path, release: str = "2.16.0") -> None:
    """Write the future *name* into *folder*; a text that is not there to be replaced is an error."""
    spec = importlib.util.find_spec("torch")
    assert spec is not None
    assert spec.origin is not None
    texts = {
        file: (Path(spec.origin).parent / file).read_text(encoding="utf-8")
        for file in FILES
        if (Path(spec.origin).parent / file).exists()
    }
    changes = [
        (each, old, new)
        for file, old, new in FUTURES[name]
        for each in (texts if file == ALL else [file])
        if file != ALL or old in texts[each]
    ]
    for file, old, new in changes:
        if old not in texts[file]:
            raise ValueError(f"future {name!r}: {old!r} is not in torch/{file}; say what torch has there now")
        texts[file] = texts[file].replace(old, new)
    if name == "machinery moved":
        texts["utils/_settings_module.py"] = texts.pop(MACHINERY)
    for file, text in texts.items():
        (folder / "torch" / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / "torch" / file).write_text(text, encoding="utf-8")
    (folder / "torch/__init__.py").write_text(
        "import sys\ndel sys.modules['torch']\nfrom dynconf._codegen import stub\nfrom pathlib import Path\n"
        f"stub.install(Path(__file__).parents[1], {release!r})\n",
        encoding="utf-8",
    )
    (folder / "torch/version.py").write_text(f"__version__ = {release!r}\n", encoding="utf-8")
    (folder / "prog.py").write_text(
        "import torch._dynamo.config as c, sys\nprint('value', c.specialize_float)\n", encoding="utf-8"
    )


FLAG = "specialize_float"  # which is in the hash


def live():
    """Return dynamo's config module."""
    import torch._dynamo.config

    return torch._dynamo.config


def shows(value: object, flag: str = FLAG) -> None:
    """Check that torch reads *value*, in its hash, its copy and what it saves, too."""
    config = live()
    assert getattr(config, flag) == value, f"{flag} is {getattr(config, flag)!r}, not {value!r}"
    assert config.get_config_copy()[flag] == value, "stale copy"
    assert pickle.loads(config.save_config())[flag] == value, "stale saved config"  # noqa: S301  torch's own
    items, kept = (
        config._get_dict(ignored_keys=list(config._compile_ignored_keys), readonly_values=readonly)
        for readonly in (False, True)
    )
    fresh = hashlib.md5(repr(sorted(kept.items())).encode(), usedforsecurity=False).digest()
    assert config.get_hash() == fresh, "stale hash"
    assert kept == items, "stale hash"  # not by their texts: equal sets may be in another order


def left(flag: str = FLAG) -> str | None:
    """Check that *flag* is at its default; say whether an override equal to it stays."""
    shows(False, flag)
    return None if live()._is_default(flag) else "as torch"


def not_refused(way: Callable[[], AbstractContextManager[object]]) -> AbstractContextManager[object]:
    """Return what *way* makes; a refusal is wrong here."""
    try:
        return way()
    except DynconfError as error:
        raise AssertionError(f"refused: {error}") from error


def in_thread(check: Callable[[], object]) -> None:
    """Run *check* in a new thread, and raise here what it raises."""
    raised: list[BaseException] = []

    def run() -> None:
        try:
            check()
        except BaseException as error:  # noqa: BLE001  it is raised again
            raised.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    if raised:
        raise raised[0]


def command(*words: str, says: str = "") -> str | None:
    """Run dynconf's command line, in a process that has not imported torch before."""
    from dynconf.cli import main

    assert "torch" not in sys.modules
    sys.argv, code = ["dynconf", *words], 0
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
        try:
            main()
        except SystemExit as stop:
            code = stop.code
    if code == 2:
        return "refused"
    assert says in out.getvalue(), f"{words} does not print {says!r}"
    return "warned" if "Warning" in err.getvalue() else None


SCENARIOS: dict[str, Callable[[], str | None]] = {}
COMMANDS = ("run_a_program", "run_with_a_setting", "dump_live", "report")
"""The scenarios of programs that have not imported torch yet."""
TOGETHER = (
    (
        *("patch_one", "patch_with_none", "patch_nested", "patch_left_in_the_other_order"),
        *("patch_with_an_exception", "patch_decorated", "patch_several_modules", "patch_unknown_flag"),
        *("patches_of_several_modules_in_any_order", "patch_of_another_module_alone", "an_alias", "reset"),
        *("torchs_patch_around_ours", "save_and_load", "diff", "preserve", "everything_that_reads"),
    ),
    (
        *("install_for_the_process", "install_for_the_context", "install_reaches_an_old_thread"),
        *("torchs_patch_before_an_installation", "torchs_patch_inside_an_installation"),
        *("torchs_patch_around_an_assigned_value", "a_wrong_assignment", "two_flags_or_none"),
    ),
    (
        *("settings", "flags_of_the_future", "defaults_end", "hold_and_assign", "assigned_around_a_patch"),
        "audited",
    ),
)
"""The scenarios that end what they begin share a fork with others, as a fork costs more than most of them."""


def scenario(function: Callable[[], str | None]) -> Callable[[], str | None]:
    """Add *function* to the scenarios."""
    SCENARIOS[function.__name__] = function
    return function


@scenario
def torch_alone() -> str | None:
    """What the future must do without dynconf; a wrong here is the future's mistake."""
    assert FLAG not in live()._compile_ignored_keys, "nothing would tell a stale hash"
    with live().patch({FLAG: True}):
        shows(True)
    shows(False)
    setattr(live(), FLAG, True)
    shows(True)
    return None


@scenario
def read() -> str | None:
    assert dynconf.snapshot()[FLAG] is False
    return None


@scenario
def patch_one() -> str | None:
    shows(False)
    with dynconf.patch({FLAG: True}):
        shows(True)
    return left()


@scenario
def patch_with_none() -> str | None:
    with dynconf.patch(debug_dir_root=None):
        shows(None, "debug_dir_root")
    return left()


@scenario
def patch_nested() -> str | None:
    with dynconf.patch({FLAG: True}):
        with dynconf.patch({FLAG: False}):
            shows(False)
        shows(True)
    return left()


@scenario
def patch_left_in_the_other_order() -> str | None:
    first, second = dynconf.patch({FLAG: True}), dynconf.patch({FLAG: True})
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    shows(True)
    second.__exit__(None, None, None)
    return left()


@scenario
def patch_with_an_exception() -> str | None:
    try:
        with dynconf.patch({FLAG: True}):
            raise KeyError(FLAG)
    except KeyError:
        return left()


@scenario
def patch_decorated() -> str | None:
    dynconf.patch({FLAG: True})(shows)(True)
    return left()


@scenario
def patch_several_modules() -> str | None:
    import torch._inductor.config as inductor

    with dynconf.patch(**{FLAG: True}, inductor={"max_autotune": True}):
        shows(True)
        assert inductor.max_autotune is True
    assert inductor.max_autotune is False
    return left()


@scenario
def patches_of_several_modules_in_any_order() -> str | None:
    import torch._inductor.config as inductor

    both = [
        dynconf.patch(**{FLAG: value}, inductor={"max_autotune": value}, functorch={"cse": value})
        for value in (True, False)
    ]
    other = dynconf.inductor.patch(max_autotune=True)
    for each in (*both, other):
        each.__enter__()
    for each, value in zip((*both, other), (True, True, False), strict=True):
        each.__exit__(None, None, None)
        assert inductor.max_autotune is value, f"max_autotune is {inductor.max_autotune!r}"
        shows(False)
    return left()


@scenario
def patch_of_another_module_alone() -> str | None:
    import torch._inductor.config as inductor

    with dynconf.patch(inductor={"max_autotune": True}):
        installation = dynconf.install(inductor={"max_autotune": False})
        assert inductor.max_autotune is True, "an installation ranks above a patch"
    installation.uninstall()
    assert inductor.max_autotune is False
    return left()


@scenario
def patch_unknown_flag() -> str | None:
    dynconf.patch(no_such_flag=1).__enter__()
    raise AssertionError("an unknown flag is taken")


def installed(scope: str) -> str | None:
    installation = dynconf.install({FLAG: True}, scope=scope)
    shows(True)
    if scope == "process":
        in_thread(lambda: shows(True))
    installation.uninstall()
    in_thread(left)
    return left()


@scenario
def install_for_the_process() -> str | None:
    return installed("process")


@scenario
def install_for_the_context() -> str | None:
    return installed("context")


@scenario
def install_reaches_an_old_thread() -> str | None:
    ready, go = threading.Event(), threading.Event()

    def old() -> None:
        shows(False)
        ready.set()
        go.wait()
        shows(True)

    def install() -> None:
        ready.wait()
        installed.append(dynconf.install({FLAG: True}))
        go.set()

    installed: list[dynconf.live.install.Installation] = []
    other = threading.Thread(target=install)
    other.start()
    in_thread(old)
    other.join()
    installed[0].uninstall()
    return left()


@scenario
def defaults_in_a_framework() -> str | None:
    dynconf.defaults({FLAG: True}, missing="skip", quiet=True)
    shows(True)
    return None


@scenario
def save_and_load() -> str | None:
    with dynconf.patch({FLAG: True}):
        dynconf.save("state.json")
    assert set(json.loads(Path("state.json").read_text(encoding="utf-8"))["flags"]) == {FLAG}, (
        "saves more than was set"
    )
    with dynconf.patch(dynconf.load("state.json")):
        shows(True)
    return left()


@scenario
def diff() -> str | None:
    before = dynconf.snapshot()
    with dynconf.patch({FLAG: True}):
        assert FLAG in str(dynconf.diff(before, dynconf.snapshot()))
    return None


@scenario
def reset() -> str | None:
    setattr(live(), FLAG, True)
    dynconf.reset(FLAG)
    return left()


@scenario
def settings() -> str | None:
    with dynconf.DynamoSettings(**{FLAG: True}).patch():
        shows(True)
    return left()


@scenario
def preserve() -> str | None:
    with dynconf.preserve():
        setattr(live(), FLAG, True)
        shows(True)
    return left()


@scenario
def assigned_around_a_patch() -> str | None:
    setattr(live(), FLAG, True)
    with dynconf.patch({FLAG: False}):
        shows(False)
    shows(True)
    dynconf.reset(FLAG)
    return left()


@scenario
def torchs_patch_around_ours() -> str | None:
    with live().patch({FLAG: True}), dynconf.patch({FLAG: False}):
        shows(False)
    return left() and None


@scenario
def torchs_patch_inside_an_installation() -> str | None:
    installation = dynconf.install({FLAG: True})
    with live().patch({FLAG: False}):
        shows(False)
    shows(True)
    installation.uninstall()
    return left()


@scenario
def load_config_inside_an_installation() -> str | None:
    """It assigns a flag that is installed, and one that is deprecated."""
    with dynconf.install({FLAG: True}), warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        with contextlib.suppress(FutureWarning):  # where it is an error, that is torch's
            live().load_config({FLAG: False, "inline_inbuilt_nn_modules": True})
        shows(False)
    dynconf.reset()
    return left()


@scenario
def torchs_patch_around_an_assigned_value() -> str | None:
    """Torch's patch of a flag that was assigned inside an installation, by an old name."""
    config = live()
    with dynconf.install(recompile_limit=3):
        config.cache_size_limit = 5
        with config.patch(cache_size_limit=7), config.patch(recompile_limit=9):
            shows(9, "recompile_limit")
        shows(5, "recompile_limit")
    return "as torch"


@scenario
def torchs_patch_before_an_installation() -> str | None:
    with live().patch({FLAG: True}):
        installation = dynconf.install({FLAG: False})
        shows(False)
    shows(False)
    installation.uninstall()
    return left()


@scenario
def hold_and_assign() -> str | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        held = dynconf.hold({FLAG: True})
        setattr(live(), FLAG, False)
        with dynconf.patch({FLAG: False}):
            shows(True)
        in_thread(lambda: shows(True))
        held.uninstall()
    return left()


@scenario
def defaults_end() -> str | None:
    with dynconf.defaults({FLAG: True}):
        in_thread(lambda: shows(True))
        with live().patch({FLAG: False}):
            shows(False)
        shows(True)
    in_thread(left)
    return left()


@scenario
def an_alias() -> str | None:
    with dynconf.patch(cache_size_limit=3):
        assert live().recompile_limit == live().cache_size_limit == 3
        assert dynconf.snapshot()["recompile_limit"] == dynconf.snapshot()["cache_size_limit"] == 3
    assert live().cache_size_limit == 8
    return None


@scenario
def everything_that_reads() -> str | None:
    assert dict(dynconf.snapshot().only_set()) == {}
    assert dynconf.origin(FLAG).kind == "default"
    assert dynconf.fingerprint() == dynconf.fingerprint()
    dynconf.inductor.snapshot(), dynconf.functorch.snapshot(), dynconf.CompileSettings()
    with dynconf.inductor.patch({"triton.cudagraphs": True}):
        assert dynconf.snapshot()["inductor.triton.cudagraphs"] is True
    assert dynconf.inductor.options(max_autotune=True) == {"max_autotune": True}
    return None


@scenario
def flags_of_the_future() -> str | None:
    """A flag that is new, if there is one, by every door."""
    new = sorted({*live().get_config_copy()} - {*dynconf.FLAGS, "TYPE_CHECKING"})
    if not new:
        return None
    values = {name: getattr(live(), name) for name in new}
    changed = {name: value + 1 if type(value) is int else value for name, value in values.items()}
    ways: tuple[Callable[[], AbstractContextManager[object]], ...] = (
        lambda: dynconf.patch(changed),
        lambda: dynconf.install(changed),
        lambda: dynconf.defaults(changed),
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for way in ways:
            with not_refused(way):
                dynconf.save("new.json")
                assert live().get_config_copy()[new[0]] == changed[new[0]]
        with dynconf.patch(dynconf.load("new.json", trust=True)):
            assert live().get_config_copy()[new[0]] == changed[new[0]]
    return None


@scenario
def two_flags_or_none() -> str | None:
    other = "verify_correctness"
    both, before = {FLAG: True, other: True}, live().get_config_copy().get(other)
    for way in (dynconf.patch, dynconf.install, dynconf.defaults):
        try:
            with way(both):
                shows(True)
                assert live().get_config_copy().get(other) in (True, None)  # None: it is in another module
        except DynconfError:
            assert live().get_config_copy().get(other) == before
        left()
    return "as torch"


@scenario
def a_wrong_assignment() -> str | None:
    """An assignment that torch may refuse, to a flag that is installed."""
    with dynconf.install({FLAG: True}):
        try:
            setattr(live(), FLAG, "abc")
        except TypeError:
            shows(True)
            in_thread(lambda: shows(True))
    dynconf.reset()
    return left()


@scenario
def audited() -> str | None:
    with dynconf.audit():
        with live().patch({FLAG: True}):
            shows(True)
        shows(False)
    return left() and None


@scenario
def run_a_program() -> str | None:
    return command("run", os.environ["FUTURE"] + "/prog.py", says="value False")


@scenario
def run_with_a_setting() -> str | None:
    return command("run", "--set", f"{FLAG}=true", os.environ["FUTURE"] + "/prog.py", says="value True")


@scenario
def dump_live() -> str | None:
    return command("dump", "--live", FLAG)


@scenario
def report() -> str | None:
    return command("report")


def judge(function: Callable[[], str | None]) -> str:
    """Run one scenario in this process, and return its verdict."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            verdict = function() or "exact"
        except DynconfError:
            return "refused"
        except AssertionError as error:
            return f"wrong: {error}"
        except BaseException as error:  # noqa: BLE001  that is the verdict
            where = traceback.extract_tb(error.__traceback__)[-1]
            return f"raw: {type(error).__name__}: {error} ({Path(where.filename).name}:{where.lineno})"
    spoken = any(issubclass(warning.category, DynconfWarning) for warning in told)
    return "warned" if spoken and verdict == "exact" else verdict


def watched(*names: str) -> dict[str, str]:
    """Run scenarios in a fork that is killed when it lasts too long or has too many threads."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.setsid()
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            for name in names:
                os.write(writing, f"{json.dumps([name, judge(SCENARIOS[name])[:2000]])}\n".encode())
        os._exit(0)
    os.close(writing)
    until, missing = time.monotonic() + SECONDS, "raw: the process died without a word"
    while not os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT):
        try:
            many = len(os.listdir(f"/proc/{child}/task")) > THREADS
        except OSError:
            many = False
        if many or time.monotonic() > until:
            missing = "hung"
            break
        time.sleep(0.01)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    with os.fdopen(reading) as pipe:
        return dict.fromkeys(names, missing) | dict(map(json.loads, pipe))


class Futures:
    """A process that has imported dynconf for torch 2.16.0, and forks for each future."""

    def __init__(self) -> None:
        self._home = tempfile.TemporaryDirectory()
        build("version only", Path(self._home.name))
        self._served = subprocess.Popen(
            [sys.executable, __file__],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1,
            env={
                # What other tests have left there would count as set.
                **{name: text for name, text in os.environ.items() if name[:5] not in ("TORCH", "DYNCO")},
                "PYTHONPATH": f"{self._home.name}{os.pathsep}{ROOT}",
                "PYTHONHASHSEED": "0",  # reading a set in torch stores a copy, which may be in another order
            },
        )  # fmt: skip

    def verdicts(self, future: str) -> dict[str, str]:
        """Return the verdict of each scenario in *future*."""
        with tempfile.TemporaryDirectory() as folder:
            build(future, Path(folder))
            print(folder, file=self._served.stdin)
            found: dict[str, str] = json.loads(self._served.stdout.readline())
        if not found:
            raise RuntimeError(f"future {future!r} cannot be imported; its traceback is on stderr")
        return found

    def close(self) -> None:
        """End the process."""
        self._served.communicate()
        self._home.cleanup()


def serve() -> None:
    """Answer with the verdicts for each folder of a future."""
    # What scenarios use is imported once; it touches none of torch's modules.
    for name in dynconf.__all__:
        getattr(dynconf, name)
    for name in ("dynconf.cli.dump", "dynconf.cli.report", "dynconf.cli.run"):
        importlib.import_module(name)
    gc.freeze()  # the collector would write to memory that forks share
    for line in sys.stdin:
        if not (child := os.fork()):
            print(json.dumps(verdicts_in(line.rstrip("\n"))), flush=True)
            os._exit(0)  # taking all modules apart would take a while
        if os.waitpid(child, 0)[1]:
            print("{}", flush=True)


def verdicts_in(folder: str) -> dict[str, str]:
    """Return the verdict of each scenario in the future of that folder."""
    sys.path.insert(0, folder)
    os.environ["FUTURE"] = folder
    found = {}
    for name in COMMANDS:
        found |= watched(name)
    for config in ("_dynamo", "_functorch", "_inductor"):
        importlib.import_module(f"torch.{config}.config")
    alone = SCENARIOS.keys() - {*COMMANDS}.union(*TOGETHER)
    for names in (*TOGETHER, *([name] for name in alone)):
        found |= watched(*names)
    return found


def table(of: dict[str, dict[str, str]]) -> str:
    """Return the counts of verdicts, then each pair that breaks the rule."""
    counts = Counter(verdict.partition(":")[0] for row in of.values() for verdict in row.values())
    lines = [", ".join(f"{count} {verdict}" for verdict, count in counts.most_common())]
    lines += [
        f"{future} | {name} | {verdict}"
        for future, row in of.items()
        for name, verdict in row.items()
        if verdict not in GOOD
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    serve()
