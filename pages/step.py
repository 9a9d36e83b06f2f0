"""Step through: every number of attention, from words to weights, on the person's own sentence."""

import streamlit as st
from attnviz_app import page_state
from attnviz_app.shell import panels
from attnviz_app.step import panel
from attnviz_app.step import state as step_state

say = page_state.say()
step_state.begin()

panels.title(say("step-title"), is_shown=False)
with st.container(key="bar", horizontal=True, vertical_alignment="center"):
    panel.model_menu(say)
    panel.text_box(say)
    panel.example_menu(say)
    panel.word_switch(say)
    panel.guess_switch(say)
with st.container(key="step-stage"):
    panel.picture()
