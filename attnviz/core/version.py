"""Which version of a package is installed."""

from importlib.metadata import PackageNotFoundError, version


def installed_version(package: str = "attnviz") -> str:
    try:
        return version(package)
    except PackageNotFoundError:  # ours: run from a folder that was never installed
        return "not installed"
