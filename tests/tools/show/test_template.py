"""Tests of `dynconf.tools.show.template`."""

import re

import pytest

from dynconf.catalogue.modules.often_set import OFTEN_SET
from dynconf.catalogue.names import module_views
from dynconf.release import RELEASES, Release
from dynconf.sources.files import parse, read_document
from dynconf.tools.show.template import settings_template


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("everything", [False, True])
def test_every_line_can_be_used(release: str, everything: bool) -> None:  # noqa: FBT001
    """The file sets nothing as it is; without the # in front of its lines, every flag has its default."""
    at = Release.named(release)
    text = settings_template(at, everything=everything)
    assert parse(text, "dynconf.toml", "toml").data == {}
    used = re.sub(r'^# (?=[\w."]+ = (?!"\.\.\.")|\[)', "", text, flags=re.MULTILINE)
    state = read_document(parse(used, "dynconf.toml", "toml"), at).checked()
    assert len(state) > (250 if everything else 20)
    for setting, (value, _) in state.items():
        assert value == setting.default_value(), setting


def test_it_has_the_flags_that_people_set() -> None:
    """Of all modules, the most often set first."""
    text = settings_template(Release.named("2.13"))
    assert re.findall(r"^# ([\w.]+) = ", text, flags=re.MULTILINE) == ["missing", *OFTEN_SET]


def test_with_everything_it_has_all_that_may_be_set() -> None:
    """Flags that do nothing included."""
    at = Release.named("2.13")
    whole = settings_template(at, everything=True)
    for setting in module_views(at)[0].settings.values():
        if setting.public:
            assert f"\n# {setting.name} = " in whole


def test_flags_have_their_newest_names_in_an_old_release_too() -> None:
    """The file means the same in every release, and no flag is described as the old name of another."""
    text = settings_template(Release.named("2.4"), everything=True)
    summary = "Maximum number of compiled versions of a function before it falls back to eager mode."
    assert f"\n# {summary}\n# recompile_limit = 8\n" in text
    assert "cache_size_limit" not in text
    assert "# Old name" not in text
