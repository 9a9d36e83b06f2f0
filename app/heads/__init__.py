"""The Heads page, and the picture of heads that Home shares."""
