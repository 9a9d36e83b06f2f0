"""Captures the attention of a transformers model while it runs."""
