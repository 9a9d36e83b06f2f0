"""How the attention of a transformers model is captured while it runs."""
