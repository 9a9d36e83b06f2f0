"""Reads the parameters of a user's layer: which is W_Q, W_K, W_V and W_O, and how they are laid out."""
