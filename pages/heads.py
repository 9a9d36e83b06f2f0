"""Heads: every head of the model on one sentence, and one of them in lines."""

import streamlit as st
from attnviz_app import page_state
from attnviz_app.heads import below, generation
from attnviz_app.host import component
from attnviz_app.serving import coverage
from attnviz_app.serving.current import current
from attnviz_app.shell import controls, panels

say = page_state.say()

panels.title(say("heads-title"), is_shown=False)
generation.take(say)
with st.container(key="bar", horizontal=True, vertical_alignment="center"):
    controls.model_menu(say)
    controls.text_box(say)
    controls.example_menu(say)
    writing = st.empty()
    tokens = st.empty()
    written, target, parts = st.empty(), st.empty(), st.empty()
with panels.waiting(say):
    now = current()
with writing:
    generation.menu(now.trace, say)
with tokens:
    panels.token_table(now.trace, say)
with written:
    panels.written(now.trace, say)
with target:
    controls.target_box(now.trace, say)
with parts:
    controls.part_switch(now.trace, say)
panels.problem_line(now.problem, say)
coverage.line(page_state.read().model, page_state.read().text, say)
with st.container(key="stage"):
    component.heads("heads", below.below)
