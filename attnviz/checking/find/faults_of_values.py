"""The known mistakes on the way of the values: axes, matrices, heads and the output projection.

{braces} are filled by search.py with the sizes of the layer.
"""

from __future__ import annotations

from itertools import product

from attnviz.checking.find.fault import row

LETTER = {"q": "queries", "k": "keys", "v": "values", "o": "output"}

AXES = (
    row("batch-and-time-swapped",
        "Texts look at texts: the attention runs along the batch axis, so token 1 of one text looks at token 1 of the "
        "other texts and never at its neighbours.",
        "x is [batch, tokens, features]; build nn.MultiheadAttention with batch_first=True. If your layer takes "
        "[tokens, batch, features] on purpose, say check_attention(…, batch_first=False).",
        sequence="batch"),
    row("heads-look-at-heads",
        "Heads look at heads, not tokens at tokens: QKᵀ is taken while the axes are [batch, token, head, feature].",
        "swap the axes before QKᵀ: q.view(B, T, H, d_head).transpose(1, 2), and the same for k and v",
        split="unswapped"),
    row("heads-cut-across-tokens",
        "The heads are cut across tokens: .view(B, H, T, d_head) on [batch, token, H·d_head] mixes features of "
        "different tokens, it does not move the head axis.",
        "q.view(B, T, H, d_head).transpose(1, 2): first split the features, then move the axis",
        split="viewed"),
    row("one-head-instead",
        "The layer says it has {n_heads} heads, and it attends with one head over all {d_model} features.",
        "split q, k and v into heads before QKᵀ: .view(B, T, {n_heads}, {d_head}).transpose(1, 2)",
        heads="whole"),
)  # fmt: skip

PROJECTIONS = tuple(
    row("k-and-v-swapped",
        "K and V have changed places: the weights are made with the values, and the keys are mixed.",
        "weights = softmax(q @ k.mT / √d_head); out = weights @ v",
        projections="qvk") if order == "qvk" else
    row("q-and-k-swapped",
        "Q and K have changed places: row i holds what the other tokens ask of token i, not what token i asks.",
        "raw = q @ k.mT, so that rows are queries and columns are keys",
        projections="kqv") if order == "kqv" else
    row("projection-mixed-up",
        "The wrong matrices are used: " + ", ".join(
            f"the {LETTER[right]} are made with W_{used.upper()}"
            for right, used in zip("qkv", order, strict=True) if right != used) + ".",
        "q = W_q(x); k = W_k(x); v = W_v(x): look for a line that was copied and not changed",
        projections=order)
    for order in ("".join(letters) for letters in product("qkv", repeat=3)) if order != "qkv"
)  # fmt: skip

MATRICES = (
    *(row("matrix-untransposed",
          f"W_{letters.upper()} is used untransposed: torch keeps a Linear's weight as [out, in], so x @ layer.weight "
          "is not what the layer computes." if len(letters) == 1 else
          "The weights are used untransposed: torch keeps a Linear's weight as [out, in], so x @ layer.weight is "
          "not what the layer computes.",
          "call the layer, layer(x), or write x @ layer.weight.mT + layer.bias",
          flipped=letters) for letters in ("q", "k", "v", "o", "qkv", "qkvo")),
    *(row("bias-ignored",
          "The biases are ignored: the layers have them and the output is what comes without." if len(letters) > 1 else
          f"The bias of the {LETTER[letters]} projection is ignored: the layer has one and the output is what comes "
          "without.",
          "x @ W.mT + b, or call the layer itself; without biases build it with bias=False",
          unbiased=letters) for letters in ("q", "v", "o", "qkv", "qkvo")),
)  # fmt: skip

SKIPPED = tuple(
    row("projection-missing",
        f"W_{letters.upper()} is never used: the {LETTER[letters]} are x itself." if len(letters) == 1 else
        "W_Q, W_K and W_V are never used: queries, keys and values are x itself.",
        "q = W_q(x); k = W_k(x); v = W_v(x), then split into heads", skipped=letters)
    for letters in ("q", "k", "v", "qkv")
)  # fmt: skip

ENDS = (
    row("heads-joined-without-swap",
        "The heads are joined in the wrong order: [batch, head, token, feature] is reshaped to [batch, token, "
        "features] without swapping head and token first, so tokens are mixed.",
        "context.transpose(1, 2).reshape(B, T, H * d_head)", merge="viewed"),
    row("heads-joined-strided",
        "The heads are joined in the wrong order: their features are interleaved, and W_O expects head after head.",
        "context.transpose(1, 2).reshape(B, T, H * d_head)", merge="strided"),
    row("output-projection-missing",
        "W_O is never used: what comes out are the joined heads before the output projection.",
        "return self.out_proj(context)", out="missing"),
    row("residual-added",
        "The input is added to the output: that is the residual connection, which belongs to the block around "
        "attention.",
        "return out, and write x + attention(x) in the block", out="residual"),
)  # fmt: skip

STRIDED = row(
    "heads-strided",
    "A head takes one feature in {n_heads}, not {d_head} neighbouring ones. That can be learned, but weights from "
    "another layer do not fit.",
    "q.view(B, T, H, d_head), not q.view(B, T, d_head, H)", split="strided", merge="strided",
)  # fmt: skip
TILED = row(
    "shared-heads-tiled",
    "Heads that share keys and values are not neighbours: k.repeat(1, n, 1, 1) gives query heads 0, 1, 2, … the key "
    "heads 0, 1, 0, … That can be learned, but weights from another layer do not fit.",
    "k.repeat_interleave(n, dim=1), and the same for v", shared="tiled",
)  # fmt: skip
APART = tuple(
    row(f"shared-{tiled}-tiled",
        f"Shared keys and values do not belong together: the {tiled} are repeated with .repeat and the {neighbours} "
        "with .repeat_interleave, so that a head looks with one head's keys and mixes another's values.",
        "k.repeat_interleave(n, dim=1), and the same for v", shared=f"{tiled} tiled")
    for tiled, neighbours in (("keys", "values"), ("values", "keys"))
)  # fmt: skip
ORDERS = (STRIDED, TILED)  # of heads: no mistakes, but notes; the second only where heads share keys
