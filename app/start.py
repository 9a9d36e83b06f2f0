"""What `attnviz app` becomes: checks the operator's settings, then is `streamlit run` with the options it was given."""

import os
import re
import runpy
import sys

from attnviz_app.settings import read_settings

from attnviz.core.errors import AttnvizError

REFUSED = 2  # the exit code where the settings cannot be served


def main(arguments: list[str]) -> int:
    """Refuse settings that cannot be served with one sentence, or serve until the server is stopped."""
    try:
        read_settings(page_port(arguments))
    except AttnvizError as error:
        print(error, file=sys.stderr)
        return REFUSED
    sys.argv = ["streamlit", "run", *arguments]
    runpy.run_module("streamlit", run_name="__main__")
    return 0


def page_port(arguments: list[str]) -> str:
    """Where Streamlit will serve the pages."""
    given = re.findall(r"--server\.port[= ](\d+)", " ".join(arguments))
    return given[-1] if given else os.environ.get("STREAMLIT_SERVER_PORT", "8501")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
