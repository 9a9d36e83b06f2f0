"""Home: type a sentence and see real attention at once; the way into the rest."""

import streamlit as st
from attnviz_app import controls, mount, panels, shell, state
from attnviz_app.current import current

say = state.say()

with st.container(key="hero"):
    panels.title(say("home-title"))
    controls.text_box(say)
    controls.example_pills(say)
now = current()
panels.problem_line(now.problem, say)
with st.container(key="stage"):
    mount.heads("home")
with st.container(key="ways", horizontal=True):
    panels.token_table(now.trace, say)
    st.page_link(shell.page_path("heads"), label=say("home-to-heads"))
panels.provenance(now.trace, say)
