"""What `attnviz app` becomes: checks the operator's settings, then is `streamlit run` with the options it was given."""

from __future__ import annotations

import sys

from attnviz_app.settings import read_settings

from attnviz.core.errors import AttnvizError

REFUSED = 2  # the exit code where the settings cannot be served


def main(arguments: list[str]) -> int:
    """Refuse settings that cannot be served with one sentence, or serve.

    Args:
        arguments: of `streamlit run`, the script first.
    Returns: the exit code.
    """
    try:
        read_settings()
    except AttnvizError as error:
        print(error, file=sys.stderr)
        return REFUSED
    from streamlit.web.cli import main as streamlit  # takes a second: not needed to refuse

    return int(streamlit(["run", *arguments], prog_name="streamlit") or 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
