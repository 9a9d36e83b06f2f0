"""Models made of our own blocks: untrained ones, and pretrained weights run through them."""
