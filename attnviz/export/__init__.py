"""What is taken away from a run: its numbers as lines of a terminal and as tables."""
