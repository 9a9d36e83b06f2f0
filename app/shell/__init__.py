"""What surrounds every page: frame, messages, shared controls, the About page."""
