"""What is taken away from a run: a model's proofs as lines."""
