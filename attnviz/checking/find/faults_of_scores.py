"""The known mistakes in the scores and the softmax; {braces} are filled by search.py with the sizes of the layer."""

from __future__ import annotations

from attnviz.checking.find.fault import Fault, row

SCALE = (
    row("scale-missing",
        "The scale is missing: QKᵀ goes into the softmax undivided, {ratio} times too large for heads of width "
        "{d_head}.",
        "scores = q @ k.mT / math.sqrt(d_head); only T5 leaves it out on purpose, with matrices drawn smaller",
        scale="none"),
    row("scale-by-model-width",
        "The scale is √d_model = {divisor}; expected √d_head = {expected}. Each head has only {d_head} of the "
        "{d_model} features.",
        "scores = q @ k.mT / math.sqrt(q.shape[-1]), after the heads are split", scale="model"),
    row("scale-twice",
        "The scale is used twice: QKᵀ is divided by {divisor}; expected √d_head = {expected}.",
        "divide once: either q = q / math.sqrt(d_head) or scores / math.sqrt(d_head), and "
        "F.scaled_dot_product_attention divides by itself", scale="twice"),
    row("scale-multiplied",
        "QKᵀ is multiplied by √d_head = {expected}; expected it divided.",
        "scores = q @ k.mT / math.sqrt(d_head), or * d_head**-0.5", scale="multiplied"),
    *(row("scale-precedence",
          f"QKᵀ is divided by {name} = {{divisor}}; expected √d_head = {{expected}}. In Python d_head ** 1/2 is "
          "(d_head ** 1) / 2.",
          "math.sqrt(d_head), or d_head ** 0.5 with brackets around it", scale=key)
      for key, name in (("precedence", "2·d_head"), ("half", "d_head / 2"))),
    *(row("scale-wrong",
          f"QKᵀ is divided by {name} = {{divisor}}; expected √d_head = {{expected}}.",
          "scores = q @ k.mT / math.sqrt(d_head): d_head is q.shape[-1]", scale=key)
      for key, name in (("d_model", "d_model"), ("tokens", "√(number of tokens)"), ("heads", "√(number of heads)"))),
)  # fmt: skip

BY_VALUE_WIDTH = row(
    "scale-by-value-width",
    "The scale is √d_v = {divisor}, from the width of the values; expected √d_head = {expected}: a score is a sum over "
    "the features of a query and a key.",
    "scores = q @ k.mT / math.sqrt(k.shape[-1]), not v.shape[-1]", scale="values",
)  # fmt: skip


def other_scale(divisor: float) -> Fault:
    """A scale that has no name: the number that was found."""
    sentence = "QKᵀ is divided by {divisor}; expected √d_head = {expected}."
    fix = "scores = q @ k.mT / math.sqrt(d_head); look for a temperature, an eps or a fixed number"
    return row("scale-other", sentence, fix, scale=repr(divisor))


KEYS = (  # each is looked for alone, not with others: there would be too many
    *(row("key-lost",
          f"Nobody looks at the {place} token: its key is left out.",
          "a slice along the keys is off by one: look for [1:], [:-1] and range(…), and for a last block that is short",
          keys=f"but the {place}") for place in ("first", "last")),
    row("itself-hidden",
        "No token looks at itself: the diagonal of the scores is hidden.",
        "leave the diagonal as it is; torch.eye marks it", keys="but itself"),
    row("zero-key-added",
        "Each row shares its 1 with a key of zeros that no token has: rows of the weights sum to less than 1.",
        "no key of zeros (add_zero_attn), and no 1 added to the sum that exp(scores) is divided by", keys="and zeros"),
    *(row("values-shifted",
          f"The values are shifted against the keys: the weight of a token goes to the value of the one {side} it.",
          "keys and values in one order: look for .roll, and for a slice of one of the two", shifted=by)
      for by, side in ((1, "before"), (-1, "after"))),
    *(row("weights-unused",
          f"The weights have no effect: each query gets the {mixture} of all values.",
          "out = weights @ v; in einsum the keys have one letter in both: 'bhij,bhjd->bhid'", mixing=mixture)
      for mixture in ("sum", "mean")),
)  # fmt: skip

SOFTMAX = (
    row("softmax-over-queries",
        "The softmax runs over the queries: the columns of the weights sum to 1 and the rows do not.",
        "torch.softmax(scores, dim=-1)", softmax="query"),
    row("softmax-over-heads",
        "The softmax runs over the heads: for each query and key the heads share 1 among themselves.",
        "torch.softmax(scores, dim=-1); F.softmax without dim takes axis 1 of four", softmax="head"),
    row("softmax-over-batch",
        "The softmax runs over the batch: for each query and key the texts share 1 among themselves.",
        "torch.softmax(scores, dim=-1); F.softmax without dim takes axis 0 of three", softmax="batch"),
    row("softmax-over-all",
        "The softmax runs over queries and keys together: a whole matrix sums to 1, and not each of its rows.",
        "torch.softmax(scores, dim=-1), without flattening first", softmax="all"),
    row("softmax-missing",
        "There is no softmax: the scores themselves mix the values.",
        "weights = torch.softmax(scores, dim=-1); out = weights @ v", softmax="none"),
    row("softmax-replaced",
        "There is a sigmoid in place of the softmax: each weight is between 0 and 1, and rows do not sum to 1.",
        "weights = torch.softmax(scores, dim=-1)", softmax="sigmoid"),
    row("softmax-logarithm",
        "The weights are the logarithms of the softmax: none is above 0, and rows do not sum to 1.",
        "torch.softmax(scores, dim=-1); F.log_softmax is for losses", softmax="log"),
    row("softmax-twice",
        "The softmax is taken twice, which flattens every row.",
        "weights = torch.softmax(scores, dim=-1), once", softmax="twice"),
    row("scale-after-softmax",
        "The scale comes after the softmax: the weights are divided by √d_head = {expected}, and rows sum to "
        "{row_sum}.",
        "weights = torch.softmax(q @ k.mT / math.sqrt(d_head), dim=-1)", softmax="unscaled"),
    row("weights-transposed",
        "The weights are transposed before they mix the values: each token gets what was meant for the others.",
        "out = weights @ v, with weights [query, key]", mixing="transposed"),
)  # fmt: skip
