"""Where the dashboard meets Streamlit: components, widget events, the address bar."""
