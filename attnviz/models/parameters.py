"""The matrices behind each recorded value, by the names that traces use: what an explanation multiplies by."""

from __future__ import annotations

from torch import Tensor, nn

from attnviz.models.transformer import Decoder, Encoder


def parameters_of(model: nn.Module) -> dict[str, dict[str, Tensor]]:
    """The matrices of each attention, by the names that traces use, for `run.trace(parameters=…)`.

    Args:
        model: an Encoder, Decoder or EncoderDecoder.
    Returns:
        `{"encoder.0.self": {"w_q": [D, D], "b_q": [D], …}, …}`, by reference; matrices are stored [out, in].
    """
    found: dict[str, dict[str, Tensor]] = {}
    for stack in model.modules():
        if not isinstance(stack, Encoder | Decoder):
            continue
        name = "encoder" if isinstance(stack, Encoder) else "decoder"
        for layer, block in enumerate(stack.blocks):
            for kind in ("self", "cross"):
                attention = getattr(block, f"{kind}_attention", None)
                if attention is not None:
                    found[f"{name}.{layer}.{kind}"] = {
                        f"{short}_{letter}": part.detach()
                        for letter in "qkvo"
                        for short, part in _weight_and_bias(getattr(attention, f"w_{letter}"))
                    }
    return found


def _weight_and_bias(linear: nn.Linear) -> list[tuple[str, Tensor]]:
    return [("w", linear.weight)] + ([] if linear.bias is None else [("b", linear.bias)])
