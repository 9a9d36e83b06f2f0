"""Calls user code: how it wants to be called, on a copy, so that it leaves nothing behind."""
