"""The links of the site, what other projects may link to, and the check itself."""

import zlib

from site_links import problems

import dynconf


def test_no_link_is_broken_and_nothing_is_loaded_from_elsewhere(site):
    """It works offline, and from file://."""
    assert sorted(problems(site)) == []


def test_every_public_name_is_in_the_inventory(site):
    """So other projects can link to it."""
    content = (site / "objects.inv").read_bytes().split(b"\n", 4)[4]
    names = {line.split()[0] for line in zlib.decompress(content).decode().splitlines()}
    assert {f"dynconf.{name}" for name in dynconf.__all__} - names - {"dynconf.distributed"} == set()


def test_a_broken_link_is_found(tmp_path):
    """A page that is not there, an anchor that is not there, and a script from elsewhere."""
    (tmp_path / "a.html").write_text(
        '<a href="b.html">1</a><a href="#x">2</a><script src="https://example.org/x.js"></script><p id="y">'
        '<a href="a.html#y">fine</a><a href="https://example.org">fine, too</a>'
    )
    assert len([*problems(tmp_path)]) == 3
