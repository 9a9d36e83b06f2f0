"""Lessons: five lessons in steps, each with the live picture that it is about, a prediction and its answer."""

import streamlit as st
from attnviz_app.host import visitor
from attnviz_app.lessons import panel, state
from attnviz_app.shell import frame, panels

say = visitor.say()
state.begin()

panels.title(say("nav-lessons"), is_shown=False)
with st.container(key="bar", horizontal=True, vertical_alignment="center"):
    panel.bar(say)
    panel.room(say)
    if not state.LESSONS.asked.test:  # one press from the answers
        st.page_link(frame.page_path("teaching"), label=say("lessons-teachers"))
if state.LESSONS.asked.test:
    panel.test(say)
else:
    with st.container(key="lesson", horizontal=True):
        with st.container(key="lesson-words"):
            panel.words(say)
        with st.container(key="lesson-stage"):
            panel.picture(say)
