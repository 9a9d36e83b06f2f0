"""What is under the picture of the Heads page: numbers of all heads, own sentences, rollout, effect."""
