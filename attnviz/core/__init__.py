"""The core: attention's arithmetic, its capture, its record and its explanation. Knows no model and no screen."""
