"""For teachers: plans, worksheets to print with their answers apart, and how to measure what a class learned."""

import streamlit as st
from attnviz_app.host import visitor
from attnviz_app.lessons.teaching import sections
from attnviz_app.shell import panels

say = visitor.say()
with panels.error_boundary(), st.container(key="teaching"):
    coming = st.empty().markdown(say("teach-coming"))
    for name, text in sections(say):
        with st.container(key=f"teaching-{name}"):
            st.markdown(text, unsafe_allow_html=True)
    coming.empty()
