"""Calls somebody's code: how it wants to be called, on a copy, so that nothing of it stays behind."""
