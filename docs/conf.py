"""Sphinx configuration. The pages are gathered and the site is built by tools/docs_site."""

project = "seekahead"
copyright = "the seekahead authors"
extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_copybutton"]
html_theme = "furo"
html_title = "seekahead"
html_copy_source = False

# Notebooks are executed beforehand, by the tests or by tools/docs_site.
nb_execution_mode = "off"
# No page asks another site for anything.
nb_ipywidgets_js: dict[str, dict[str, str]] = {}

myst_heading_anchors = 3
highlight_language = "text"
copybutton_prompt_text = "$ "

autodoc_typehints = "signature"
autodoc_member_order = "bysource"
python_maximum_signature_line_length = 90
napoleon_google_docstring = False
napoleon_use_rtype = False
