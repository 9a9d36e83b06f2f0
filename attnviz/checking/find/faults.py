"""Every known mistake: the change in `Variant` that makes it, the sentence that names it, and the fix.

{braces} are filled with the sizes of the layer. A table a kind, in the order in which they happen.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby, product

from attnviz.checking.call.signature import Signature
from attnviz.checking.read.layouts import NAMES


@dataclass(frozen=True)
class Fault:
    id: str
    changes: Mapping[str, str | float]  # fields of Variant
    sentence: str
    fix: str


def row(id: str, sentence: str, fix: str, **changes: str | float) -> Fault:
    return Fault(id, changes, sentence, fix)


AXES = (
    row("batch-and-time-swapped",
        "Texts attend to texts: the attention runs along the batch axis, so token 1 of one text attends to token 1 of "
        "the other texts and never to its neighbours.",
        "x is [batch, tokens, features]; build nn.MultiheadAttention with batch_first=True. If your layer takes "
        "[tokens, batch, features] on purpose, say check_attention(…, batch_first=False).", sequence="batch"),
    row("heads-look-at-heads",
        "Heads attend to heads, not tokens to tokens: QKᵀ is taken while the axes are [batch, token, head, feature].",
        "swap the axes before QKᵀ: q.view(B, T, H, d_head).transpose(1, 2), and the same for k and v. A function that "
        "takes [batch, token, head, feature] on purpose, as flash-attention does: check lambda q, k, v: "
        "f(q.transpose(1, 2), k.transpose(1, 2), v.transpose(1, 2)).transpose(1, 2)", split="unswapped"),
    row("heads-cut-across-tokens",
        "The heads are cut across tokens: .view(B, H, T, d_head) on [batch, token, H·d_head] mixes features of "
        "different tokens, it does not move the head axis.",
        "q.view(B, T, H, d_head).transpose(1, 2): first split the features, then move the axis", split="viewed"),
    row("one-head-instead",
        "The layer says it has {n_heads} heads, and it attends with one head over all {d_model} features.",
        "split q, k and v into heads before QKᵀ: .view(B, T, {n_heads}, {d_head}).transpose(1, 2)", heads="whole"),
)  # fmt: skip

K_AND_V_SWAPPED = row(
    "k-and-v-swapped", "K and V have changed places: the weights are made with the values, and the keys are mixed.",
    "weights = softmax(q @ k.mT / √d_head); out = weights @ v", projections="qvk",
)  # fmt: skip
Q_AND_K_SWAPPED = row(
    "q-and-k-swapped",
    "Q and K have changed places: row i holds what the other tokens ask of token i, not what token i asks.",
    "raw = q @ k.mT, so that rows are queries and columns are keys", projections="kqv",
)  # fmt: skip


def _mixed_projections() -> Iterator[Fault]:
    named = {fault.changes["projections"]: fault for fault in (K_AND_V_SWAPPED, Q_AND_K_SWAPPED)}
    for order in ("".join(letters) for letters in product("qkv", repeat=3)):
        wrong = [(right, used) for right, used in zip("qkv", order, strict=True) if right != used]
        parts = ", ".join(f"the {NAMES[right]} are made with W_{used.upper()}" for right, used in wrong)
        fix = "q = W_q(x); k = W_k(x); v = W_v(x): look for a line that was copied and not changed"
        sentence = f"The wrong matrices are used: {parts}."
        if wrong:
            yield named.get(order) or row("projection-mixed-up", sentence, fix, projections=order)


PROJECTIONS = tuple(_mixed_projections())

SKIPPED = tuple(
    row("projection-missing",
        f"W_{letters.upper()} is never used: the {NAMES[letters]} are x itself." if len(letters) == 1 else
        "W_Q, W_K and W_V are never used: queries, keys and values are x itself.",
        "q = W_q(x); k = W_k(x); v = W_v(x), then split into heads", skipped=letters)
    for letters in ("q", "k", "v", "qkv")
)  # fmt: skip

MATRICES = (
    *(row("matrix-untransposed",
          f"{'The weights are' if len(letters) > 1 else f'W_{letters.upper()} is'} used untransposed: torch keeps a "
          "Linear's weight as [out, in], so x @ layer.weight is not what the layer computes.",
          "call the layer, layer(x), or write x @ layer.weight.mT + layer.bias",
          flipped=letters) for letters in ("q", "k", "v", "o", "qkv", "qkvo")),
    *(row("bias-ignored",
          "The biases are ignored: the layers have them and the output is what comes without." if len(letters) > 1 else
          f"The bias of the {NAMES[letters]} projection is ignored: the layer has one and the output is what comes "
          "without.",
          "x @ W.mT + b, or call the layer itself; without biases build it with bias=False",
          unbiased=letters) for letters in ("q", "v", "o", "qkv", "qkvo")),
)  # fmt: skip

_SCALE = {  # the wrong divisors with a name: what is said where no other name means the same number, and the fix
    "1": ("scale-missing",
          "The scale is missing: QKᵀ goes into the softmax undivided, {expected} times too large for heads of width "
          "{d_head}.",
          "scores = q @ k.mT / math.sqrt(d_head); only T5 leaves it out on purpose, with matrices drawn smaller"),
    "√d_model": ("scale-by-model-width",
                 "The scale is √d_model = {divisor}; expected √d_head = {expected}. Each head has only {d_head} of the "
                 "{d_model} features.",
                 "scores = q @ k.mT / math.sqrt(q.shape[-1]), after the heads are split"),
    "d_head": ("scale-twice",
               "The scale is used twice: QKᵀ is divided by {divisor}; expected √d_head = {expected}.",
               "divide once: either q = q / math.sqrt(d_head) or scores / math.sqrt(d_head), and "
               "F.scaled_dot_product_attention divides by itself"),
    "1 / √d_head": ("scale-multiplied", "QKᵀ is multiplied by √d_head = {expected}; expected it divided.",
                    "scores = q @ k.mT / math.sqrt(d_head), or * d_head**-0.5"),
    **{name: ("scale-precedence",
              f"QKᵀ is divided by {name} = {{divisor}}; expected √d_head = {{expected}}. In Python d_head ** 1/2 is "
              "(d_head ** 1) / 2.",
              "math.sqrt(d_head), or d_head ** 0.5 with brackets around it") for name in ("2·d_head", "d_head / 2")},
    "√d_v": ("scale-by-value-width",
             "The scale is √d_v = {divisor}, from the width of the values; expected √d_head = {expected}: a score is a "
             "sum over the features of a query and a key.",
             "scores = q @ k.mT / math.sqrt(k.shape[-1]), not v.shape[-1]"),
    **{name: ("scale-wrong", f"QKᵀ is divided by {name} = {{divisor}}; expected √d_head = {{expected}}.",
              "scores = q @ k.mT / math.sqrt(d_head): d_head is q.shape[-1]")
       for name in ("√(all heads' features)", "d_model", "√(number of tokens)", "√(number of heads)")},
}  # fmt: skip
_SAME = "QKᵀ is divided by {divisor}, which with these sizes is {names} alike; expected √d_head = {expected}."
_OTHER = "QKᵀ is divided by {divisor}; expected √d_head = {expected}."


def scale_faults(d_model: int, n_heads: int, d_head: int, d_value: int, tokens: int) -> tuple[Fault, ...]:
    """A row for each wrong divisor; where several have the same number, one row that names them all."""
    numbers = {
        "1": 1.0, "√d_model": d_model**0.5, "√(all heads' features)": (n_heads * d_head) ** 0.5, "d_head": d_head,
        "1 / √d_head": d_head**-0.5, "2·d_head": 2.0 * d_head, "d_head / 2": d_head / 2, "√d_v": d_value**0.5,
        "d_model": d_model, "√(number of tokens)": tokens**0.5, "√(number of heads)": n_heads**0.5,
    }  # fmt: skip
    if d_model == n_heads * d_head:
        del numbers["√(all heads' features)"]  # the same by another name
    rows = []
    for divisor in dict.fromkeys(numbers.values()):
        names = [name for name, number in numbers.items() if number == divisor]
        id, sentence, fix = _SCALE[names[0]]
        sentence = _SAME.replace("{names}", " and ".join(names)) if len(names) > 1 else sentence
        words = {"divisor": divisor, "expected": d_head**0.5, "d_head": d_head, "d_model": d_model}
        filled = sentence.format(**{name: f"{number:.4g}" for name, number in words.items()})
        rows += [row(id, filled, fix, scale=float(divisor))] if divisor != d_head**0.5 else []
    return tuple(rows)


def other_scale(divisor: float, d_head: int) -> Fault:
    """A scale without a name: the number that was found."""
    fix = "scores = q @ k.mT / math.sqrt(d_head); look for a temperature, an eps or a fixed number"
    sentence = _OTHER.format(divisor=f"{divisor:.4g}", expected=f"{d_head**0.5:.4g}")
    return row("scale-other", sentence, fix, scale=divisor)


CAUSAL = (
    *(row("causal-misses-itself",
          "The causal mask is off by one: a token cannot attend to itself, so the first one can attend to nothing.",
          "torch.tril(ones), diagonal included; with triu mark what is forbidden: torch.triu(ones, diagonal=1)",
          causal="strict", blocked=blocked) for blocked in ("nan", "uniform", "zeros", "open")),
    row("causal-peeks-ahead",
        "The causal mask is off by one: each token sees the next one, the very token it should predict.",
        "torch.tril(ones), or forbid torch.triu(ones, diagonal=1), not diagonal=2", causal="peek"),
    *(row("causal-reversed",
          "The causal mask is reversed and hides the token itself too: each token sees only what comes after it, and "
          "the last one nothing.",
          "torch.tril(ones) marks what is seen: scores.masked_fill(tril == 0, -inf)",
          causal="ahead", blocked=blocked) for blocked in ("nan", "uniform", "zeros", "open")),
    row("causal-after-softmax",
        "The causal mask comes after the softmax: the tokens that are hidden still take their share, and rows sum to "
        "less than 1.",
        "mask the scores, then softmax: torch.softmax(scores.masked_fill(tril == 0, -inf), dim=-1)", causal="after"),
    row("causal-as-zero-score", "Tokens to come get the score 0, not −∞: e⁰ = 1 still takes weight.",
        "scores.masked_fill(tril == 0, float('-inf')); multiplying the scores by tril gives 0", causal="zero"),
    row("causal-reversed", "The causal mask is reversed: each token sees only itself and what comes after it.",
        "torch.tril(ones) marks what is seen; torch.triu(ones, diagonal=1) what is not", causal="reversed"),
)  # fmt: skip
CAUSAL_MISSING = row(
    "causal-missing", "Nothing hides the future: each token sees the tokens after it. Expected causal attention.",
    "scores.masked_fill(torch.triu(ones(T, T), diagonal=1).bool(), -inf) before the softmax", causal="no",
)  # fmt: skip
CAUSAL_UNASKED = row(
    "causal-unasked", "Each token sees only itself and what comes before it, and no causal mask was expected.",
    "leave out the triangle, or say check_attention(…, is_causal=True)", causal="right",
)  # fmt: skip

MASK = (
    row("mask-ignored", "The mask is ignored: with it and without it the output is the same.",
        "scores = scores.masked_fill(~mask, -inf) gives a new tensor: keep what it returns", mask="ignored"),
    *(row("mask-inverted",
          "The mask is read the wrong way round: each token attends only where the mask says it cannot.",
          "{invert}", mask="inverted", blocked=blocked) for blocked in ("nan", "uniform", "zeros")),
    row("mask-after-softmax",
        "The mask comes after the softmax: hidden tokens still take their share, and rows sum to less than 1.",
        "mask the scores, then softmax: torch.softmax(scores.masked_fill(~mask, -inf), dim=-1)", mask="after"),
    row("mask-as-zero-score", "Hidden tokens get the score 0, not −∞: e⁰ = 1 still takes weight.",
        "scores.masked_fill(~mask, float('-inf')); multiplying by the mask, or filling with 1e-9 for -1e9, gives 0",
        mask="zero"),
    *(row("mask-transposed", "The mask is used transposed: its rows are taken for keys and its columns for queries.",
          "mask[query, key]: rows are queries, as in the scores",
          mask="transposed", blocked=blocked) for blocked in ("zeros", "nan", "uniform", "open")),
    row("mask-added-as-number", "The bool mask is added as a number: True raises a score by 1 and False hides nothing.",
        "scores.masked_fill(~mask, -inf), or add float('-inf') where a token cannot attend", mask="number"),
)  # fmt: skip
BLOCKED = {
    blocked: row("blocked-row-looks-everywhere", f"A query that can attend to nothing {sentence}",
                 "scores.masked_fill(~mask, -inf), and weights.masked_fill(~mask.any(-1, keepdim=True), 0) after the "
                 "softmax", blocked=blocked)
    for blocked, sentence in (
        ("uniform", "attends to all tokens alike: a large finite number such as -1e9 hides nothing when a whole row "
                    "has it. nn.MultiheadAttention gives NaN there, ours zeros."),
        ("open", "attends as if there were no mask: adding the same large number to a whole row changes nothing. "
                 "nn.MultiheadAttention gives NaN there, ours zeros."),
    )
}  # fmt: skip

KEYS_LOST = tuple(  # looked for alone, not with others: there would be too many
    row("key-lost", f"No query attends to the {place} token: its key is left out.",
        "a slice along the keys is off by one: look for [1:], [:-1] and range(…), and for a last block that is short",
        keys=f"but the {place}") for place in ("first", "last")
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
    row("softmax-missing", "There is no softmax: the scores themselves mix the values.",
        "weights = torch.softmax(scores, dim=-1); out = weights @ v", softmax="none"),
    row("softmax-replaced",
        "There is a sigmoid in place of the softmax: each weight is between 0 and 1, and rows do not sum to 1.",
        "weights = torch.softmax(scores, dim=-1)", softmax="sigmoid"),
    row("softmax-twice", "The softmax is taken twice, which flattens every row.",
        "weights = torch.softmax(scores, dim=-1), once", softmax="twice"),
    row("scale-after-softmax",
        "The scale comes after the softmax: the weights are divided by √d_head = {expected}, and rows sum to "
        "{row_sum}.",
        "weights = torch.softmax(q @ k.mT / math.sqrt(d_head), dim=-1)", softmax="unscaled"),
    row("weights-transposed",
        "The weights are transposed before they mix the values: each token gets what was meant for the others.",
        "out = weights @ v, with weights [query, key]", mixing="transposed"),
)  # fmt: skip

ENDS = (
    row("heads-joined-without-swap",
        "The heads are joined in the wrong order: [batch, head, token, feature] is reshaped to [batch, token, "
        "features] without swapping head and token first, so tokens are mixed.",
        "context.transpose(1, 2).reshape(B, T, H * d_head)", merge="viewed"),
    row("output-projection-missing",
        "W_O is never used: what comes out are the joined heads before the output projection.",
        "return self.out_proj(context)", out="missing"),
    row("residual-added",
        "The input is added to the output: that is the residual connection, which belongs to the block around "
        "attention.",
        "return out, and write x + attention(x) in the block", out="residual"),
)  # fmt: skip


def faults_for(sizes: Mapping[str, int]) -> tuple[Fault, ...]:
    """Every mistake without a mask in a layer of these sizes, in the order in which they happen."""
    return AXES + PROJECTIONS + SKIPPED + MATRICES + scale_faults(**sizes) + CAUSAL + SOFTMAX + ENDS


DETACHED = tuple(
    row("gradient-cut", f"The gradient is cut at {name}: {dead}.",
        "look for .detach(), .data, .item(), torch.tensor(…) or torch.no_grad() there", detached=place)
    for place, name, dead in (
        ("weights", "the weights", "Q and K never learn where to look"),
        ("q", "the queries", "W_Q never learns"),
        ("k", "the keys", "W_K never learns"),
        ("v", "the values", "W_V never learns"),
        ("context", "the context", "only the output projection learns"),
        ("input", "the input", "layers below this one never learn"),
    )
)  # fmt: skip


def texts_mixed_up(signature: Signature) -> tuple[Fault, ...]:
    """One row for each way in which a layer of several inputs may mix them up; none for a layer of x alone."""
    if signature.n_inputs == 1:
        return ()
    usual = ("x", "memory", "memory") if signature.n_inputs == 2 else ("query", "key", "value")
    named = dict(zip(signature.places, signature.names, strict=False))
    names = [named.get(min(place, signature.n_inputs - 1), usual[place]) for place in range(3)]  # memory: key and value
    sources, right = ("qk", "qkk") if signature.n_inputs == 2 else ("qkv", "qkv")
    ways = ["".join(way) for way in product(sources, repeat=3)]
    ways.sort(key=lambda way: sum(one != other for one, other in zip(way, right, strict=True)))
    return tuple(_text_mixed_up(way, names) for way in ways if way != right)


def _text_mixed_up(reads: str, names: list[str]) -> Fault:
    """reads: of which input the queries, keys and values are made."""
    used = [names["qkv".index(letter)] for letter in reads]
    parts = []
    wrong = [place for place in range(3) if used[place] != names[place]]
    for (came, expected), places in groupby(wrong, key=lambda place: (used[place], names[place])):
        made = " and ".join(NAMES["qkv"[place]] for place in places)
        parts.append(f"the {made} are made of {came}, expected of {expected}")
    unread = [name for name in dict.fromkeys(names) if name not in used]
    sentence = f"The wrong text is read: {'; '.join(parts)}."
    sentence += f" Nothing is made of {' or '.join(unread)}." if unread else ""
    fix = "; ".join(f"{letter} = W_{letter}({name})" for letter, name in zip("qkv", names, strict=True))
    return row("texts-mixed-up", sentence, fix, reads=reads)
