"""The lessons: what is taught in which order, each step with its picture, and the numbers that it speaks of."""
