"""How many tokens of a text are read here: what the operator set, else what the memory of this computer holds.

Without a setting a run may take half of the memory for runs, so that Compare can hold two; pictures are made for texts
of up to `MOST` tokens.
"""

from attnviz_app.settings import Settings

from attnviz.trace.run_facts import Card

LEAST, MOST = 256, 4096  # tokens
KEPT_VECTORS = 4  # q, k, v and the residual stream of each token in a layer
NUMBER_BYTES = 4  # float32


def most_tokens(card: Card, limits: Settings) -> int:
    """Tokens of one text for a model, special ones included; its own positions may be fewer."""
    if limits.max_tokens is not None:
        return limits.max_tokens
    of_a_token = KEPT_VECTORS * (card.n_layers + 1) * card.d_model * NUMBER_BYTES  # the stream begins before layer 1
    return max(LEAST, min(MOST, limits.trace_cache // 2 // of_a_token))
