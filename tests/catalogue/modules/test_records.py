"""The records of every module: complete, consistent with one another, and each in words of its own."""

import importlib
import itertools
import json
import re
import runpy
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from rule_examples import BROKEN, SOUND
from strategies import accepts

from dynconf._codegen.derived import derived
from dynconf._codegen.generated import FIXTURES as UPSTREAM
from dynconf._codegen.unfinished import ended_in_silence, rules_that_vanish
from dynconf.catalogue._generated.index import PREFIXES
from dynconf.catalogue.catalogue import Catalogue
from dynconf.catalogue.flags.described import described, texts_of
from dynconf.catalogue.flags.flag import ByRelease, Computed, fact_in
from dynconf.catalogue.flags.rule import Rule
from dynconf.catalogue.flags.types import OrNone, PathText
from dynconf.catalogue.modules import MODULES, catalogue
from dynconf.catalogue.names import FLAGS
from dynconf.release import NEWEST, OLDEST, RELEASES, Release, minor

MINORS = [minor(release) for release in RELEASES]
EVERY = [flag for module in MODULES for flag in catalogue(module).flags.values()]
EACH_MODULE = pytest.mark.parametrize("module", MODULES)
MACHINE_PATH = re.compile(
    r"(?<![\w.])/(home|root|tmp|work|Users|usr|opt|var|private)\b|[A-Z]:\\|site-packages"
)
FLAG_LIKE = re.compile(
    rf"(?<![\w.])(?:(?:{'|'.join(MODULES)})\.[\w.]*\w|[A-Za-z]+(?:_[A-Za-z0-9]+)+(?![\w(.]))"
)


SHARED = {
    "TORCHINDUCTOR_AUTOHEURISTIC_COLLECT": "a list of operations to collect for",
    "TORCHINDUCTOR_AUTOHEURISTIC_USE": "a list of operations to use it for",
    "PYTORCH_SINK_WAITS_LIMIT": "a name that torch left behind while it read it",
    "TORCHINDUCTOR_CUTLASS_DYNAMIC_CLUSTER_SHAPE": "the shape, and its fallback",
    "ENABLE_AOT_AUTOGRAD_CACHE": "the cache, and the replay of views that it cannot save",
    "TORCHINDUCTOR_AUTOGRAD_CACHE": "the cache, and the replay of views that it cannot save",
    "TORCHINDUCTOR_LITE_MODE": "a mode",
    "TORCHINDUCTOR_PROFILE": "whether to profile, and which kernels",
    "TORCH_COMPILE_DEBUG": "a switch for everything",
    "TORCH_COMPILE_GRAPH_FORMAT": "the format of every drawing",
}
"""torch's own variables that set several flags, with the thing these have in common.

The classes cuda and xpu repeat the flags of cutlass, and their variables.
"""


def are_copies(flags: set[str]) -> bool:
    """Tell whether flags are one flag of CUTLASS, once for each sort of device."""
    classes = {flag.rpartition(".")[0] for flag in flags}
    names = {flag.rpartition(".")[2] for flag in flags}
    return len(names) == 1 and classes <= {"inductor.cutlass", "inductor.cuda", "inductor.xpu"}


def topics_of(module: str) -> dict[str, list[str]]:
    """Return the flags under each heading in the descriptions of a module."""
    topics: dict[str, list[str]] = {}
    flags: list[str] = []
    texts = importlib.import_module(f"dynconf.catalogue.modules.{module}.descriptions").DESCRIPTIONS
    for name, _ in texts_of(texts):
        if name.startswith("["):
            flags = topics.setdefault(name.strip("[]"), [])
        else:
            flags.append(name)
    return topics


@EACH_MODULE
def test_the_topics_contain_every_name_once(module: str) -> None:
    """A flag that is described has the topic of its heading, an old name that of the new one.

    Any other, of inductor's, has that of its class.
    """
    known = catalogue(module)
    described = Counter(name for flags in topics_of(module).values() for name in flags)
    assert [name for name, times in described.items() if times > 1] == []
    for topic, flags in topics_of(module).items():
        for name in flags:
            found = known.flags[name]
            assert (found.topic, found.module, found.described) == (topic, module, True)
    for name in set(known.flags).difference(described):
        flag = known.flags[name]
        if flag.renamed_to in known.flags:
            assert (flag.topic, flag.described) == (known.flags[flag.renamed_to].topic, True)
            continue
        assert (flag.described, module) == (False, "inductor")
        assert flag.topic == (name.partition(".")[0] if "." in name else "more")


@EACH_MODULE
def test_a_description_says_no_fact_twice(module: str) -> None:
    """A type, a status or a mark is written by hand only where it differs from the derived one."""
    derived = importlib.import_module(f"dynconf.catalogue.modules.{module}._derived")
    facts = {flag.name: flag for flag in runpy.run_path(str(derived.__file__))["FLAGS"]}  # not described yet
    by_hand = importlib.import_module(f"dynconf.catalogue.modules.{module}.facts").FACTS
    for name, known in by_hand.items() if module != "compiler" else ():  # those are computed from Dynamo's
        for field in ("type", "status", "renamed_to", "machine_dependent"):
            fact = known.get(field)
            assert not fact or fact != getattr(facts[name], field), f"{name}: {field}"


def test_uniform_prefixes_are_unlike() -> None:
    """No module's uniform variables can be taken for those of another."""
    prefixes = list(PREFIXES.values())
    assert all(flag.uniform_variable.startswith(PREFIXES[flag.module]) for flag in EVERY)
    assert not [(one, two) for one, two in itertools.permutations(prefixes, 2) if one.startswith(two)]


def test_texts_are_sentences_for_users() -> None:
    """A summary is one line that ends with a full stop; no text contains a path of some machine."""
    for flag in filter(lambda each: each.described, EVERY):
        summary = flag.summary
        assert re.fullmatch(r"[A-Z].{,108}\.", summary), flag.qualified
        assert not flag.details or flag.details[-1] in ".)", flag.qualified
        for text in (summary, flag.details, flag.replacement):
            assert text == " ".join(text.split()), flag.qualified
            assert not MACHINE_PATH.search(text), flag.qualified


@EACH_MODULE
def test_no_two_summaries_are_the_same(module: str) -> None:
    """A reader of a list can tell any two flags apart."""
    summaries = Counter(flag.summary for flag in catalogue(module).flags.values() if flag.described)
    assert [text for text, times in summaries.items() if times > 1] == []


def test_replacements_exist() -> None:
    """The flag in `renamed_to` exists, and so do all flags in `replacement`, which has full names."""
    for flag in EVERY:
        flags = catalogue(flag.module).flags
        if flag.renamed_to:
            first, _, rest = flag.renamed_to.partition(".")
            new = catalogue(first).flags[rest] if first in MODULES else flags[flag.renamed_to]
            assert flag.alias_since or minor(new.since) > minor(flag.until or "9.9"), flag.qualified
        for word in FLAG_LIKE.findall(flag.replacement):
            if not word.isupper() and not word.startswith("TORCH"):
                assert word in FLAGS, f"{flag.qualified} names {word}"
                assert FLAGS[word].exists_in(NEWEST), f"{flag.qualified} names {word}"


def test_life_spans_are_known_releases() -> None:
    """`since`, `until` and the like are minor versions of the catalogue, in the right order."""
    for flag in EVERY:
        until = minor(flag.until) if flag.until else NEWEST
        assert {minor(flag.since), until} <= set(MINORS), flag.qualified
        assert minor(flag.since) <= until, flag.qualified
        assert until < NEWEST or not flag.until, f"{flag.qualified}: the newest release has it, so no end yet"
        for text in (flag.deprecated, flag.alias_since):
            assert not text or minor(flag.since) <= minor(text) <= until, flag.qualified
        assert bool(flag.renamed_to) >= bool(flag.alias_since), flag.qualified
        for variable in flag.variables:
            assert minor(variable.since) <= (minor(variable.until) if variable.until else NEWEST), variable
            assert any(flag.exists_in(each) and variable.is_read_in(each) for each in MINORS), variable


def test_facts_by_release_change_while_the_flag_exists() -> None:
    """Each change of a fact lies within the flag's life, comes in order, and changes something."""
    for flag in EVERY:
        cache = (flag.compile_ignored, flag.cache_key_ignored)
        for fact in (flag.default, flag.type_by_release, flag.status, *cache, flag.implied_by):
            if isinstance(fact, ByRelease):
                releases = [minor(release) for release, _ in fact.changes]
                assert releases == sorted(set(releases)), flag.qualified
                lives = (minor(flag.since) < each and flag.exists_in(each) for each in releases)
                assert all(lives), flag.qualified
                facts = [fact.first, *(changed for _, changed in fact.changes)]
                assert all(before != after for before, after in itertools.pairwise(facts)), flag.qualified


def test_values_that_one_release_accepts_are_accepted_by_the_flag() -> None:
    """The type of a flag is the widest: settings models and schemas are made of it."""
    for flag in EVERY:
        for release in filter(flag.exists_in, MINORS):
            type_ = flag.type_in(release)
            values = (True, False, None, *type_.choices)
            accepted = [value for value in values if accepts(type_, value)]
            assert all(accepts(flag.type, value) for value in accepted), flag.qualified


@EACH_MODULE
def test_the_catalogue_cannot_be_changed(module: str) -> None:
    """It is a read-only view: no caller can spoil it for the others."""
    flags = catalogue(module).flags
    with pytest.raises(TypeError):
        flags["new"] = next(iter(flags.values()))  # type: ignore[index]


@pytest.mark.parametrize("release", RELEASES)
def test_no_variable_sets_two_flags(release: str) -> None:
    """No two flags of any modules share a variable, but for those of torch that set several on purpose."""
    owners: dict[str, set[str]] = {}
    for module in MODULES:
        view = catalogue(module).at(Release.named(release))
        for setting in view.settings.values():
            names = [variable.name for variable in setting.variables]
            assert len(names) == len(set(names)), f"{setting.name}: read by two rules"
            names += [each for each, owner in view.uniform_variables.items() if owner is setting]
            for name in names:
                owners.setdefault(name, set()).add(setting.qualified)
    shared = {name: flags for name, flags in owners.items() if len(flags) > 1 and not are_copies(flags)}
    assert {name: flags for name, flags in shared.items() if name not in SHARED} == {}


@EACH_MODULE
def test_flags_that_torch_does_not_save_agree_with_torch(module: str) -> None:
    """`torch_saves` is False for exactly the flags that torch's own list names."""
    flags = catalogue(module).flags
    ignored = set(flags["_save_config_ignore"].default_in(NEWEST) if "_save_config_ignore" in flags else ())
    assert {flag.name for flag in flags.values() if not flag.torch_saves} == ignored & set(flags)


def test_flags_that_hold_paths_belong_to_the_machine() -> None:
    """Flags that torch derives from paths of the machine, or that name one, are never saved."""
    for flag in EVERY:
        computed = isinstance(fact_in(flag.default, NEWEST), Computed)
        default = flag.default_in(NEWEST)
        if computed and isinstance(default, str) and "/" in default:
            assert flag.machine_dependent, flag.qualified
        if isinstance(flag.type, PathText) or flag.type == OrNone(PathText()):
            assert flag.machine_dependent, flag.qualified


def test_internal_flags_are_not_public() -> None:
    """Every name that begins with an underscore is torch's own plumbing."""
    assert [flag.qualified for flag in EVERY if flag.name.startswith("_") and flag.public] == []


@EACH_MODULE
def test_removed_flags_are_of_no_release_and_have_advice(module: str) -> None:
    """None is in the catalogue, each ended before the oldest release, and each has advice."""
    known = catalogue(module)
    assert set(known.removed) & set(known.flags) == set()
    for removed in known.removed.values():
        assert not removed.until or minor(removed.until) < OLDEST
        assert removed.advice
        assert not MACHINE_PATH.search(removed.advice)


def test_well_known_flags_that_are_gone_have_advice() -> None:
    """A script that still sets one gets advice for today's torch."""
    gone = {
        "dynamo": "log_level output_code print_graph_breaks specialize_int_float print_guards"
        " fake_tensor_propagation translation_validation",
        "functorch": "use_functionalize use_dynamic_shapes debug_graphs",
    }
    for module, names in gone.items():
        assert all(catalogue(module).removed[name].advice for name in names.split())


def test_a_flag_that_a_release_renames_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With error_on_recompile renamed in the facts of the newest release, two things are left to do.

    None is once the record has the newer name, and the rule is about that.
    """
    for release in RELEASES:
        facts = json.loads((UPSTREAM / f"{release}.json").read_text(encoding="utf-8"))
        if release == RELEASES[-1]:
            flags = facts["modules"]["dynamo"]
            flags["raise_on_recompile"] = flags.pop("error_on_recompile")
        (tmp_path / f"{release}.json").write_text(json.dumps(facts), encoding="utf-8")
    source = tmp_path / "_derived.py"
    source.write_text(derived("dynamo", tmp_path), encoding="utf-8")
    known = catalogue("dynamo")

    def renamed(rules: Sequence[Rule]) -> Catalogue:
        records = importlib.import_module("dynconf.catalogue.modules.dynamo._derived")
        monkeypatch.setattr(records, "FLAGS", runpy.run_path(str(source))["FLAGS"])
        topics = described("dynconf.catalogue.modules.dynamo")
        return Catalogue("dynamo", known.module, topics, rules=rules)

    assert ended_in_silence(renamed(known.rules)) == ["error_on_recompile"]
    assert rules_that_vanish(renamed(known.rules)) == ["DC012"]
    known_facts = importlib.import_module("dynconf.catalogue.modules.dynamo.facts").FACTS
    monkeypatch.setitem(known_facts, "error_on_recompile", {"renamed_to": "raise_on_recompile"})
    rules = [
        replace(rule, flags=("raise_on_recompile", "suppress_errors")) if rule.code == "DC012" else rule
        for rule in known.rules
    ]
    assert ended_in_silence(renamed(rules)) == []
    assert rules_that_vanish(renamed(rules)) == []


def test_each_rule_has_its_examples() -> None:
    """The rules are judged on them elsewhere; none is broken by the defaults of a release."""
    rules = {rule.code: (rule, module) for module in MODULES for rule in catalogue(module).rules}
    assert set(BROKEN) == set(SOUND) == set(rules)
    for code, (rule, module) in rules.items():
        for release in MINORS:
            flags = [catalogue(module).flags[flag] for flag in rule.flags]
            if all(flag.exists_in(release) for flag in flags):
                assert not rule.is_broken(*(flag.default_in(release) for flag in flags)), (code, release)
