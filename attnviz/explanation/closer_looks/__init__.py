"""What a closer look computes: why scores are scaled, what attention costs, shuffled words, gradients, two heads."""
