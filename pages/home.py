"""Home: type a sentence and see real attention at once; the way into the rest."""

import streamlit as st
from attnviz_app.heads import controls, panel, picture
from attnviz_app.shell import frame, panels, visitor

say = visitor.say()

with st.container(key="hero"):
    with st.container(key="greeting", horizontal=True, vertical_alignment="center"):
        panels.title(say("home-title"))
        st.page_link(frame.page_path("heads"), label=say("home-to-heads"))
    with st.container(key="ask", horizontal=True, vertical_alignment="center"):
        controls.menu(say)
        controls.text_box(say)
        tokens, written = st.empty(), st.empty()
    controls.example_pills(say)
now = panel.current(say)
with tokens:
    panels.token_table(now.trace, say)
with written:
    panel.written(now.trace, say)
panel.problems(now, say)
with st.container(key="stage"):
    picture.show()
panels.provenance(now.trace, say)
