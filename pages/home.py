"""Home: the front door. A sentence with real attention over it at once, and the ways into the rest."""

import streamlit as st
from attnviz_app.heads import panel as heads
from attnviz_app.home import panel
from attnviz_app.host import visitor
from attnviz_app.shell import panels

say = visitor.say()

with st.container(key="hero"):
    panels.title(say("home-title"))
    about = st.container(key="about")  # see heads.py
    with st.container(key="ask", horizontal=True, vertical_alignment="center"):
        heads.model_box(say)
        heads.text_box(say)
    form = st.container(key="form")
    examples = st.container(key="examples", horizontal=True, gap="small")
trace, problem = heads.current(say)
with form:
    heads.form_switch(say)
with examples:
    heads.example_pills(say)
about.html(panel.about(trace, say))
with st.container():
    heads.problems(problem, say)
    heads.first_use_line(say)
    heads.notices(trace, say)
    panel.unknown(trace, say)
    heads.predicted(trace, say)
with st.container(key="home-stage"):
    panel.picture()
panel.code(trace, say)
panels.provenance(trace, say)
