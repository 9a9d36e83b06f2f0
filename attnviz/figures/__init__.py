"""Figures that plotly draws: pure functions of numbers and words. Loads no model, knows no screen."""
