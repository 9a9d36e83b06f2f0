"""The Home page: the front door."""
