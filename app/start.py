"""What `attnviz app` becomes: checks the operator's settings, then is `streamlit run` with the options it was given."""

import runpy
import sys

from attnviz_app.settings import read_settings

from attnviz.core.errors import AttnvizError

REFUSED = 2  # the exit code where the settings cannot be served


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


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
