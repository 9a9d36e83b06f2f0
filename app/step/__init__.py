"""The Step through page."""
