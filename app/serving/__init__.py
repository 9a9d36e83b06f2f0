"""What answers a visitor: models, traces, examples, and the limits in front of them."""
