"""The steps of a whole model: embedding, blocks, vocabulary, and the chain of steps of each tab."""
