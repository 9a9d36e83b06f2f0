"""The Streamlit shell of AttnViz; with `pages`, the only importer of streamlit."""
