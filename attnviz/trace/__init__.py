"""What is kept of a run: the trace of one text, its records, and the proof that they replay what the model computed."""
