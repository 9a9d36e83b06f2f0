"""The closer looks of the tab Block."""

from __future__ import annotations

from attnviz_app.looks import Look

LOOKS: tuple[Look, ...] = ()
