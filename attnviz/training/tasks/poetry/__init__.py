"""Poems of the Tang that a small language model learns, and how their lines are built."""
