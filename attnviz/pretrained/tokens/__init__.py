"""From text to tokens and back: tokenizers, batches, and how a token is displayed."""
