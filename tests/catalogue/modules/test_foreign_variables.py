"""The variables of other parts of torch that look like those of Dynamo's or Inductor's flags."""

import functools
import inspect
import re
from pathlib import Path

import pytest

from dynconf.catalogue._generated.index import PREFIXES as PREFIX_OF
from dynconf.catalogue.modules import MODULES, catalogue
from dynconf.catalogue.modules.dynamo.foreign_variables import FOREIGN_VARIABLES, OTHER_VARIABLES, PREFIXES
from dynconf.catalogue.modules.dynamo.logs import LOGS, OF_MODULES
from dynconf.catalogue.modules.inductor import foreign_variables as inductor
from dynconf.catalogue.modules.inductor.foreign_variables import PHANTOMS
from dynconf.catalogue.modules.modes import KEYWORDS, MODES
from dynconf.release import RELEASES, Release, minor
from dynconf.tools.lint.foreign import value_findings
from dynconf.tools.lint.misspelling import misspelling_findings

MACROS = {"TORCH_INDUCTOR_CPP_WRAPPER"}
"""Texts in torch's sources that look like variables, but are names for its C++ compiler."""

QUOTED = re.compile(rb"""["'](TORCH[A-Z0-9_]+)["']""")
OWN = {
    variable.name
    for module in MODULES
    for flag in catalogue(module).flags.values()
    for variable in flag.variables
}


@functools.cache
def _quoted_in_torch() -> frozenset[str]:
    """Return the texts in torch's sources that look like one of its variables."""
    import torch

    found: set[str] = set()
    for path in Path(torch.__file__).parent.rglob("*.py"):
        found.update(name.decode() for name in QUOTED.findall(path.read_bytes()))
    return frozenset(found - MACROS)


@pytest.mark.real_torch
@pytest.mark.parametrize(
    ("prefixes", "variables"),
    [(PREFIXES, FOREIGN_VARIABLES), (PREFIX_OF["inductor"], inductor.FOREIGN_VARIABLES)],
    ids=["dynamo", "inductor"],
)
def test_the_list_agrees_with_the_installed_torch(prefixes, variables) -> None:
    """Each variable under our prefixes in the sources of torch is listed, and each one listed is there."""
    there = {name for name in _quoted_in_torch() if name.startswith(prefixes)} - OWN
    at = Release.at_hand().minor
    assert there == {variable.name for variable in variables if variable.is_read_in(at)}
    assert not set(PHANTOMS) & (there | OWN)


@pytest.mark.real_torch
def test_torchs_other_variables_raise_nothing() -> None:
    """No variable that torch itself names is taken for a misspelt one."""
    names = dict.fromkeys(_quoted_in_torch(), "1")
    about = [*misspelling_findings(names, Release.at_hand()), *value_findings(names, Release.at_hand())]
    assert [str(finding) for finding in about if finding.code in ("DC401", "DC404")] == []


@pytest.mark.real_torch
def test_the_logs_agree_with_the_installed_torch() -> None:
    """Each name that torch registers is listed from its release on, and each one listed is registered."""
    from torch._logging import _internal

    registry = _internal.log_registry
    listed = {name for name, since in LOGS.items() if minor(since) <= Release.at_hand().minor}
    assert listed == {"all", *registry.log_alias_to_log_qnames, *registry.artifact_names}
    for module, log in OF_MODULES.items():
        assert any(each.endswith(module) for each in registry.log_alias_to_log_qnames[log]), module


@pytest.mark.real_torch
def test_the_keywords_agree_with_the_installed_torch() -> None:
    """Those of torch.compile are its parameters."""
    import torch

    at = Release.at_hand().minor
    listed = {
        name
        for name, (since, until) in KEYWORDS.items()
        if minor(since) <= at <= (minor(until) if until else at)
    }
    assert listed == inspect.signature(torch.compile).parameters.keys()


@pytest.mark.real_torch
def test_the_modes_agree_with_the_installed_torch() -> None:
    """Each mode sets in this release what torch itself says."""
    import torch._inductor

    modes = {name: each.at(Release.at_hand().minor) for name, each in MODES.items()}
    listed = {name: each for name, each in modes.items() if each is not None}
    assert listed == torch._inductor.list_mode_options()


@pytest.mark.real_torch
def test_each_is_read_by_the_module_that_is_named() -> None:
    """The module that a record names does mention the variable."""
    import torch

    home = Path(torch.__file__).parents[1]
    for variable in (*FOREIGN_VARIABLES, *inductor.FOREIGN_VARIABLES, *OTHER_VARIABLES):
        if variable.read_by.startswith("torch.") and variable.is_read_in(Release.at_hand().minor):
            source = (home / variable.read_by.replace(".", "/")).with_suffix(".py")
            assert variable.name in source.read_text(), variable


def test_records_are_in_order() -> None:
    """Names are unique, sorted, under our prefixes, and not those of flags; releases are known ones."""
    for names in ([variable.name for variable in inductor.FOREIGN_VARIABLES], list(PHANTOMS)):
        assert names == sorted(set(names))
        assert all(name.startswith(PREFIX_OF["inductor"]) for name in names)
    names = [variable.name for variable in FOREIGN_VARIABLES]
    assert names == sorted(set(names))
    assert all(name.startswith(PREFIXES) for name in names)
    assert not OWN.intersection(names)
    releases = {minor(release) for release in RELEASES}
    others = [variable.name for variable in OTHER_VARIABLES]
    assert others == sorted(set(others))
    assert not OWN.intersection(others)
    for variable in (*FOREIGN_VARIABLES, *inductor.FOREIGN_VARIABLES, *OTHER_VARIABLES):
        assert variable.summary.endswith(".")
        assert {minor(each) for each in (variable.since, variable.until) if each} <= releases
