"""Reads the parameters of somebody's layer: which is W_Q, W_K, W_V and W_O, and how their numbers lie."""
