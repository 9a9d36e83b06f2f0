"""What `attend` cannot use is refused in a sentence."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import pytest
import torch

import attnviz as av
from attnviz.core.errors import InputError

X = torch.randn(2, 5, 16, generator=torch.Generator().manual_seed(0))  # [B, T, d_k]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"q": X.tolist()}, "q came as list. Expected a tensor"),
        ({"k": X.numpy()}, "k came as ndarray. Expected a tensor"),
        ({"v": X.to_sparse()}, "v came as torch.sparse_coo. Expected a dense tensor"),
        ({"mask": [[True] * 5] * 5}, "mask came as list. Expected a tensor"),
        ({"bias": 1.0}, "bias came as float. Expected a tensor"),
        ({"kernel": "flash"}, "kernel is 'flash'. Expected one of 'explicit', 'fused'"),
        ({"dropout": 1.5}, "dropout is 1.5. Expected a number from 0 to 1"),
        ({"dropout": None}, "dropout is None. Expected a number from 0 to 1"),
        ({"softcap": 0.0}, "softcap is 0.0. Expected a number above 0"),
        ({"scale": "a"}, "scale is 'a'. Expected a finite number; None stands for 1/√d_k"),
        ({"scale": math.nan}, "scale is nan. Expected a finite number"),
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


def test_the_public_face_of_attend_refuses_what_is_no_tensor() -> None:
    with pytest.raises(InputError, match=r"k came as list\. Expected a tensor"):
        av.scaled_dot_product_attention(X, X.tolist(), X)  # type: ignore[arg-type]
