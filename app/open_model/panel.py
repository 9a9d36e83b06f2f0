"""What is drawn while a model is opened: how many bytes have come, a way to cancel, and why it failed."""

from html import escape

import streamlit as st
from attnviz_app.host import events
from attnviz_app.jobs.openings import Opening, openings
from attnviz_app.shell import lines, panels, visitor
from attnviz_app.train.training_names import model_label

from attnviz.text import Strings

POLL_SECONDS = 0.5


def begin(name: str) -> None:
    openings().open(name)


def progress(name: str, say: Strings) -> None:
    """How far a model is that is being opened, with a button that cancels it; once that ends the page is drawn again.

    Nothing where nobody opens it. Why it failed is a line here with a button that tries again.
    """
    job = openings().of(name)
    if job is not None and job.is_active:
        st.fragment(_follow, run_every=POLL_SECONDS)(name)
    elif job is not None and job.error is not None:
        with st.container(key="opening-failed", horizontal=True, vertical_alignment="center"):
            lines.alert(job.error, say)
            st.button(say("error-retry"), key="opening-retry", on_click=events.later(begin), args=(name,))


def _follow(name: str) -> None:
    events.apply()
    job, say = openings().of(name), visitor.say()
    if job is None or not job.is_active:
        st.rerun()
    with st.container(key="opening", horizontal=True, vertical_alignment="center"):
        st.html(_how_far(job, model_label(name, say), say))
        st.button(
            say("opening-cancel"), key="opening-cancel", on_click=events.later(openings().cancel), args=(name,),
            disabled=job.state == "stopping",
        )  # fmt: skip


def _how_far(job: Opening, label: str, say: Strings) -> str:
    """One line and a bar; while the weights are read the bar says only that something goes on."""
    came, total = job.progress
    if job.state == "waiting":
        said = say("opening-waits", model=label)
    elif job.state == "stopping":
        said = say("opening-cancelling", model=label)
    elif came < total:
        said = say("fetching-model", model=label, came=panels.megabytes(came), total=panels.megabytes(total))
    else:
        said, came = say("loading-model", model=label), 0
    bar = lines.bar(came, max(total, 1), say("heads-coming-bar"))
    return f'<p class="av-progress" role="status">{escape(said)}</p>{bar}'
