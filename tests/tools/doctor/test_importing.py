"""Making the model to compare from ``module:function``."""

import sys

import pytest

import dynconf
from dynconf.tools.doctor.importing import make_model

MODULE = """
import sys
sys.path.insert(0, "elsewhere")

class Zoo:
    @staticmethod
    def pair():
        return "model", "inputs"

def triple():
    return 1, 2, 3

def raises():
    raise RuntimeError("no model today")

def ends():
    sys.exit(0)

number = 3
"""


@pytest.fixture(autouse=True)
def module(tmp_path, monkeypatch):
    """Write a module of factories into the working directory."""
    (tmp_path / "factories_of_a_test.py").write_text(MODULE)
    monkeypatch.setattr(sys, "path", list(sys.path))
    yield
    sys.modules.pop("factories_of_a_test", None)


def test_a_factory_is_found_in_the_working_directory(tmp_path):
    """Its pair is returned, and only the module's own changes of sys.path stay."""
    before = list(sys.path)
    assert make_model("factories_of_a_test:Zoo.pair") == ("model", "inputs")
    assert sys.path == ["elsewhere", *before]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("factories_of_a_test", "'factories_of_a_test': expected one such as model.py:make"),
        (":make", "':make': expected one such as model.py:make"),
        ("no_such_module:make", "No module named 'no_such_module'$"),
        ("no_such_file.py:make", "no_such_file.py:make: there is no file no_such_file.py"),
        ("factories_of_a_test:missing", "has no attribute 'missing'"),
        ("factories_of_a_test:ends", "SystemExit: 0"),
        ("factories_of_a_test:number", "not callable"),
        ("factories_of_a_test:triple", r"returned \(1, 2, 3\): expected a tuple \(model, inputs\)"),
    ],
)
def test_a_factory_that_makes_no_pair_is_refused(text, message):
    """Whatever goes wrong is an InvalidValueError that names the factory or the form it needs."""
    with pytest.raises(dynconf.InvalidValueError, match=message):
        make_model(text)


def test_a_factory_in_a_file(tmp_path):
    """It may be in another folder, whose other modules it can import."""
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    (folder / "beside_a_factory.py").write_text("model = 'model'\n")
    (folder / "fac.py").write_text(
        "def make():\n    from beside_a_factory import model\n    return model, ()\n"
    )
    try:
        assert make_model("elsewhere/fac.py:make") == ("model", ())
    finally:
        sys.modules.pop("fac", None)
        sys.modules.pop("beside_a_factory", None)


@pytest.mark.parametrize("name", ["my-model", "model.v2", "code", "json"])
def test_a_file_may_have_any_name(tmp_path, name):
    """Also one that is no name in Python, and that of a module of the standard library."""
    before = {**sys.modules}
    (tmp_path / f"{name}.py").write_text("class Model:\n    pass\n\ndef make():\n    return Model, ()\n")
    model, _ = make_model(f"{name}.py:make")
    try:
        assert sys.modules.pop(model.__module__).Model is model  # where Dynamo and pickle look for it
    finally:
        assert before.items() <= sys.modules.items()


def test_a_failing_factory_shows_its_own_line(tmp_path):
    """The last line of the program's own, not one of a library or of dynconf."""
    with pytest.raises(dynconf.InvalidValueError) as caught:
        make_model("factories_of_a_test:raises")
    place = f'(at {tmp_path / "factories_of_a_test.py"}:14: raise RuntimeError("no model today"))'
    assert str(caught.value).endswith(place)
