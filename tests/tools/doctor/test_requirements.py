"""The requirements of a backend, read from its code."""

import functools

import pytest

from dynconf.tools.doctor.requirements import missing_requirement

pytest.importorskip("torch.nn", reason="needs all of torch")

pytestmark = pytest.mark.real_torch


def called_by_name(graph):
    """Import something, as part of a backend that calls this function."""
    import also_missing

    return also_missing


def test_imports_in_the_code_are_requirements():
    """Those of nested functions and of functions of its module count; installed packages do not."""

    def needy(graph, inputs):
        import missing.at_all
        import torch.fx

        def later():
            from missing_later import thing

            return thing

        return later, called_by_name(graph), missing, torch

    assert missing_requirement("needy", needy) == "needs also_missing, missing, missing_later, not installed"


def test_a_backend_made_of_others_has_their_requirements():
    """The parts of a partial count, and a backend that contains itself is no problem."""

    def part(graph, inputs):
        import missing

        return missing, part

    assert (
        missing_requirement("whole", functools.partial(print, compiler=part))
        == "needs missing, not installed"
    )


def test_relative_imports_are_not_requirements():
    """They come with the backend."""
    namespace = {"__name__": __name__}
    exec("def modest(graph, inputs):\n    from . import missing\n    return missing", namespace)  # noqa: S102  a relative import needs a package to stand in
    assert missing_requirement("modest", namespace["modest"]) == ""


@pytest.mark.parametrize("name", ["eager", "aot_eager"])
def test_torchs_plain_backends_need_nothing(name):
    """Packages that come with torch are installed."""
    from dynconf.tools.doctor.compiling import registered_backend

    assert missing_requirement(name, registered_backend(name)) == ""
