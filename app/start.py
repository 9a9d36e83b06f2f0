"""What `attnviz app` becomes: checks the operator's settings, then is `streamlit run` with the options it was given."""

import runpy
import sys

from attnviz_app.settings import read_settings

from attnviz.core.errors import AttnvizError

REFUSED = 2  # the exit code where the settings cannot be served
TRIED = ("1.67",)  # of Streamlit: the versions that the browser tests passed with


def main(arguments: list[str]) -> int:
    """Refuse settings that cannot be served with one sentence, or serve until the server is stopped."""
    try:
        read_settings()
    except AttnvizError as error:
        print(error, file=sys.stderr)
        return REFUSED
    sys.argv = ["streamlit", "run", *arguments]
    runpy.run_module("streamlit", run_name="__main__")
    return 0


def untried(streamlit: str) -> str | None:
    """A line for the log where this version of Streamlit was not tried."""
    if streamlit.startswith(tuple(f"{version}." for version in TRIED)):
        return None
    tried = ", ".join(f"{version}.x" for version in TRIED)
    return f"AttnViz was tried with Streamlit {tried}; this is {streamlit}. Should a page fail, install one of those."


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
