"""How a model is opened from a page: the dialog that names one, and how far it has come."""
