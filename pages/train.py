"""Training: pick a task, train here, and watch the heads form; scrub through checkpoints, change one thing, compare."""

import streamlit as st
from attnviz_app import panels, state, training_controls, training_panel, training_state

say = state.say()
training_state.begin()

panels.title(say("train-title"), is_shown=False)
with st.container(key="bar", horizontal=True, vertical_alignment="center"):
    training_controls.task_menu(say)
    training_controls.text_box(say)
    training_controls.example_menu(say)
    training_controls.change_menu(say)
    training_controls.start_buttons(say)
training_panel.follow()
