"""Sphinx builds the documentation site with these settings: see `make docs`."""

import re
from typing import Any

from docutils import nodes

from dlx.core.version import __version__

project = "dlxkit"
author = "The dlxkit authors"
project_copyright = "2026, the dlxkit authors"
release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.viewcode"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build"]

# Pages link to files of the repository and to headings of each other as GitHub does.
myst_enable_extensions = ["linkify"]
myst_heading_anchors = 4
myst_linkify_fuzzy_links = False

# Docstrings have `names` in single backticks.
default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
python_maximum_signature_line_length = 80
add_module_names = False

html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["wide.css"]
pygments_style = "a11y-light"
pygments_dark_style = "a11y-dark"
html_title = f"dlxkit {release}"
html_show_sourcelink = False
html_show_search_summary = False  # it would fetch pages, which browsers refuse without a server


def setup(app: Any) -> None:
    """Connects what improves pages that are also read as plain files."""
    app.connect("doctree-read", strip_last_lines)
    app.connect("doctree-read", keep_numbers_together)


def strip_last_lines(app: object, document: nodes.document) -> None:
    """Removes the blank line at the end of each example, which only doctest needs."""
    for block in document.findall(nodes.literal_block):
        text = block.astext().rstrip()
        block[:] = [nodes.Text(text)]
        block.rawsource = text


def keep_numbers_together(app: object, document: nodes.document) -> None:
    """Writes 12 345 with a space at which no line ends."""
    for text in list(document.findall(nodes.Text)):
        if not isinstance(text.parent, nodes.literal | nodes.literal_block):
            together = re.sub(r"(?<=\d) (?=\d{3}(?!\d))", "\u00a0", text)
            if together != text:
                text.parent.replace(text, nodes.Text(together))
