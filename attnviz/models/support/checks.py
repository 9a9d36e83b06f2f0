"""What may come in at the door of an attention layer, and the sentence for what may not.

Kept out of attention.py so that the arithmetic there can be read in one go. Anything else `attend` checks.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from numbers import Integral

import torch
from torch import Tensor, nn

from attnviz.core.checks import number, shape
from attnviz.core.errors import InputError, TraceShapeError


def check_tokens(
    query: Tensor, key: Tensor, value: Tensor, widths: tuple[int, int, int], layer: Tensor | nn.Module
) -> None:
    """Refuse query, key and value that this layer cannot read. NaN in them is `check_finite_read`'s to find.

    Args:
        query: [B, Tq, D]. key: [B, Tk, key_width]. value: [B, Tk, value_width].
        widths: the widths the layer was built for, in the same order.
        layer: any weight of the layer, or the part it is in; says on which device and in which precision the layer is.
    Raises:
        TraceShapeError: too few axes, a wrong width, lengths or batches that differ, another device or precision.
        InputError: no tensors, or no tokens.
    """
    weight = weight_of(layer)  # of any shape
    _check_read("query", query, widths[0], weight)
    if key is not query or widths[1] != widths[0]:
        _check_read("key", key, widths[1], weight)
    if value is not key or widths[2] != widths[1]:
        _check_read("value", value, widths[2], weight)
    if value is not key and key.shape[:-1] != value.shape[:-1]:
        raise TraceShapeError(
            f"key holds {_counted(key)} and value {_counted(value)}; expected as many of both. "
            "Each key needs one value."
        )
    if key is not query and query.shape[:-2] != key.shape[:-2] and set(key.shape[:-2]) != {1}:
        raise TraceShapeError(
            f"query holds {_counted(query)} and key {_counted(key)}; expected equally many texts. If the two are mixed "
            "up, the layer's batch_first says otherwise than your tensors: False reads [tokens, batch, features]."
        )


def weight_of(layer: Tensor | nn.Module) -> Tensor | None:
    """A weight that says where a layer is; None where it shows none, such as one that was quantized."""
    if isinstance(layer, Tensor):
        return layer
    own = getattr(layer, "weight", None)  # a parameter; in a replica an attribute; quantized, a function
    return own if isinstance(own, Tensor) else next(iter(layer.parameters()), None)


def _check_read(name: str, x: Tensor, width: int, weight: Tensor | None) -> None:
    """Refuse what an attention layer cannot read. It may have turned [T, B, D] round: axes are said in words."""
    check_tensor(name, x)
    if x.ndim == 3 and x.shape[-1] != width:
        raise TraceShapeError(
            f"{name} holds {_counted(x)} with {x.shape[-1]} features; expected {width}. "
            "The last axis must be the features this layer was built for."
        )
    if x.ndim == 3 and x.numel() == 0:
        raise InputError(f"{name} holds {_counted(x)}; expected at least one of each. Leave out empty texts.")
    _check_vectors(name, x, width, weight)


def check_finite_read(name: str, x: Tensor, product: Tensor) -> None:
    """Refuse NaN and infinite numbers that a layer has just read, told from what it made of them.

    One NaN spreads to every token it can reach: ten layers later nobody can say where it came from. In W x + b each
    feature is a sum over all of x, so a NaN or an infinity in x is in each of them (0 · NaN is NaN too): one feature a
    token tells of all, and x itself is only read where that one is not finite.

    Args:
        name: of x. x: [B, T, width], what came in. product: [B, T, n], what a linear layer made of it.
    Raises:
        InputError: says how many there are and where the first one is.
    """
    total = number(product.select(-1, 0).sum())
    if total is not None and not math.isfinite(total):
        check_finite(name, x, names=("text", "token", "feature"))


def _counted(x: Tensor) -> str:
    """ "2 texts of 5 tokens", for [B, T, D]; a shape for anything else."""
    if x.ndim != 3:
        return f"a tensor of shape {shape(x)}"
    texts, tokens, _ = x.shape
    return f"{texts} text{'s' * (texts != 1)} of {tokens} token{'s' * (tokens != 1)}"


def check_vectors(name: str, x: Tensor, width: int, layer: Tensor | nn.Module) -> None:
    """Refuse what is not [..., tokens, width] on the device and in the precision of this layer, or weight of it.

    Raises:
        TraceShapeError: too few axes, a wrong width, another device or precision.
        InputError: no tensor, or no tokens.
    """
    _check_vectors(name, x, width, weight_of(layer))


def _check_vectors(name: str, x: Tensor, width: int, weight: Tensor | None) -> None:
    if weight is None:
        check_tensor(name, x)
    else:
        check_device(name, x, weight.device)
    if x.ndim < 2 or x.shape[-1] != width:
        raise TraceShapeError(
            f"{name} has shape {shape(x)}; expected [batch, tokens, {width}]. "
            f"The last axis must be the {width} features this layer was built for."
        )
    if weight is not None and x.dtype != weight.dtype and not torch.is_autocast_enabled(x.device.type):
        raise TraceShapeError(
            f"{name} holds {x.dtype} and the layer {weight.dtype}; expected one precision. "
            f"Convert with {name}.to({weight.dtype})."
        )
    if x.numel() == 0:
        raise InputError(f"{name} has shape {shape(x)}; expected at least one token. Leave out empty texts.")


def check_finite(name: str, x: Tensor, names: tuple[str, ...] = ()) -> None:
    """Refuse NaN and infinite numbers; the place of the first is said in the names of the axes, where they are given.

    Raises:
        InputError: says how many there are and where the first one is.
    """
    total = number(x.sum())  # one pass; a NaN or an infinity survives every sum
    if total is None or math.isfinite(total):
        return
    strange = ~torch.isfinite(x)  # like x, True where the number is NaN or infinite
    if not strange.any():
        return  # finite numbers whose sum is too large for this precision
    first = strange.nonzero()[0].tolist()
    place = ", ".join(f"{axis} {i}" for axis, i in zip(names, first, strict=True)) if len(names) == x.ndim else first
    raise InputError(
        f"{name} holds {int(strange.sum())} NaN or infinite numbers, the first at {place}; expected finite numbers. "
        "Look for a division by zero, or for a loss that ran away, in what computed it."
    )


def check_ids(what: str, ids: Tensor, size: int, device: torch.device) -> None:
    """Refuse ids that are not in a table of `size` rows.

    Torch's own words for this are "index out of range in self", on a GPU a crash of the whole process.

    Args:
        what: "token id" or "token type". ids: [..., T].
    Raises:
        InputError: no tensor, no whole numbers, none at all, or one that has no row.
        TraceShapeError: no axis of tokens, or another device.
    """
    check_device(f"{what}s", ids, device)
    if ids.dtype not in (torch.int64, torch.int32):
        raise InputError(
            f"{what}s came as {ids.dtype}; expected whole numbers, torch.int64 or torch.int32. "
            "Convert them with .long()."
        )
    if ids.ndim == 0:
        raise TraceShapeError(f"one {what} came without an axis; expected [batch, tokens]. Pass ids[None, None].")
    if ids.numel() == 0:
        raise InputError(f"no {what}s came, shape {list(ids.shape)}; expected at least one token. Type some text.")
    lowest, highest = (number(bound) for bound in torch.aminmax(ids))
    if lowest is None or highest is None:
        return  # under vmap nobody can look
    if lowest < 0 or highest >= size:
        raise InputError(
            f"{what} {lowest if lowest < 0 else highest} came; expected 0 to {size - 1}. "
            f"Encode the text with this model's own vocabulary of {size}."
        )


def check_types(types: Tensor | None, ids: Tensor, n_types: int) -> None:
    """Refuse token types that do not belong to these ids, [..., T].

    Raises:
        InputError: the model has no token types, or not this one.
        TraceShapeError: not one type for each id, or another device.
    """
    if types is None:
        return
    if not n_types:
        raise InputError("token types came; this model has none (n_token_types=0). Leave types out.")
    check_ids("token type", types, n_types, ids.device)
    if not broadcasts_to(types.shape, ids.shape):
        raise TraceShapeError(
            f"token types have shape {shape(types)} and ids {shape(ids)}; expected one type for each id. "
            "Give both the same shape."
        )


def check_choice(name: str, came: object, expected: Iterable[str], advice: str = "Check the spelling.") -> None:
    """Refuse a word that is none of those there are.

    Raises:
        InputError: names them all, and what came.
    """
    known = tuple(expected)
    if not (isinstance(came, str) and came in known):
        raise InputError(f"{name} is {came!r}; expected one of {', '.join(map(repr, known))}. {advice}")


def check_kind(name: str, came: object, kind: type, advice: str) -> None:
    """Refuse what is not an object of this class.

    Raises:
        InputError: says what came.
    """
    if not isinstance(came, kind):
        raise InputError(f"{name} came as {type(came).__name__}; expected a {kind.__name__}. {advice}")


def check_size(name: str, came: object, least: int = 1) -> None:
    """Refuse a size that is not a whole number of at least `least`.

    Raises:
        InputError: says what came.
    """
    if not isinstance(came, Integral | torch.SymInt) or isinstance(came, bool):  # a SymInt while it is exported
        raise InputError(f"{name} is {came!r}; expected a whole number. Convert it with int().")
    if came < least:
        raise InputError(f"{name} is {came}; expected at least {least}. Choose a larger number.")


def check_number(name: str, came: object) -> None:
    """Refuse what is no number, NaN, infinite or below 0.

    Raises:
        InputError: says what came.
    """
    if isinstance(came, bool) or not isinstance(came, int | float) or not 0 <= came < math.inf:
        raise InputError(f"{name} is {came!r}; expected a number of at least 0. Check what it was computed from.")


def check_dropout(came: object) -> None:
    """Refuse a share that is not in [0, 1).

    Raises:
        InputError: says what came.
    """
    if isinstance(came, bool) or not isinstance(came, int | float) or not 0 <= came < 1:
        raise InputError(f"dropout is {came}; expected 0 <= dropout < 1. 0 switches it off.")


def check_memory(memory: Tensor | None, *others: Tensor | None, has_cross: bool, part: str, like: Tensor) -> None:
    """Refuse a part with cross-attention and no memory, memory where nothing would look at it, and what is no memory.

    Args:
        memory: [B, Ts, D], the encoder's output. others: the masks that belong to it.
        has_cross: whether the part has cross-attention. part: what to call it, such as "decoder".
        like: [B, T, D], the part's own text; memory has its width, device and precision.
    Raises:
        TraceShapeError: says what came and whether this part looks at a second text, or what memory should be.
        InputError: memory is no tensor, has no tokens, or holds NaN or infinite numbers.
    """
    if has_cross and memory is None:
        came, does = "no memory", "looks"
    elif not has_cross and any(given is not None for given in (memory, *others)):
        came, does = "memory" if memory is not None else "a mask for memory", "does not look"
    elif memory is not None:
        check_vectors("memory", memory, like.shape[-1], like)
        if memory.ndim != like.ndim:
            raise TraceShapeError(
                f"memory has shape {shape(memory)} and the {part} reads {shape(like)}; expected as many axes in both, "
                "[batch, tokens, features]. Of one text pass memory[None]."
            )
        if memory.ndim == 3 and len(memory) not in (1, len(like)):
            raise TraceShapeError(
                f"memory holds {_counted(memory)} and the {part} reads {_counted(like)}; expected as many "
                "source texts as target texts, or one source text for all."
            )
        return check_finite("memory", memory)
    else:
        return None
    raise TraceShapeError(
        f"{came} came; this {part} {does} at a second text (has_cross={has_cross}). "
        f"Pass memory, the encoder's output, to a {part} built with has_cross=True and to no other."
    )


def check_tensor(name: str, x: Tensor) -> None:
    """Refuse what is no tensor.

    Raises:
        InputError: it is no tensor, or a sparse one.
    """
    if not isinstance(x, Tensor):
        raise InputError(f"{name} came as {type(x).__name__}; expected a tensor. Convert it with torch.as_tensor().")
    if x.is_nested:
        raise InputError(
            f"{name} came as a nested tensor; expected one shape for all texts. Fill them up with "
            "x.to_padded_tensor(0.0) and say with is_token where padding stands."
        )
    if x.layout is not torch.strided:
        raise InputError(f"{name} came as {x.layout}; expected a dense tensor. Convert it with .to_dense().")


def check_device(name: str, x: Tensor, device: torch.device) -> None:
    """Refuse what is no tensor, and a tensor that lies elsewhere than the layer.

    Raises:
        InputError: it is no tensor, or a sparse one.
        TraceShapeError: says where both are and how to move them.
    """
    check_tensor(name, x)
    if x.device != device:
        raise TraceShapeError(
            f"{name} is on {x.device} and the layer on {device}; expected one device. "
            f"Move one of them: {name.replace(' ', '_')}.to({str(device)!r}), or layer.to({str(x.device)!r})."
        )


def broadcasts_to(came: tuple[int, ...], wanted: tuple[int, ...]) -> bool:
    """Whether a tensor of the one shape can be used as one of the other."""
    try:
        return torch.broadcast_shapes(came, wanted) == torch.Size(wanted)
    except RuntimeError:
        return False
