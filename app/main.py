"""The ASGI app that `streamlit run app/main.py` serves."""

from pathlib import Path

import streamlit as st

app = st.App(Path(__file__).with_name("dashboard.py"))
