"""What the browser has not been sent yet is sent, also where a part of the page runs again meanwhile.

Streamlit then takes out of its queue what the run before said of that part, and leaves in that this run drew the page
whole. So the browser takes the part away before the new run puts it back: a picture begins anew, at another head than
the person picked, and where a part stands inside that part the whole page fails. Seen in Streamlit 1.67 on a busy
server; nothing of its public interface keeps the messages.
"""

from __future__ import annotations

from functools import wraps

from streamlit.runtime.forward_msg_queue import ForwardMsgQueue


def keep_unsent() -> None:
    """Let no part of the page take messages out of a queue; done once for the process."""
    clear = ForwardMsgQueue.clear
    if hasattr(clear, "__wrapped__"):
        return

    @wraps(clear)
    def kept(
        self: ForwardMsgQueue, retain_lifecycle_msgs: bool = False, fragment_ids_this_run: list[str] | None = None
    ) -> None:
        if fragment_ids_this_run is None:
            clear(self, retain_lifecycle_msgs)
        else:
            self._delta_index_map = {}  # or messages of the new run would be put among those of the run before

    ForwardMsgQueue.clear = kept  # type: ignore[method-assign]
