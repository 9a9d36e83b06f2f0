"""Which packages there are; all else stands in pyproject.toml.

`app` and `pages` are folders of the repository but no names for site-packages: there they are attnviz_app and
attnviz_app.pages (see package-dir in pyproject.toml). The parts of attnviz are found, so that none is forgotten.
"""

from setuptools import find_packages, setup

setup(packages=[*find_packages(include=["attnviz", "attnviz.*"]), "attnviz_app", "attnviz_app.pages"])
