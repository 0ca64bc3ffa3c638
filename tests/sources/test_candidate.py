"""Whether a file that the search looks at counts, and why not."""

import os

import pytest
from states import written

from dynconf.errors import StateFileError
from dynconf.sources.discovery import Found, find_upwards


def test_a_pyproject_counts_if_it_has_the_table(tmp_path):
    """One without ``[tool.dynconf]`` does not end the search."""
    written(tmp_path / "pyproject.toml", "[project]\nname = 'x'\n\n[tool.dynconf]\nverbose = true\n")
    inner = written(tmp_path / "a" / "pyproject.toml", "[tool.ruff]\nline-length = 9\n").parent
    found = find_upwards(inner).document
    assert found.data == {"verbose": True}
    assert found.table == "tool.dynconf"
    assert found.origin(["verbose"], True).line == 5


def test_what_is_no_file_is_passed_over_with_a_warning(tmp_path):
    """A folder, a pipe and a device of that name are not opened, so that nothing waits for them."""
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "dynconf.toml").mkdir()
    os.mkfifo(inner / "pyproject.toml")
    (tmp_path / "dynconf.toml").symlink_to(os.devnull)
    found = find_upwards(inner)
    assert found.document is None
    files = [inner / "dynconf.toml", inner / "pyproject.toml", tmp_path / "dynconf.toml"]
    assert [each.path for each in found.skipped[:3]] == list(map(str, files))
    assert {each.reason for each in found.skipped[:3]} == {"it is not a regular file"}
    assert str(inner / "dynconf.toml") in str(found.warnings[0])


@pytest.mark.parametrize(
    "data", ["", "tool = 1", "[[tool]]\nx = 1", "[tool]\nruff = 1", "[tool.ruff]\nline-length = 9\n"]
)
def test_a_project_without_settings_is_no_reason_to_warn(tmp_path, data):
    """Most projects have none; `check` tells that it was looked at."""
    assert find_upwards(tmp_path) == Found()
    written(tmp_path / "pyproject.toml", data)
    found = find_upwards(tmp_path)
    assert (found.document, found.warnings) == (None, ())
    assert found.skipped[0].reason == "it has no table [tool.dynconf]"


def test_settings_that_are_not_a_table_are_refused(tmp_path):
    """The file is named."""
    written(tmp_path / "pyproject.toml", "[tool]\ndynconf = 1")
    with pytest.raises(StateFileError, match=r"pyproject\.toml is not a settings file: expected a table"):
        find_upwards(tmp_path)


@pytest.mark.parametrize(
    ("mode_of_file", "mode_of_folder", "said"),
    [(0o666, 0o755, "it is writable by anyone"), (0o644, 0o1777, "its folder is writable by anyone")],
)
def test_what_others_may_write_is_passed_over(tmp_path, mode_of_file, mode_of_folder, said):
    """The sticky bit does not make a folder safe: anyone may add a file to it."""
    folder = tmp_path / "shared"
    path = written(folder / "dynconf.toml", "verbose = true")
    path.chmod(mode_of_file)
    folder.chmod(mode_of_folder)
    found = find_upwards(folder)
    assert found.document is None
    assert str(found.skipped[0]) == f"{path} is skipped: {said}"


def test_a_link_counts_only_if_all_folders_on_its_way_do(tmp_path):
    """Whoever may write to one of them decides where it leads."""
    shared, own, project = tmp_path / "shared", tmp_path / "own", tmp_path / "project"
    for folder in (shared, own, project):
        folder.mkdir()
    written(own / "real.toml", "verbose = true")
    (project / "dynconf.toml").symlink_to("../own/real.toml")
    assert find_upwards(project).document.data == {"verbose": True}
    shared.chmod(0o777)
    (shared / "hop").symlink_to("../own/real.toml")
    (project / "dynconf.toml").unlink()
    (project / "dynconf.toml").symlink_to("../shared/hop")
    assert f"the folder {shared} in its path is writable by anyone" in str(find_upwards(project).skipped[0])


@pytest.mark.parametrize(
    "content",
    [
        b"a = ",
        b"\xff\xfe",
        b"x = 1\n" * 200_000,
        b"a." * 20_000 + b"a = 1",
        b" " * 2**20 + b"=",
        b"[" * 2**20,
    ],
    ids=lambda content: content[:6],
)
def test_a_broken_project_without_settings_is_passed_over(tmp_path, content):
    """It is somebody else's business, and named once; one with our table is an error."""
    path = tmp_path / "pyproject.toml"
    path.write_bytes(content)
    found = find_upwards(tmp_path)
    assert found.document is None
    assert str(found.warnings[0]).count(str(path)) == 1
    path.write_bytes(b"[tool.dynconf]\n" + content)
    with pytest.raises(StateFileError, match=r"pyproject\.toml"):
        find_upwards(tmp_path)


def test_a_link_that_cannot_be_followed_is_named(tmp_path):
    """Somebody meant it to hold settings; there may be none, or the user may not look at them."""
    (tmp_path / "dynconf.toml").symlink_to("gone")
    said = "it is a link that cannot be followed: "
    assert f"{said}No such file or directory" in str(find_upwards(tmp_path).warnings[0])
    (tmp_path / "dynconf.toml").unlink()
    (tmp_path / "dynconf.toml").symlink_to("dynconf.toml")
    assert f"{said}Too many levels of symbolic links" in str(find_upwards(tmp_path).warnings[0])


@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may read every file")
def test_a_project_that_may_not_be_read_is_named_once(tmp_path):
    """With the reason."""
    written(tmp_path / "pyproject.toml", "").chmod(0)
    assert find_upwards(tmp_path).skipped[0].reason == "it cannot be read: Permission denied"


@pytest.mark.parametrize(
    "text",
    [
        "[tool.dynconf]",
        '[[ "tool" . dynconf ]]',
        "[tool]\ndynconf.verbose = true",
        "[tool]\n'dynconf' = {verbose = true}",
        "tool = {dynconf = {verbose = true}}",
    ],
)
def test_a_project_that_others_may_write_is_named_if_it_may_have_settings(tmp_path, text):
    """In whatever form TOML allows; a package of that name among its dependencies has none."""
    path = written(tmp_path / "pyproject.toml", text)
    path.chmod(0o666)
    assert str(path) in str(find_upwards(tmp_path).warnings[0])
    path.write_text("[project]\ndependencies = ['torch-dynconf']\n[tool.pytest]\ndynconf_leaks = 'off'")
    assert find_upwards(tmp_path).warnings == ()
