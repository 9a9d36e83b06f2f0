"""Heads: every head of the model on one sentence, and one of them in lines."""

import streamlit as st
from attnviz_app.heads import generation, panel
from attnviz_app.shell import panels, visitor

say = visitor.say()

panels.title(say("heads-title"), is_shown=False)
generation.take(say)
with st.container(key="bar", horizontal=True, vertical_alignment="center"):
    panel.bar(say)
    form, writing, tokens, written, target = (st.empty() for _ in range(5))
trace, problem = panel.current(say)
with form:
    panel.form_switch(say)
with writing:
    panel.write_on_menu(trace, say)
with tokens:
    panels.token_table(trace, say)
with written:
    panel.written(trace, say)
    panel.predicted(trace, say)
with target:
    panel.target_box(trace, say)
with st.container():  # always there: what follows keeps its place among the elements, and with it the picture
    panel.problems(problem, say)
    panel.first_use_line(say)
with st.container(key="stage"):
    panel.picture()
panel.notices(trace, say)
panels.provenance(trace, say)
