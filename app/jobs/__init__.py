"""What takes longer than a page may wait: trainings, surveys of heads and comparisons of models, each in a queue."""
