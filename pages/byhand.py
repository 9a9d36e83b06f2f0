"""By hand: attention with numbers of one's own, each step worked out as with a pencil."""

import streamlit as st
from attnviz_app.byhand import panel
from attnviz_app.host import visitor
from attnviz_app.shell import panels

say = visitor.say()

panels.title(say("nav-byhand"), is_shown=False)
with st.container(key="byhand-stage"):
    panel.picture()
