"""The records: complete, consistent with one another, and each in words of its own."""

import itertools
import re
from collections import Counter

import pytest

from dynconf.catalogue import FLAGS, REMOVED, TOPICS
from dynconf.catalogue.record import Computed, fact_in
from dynconf.catalogue.tombstones import TOMBSTONES
from dynconf.values import checker, same
from dynconf.versions import NEWEST, OLDEST, RELEASES, minor

MINORS = [minor(release) for release in RELEASES]
EVERY = [pytest.param(flag, id=flag.name) for flag in FLAGS.values()]
MACHINE_PATH = re.compile(
    r"(?<![\w.])/(home|root|tmp|work|Users|usr|opt|var|private)\b|[A-Z]:\\|site-packages"
)
FLAG_LIKE = re.compile(r"(?<![\w.])[A-Za-z]+(?:_[A-Za-z0-9]+)+(?![\w(.])")


def test_the_topics_hold_every_name_once():
    """163 names in all, none in two modules."""
    names = Counter(flag.name for module in TOPICS.values() for flag in module.FLAGS)
    assert [name for name, count in names.items() if count > 1] == []
    assert set(names) == set(FLAGS)
    assert len(FLAGS) == 163


def test_each_flag_knows_its_topic():
    """The topic is the name of the module that declares the record."""
    assert {flag.topic for flag in FLAGS.values()} == set(TOPICS)
    for topic, module in TOPICS.items():
        assert module.__name__ == f"dynconf.catalogue.{topic}"
        assert all(FLAGS[flag.name].topic == topic for flag in module.FLAGS)


def test_the_catalogue_cannot_be_changed():
    """It is a read-only view: no caller can spoil it for the others."""
    with pytest.raises(TypeError):
        FLAGS["verbose"] = FLAGS["disable"]  # type: ignore[index]


@pytest.mark.parametrize("flag", EVERY)
def test_texts_are_sentences_for_users(flag):
    """A summary is one line that ends with a full stop; no text holds a path of some machine."""
    assert "\n" not in flag.summary
    assert flag.summary.endswith(".")
    assert len(flag.summary) <= 110
    assert flag.summary[0].isupper()
    for text in (flag.summary, flag.details, flag.instead):
        assert not MACHINE_PATH.search(text)
        assert text == text.strip()
        assert "  " not in text
    assert not flag.details or flag.details[-1] in ".)"


def test_no_two_summaries_are_the_same():
    """A reader of a list can tell any two flags apart."""
    summaries = Counter(flag.summary for flag in FLAGS.values())
    assert [text for text, count in summaries.items() if count > 1] == []


@pytest.mark.parametrize("flag", EVERY)
def test_replacements_exist(flag):
    """What `renamed` names, and each word of `instead` that looks like a flag, is a flag that lives on."""
    if flag.renamed:
        assert flag.renamed in FLAGS
        assert MINORS[-1] >= minor(FLAGS[flag.renamed].since) >= minor(flag.since)
    for word in FLAG_LIKE.findall(flag.instead):
        if word.isupper() or word.startswith("TORCH"):
            continue
        assert word in FLAGS, f"{flag.name} names {word}"
        assert FLAGS[word].exists_in(NEWEST)


@pytest.mark.parametrize("flag", EVERY)
def test_life_spans_are_releases_that_are_known(flag):
    """`since`, `until` and the like name minor versions of the catalogue, in their order."""
    until = minor(flag.until) if flag.until else NEWEST
    assert minor(flag.since) in MINORS
    assert until in MINORS
    assert minor(flag.since) <= until
    assert until < NEWEST or not flag.until, "a flag of the newest release has no end yet"
    for text in (flag.deprecated, flag.alias_since):
        assert not text or minor(flag.since) <= minor(text) <= until
    assert bool(flag.renamed) >= bool(flag.alias_since)
    for variable in flag.variables:
        assert minor(variable.since) <= (minor(variable.until) if variable.until else NEWEST)
        assert any(flag.exists_in(release) and variable.read_by(release) for release in MINORS)


@pytest.mark.parametrize("flag", EVERY)
def test_facts_by_release_change_while_the_flag_lives(flag):
    """Each change of a fact lies within the flag's life, comes in order, and changes something."""
    for fact in (flag.default, flag.status, flag.compile_ignored):
        if not hasattr(fact, "changes"):
            continue
        releases = [minor(release) for release, _ in fact.changes]
        assert releases == sorted(set(releases))
        assert all(minor(flag.since) < release and flag.exists_in(release) for release in releases)
        facts = [fact.first, *(changed for _, changed in fact.changes)]
        assert all(before != after for before, after in itertools.pairwise(facts))


@pytest.mark.parametrize("flag", EVERY)
def test_defaults_are_values_of_the_flag(flag):
    """The default of each release passes the check that users' values pass, unchanged."""
    for release in MINORS:
        if flag.exists_in(release):
            default = flag.default_in(release)
            assert same(checker(flag.type)(default), default)


def test_defaults_are_fresh_objects():
    """Changing a default that was handed out changes nothing for the next caller."""
    for flag in FLAGS.values():
        first = flag.default_in(NEWEST)
        if isinstance(first, (set, list, dict)):
            first.clear()
            assert flag.default_in(NEWEST) == flag.default_in(NEWEST)
            assert flag.default_in(NEWEST) is not first
    allowed = FLAGS["allowed_functions_module_string_ignorelist"]
    allowed.default_in(NEWEST).clear()
    assert "torch.testing" in allowed.default_in(NEWEST)


@pytest.mark.parametrize("release", MINORS, ids=RELEASES)
def test_no_variable_sets_two_flags(release):
    """No two flags share one of torch's own or of the uniform variables."""
    owners: dict[str, set[str]] = {}
    for flag in FLAGS.values():
        if flag.exists_in(release):
            names = {variable.name for variable in flag.variables_in(release)}
            names |= {flag.uniform_variable} if flag.public else set()
            for name in names:
                owners.setdefault(name, set()).add(flag.name)
    assert {name: flags for name, flags in owners.items() if len(flags) > 1} == {}


def test_no_release_reads_one_variable_by_two_rules():
    """Where the rule changed, the spans of the two do not overlap."""
    for flag in FLAGS.values():
        for release in MINORS:
            names = [variable.name for variable in flag.variables_in(release)]
            assert len(names) == len(set(names)), flag.name


def test_what_torch_does_not_save_is_what_torch_says():
    """`torch_saves` is False for exactly the flags that torch's own list names."""
    ignored = set(FLAGS["_save_config_ignore"].default_in(NEWEST))
    assert {flag.name for flag in FLAGS.values() if not flag.torch_saves} == ignored & set(FLAGS)


def test_what_depends_on_the_machine_is_computed_and_kept_out_of_saves():
    """The defaults that hold paths of this machine belong to host flags."""
    for flag in FLAGS.values():
        default = fact_in(flag.default, NEWEST)
        if isinstance(default, Computed) and isinstance(default.compute(), str):
            assert flag.host, flag.name


def test_internal_flags_are_not_public():
    """Every name with an underscore in front is torch's own plumbing."""
    assert all(not flag.public for name, flag in FLAGS.items() if name.startswith("_"))
    assert FLAGS["verbose"].public


@pytest.mark.parametrize(
    "name",
    [
        "log_level",
        "output_code",
        "print_graph_breaks",
        "specialize_int_float",
        "print_guards",
        "fake_tensor_propagation",
        "translation_validation",
    ],
)
def test_well_known_flags_that_are_gone_have_a_tombstone(name):
    """A script that still sets one is told what to do today."""
    assert REMOVED[name].advice


def test_tombstones_are_of_flags_that_no_release_has():
    """None is in the catalogue, and each ended before the oldest release."""
    assert len(REMOVED) == len(TOMBSTONES)
    assert set(REMOVED) & set(FLAGS) == set()
    for stone in TOMBSTONES:
        assert not stone.until or minor(stone.until) < OLDEST
        assert not MACHINE_PATH.search(stone.advice)
