"""Step through: every number of attention, from words to weights, on the person's own sentence."""

import streamlit as st
from attnviz_app.host import visitor
from attnviz_app.shell import panels
from attnviz_app.step import panel

say = visitor.say()

panels.title(say("step-title"), is_shown=False)
with st.container(key="bar", horizontal=True, vertical_alignment="center"):
    panel.bar(say)
panel.answer(say)
with st.container(key="step-stage"):
    panel.picture()
