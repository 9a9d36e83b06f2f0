"""Finds the fault behind an output: makes each known one in our own attention and compares."""
