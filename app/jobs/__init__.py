"""What takes longer than a page may wait: trainings and surveys in processes of their own, and their queues."""
