"""Home: type a sentence and see real attention at once; the way into the rest."""

import streamlit as st
from attnviz_app import page_state
from attnviz_app.host import component
from attnviz_app.serving import coverage
from attnviz_app.serving.current import current
from attnviz_app.shell import controls, frame, panels

say = page_state.say()

with st.container(key="hero"):
    with st.container(key="greeting", horizontal=True, vertical_alignment="center"):
        panels.title(say("home-title"))
        st.page_link(frame.page_path("heads"), label=say("home-to-heads"))
    with st.container(key="ask", horizontal=True, vertical_alignment="center"):
        controls.model_menu(say)
        controls.text_box(say)
        tokens = st.empty()
        written = st.empty()
    controls.example_pills(say)
with panels.waiting(say):
    now = current()
with tokens:
    panels.token_table(now.trace, say)
with written:
    panels.written(now.trace, say)
panels.problem_line(now.problem, say)
coverage.line(page_state.read().model, page_state.read().text, say)
with st.container(key="stage"):
    component.heads("home")
panels.provenance(now.trace, say)
