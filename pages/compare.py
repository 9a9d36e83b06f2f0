"""Compare: two models, or one model on two sentences, side by side, with the difference and the nearest heads."""

import streamlit as st
from attnviz_app.compare import panel
from attnviz_app.host import visitor
from attnviz_app.shell import panels

say = visitor.say()

panels.title(say("compare-title"), is_shown=False)
with st.container(key="bar", horizontal=True, vertical_alignment="center"):
    panel.bar(say)
panel.first_use_line(say)
with st.container(key="compare-stage"):
    panel.picture()
