"""What `attend` cannot use is refused in a sentence."""

import math
import re
from typing import Any

import numpy as np
import pytest
import torch

import attnviz as av
from attnviz.core.errors import AttnvizError, InputError, MaskError, TraceShapeError

X = torch.randn(2, 5, 16, generator=torch.Generator().manual_seed(0))  # [B, T, d_k]
TWO = torch.tensor([[1.0, 0.0], [0.0, 2.0]])  # [T, d_k]

REFUSED: list[tuple[type[AttnvizError], str, dict[str, object]]] = [
    (InputError, "q is list. Expected a tensor", {"q": TWO.tolist()}),
    (InputError, "k is ndarray. Expected a tensor", {"k": TWO.numpy()}),
    (InputError, "v is torch.sparse_coo. Expected a dense tensor", {"v": TWO.to_sparse()}),
    (InputError, "mask is list. Expected a tensor", {"mask": [[True] * 2] * 2}),
    (InputError, "bias is float. Expected a tensor", {"bias": 1.0}),
    (MaskError, "bias holds torch.bool. Expected float", {"bias": torch.ones(5, 5, dtype=torch.bool)}),
    (InputError, "kernel is 'flash'. Expected one of 'explicit', 'fused'", {"kernel": "flash"}),
    (InputError, "dropout is 1.5. Expected a number from 0 to 1", {"dropout": 1.5}),
    (InputError, "dropout is None. Expected a number from 0 to 1", {"dropout": None}),
    (InputError, "softcap is 0.0. Expected a number above 0", {"softcap": 0.0}),
    (
        InputError,
        "scale is 'a'. Expected a finite number, or one for each head, [H, 1, 1]; None stands for 1/√dₖ",
        {"scale": "a"},
    ),
    (
        InputError,
        "scale is [2, 1, 1]. Expected",
        {**dict.fromkeys("qkv", torch.randn(3, 2, 2)), "scale": TWO[:, :1, None]},
    ),
    (InputError, "scale is [2]. Expected", {"scale": TWO[0]}),
    (InputError, "scale is nan. Expected a finite number", {"scale": math.nan}),
    (InputError, "q has shape [2, 0]. Expected at least one feature", {"q": TWO[:, :0], "k": TWO[:, :0]}),
    (TraceShapeError, "q has 5 features and k has 2", {"q": torch.randn(3, 5)}),
    (TraceShapeError, "k has 2 tokens and v has 3", {"v": torch.randn(3, 2)}),
    (TraceShapeError, "Expected at least two axes", {"q": torch.randn(2)}),
    (TraceShapeError, "axes before the tokens differ", {"q": torch.randn(4, 2, 2), "k": torch.randn(3, 2, 2)}),
    (TraceShapeError, "q, k and v hold float32, float64", {"k": TWO.double()}),
    (TraceShapeError, "Expected one floating-point type", dict.fromkeys("qkv", TWO.long())),
    (TraceShapeError, "Expected one for each head", {"sinks": torch.randn(3)}),
    (TraceShapeError, "Expected one device", {"q": torch.randn(2, 2, device="meta")}),
    (MaskError, "broadcasts to [queries, keys] [2, 2]", {"mask": torch.ones(3, 3, dtype=torch.bool)}),
    (MaskError, "write mask.bool() if 1 means can attend", {"mask": torch.ones(2, 2, dtype=torch.int64)}),
    (MaskError, "The bias has shape", {"bias": torch.randn(5, 2)}),
    (MaskError, "The mask holds NaN or +∞", {"mask": torch.full((2, 2), math.nan)}),
    (MaskError, "The mask holds NaN or +∞", {"mask": torch.full((2, 2), math.inf)}),
]


@pytest.mark.parametrize(("kind", "sentence", "arguments"), REFUSED)
def test_what_attend_cannot_use_is_refused_in_a_sentence(kind, sentence, arguments) -> None:
    with pytest.raises(kind, match=re.escape(sentence)):
        av.attend(**{"q": TWO, "k": TWO, "v": TWO, **arguments})


@pytest.mark.parametrize("scale", [1, np.float32(0.5), torch.tensor(0.5)])
def test_numbers_of_any_kind_scale(scale: Any) -> None:
    expected, _ = av.attend(X, X, X, scale=float(scale))
    torch.testing.assert_close(av.attend(X, X, X, scale=scale)[0], expected, rtol=0, atol=1e-6)


def test_the_public_face_of_attend_refuses_what_is_no_tensor() -> None:
    with pytest.raises(InputError, match=r"k is list\. Expected a tensor"):
        av.scaled_dot_product_attention(X, X.tolist(), X)  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"v holds 160 NaN or infinite numbers"):
        av.scaled_dot_product_attention(X, X, X * math.nan)
