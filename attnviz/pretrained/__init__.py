"""Real models from the transformers library; the only package here that imports it."""
