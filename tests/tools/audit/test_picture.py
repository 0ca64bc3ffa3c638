"""The picture of an audit: flags by time."""

from xml.etree import ElementTree as ET

from hypothesis import given
from hypothesis import strategies as st

from dynconf.provenance import Origin
from dynconf.tools.audit.summary import svg
from dynconf.tools.audit.writes import ConfigWrite

TEXTS = st.text(max_size=20)
SVG = "{http://www.w3.org/2000/svg}"


def write(flag: str, after: object, file: str, time: float) -> ConfigWrite:
    """Return a change."""
    return ConfigWrite(
        flag, None, after, "assignment", Origin("assignment", None, None, file, 1), False, "", time
    )


@given(st.lists(st.builds(write, TEXTS, TEXTS, TEXTS, st.floats(0, 1e9)), max_size=60))
def test_it_is_well_formed_whatever_the_texts(writes: list[ConfigWrite]) -> None:
    """A point for each change of the flags that have a row, and the row begins with the name."""
    picture = svg(sorted(writes, key=lambda each: each.time))
    if not writes:
        assert picture == ""
        return
    root = ET.fromstring(picture)  # noqa: S314  it is our own
    rows = list(dict.fromkeys(each.flag for each in sorted(writes, key=lambda each: each.time)))[:40]
    assert len(root.findall(f"{SVG}circle")) == sum(each.flag in rows for each in writes)
    assert len(root.findall(f"{SVG}path")) == len(rows)


def test_points_stand_in_the_order_of_time() -> None:
    """From left to right, with the values behind them and the lines to point at."""
    picture = svg([write("verbose", each, "a.py", each) for each in range(3)])
    root = ET.fromstring(picture)  # noqa: S314  it is our own
    places = [float(each.get("cx", "")) for each in root.findall(f"{SVG}circle")]
    assert places[1] - places[0] == places[2] - places[1] > 0
    titles = [each.text for each in root.iter(f"{SVG}title")]
    assert titles[1] == "None -> 1, 1.000 s, a.py:1"
    assert {"verbose", "0", "1", "2"} <= {each.text for each in root.findall(f"{SVG}text")}
