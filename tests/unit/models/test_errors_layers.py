"""What an attention layer cannot use is refused in a sentence: what was expected and what came."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import pytest
import torch

import attnviz as av
from attnviz.core.errors import AttnvizError, InputError, MaskError, TraceShapeError
from attnviz.models import KeyValueCache, MultiHeadAttention, SelfAttention, TransformerConfig, causal_mask

X = torch.randn(2, 5, 16, generator=torch.Generator().manual_seed(0))  # [B, T, D]
NAN = X.masked_fill(torch.arange(160).reshape(2, 5, 16) == 115, math.nan)  # at [1, 2, 3]
TRUE = torch.ones(5, 5, dtype=torch.bool)  # [T, T]
LAYER = MultiHeadAttention(16, 4).eval()

TOKENS = [
    (TraceShapeError, "query holds 2 texts of 5 tokens with 15 features; expected 16", {"query": X[..., 1:]}),
    (TraceShapeError, "query has shape [16]; expected [batch, tokens, 16]", {"query": X[0, 0]}),
    (InputError, "query holds 2 texts of 0 tokens; expected at least one of each", {"query": X[:, :0]}),
    (InputError, "query came as list; expected a tensor. Convert it with torch.as_tensor()", {"query": X.tolist()}),
    (InputError, "key came as ndarray; expected a tensor", {"query": X, "key": X.numpy()}),
    (InputError, "value came as torch.sparse_coo; expected a dense tensor", {"query": X, "value": X.to_sparse()}),
    (
        InputError,
        "query came as a nested tensor; expected one shape for all texts. Fill them up with x.to_padded_tensor(0.0)",
        {"query": torch.nested.nested_tensor([X[0], X[1, :3]], layout=torch.jagged)},
    ),
    (
        TraceShapeError,
        "key holds 2 texts of 5 tokens and value 2 texts of 4 tokens; expected as many of both",
        {"query": X, "key": X.clone(), "value": X[:, 1:]},
    ),
    (
        TraceShapeError,
        "query holds 2 texts of 5 tokens and key 3 texts of 5 tokens; expected equally many texts. If the two are "
        "mixed up, the layer's batch_first says otherwise than your tensors",
        {"query": X, "key": torch.randn(3, 5, 16)},
    ),
    (
        TraceShapeError,
        "query is on meta and the layer on cpu; expected one device. Move one of them: query.to('cpu')",
        {"query": X.to("meta")},
    ),
    (TraceShapeError, "key is on meta and the layer on cpu", {"query": X, "key": X.to("meta")}),
    (TraceShapeError, "query holds torch.float64 and the layer torch.float32", {"query": X.double()}),
    (InputError, "query holds 1 NaN or infinite numbers, the first at text 1, token 2, feature 3", {"query": NAN}),
    (InputError, "query holds 1 NaN or infinite numbers", {"query": NAN.nan_to_num(math.inf)}),
    (InputError, "key holds 1 NaN or infinite numbers", {"query": X, "key": NAN}),
    (InputError, "value holds 1 NaN or infinite numbers", {"query": X, "key": X, "value": NAN}),
]
MASKS = [
    (MaskError, "mask has shape [5, 4]; expected [queries, keys] = [5, 5]", {"mask": TRUE[:, 1:]}),
    (MaskError, "mask has shape [2, 5, 5]; expected", {"mask": TRUE.expand(2, 5, 5)}),
    (MaskError, "as SelfAttention reads it, pass mask[:, None]", {"mask": TRUE.expand(2, 5, 5)}),
    (MaskError, "broadcasts to [2, 4, 5, 5]", {"mask": TRUE.expand(3, 1, 5, 5)}),
    (MaskError, "mask holds torch.int64; expected bool (True = may look) or float", {"mask": TRUE.long()}),
    (InputError, "mask came as list; expected a tensor", {"mask": TRUE.tolist()}),
    (MaskError, "The mask holds NaN or +∞", {"mask": torch.full((5, 5), math.nan)}),
    (TraceShapeError, "mask is on meta and the layer on cpu; expected one device", {"mask": TRUE.to("meta")}),
    (MaskError, "is_token has shape [2, 4]; expected [2, 5]", {"is_token": TRUE[:2, :4]}),
    (MaskError, "is_token has shape []; expected [2, 5]", {"is_token": TRUE[0, 0]}),
    (MaskError, "is_token holds torch.float32; expected bool, True where a token stands", {"is_token": X[..., 0]}),
    (InputError, "is_token came as ndarray; expected a tensor", {"is_token": np.ones((2, 5), dtype=bool)}),
    (TraceShapeError, "is_token is on meta and the layer on cpu", {"is_token": TRUE[:2].to("meta")}),
]


@pytest.mark.parametrize(("kind", "sentence", "arguments"), TOKENS, ids=[sentence[:60] for _, sentence, _ in TOKENS])
def test_tokens_that_do_not_fit_are_refused(kind: type[AttnvizError], sentence: str, arguments: dict) -> None:
    with pytest.raises(kind, match=re.escape(sentence)):
        LAYER(**arguments)


@pytest.mark.parametrize("kernel", ["explicit", "fused"])
@pytest.mark.parametrize(("kind", "sentence", "arguments"), MASKS, ids=[sentence[:60] for _, sentence, _ in MASKS])
def test_masks_that_do_not_fit_are_refused(
    kind: type[AttnvizError], sentence: str, arguments: dict, kernel: str
) -> None:
    with pytest.raises(kind, match=re.escape(sentence)):
        LAYER(X, **arguments, kernel=kernel)


def test_a_layer_of_torchs_layout_refuses_the_same() -> None:
    layer = MultiHeadAttention(16, 4, batch_first=False)
    with pytest.raises(InputError, match="query came as list; expected a tensor"):
        layer(X.tolist())
    with pytest.raises(TraceShapeError, match="query holds 5 texts of 2 tokens with 15 features; expected 16"):
        layer(X[..., 1:])  # [T, B, D]: 2 tokens, 5 texts
    with pytest.raises(TraceShapeError, match="query holds 5 texts of 2 tokens and key 4 texts of 3 tokens"):
        layer(X, torch.randn(3, 4, 16))
    with pytest.raises(InputError, match="the first at text 2, token 1, feature 3"):
        layer(NAN)  # at [1, 2, 3]
    with pytest.raises(MaskError, match=r"is_token has shape \[2, 5\]; expected \[5, 2\], \[batch, keys\]"):
        layer(X, is_token=TRUE[:2])


def test_self_attention_refuses_what_does_not_fit() -> None:
    with pytest.raises(TraceShapeError, match="query holds 2 texts of 5 tokens with 15 features; expected 16"):
        SelfAttention(16)(torch.randn(2, 5, 15))
    with pytest.raises(MaskError, match=r"mask has shape \[4, 4\]"):
        SelfAttention(16)(torch.randn(2, 5, 16), mask=causal_mask(4))
    with pytest.raises(InputError, match="query holds 1 NaN or infinite numbers"):
        SelfAttention(16)(NAN)


def test_a_wrong_mask_is_told_which_axes_this_layer_reads() -> None:
    each_text = torch.ones(2, 1, 5, 5, dtype=torch.bool)
    with pytest.raises(MaskError, match=r"\[queries, keys\] = \[5, 5\], or to \[2, 5, 5\]: a mask for each text"):
        SelfAttention(16)(X, mask=each_text)
    with pytest.raises(MaskError, match=r"as SelfAttention reads it, pass mask\[:, None\]"):
        LAYER(X, mask=each_text[:, 0])
    with pytest.raises(MaskError, match=r"or to \[2, 4, 5, 5\]: the axes are batch, head, query, key"):
        av.scaled_dot_product_attention(*[torch.randn(2, 4, 5, 8)] * 3, each_text[:, 0])


@pytest.mark.parametrize(("d_model", "n_heads", "advice"), [(10, 4, "8 or 12"), (3, 4, "4")])
def test_a_width_that_the_heads_cannot_share_is_refused(d_model: int, n_heads: int, advice: str) -> None:
    sentence = rf"d_model={d_model} cannot be shared equally by n_heads={n_heads}.*Choose d_model={advice}"
    with pytest.raises(InputError, match=sentence):
        MultiHeadAttention(d_model, n_heads)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"d_model": 0}, "d_model is 0; expected at least 1"),
        ({"d_model": -8}, "d_model is -8; expected at least 1"),
        ({"n_heads": 2.0}, "n_heads is 2.0; expected a whole number"),
        ({"n_heads": 0}, "n_heads is 0; expected at least 1"),
        ({"dropout": 1.0}, "dropout is 1.0; expected 0 <= dropout < 1"),
        ({"dropout": -0.1}, "dropout is -0.1; expected 0 <= dropout < 1"),
        ({"head_value_dim": 0}, "head_value_dim is 0; expected at least 1"),
        ({"key_width": 0}, "key_width is 0; expected at least 1"),
        ({"value_width": -1}, "value_width is -1; expected at least 1"),
    ],
)
def test_a_layer_that_cannot_be_built_is_refused(arguments: dict[str, object], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        MultiHeadAttention(**{"d_model": 8, "n_heads": 4, **arguments})  # type: ignore[arg-type]


def test_a_head_without_width_is_refused() -> None:
    with pytest.raises(InputError, match="width is 0; expected at least 1"):
        SelfAttention(8, 0)


def test_a_kernel_that_does_not_exist_is_refused() -> None:
    with pytest.raises(InputError, match=r"kernel is 'flash'\. Expected one of 'explicit', 'fused'; check"):
        LAYER(X, kernel="flash")  # type: ignore[arg-type]


def test_another_torch_layer_is_refused() -> None:
    with pytest.raises(InputError, match=r"Linear came; expected a torch\.nn\.MultiheadAttention"):
        MultiHeadAttention.from_torch(torch.nn.Linear(4, 4))  # type: ignore[arg-type]


@pytest.mark.parametrize("extra", ["add_bias_kv", "add_zero_attn"])
def test_a_torch_layer_with_keys_of_its_own_is_refused(extra: str) -> None:
    with pytest.raises(InputError, match="adds keys that belong to no token"):
        MultiHeadAttention.from_torch(torch.nn.MultiheadAttention(16, 4, **{extra: True}))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"q": X.tolist()}, "q came as list. Expected a tensor"),
        ({"k": X.numpy()}, "k came as ndarray. Expected a tensor"),
        ({"v": X.to_sparse()}, "v came as torch.sparse_coo. Expected a dense tensor"),
        ({"mask": TRUE.tolist()}, "mask came as list. Expected a tensor"),
        ({"bias": 1.0}, "bias came as float. Expected a tensor"),
        ({"kernel": "flash"}, "kernel is 'flash'. Expected one of 'explicit', 'fused'"),
        ({"dropout": 1.5}, "dropout is 1.5. Expected a number from 0 to 1"),
        ({"softcap": 0.0}, "softcap is 0.0. Expected a number above 0"),
        ({"dropout": "a"}, "dropout is 'a'. Expected a number from 0 to 1"),
        ({"dropout": None}, "dropout is None. Expected a number from 0 to 1"),
        ({"softcap": "a"}, "softcap is 'a'. Expected a number above 0"),
        ({"scale": "a"}, "scale is 'a'. Expected a finite number; None stands for 1/√Dh"),
        ({"scale": math.nan}, "scale is nan. Expected a finite number; None stands for 1/√Dh"),
        ({"q": X[..., :0], "k": X[..., :0]}, "q has shape [2, 5, 0]. Expected at least one feature"),
    ],
)
def test_attend_refuses_what_it_cannot_use(arguments: dict[str, object], sentence: str) -> None:
    with pytest.raises(InputError, match=re.escape(sentence)):
        av.attend(**{"q": X, "k": X, "v": X, **arguments})  # type: ignore[arg-type]


@pytest.mark.parametrize("scale", [1, np.float32(0.5), torch.tensor(0.5)])
def test_numbers_of_any_kind_scale(scale: Any) -> None:
    expected, _ = av.attend(X, X, X, scale=float(scale))
    torch.testing.assert_close(av.attend(X, X, X, scale=scale)[0], expected, rtol=0, atol=1e-6)


def test_what_is_no_past_is_refused() -> None:
    for wrong in ({}, KeyValueCache()):
        with pytest.raises(InputError, match=r"past came as \w+; expected a KeysAndValues\. Begin with KeysAndValues"):
            LAYER(X, past=wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("lengths", "sentence"),
    [
        ((-1,), "n_queries is -1; expected at least 0"),
        ((3, -2), "n_keys is -2; expected at least 0"),
        ((2.5,), "n_queries is 2.5; expected a whole number"),
        ((None,), "n_queries is None; expected a whole number"),
    ],
)
def test_a_triangle_has_a_number_of_rows_and_columns(lengths: Any, sentence: str) -> None:
    with pytest.raises(InputError, match=re.escape(sentence)):
        causal_mask(*lengths)


def test_the_public_face_of_attend_refuses_what_is_no_tensor() -> None:
    with pytest.raises(InputError, match=r"k came as list\. Expected a tensor"):
        av.scaled_dot_product_attention(X, X.tolist(), X)  # type: ignore[arg-type]


def test_what_is_no_truth_and_no_style_is_refused_by_name():
    layer = MultiHeadAttention(8, 2)
    x = torch.randn(1, 3, 8)
    with pytest.raises(InputError, match="is_causal"):
        layer(x, is_causal=torch.ones(3, 3).bool())
    with pytest.raises(InputError, match="is_causal"):
        layer(x, is_causal="yes")
    with pytest.raises(InputError, match="embedding"):
        TransformerConfig(embedding="bert")
