"""First use of dynconf: from several threads at once, in short; ``soak/imports.py`` has more processes."""

import textwrap
from pathlib import Path

import pytest
from warm import Warm, cold

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize(
    ("package", "first", "second"),
    [
        ("dynconf.catalogue.modules.dynamo", "FLAGS['verbose']", "DdpMode"),
        ("dynconf.catalogue.modules.dynamo", "FLAGS['verbose']", "resolve_optimize_ddp"),
        ("dynconf.catalogue.flags.types", "FLAGS", "at_least"),
    ],
)
def test_a_package_and_its_module_may_be_wanted_at_once(package: str, first: str, second: str) -> None:
    """The module is wanted at the moment when another thread begins to import its package."""
    program = textwrap.dedent(f"""
        import sys, threading, dynconf
        from importlib.machinery import PathFinder

        begun, failed = threading.Event(), []

        class Slow:
            def find_spec(name, path, target=None):
                spec = PathFinder.find_spec(name, path, target)
                if name == "{package}":
                    spec.loader.create_module = lambda spec: begun.set() or late.join(0.5)
                return spec

        def use(name):
            try:
                eval(f"dynconf.{{name}}")
            except BaseException as error:
                failed.append(f"{{name}}: {{type(error).__name__}}: {{error}}")

        sys.meta_path.insert(0, Slow)
        late = threading.Thread(target=lambda: begun.wait(60) and use("{second}"))
        late.start()
        use("{first}")
        late.join()
        assert begun.is_set()
        sys.exit("\\n".join(failed) or 0)
        """)
    done = cold("-c", program)
    assert (done.returncode, done.stderr) == (0, "")


def test_first_use_from_four_threads() -> None:
    """In 20 fresh processes, by names that lead into the same packages in different ways."""
    done = cold(str(ROOT / "soak" / "imports.py"), "--short")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "20 processes, 0 failed" in done.stdout


def test_what_a_library_uses_loads_neither_pydantic_nor_rich(warm: Warm) -> None:
    """Nor click: they are for the models and for the command line."""
    program = textwrap.dedent("""
        import sys
        import dynconf

        with dynconf.patch(verbose=True), dynconf.install(recompile_limit=32), dynconf.hold("disable"):
            dynconf.inductor.options(max_autotune=True)
            dynconf.defaults(recompile_limit=dynconf.at_least(64)).uninstall()
            with dynconf.preserve():
                dynconf.origin("verbose")
        heavy = {"pydantic", "pydantic_core", "pydantic_settings", "rich", "click"} & set(sys.modules)
        sys.exit(", ".join(sorted(heavy)) or 0)
        """)
    done = warm.run("-c", program)
    assert (done.returncode, done.stderr) == (0, "")
