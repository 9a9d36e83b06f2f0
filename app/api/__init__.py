"""Our HTTP routes beside Streamlit's: numbers for the views, files, health. Nothing here imports Streamlit."""
