"""The closer looks of the tab Decoder."""

from __future__ import annotations

from attnviz_app.looks import Look

LOOKS: tuple[Look, ...] = ()
