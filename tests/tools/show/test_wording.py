"""Tests of `dynconf.tools.show.wording`."""

import pytest

from dynconf.catalogue.modules import MODULES, catalogue
from dynconf.catalogue.modules.dynamo.logs import LOGS
from dynconf.release import Release
from dynconf.tools.show import wording
from dynconf.tools.show.explanation import explain

AT = Release.named("2.13")


@pytest.mark.parametrize(
    ("name", "ways"),
    [
        (
            "recompile_limit",
            {
                "in a file": "recompile_limit = ...",
                "in Python": "dynconf.install(recompile_limit=...), with dynconf.patch(recompile_limit=...):",
                "per function": "torch.compile(recompile_limit=...), since torch 2.12",
                "variable": "torch itself reads none",
                "torch's logs": "TORCH_LOGS=recompiles shows what happens",
            },
        ),
        (
            "inductor.triton.cudagraphs",
            {
                "in a file": "triton.cudagraphs = ..., under [inductor]",
                "per function": 'torch.compile(options=dynconf.inductor.options({"triton.cudagraphs": ...}))',
                "TORCHINDUCTOR_CUDAGRAPHS": "torch reads it: exactly 1 is True, any other text is False",
            },
        ),
        ("inductor.inplace_padding", {"variable": None}),
        ("_custom_ops_profile", {"in a file": None, "in Python": None}),  # torch's own plumbing
    ],
)
def test_the_facts_say_how_to_set_a_flag(name: str, ways: dict[str, str | None]) -> None:
    """In a file, in Python, by a variable, by torch.compile; and which log of torch's shows the cause."""
    found = explain(name, AT)
    assert found is not None
    facts = dict(wording.labelled_facts(found.as_json()))
    assert {label: facts.get(label) for label in ways} == ways


def test_the_logs_are_those_of_every_torch() -> None:
    """And each belongs to a topic that has flags."""
    topics = {flag.topic for module in MODULES for flag in catalogue(module).flags.values()}
    assert {*wording._LOGS} <= topics
    assert {LOGS[log] for log in wording._LOGS.values()} == {"2.4"}
