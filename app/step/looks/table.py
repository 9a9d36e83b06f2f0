"""Which closer looks each tab of Step through has, in the order of its buttons. Knows no Streamlit.

The name of one is the message `look-<key>`, what it shows `look-<key>-about`; opened.py says who draws it.
"""

LOOKS = {
    "self": ("why-scale", "cost"),
    "heads": ("two-heads", "torch-check", "gradient"),
    "block": ("positions", "shuffle", "likeness", "norm-order"),
    "decoder": ("decoding",),
}
