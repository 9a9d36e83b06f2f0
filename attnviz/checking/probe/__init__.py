"""What is tried once the output is explained: masks, weights, gradients, large scores."""
