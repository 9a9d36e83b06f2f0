"""Heads: every head of the model on one sentence, and one of them in lines."""

import streamlit as st
from attnviz_app.heads import controls, generation, panel, picture
from attnviz_app.shell import panels, visitor

say = visitor.say()

panels.title(say("heads-title"), is_shown=False)
generation.take(say)
with st.container(key="bar", horizontal=True, vertical_alignment="center"):
    controls.menu(say)
    controls.text_box(say)
    controls.example_menu(say)
    writing, tokens, written, target = (st.empty() for _ in range(4))
now = panel.current(say)
with writing:
    controls.write_on_menu(now.trace, say)
with tokens:
    panels.token_table(now.trace, say)
with written:
    panel.written(now.trace, say)
with target:
    controls.target_box(now.trace, say)
with st.container():  # always there: what follows keeps its place among the elements, and with it the picture
    panel.problems(now, say)
with st.container(key="stage"):
    picture.show()
panel.notices(now, say)
panels.provenance(now.trace, say)
