"""Which version of this package is installed, as a run says it."""

from importlib.metadata import PackageNotFoundError, version


def installed_version() -> str:
    try:
        return version("attnviz")
    except PackageNotFoundError:  # run from a folder that was never installed
        return "not installed"
