"""Heads: every head of the model on one sentence, and one of them in lines."""

import streamlit as st
from attnviz_app.heads import generation, panel
from attnviz_app.host import visitor
from attnviz_app.shell import panels

say = visitor.say()

panels.title(say("heads-title"), is_shown=False)
with st.container():  # always there, so that the bar keeps its place
    generation.take(say)
with st.container(key="bar", horizontal=True, vertical_alignment="center"):
    panel.bar(say)
    read = st.container(key="bar-read")  # a container stands while the next run reads; what is put in st.empty() goes
trace, problem = panel.current(say)
with read:
    panel.example_menu(say)
    panel.form_switch(say)
    panel.write_on_menu(trace, say)
    panels.token_table(trace, say)
    panel.written(trace, say)
    panel.predicted(trace, say)
    panel.target_box(trace, say)
with st.container():  # always there: what follows keeps its place among the elements, and with it the picture
    panel.problems(problem, say)
    panel.first_use_line(say)
with st.container(key="stage"):
    panel.picture()
panel.notices(trace, say)
panels.provenance(trace, say)
