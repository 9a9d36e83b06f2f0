"""Compare: two models, or one model on two sentences, side by side, with the difference and the nearest heads."""

import streamlit as st
from attnviz_app import compare_panel, compare_state, panels, state

say = state.say()
compare_state.begin()

panels.title(say("compare-title"), is_shown=False)
with st.container(key="bar", horizontal=True, vertical_alignment="center"):
    compare_panel.bar(say)
with st.container(key="compare-stage"):
    compare_panel.picture()
