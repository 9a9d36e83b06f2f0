"""The Training page."""
