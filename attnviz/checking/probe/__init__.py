"""What is tried once the output is explained: masks, weights, gradients, dropout, training mode, other sizes."""
