"""Training: pick a task, train here, and watch the heads form; scrub through checkpoints, change one thing, compare."""

import streamlit as st
from attnviz_app.host import visitor
from attnviz_app.shell import panels
from attnviz_app.train import panel, state

say = visitor.say()
state.begin()

panels.title(say("train-title"), is_shown=False)
with st.container(key="bar", horizontal=True, vertical_alignment="center"):
    panel.bar(say)
panel.follow()
