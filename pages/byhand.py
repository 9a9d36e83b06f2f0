"""By hand: attention with numbers of one's own, each step worked out as with a pencil."""

import streamlit as st
from attnviz_app.byhand import BY_HAND
from attnviz_app.host import component, visitor
from attnviz_app.shell import panels

from attnviz import views

say = visitor.say()

panels.title(say("nav-byhand"), is_shown=False)
with st.container(key="byhand-stage"):
    view = views.by_hand(lang=visitor.language(), size=visitor.size())
    component.view(view.payload, "byhand-view", link=BY_HAND.link(visitor.link()), question={})
