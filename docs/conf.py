"""How Sphinx builds the site: `make docs`. Nothing is loaded from elsewhere, now or later."""

import sys
from pathlib import Path

from dynconf.version import __version__

sys.path.insert(0, str(Path(__file__).parent / "_extensions"))

project = "dynconf"
author = "the dynconf authors"
copyright = author  # noqa: A001  the name is Sphinx's
version = release = __version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "generated_pages",
    "upgrade_page",
    "site_search",
]
exclude_patterns = ["_extensions"]
templates_path = ["_templates"]
root_doc = "index"
smartquotes = False  # a value in quotes is Python
default_role = "py:obj"  # `name` in a docstring: a link if it is public, and code in any case

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 4

autodoc_typehints_format = "short"
autodoc_member_order = "bysource"
python_use_unqualified_type_names = True

# Names of others, whose inventories would have to be downloaded, and our own internal ones: a name that is
# public resolves whichever module an annotation takes it from.
nitpick_ignore_regex = [
    (
        r"py:.*",
        r"(torch|pydantic|pydantic_settings|collections|contextlib|pathlib|os|datetime|types|typing)\b.*",
    ),
    (r"py:.*", r"dynconf\.\w+\.\w.*"),
    (r"py:class", r"Arguments|Result|Group"),  # of annotations alone
    (r"py:obj", r".*"),  # docstrings are about flags, parameters and names of torch, too
]

html_theme = "furo"
html_title = f"dynconf {version}"
html_static_path = ["_static"]
html_favicon = "_static/favicon.svg"
html_copy_source = False
html_additional_pages = {"search": "search.html", "404": "404.html"}
html_show_sphinx = False
