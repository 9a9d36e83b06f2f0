"""Heads: every head of the model on one sentence, and one of them in lines."""

import streamlit as st
from attnviz_app import controls, coverage, heads_below, heads_writing, mount, panels, state
from attnviz_app.current import current

say = state.say()

panels.title(say("heads-title"), is_shown=False)
heads_writing.take(say)
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
    heads_writing.menu(now.trace, say)
with tokens:
    panels.token_table(now.trace, say)
with written:
    panels.written(now.trace, say)
with target:
    controls.target_box(now.trace, say)
with parts:
    controls.part_switch(now.trace, say)
panels.problem_line(now.problem, say)
coverage.line(state.read().model, state.read().text, say)
with st.container(key="stage"):
    mount.heads("heads", heads_below.below)
