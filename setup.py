"""Which packages there are; all else stands in pyproject.toml.

`app` and `pages` are folders of the repository but no names for site-packages: there they are attnviz_app and
attnviz_pages (see package-dir in pyproject.toml). Packages are found, so that none is forgotten.
"""

from setuptools import find_packages, setup

app = [f"attnviz_app.{name}" for name in find_packages("app")]
setup(packages=[*find_packages(include=["attnviz", "attnviz.*"]), "attnviz_app", *app, "attnviz_pages"])
