"""Step through: every number of attention, from words to weights, on the person's own sentence."""

import streamlit as st
from attnviz_app import panels, state, step_panel, step_state

say = state.say()
step_state.begin()

panels.title(say("step-title"), is_shown=False)
with st.container(key="bar", horizontal=True, vertical_alignment="center"):
    step_panel.model_menu(say)
    step_panel.text_box(say)
    step_panel.example_menu(say)
    step_panel.word_switch(say)
    step_panel.guess_switch(say)
with st.container(key="step-stage"):
    step_panel.picture()
