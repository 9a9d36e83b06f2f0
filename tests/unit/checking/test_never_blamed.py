"""What computes attention rightly is never called wrong, however its matrices lie and its arguments are ordered."""

import math
from itertools import permutations, product
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional as F

import attnviz as av
from tests.unit.checking.layers import Right, broken, only, right, unscaled

AXES = {"p": 3, "h": 3, "d": 8}  # of the rows of a fused matrix: part, head, feature
MEMORY_FIRST = [
    ("memory", "x"), ("context", "x"), ("context", "query"), ("kv", "q"), ("key_value", "query"), ("a", "b"),
    ("encoder", "decoder"), ("encoder_output", "decoder_input"), ("enc_out", "dec_in"), ("src", "tgt"), ("x", "y"),
    ("source", "target"), ("keys", "queries"), ("encoder_hidden_states", "hidden_states"), ("image", "text"),
    ("y", "x"), ("left", "right"), ("document", "question"), ("input", "output"), ("memory_states", "states"),
    ("inputs_kv", "inputs_q"),
]  # fmt: skip


def attended(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return F.scaled_dot_product_attention(q, k, v)


def heads(rows: Tensor, order: str, **sizes: int) -> Tensor:
    """What a matrix with its rows in this order makes, [B, T, rows], as [part, B, H, T, d_k]."""
    split = rows.unflatten(-1, [sizes[axis] for axis in order])
    places = [order.index(axis) + 2 for axis in "phd" if axis in order]
    moved = split.permute(*places[:-2], 0, places[-2], 1, places[-1])
    return moved if "p" in order else moved[None]


def joined(context: Tensor, order: str) -> Tensor:
    """[B, H, T, d_v] -> [B, T, H·d_v] with heads outside or features outside."""
    return context.permute(0, 2, *((1, 3) if order == "hd" else (3, 1))).flatten(2)


class Fused(nn.Module):
    """One matrix for q, k and v, whose rows lie in any order; W_O reads the heads in either."""

    def __init__(self, rows: str, columns: str, *, bias: bool = True) -> None:
        super().__init__()
        self.n_heads, self.rows, self.columns = 3, rows, columns
        self.qkv, self.proj = nn.Linear(24, 72, bias), nn.Linear(24, 24, bias)

    def attend(self, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        return attended(q, k, v)

    def forward(self, x: Tensor) -> Tensor:
        return self.proj(joined(self.attend(*heads(self.qkv(x), self.rows, **AXES)), self.columns))


ORDERS = [("".join(rows), columns) for rows, columns in product(permutations("phd"), ("hd", "dh"))]


@pytest.mark.parametrize(("rows", "columns"), ORDERS)
def test_a_fused_matrix_may_lie_in_any_order(rows: str, columns: str) -> None:
    report = right(Fused(rows, columns, bias=columns == "hd"))
    is_usual = (rows, columns) == ("phd", "hd")
    assert any(note.id == "parameters-read" for note in report.notes) is not is_usual


@pytest.mark.parametrize(("rows", "columns"), ORDERS)
def test_a_mistake_is_named_in_any_order(rows: str, columns: str) -> None:
    only(broken(Fused, rows, columns, attend=lambda s, q, k, v: attended(q * math.sqrt(8), k, v)), "scale-missing")


@pytest.mark.parametrize("split", ["hd", "dh"])
@pytest.mark.parametrize("join", ["hd", "dh"])
def test_heads_may_be_neighbouring_features_or_every_third(split: str, join: str) -> None:
    methods = {
        "split": lambda self, x: heads(x, split, h=3, d=8)[0],
        "join": lambda self, context: joined(context, join),
    }
    right(broken(Right, **methods))
    only(broken(Right, **methods, scores=unscaled), "scale-missing")


@pytest.mark.parametrize("orders", list(product(("hd", "dh"), repeat=3)), ids="-".join)
def test_each_matrix_may_have_its_heads_in_an_order_of_its_own(orders: tuple[str, ...]) -> None:
    class Mixed(Right):
        def forward(self, x: Tensor) -> Tensor:  # type: ignore[override]
            made = zip((self.w_q, self.w_k, self.w_v), orders, strict=True)
            return self.w_o(self.join(attended(*(heads(w(x), order, h=3, d=8)[0] for w, order in made))))

    right(Mixed())


@pytest.mark.parametrize("q_order", ["hd", "dh"])
@pytest.mark.parametrize("kv_order", ["".join(rows) for rows in permutations("phd")])
def test_one_matrix_for_keys_and_values_may_lie_otherwise_than_the_queries(q_order: str, kv_order: str) -> None:
    class Shared(Right):
        def __init__(self) -> None:
            nn.Module.__init__(self)
            self.n_heads, self.to_q, self.to_kv, self.w_o = 3, nn.Linear(24, 24), nn.Linear(24, 48), nn.Linear(24, 24)

        def forward(self, x: Tensor) -> Tensor:  # type: ignore[override]
            made = heads(self.to_kv(x), kv_order, p=2, h=3, d=8)
            return self.w_o(self.join(attended(heads(self.to_q(x), q_order, h=3, d=8)[0], *made)))

    right(Shared())


@pytest.mark.parametrize("axes", ["".join(axes) for axes in permutations("hid")])
@pytest.mark.parametrize("output", ["".join(axes) for axes in permutations("hdo")])
def test_raw_matrices_may_have_their_axes_in_any_order(axes: str, output: str) -> None:
    sizes = {"h": 3, "i": 12, "d": 4, "o": 12}

    class Raw(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            for letter in "qkv":
                self.register_parameter(f"W_{letter}", nn.Parameter(torch.randn([sizes[axis] for axis in axes])))
            self.W_o = nn.Parameter(torch.randn([sizes[axis] for axis in output]))

        def forward(self, x: Tensor) -> Tensor:
            made = (torch.einsum(f"bti,{axes}->bhtd", x, self.get_parameter(f"W_{letter}")) for letter in "qkv")
            return torch.einsum(f"bhtd,{output}->bto", attended(*made), self.W_o)

    right(Raw())


@pytest.mark.parametrize("axes", ["hid", "dhi", "idh"])
@pytest.mark.parametrize("bias", ["hd", "dh"])
@pytest.mark.parametrize("width", [4, 3])
def test_raw_biases_may_have_their_axes_in_any_order(axes: str, bias: str, width: int) -> None:
    sizes = {"h": 3, "i": 12, "d": width, "o": 12}

    class Raw(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            for letter in "qkv":
                self.register_parameter(f"W_{letter}", nn.Parameter(torch.randn([sizes[axis] for axis in axes])))
                self.register_parameter(f"b_{letter}", nn.Parameter(torch.randn([sizes[axis] for axis in bias])))
            self.W_o = nn.Parameter(torch.randn(3, width, 12))

        def forward(self, x: Tensor) -> Tensor:
            named = [(self.get_parameter(f"W_{letter}"), self.get_parameter(f"b_{letter}")) for letter in "qkv"]
            biases = [b if bias == "hd" else b.T for _, b in named]  # [H, d_k] each
            made = [
                torch.einsum(f"bti,{axes}->bhtd", x, w) + b[:, None] for (w, _), b in zip(named, biases, strict=True)
            ]
            return torch.einsum("bhtd,hdo->bto", attended(*made), self.W_o)

    right(Raw())


PARTS = ["".join(letters) for letters in permutations("qkv")]


class Parts(nn.Module):
    """One matrix of three parts in any order, which its name may or may not say; G key heads for three of queries."""

    def __init__(self, name: str, parts: str, *, n_key_heads: int = 3) -> None:
        super().__init__()
        self.n_heads, self.name, self.parts, self.proj = 3, name, parts, nn.Linear(24, 24)
        self.widths = [24 if part == "q" else 8 * n_key_heads for part in parts]
        self.add_module(name, nn.Linear(24, sum(self.widths)))

    def attend(self, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        return attended(q, k, v)

    def forward(self, x: Tensor) -> Tensor:
        made = dict(zip(self.parts, self.get_submodule(self.name)(x).split(self.widths, -1), strict=True))
        q, k, v = (heads(made[part], "hd", h=made[part].shape[-1] // 8, d=8)[0] for part in "qkv")
        return self.proj(joined(self.attend(q, *(x.repeat_interleave(3 // x.shape[1], 1) for x in (k, v))), "hd"))


@pytest.mark.parametrize("parts", PARTS)
def test_a_fused_matrix_may_say_its_order_in_its_name(parts: str) -> None:
    assert not any(note.id == "parameters-read" for note in right(Parts(f"to_{parts}", parts)).notes)


@pytest.mark.parametrize("name", ["c_attn", "in_proj", "to_qkv"])
@pytest.mark.parametrize("parts", PARTS[1:])
def test_a_fused_matrix_may_lie_in_an_order_that_its_name_does_not_say(parts: str, name: str) -> None:
    (note,) = right(Parts(name, parts)).notes
    words = [{"q": "queries", "k": "keys", "v": "values"}[part] for part in parts]
    assert note.sentence == f"The parts of the fused matrix are {words[0]}, {words[1]} and {words[2]}."


@pytest.mark.parametrize("parts", PARTS)
def test_shared_keys_may_stand_before_the_queries(parts: str) -> None:
    right(Parts("c_attn", parts, n_key_heads=1))


def test_a_mistake_in_an_order_that_no_name_says_is_named() -> None:
    only(broken(Parts, "c_attn", "vkq", attend=lambda s, q, k, v: attended(q * math.sqrt(8), k, v)), "scale-missing")


class TokensFirst(Right):
    """A layer of [T, B, d_model] that does not say so."""

    def forward(self, x: Tensor, memory: Tensor | None = None, mask: Tensor | None = None) -> Tensor:  # type: ignore[override]
        x, memory = (None if part is None else part.transpose(0, 1) for part in (x, memory))
        read = x if memory is None else memory
        q, k, v = (self.split(w(part)) for w, part in ((self.w_q, x), (self.w_k, read), (self.w_v, read)))
        return self.w_o(self.join(self.attend(q, k, v, mask)[0])).transpose(0, 1)


class ThreeTokensFirst(TokensFirst):
    def forward(self, query: Tensor, key: Tensor, value: Tensor) -> Tensor:  # type: ignore[override]
        q, k, v = (w(x).transpose(0, 1) for w, x in ((self.w_q, query), (self.w_k, key), (self.w_v, value)))
        return self.w_o(self.join(self.attend(*map(self.split, (q, k, v)), None)[0])).transpose(0, 1)


class Wrapped(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.attention = nn.MultiheadAttention(24, 3)

    def forward(self, x: Tensor) -> Tensor:
        return self.attention(x, x, x, need_weights=False)[0]


def causal(self: Right, scores: Tensor, mask: Tensor | None) -> Tensor:
    allowed = torch.ones_like(scores, dtype=torch.bool).tril()
    return scores.masked_fill(~(allowed if mask is None else allowed & mask), -math.inf)


@pytest.mark.parametrize(
    "layer", [TokensFirst(), ThreeTokensFirst(), Wrapped(), broken(TokensFirst, hide=causal)], ids=range(4)
)
def test_a_layer_may_take_the_tokens_first_without_saying_so(layer: nn.Module) -> None:
    report = right(layer)
    (sentence,) = (note.sentence for note in report.notes if note.id == "tokens-first")
    assert sentence == "It takes [tokens, batch, features]: the attention runs along the first axis."
    asked = av.check_attention(layer, batch_first=True)
    assert "batch-and-time-swapped" in [finding.id for finding in asked.findings]
    assert not any(note.id == "tokens-first" for note in av.check_attention(layer, batch_first=False).notes)


def test_a_mistake_in_a_layer_that_takes_the_tokens_first_is_named() -> None:
    only(broken(TokensFirst, scores=unscaled), "scale-missing")


def crossing(names: tuple[str, str], **methods: object) -> nn.Module:
    """A layer whose first argument makes the keys and values, and whose second the queries."""
    layer: dict[str, object] = {"Right": Right}
    arguments, (memory, query) = ", ".join(names), names
    body = f"q, k, v = self.w_q({query}), self.w_k({memory}), self.w_v({memory})"
    exec(
        f"def forward(self, {arguments}):\n    {body}\n    found = self.attend(*map(self.split, (q, k, v)), None)[0]\n"
        "    return self.w_o(self.join(found))",
        layer,
    )
    return broken(Right, forward=layer["forward"], **methods)


@pytest.mark.parametrize("arguments", ["mask, x", "attn_mask, hidden_states", "mask=None, x=None"])
def test_a_mask_may_be_the_first_argument(arguments: str) -> None:
    mask, x = (argument.partition("=")[0] for argument in arguments.split(", "))
    names: dict[str, Any] = {"Right": Right}
    exec(
        f"class First(Right):\n    def forward(self, {arguments}):\n        return Right.forward(self, {x}, {mask})",
        names,
    )
    assert f"{mask} (bool" in str(right(names["First"]()))


@pytest.mark.parametrize("names", MEMORY_FIRST, ids="-".join)
def test_the_memory_may_be_the_first_argument_whatever_it_is_called(names: tuple[str, str]) -> None:
    report = right(crossing(names))
    assert any(note.id == "arguments-read" and f"{names[1]} (queries)" in note.sentence for note in report.notes)


def test_a_mistake_beside_a_memory_that_comes_first_is_named() -> None:
    only(crossing(("memory", "x"), scores=unscaled), "scale-missing")


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_three_arguments_without_telling_names_may_come_in_any_order(order: tuple[int, ...]) -> None:
    class Ordered(Right):
        def forward(self, a: Tensor, b: Tensor, c: Tensor) -> Tensor:  # type: ignore[override]
            q, k, v = ((a, b, c)[place] for place in order)
            return self.w_o(self.join(attended(*map(self.split, (self.w_q(q), self.w_k(k), self.w_v(v))))))

    right(Ordered())


@pytest.mark.parametrize("batch_first", [True, False])
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("options", [
    {"add_zero_attn": True}, {"add_bias_kv": True}, {"add_zero_attn": True, "add_bias_kv": True},
    {"kdim": 10, "vdim": 14}, {"kdim": 10, "add_bias_kv": True},
], ids=str)  # fmt: skip
def test_torchs_layer_is_right_with_every_option(options: dict[str, int], bias: bool, batch_first: bool) -> None:
    report = right(nn.MultiheadAttention(24, 3, bias=bias, batch_first=batch_first, **options))
    assert {"weights", "gradients"} <= set(report.checked)


class Wrapped(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.attention = nn.MultiheadAttention(24, 3, batch_first=True)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
        return self.attention(x, x, x, attn_mask=mask)


class UnmaskedMean(Wrapped):
    def forward(self, x: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
        return super().forward(x, mask)[0], super().forward(x)[1]


def test_weights_averaged_over_the_heads_as_torch_does_are_noted() -> None:
    assert "heads-averaged" in [note.id for note in right(Wrapped()).notes]


def test_averaged_weights_of_another_call_are_named() -> None:
    only(UnmaskedMean(), "weights-without-mask")


class OneHead(Right):
    """As in a well-known lecture: one head of width 16, without W_O, scaled by the 64 features of the vectors."""

    def __init__(self) -> None:
        nn.Module.__init__(self)
        self.key, self.query, self.value = (nn.Linear(64, 16, bias=False) for _ in range(3))

    def forward(self, x: Tensor) -> Tensor:  # type: ignore[override]
        weights = (self.query(x) @ self.key(x).mT * x.shape[-1] ** -0.5).softmax(-1)
        return weights @ self.value(x)


def test_the_width_of_the_vectors_is_named_before_what_happens_to_be_the_same_number() -> None:
    sentence = only(OneHead(), "scale-by-model-width", "√d_model and d_head / 2 alike").sentence
    assert sentence == (
        "QKᵀ is divided by 8, which with these sizes is √d_model and d_head / 2 alike; expected √d_head = 4."
    )


def test_where_the_cause_is_not_known_it_is_said() -> None:
    layer = broken(scores=lambda s, q, k: torch.tanh(q @ k.mT / math.sqrt(8)))
    report = av.check_attention(layer)
    assert [finding.id for finding in report.findings] == ["differs"]
    assert str(report).startswith("Broken: it differs from ours, and the cause is not known.\n")


class Translates(nn.Module):
    """Torch's layer behind masks of another convention."""

    def __init__(self, given: str, convention: str) -> None:
        super().__init__()
        self.attention = nn.MultiheadAttention(24, 3, batch_first=True)
        self.given = given
        self.translate = {"kept": lambda mask: mask, "inverted": lambda mask: ~mask, "zeros": lambda mask: mask == 0}[
            convention
        ]

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        masks = {} if mask is None else {self.given: self.translate(mask)}
        return self.attention(x, x, x, **masks)[0]


@pytest.mark.parametrize("given", ["attn_mask", "key_padding_mask"])
@pytest.mark.parametrize(
    ("convention", "means"), [("kept", "cannot attend"), ("inverted", "can attend"), ("zeros", "can attend")]
)
def test_torchs_layer_may_be_given_a_mask_of_either_convention(given: str, convention: str, means: str) -> None:
    report = right(Translates(given, convention))
    assert f"True = {means}" in str(report)
