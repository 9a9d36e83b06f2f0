"""What the weights of one attention are made from: q, k and the mask (`Replay`), or scores that were kept (`Kept`)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from attnviz.core import ops
from attnviz.core.errors import TraceShapeError
from attnviz.core.ops import Call, Line
from attnviz.core.tensor_checks import shape
from attnviz.trace.mask import Mask, Rows, heads_of

# (first query, one past the last) -> weights [R, n <= T_k]; the keys that are left out have weight 0
Reader = Callable[[int, int], Tensor]


@dataclass(frozen=True, eq=False)
class Replay:
    """The linear source, replayed in float32."""

    q: Tensor  # [H, T_q, d_k]
    k: Tensor  # [Hkv, T_k, d_k], grouped heads kept grouped
    v: Tensor  # [Hkv, T_k, d_v]
    scale: float | Tensor  # of all heads, or one for each, [H]
    mask: Mask
    softcap: float | None = None
    sinks: Tensor | None = None  # [H]

    def __post_init__(self) -> None:
        _check_heads(self.q, self.k, self.v)
        if isinstance(self.scale, Tensor) and self.scale.shape != self.q.shape[:1]:
            raise TraceShapeError(id="scales-of-heads", scale=shape(self.scale), heads=self.q.shape[0])

    @property
    def size(self) -> torch.Size:
        """Heads, queries and keys."""
        return torch.Size((*self.q.shape[:2], self.k.shape[1]))

    def scale_of(self, head: int) -> float:
        """What QKᵀ of a head is multiplied by."""
        return float(self.scale[head]) if isinstance(self.scale, Tensor) else self.scale

    def value(self, name: Line, rows: Rows, head: int | None = None) -> Tensor:
        """raw, scores, masked or weights of some queries: [h, R, T_k], of one head (h = 1) or all."""
        heads = heads_of(head)
        q, k = self.q[heads, rows].float(), of_heads(self.k, self.q.shape[0], heads)  # [h, R, d_k], [h, T_k, d_k]
        return ops.replay(name, q, k, call_of(self, rows, head))  # [h, R, T_k]

    def values(self, heads: slice) -> Tensor:
        """The values of some heads: [h, T_k, d_v]."""
        return of_heads(self.v, self.q.shape[0], heads)  # [h, T_k, d_v]

    def reader(self, head: int) -> Reader:
        """A head's weights a block of rows at a time, made in place and up to the last key any row can attend to.

        It needs a source without sinks.
        """
        q, k = self.q[heads_of(head)].float(), of_heads(self.k, self.q.shape[0], heads_of(head))  # [1, T, d_k] each

        def rows(start: int, stop: int) -> Tensor:
            n_keys = self.mask.key_stop(stop)
            call = call_of(self, slice(start, stop), head, n_keys)
            return ops.weights_in_place(q[:, start:stop], k[:, :n_keys], call)[0]  # [R, n_keys]

        return rows

    @property
    def tensors(self) -> dict[str, Tensor]:
        """Every tensor but the mask's, by name."""
        optional = {"sinks": self.sinks, "scale": self.scale if isinstance(self.scale, Tensor) else None}
        return {"q": self.q, "k": self.k, "v": self.v} | {
            name: part for name, part in optional.items() if part is not None
        }

    def parts(self) -> tuple[dict[str, Any], dict[str, Tensor]]:
        """The source, without its mask, as plain values and tensors."""
        scale = None if isinstance(self.scale, Tensor) else self.scale
        return {"kind": "replay", "scale": scale, "softcap": self.softcap}, self.tensors


@dataclass(frozen=True, eq=False)
class QueryKey:
    """The q·k inside kept scores: QKᵀ · scale, to which some models add a term of their own, such as positions."""

    q: Tensor  # [H, T_q, d_k], as the model multiplied them
    k: Tensor  # [Hkv, T_k, d_k]
    scale: float
    is_all: bool  # whether nothing is added

    def scale_of(self, head: int) -> float:
        """What QKᵀ of a head is multiplied by: the same of all."""
        return self.scale

    def raw(self, head: int, rows: slice) -> Tensor:
        """QKᵀ of one head and some rows: [R, T_k]."""
        k = of_heads(self.k, self.q.shape[0], heads_of(head))[0]  # [T_k, d_k]
        return ops.raw_scores(self.q[head, rows].float(), k)  # [R, T_k]


@dataclass(frozen=True, eq=False)
class Kept:
    """The quadratic source, for models whose score is not q·k alone (DeBERTa, ALiBi by hand): the scores themselves."""

    scores: Tensor  # [H, T_q, T_k], scaled, before the mask
    v: Tensor  # [H, T_k, d_v]
    mask: Mask
    sinks: Tensor | None = None  # [H]
    product: QueryKey | None = None  # the q·k in them; None where they are no such product, or it was not seen

    def __post_init__(self) -> None:
        scores, v = self.scores, self.v
        is_whole = scores.ndim == v.ndim == 3 and scores.is_floating_point() and v.is_floating_point()
        if not is_whole or scores.shape[2] != v.shape[1] or not v.shape[0] or scores.shape[0] % v.shape[0]:
            raise TraceShapeError(id="kept-scores-shape", scores=shape(scores), v=shape(v))
        if self.product is not None:
            _check_heads(self.product.q, self.product.k, v)
            if self.product.q.shape[:2] != scores.shape[:2]:
                raise TraceShapeError(id="product-shape", q=shape(self.product.q), scores=shape(scores))

    @property
    def size(self) -> torch.Size:
        """Heads, queries and keys."""
        return self.scores.shape

    def value(self, name: Line, rows: Rows, head: int | None = None) -> Tensor:
        """scores, masked or weights of some queries: [h, R, T_k], of one head (h = 1) or all."""
        scores = self.scores[heads_of(head), rows].float()  # [h, R, T_k]
        return ops.replay_from_scores(name, scores, call_of(self, rows, head))  # [h, R, T_k]

    def values(self, heads: slice) -> Tensor:
        return of_heads(self.v, self.scores.shape[0], heads)  # [h, T_k, d_v]

    @property
    def tensors(self) -> dict[str, Tensor]:
        tensors = {"kept": self.scores, "v": self.v} | ({} if self.sinks is None else {"sinks": self.sinks})
        return tensors if self.product is None else tensors | {"q": self.product.q, "k": self.product.k}

    def parts(self) -> tuple[dict[str, Any], dict[str, Tensor]]:
        product = self.product
        facts = {} if product is None else {"scale": product.scale, "is_all": product.is_all}
        return {"kind": "kept"} | facts, self.tensors


@dataclass(frozen=True, eq=False)
class Given:
    """Weights that were passed in, without the q and k that they were made from."""

    weights: Tensor  # [H, T_q, T_k]
    mask: Mask
    sinks = None
    product = None

    @property
    def size(self) -> torch.Size:
        return self.weights.shape

    @property
    def v(self) -> Tensor:
        """No features of each key: [1, T_k, 0]."""
        return self.weights.new_zeros(1, self.size[2], 0)  # [1, T_k, 0]

    def value(self, name: Line, rows: Rows, head: int | None = None) -> Tensor:
        """Weights of some queries: [h, R, T_k]."""
        if name != "weights":
            raise self.refusal(name)
        return self.weights[heads_of(head), rows].float()

    def values(self, heads: slice) -> Tensor:
        raise self.refusal("v and no context")

    def refusal(self, name: str) -> TraceShapeError:
        """The error for what cannot be had of it."""
        return TraceShapeError(id="weights-alone", name=name)

    @property
    def tensors(self) -> dict[str, Tensor]:
        return {"kept": self.weights}

    def parts(self) -> tuple[dict[str, Any], dict[str, Tensor]]:
        return {"kind": "given"}, self.tensors


Source = Replay | Kept | Given


def source_of_parts(header: Mapping[str, Any], tensors: Mapping[str, Tensor], mask: Mask) -> Source:
    if header["kind"] == "replay":
        softcap = None if header["softcap"] is None else float(header["softcap"])
        q, k, v = tensors["q"], tensors["k"], tensors["v"]
        scale = tensors["scale"] if "scale" in tensors else float(header["scale"])
        return Replay(q, k, v, scale, mask, softcap, tensors.get("sinks"))
    if header["kind"] == "given":
        return Given(tensors["kept"], mask)
    product = None
    if "q" in tensors:
        product = QueryKey(tensors["q"], tensors["k"], float(header["scale"]), bool(header["is_all"]))
    return Kept(tensors["kept"], tensors["v"], mask, tensors.get("sinks"), product)


def call_of(source: Source, rows: Rows, head: int | None = None, n_keys: int | None = None) -> Call:
    """What the attention was given, for some queries, one head or all, and the first keys or all."""
    scale, softcap = (source.scale, source.softcap) if isinstance(source, Replay) else (1.0, None)
    if isinstance(scale, Tensor):
        scale = scale[heads_of(head)].reshape(-1, 1, 1)  # [h, 1, 1]
    sinks = None if source.sinks is None else source.sinks[heads_of(head)].float()  # [h]
    if source.mask.is_open:
        return Call(scale, softcap=softcap, sinks=sinks)
    at = torch.arange(rows.start, rows.stop, device=source.v.device) if isinstance(rows, slice) else rows  # [R]
    allowed = source.mask.allowed_at(at, head)[..., :n_keys]  # [1 | H, R, n_keys]
    bias = source.mask.bias_at(at, head)  # [1 | H, R, T_k] or None
    return Call(scale, allowed, None if bias is None else bias[..., :n_keys], softcap, sinks)


def of_heads(grouped: Tensor, n_heads: int, heads: slice) -> Tensor:
    """The keys or values that some query heads use: [Hkv, T_k, d_model] -> float32 [h, T_k, d_model]."""
    if grouped.shape[0] == n_heads:
        return grouped[heads].float()  # [h, T_k, d_model]
    return grouped[[ops.kv_head(head, n_heads, len(grouped)) for head in range(n_heads)[heads]]].float()


def _check_heads(q: Tensor, k: Tensor, v: Tensor) -> None:
    """Refuse what cannot be multiplied: q [H, T_q, d_k], k [Hkv, T_k, d_k], v [Hkv, T_k, d_v]."""
    shapes = f"q {shape(q)}, k {shape(k)}, v {shape(v)}"
    if not all(part.ndim == 3 and part.is_floating_point() for part in (q, k, v)):
        raise TraceShapeError(id="heads-of-three-axes", shapes=shapes)
    if q.shape[2] != k.shape[2] or k.shape[1] != v.shape[1]:
        raise TraceShapeError(id="heads-differ", shapes=shapes)
    if not all(part.shape[0] and q.shape[0] % part.shape[0] == 0 for part in (k, v)):
        raise TraceShapeError(id="heads-not-shared", q=q.shape[0], k=k.shape[0], v=v.shape[0], shapes=shapes)
