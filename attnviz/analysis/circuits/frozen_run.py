"""A run in which everything but the sums is held as it was, so that any value is a sum of what was written before it.

Between the writers of a residual stream (embedding, heads, feed-forwards, biases) and a query, a key or a logit, a
transformer is linear once the scale of every norm and the weights of attention are taken from the run. `Frozen` follows
the operators of the model's own code, with no code for any family: sums, products with constants and changes of form
are followed; a norm keeps its scale; the output of any other operator (an activation, a gate, attention) is a writer.
decomposition.py takes gradients through the run to get the share of each writer.

Source: Elhage et al. 2021, "A Mathematical Framework for Transformer Circuits".
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor, nn
from torch.autograd.function import BackwardCFunction
from torch.nn import functional
from torch.overrides import TorchFunctionMode

from attnviz.analysis.circuits.writers import Leaf, WriterKind, is_followed, leaf_of, passed_on, tagged
from attnviz.core.edit import Edit
from attnviz.core.errors import StepError
from attnviz.core.site import Site
from attnviz.trace.rerun import Rerun

# Operators that change the form of a tensor, or sum it: linear in their one tensor.
FORMS = frozenset(
    ["view", "reshape", "transpose", "permute", "contiguous", "unsqueeze", "squeeze", "flatten", "unflatten", "expand",
     "chunk", "split", "__getitem__", "clone", "to", "float", "type_as", "cat", "stack", "concat", "neg", "__neg__",
     "sum", "mean", "dropout", "index_select", "swapaxes", "__get__", "repeat", "repeat_interleave", "narrow", "select",
     "unbind", "movedim", "roll", "view_as", "expand_as", "detach", "dim", "size", "T", "mT", "tensor_split", "unfold",
     "swapdims", "split_with_sizes", "copy_", "__setitem__", "gather", "take_along_dim", "double"]
)  # fmt: skip
NEW = frozenset(
    ["new_empty", "new_zeros", "new_ones", "new_full", "zeros_like", "empty_like", "ones_like", "full_like"]
)
PLACES = re.compile(r"pos|wpe")  # in the names of tables of positions
SUMS = frozenset(["add", "__add__", "__radd__", "__iadd__", "add_", "sub", "__sub__", "__rsub__", "__isub__"])
SCALED = frozenset(["mul", "__mul__", "__rmul__", "__imul__", "mul_", "multiply", "div", "__truediv__", "__itruediv__"])
PRODUCTS = frozenset(["matmul", "__matmul__", "__rmatmul__", "bmm", "mm", "einsum", "baddbmm"])
OUT_OF_PLACE: dict[str, Callable[..., Any]] = {
    "__iadd__": torch.add, "add_": torch.add, "__isub__": torch.sub, "__imul__": torch.mul, "mul_": torch.mul,
    "__itruediv__": torch.div,
}  # fmt: skip


@dataclass(frozen=True)
class Product:
    """A product with a constant matrix, of other rows; it can be pickled."""

    func: Callable[..., Any]
    others: tuple[Any, ...]
    named: dict[str, Any]

    def __call__(self, rows: Tensor) -> Tensor:
        result: Tensor = self.func(rows, *self.others, **self.named)
        return result


class Frozen(TorchFunctionMode):
    """Follows one run, in this thread: `with Frozen(rerun) as frozen, record(edits=frozen.edits): rerun.states(1)`."""

    def __init__(self, rerun: Rerun, n_heads: Mapping[str, int], until: str | None = None) -> None:
        super().__init__()
        self.rerun = rerun
        self.names = {part.data_ptr(): name for name, part in rerun.module.named_parameters()}
        self.n_heads, self.until = n_heads, until
        self.leaves: list[Leaf] = []
        self.queries: dict[str, Tensor] = {}  # by site: q and k as they were multiplied, [1, H, T, d_k]
        self.keys: dict[str, Tensor] = {}
        self.values: dict[str, Tensor] = {}
        self.tapped: set[str] = set()  # sites that offer q, k and v; the others are read from operators
        self.factors: tuple[Tensor, Tensor] | None = None  # of the last product of two followed tensors
        self.mixed: Leaf | None = None  # and what it made
        self.vocabulary: Tensor | None = None  # [T, V], as the product with the vocabulary made it
        self.w_u: Tensor | None = None  # [V, d_model], what it was multiplied by
        self.states: Tensor | None = None  # [1, T, d_model], the last ones
        self.is_head = False  # whether the blocks are through
        self.is_capped = False  # whether the logits are more than that product and its bias
        self.layer: int | None = None  # of the attention that ran last
        self.stack = ""  # and its stack
        self.edits = (
            Edit("*.q", self.query, "followed"), Edit("*.k", self.key, "followed"), Edit("*.v", self.value, "followed"),
            Edit("*.masked", self.score, "followed"), Edit("*.context", self.context, "followed"),
        )  # fmt: skip

    def query(self, name: str, value: Tensor) -> Tensor:
        self.queries[place(name)] = value
        self.tapped.add(place(name))
        return value.detach()

    def key(self, name: str, value: Tensor) -> Tensor:
        self.keys[place(name)] = value
        if place(name) == self.until:
            raise Reached
        return value.detach()

    def value(self, name: str, value: Tensor) -> Tensor:
        self.values[place(name)] = value
        return value.detach()

    def score(self, name: str, value: Tensor) -> None:
        """Where attention is read from operators, q and k are what the last product multiplied."""
        if place(name) not in self.queries and self.factors is not None:
            left, right = self.factors
            self.queries[place(name)], self.keys[place(name)] = by_head(left), by_head(right.mT)
            if place(name) == self.until:
                raise Reached

    def context(self, name: str, value: Tensor) -> Tensor | None:
        """The heads of a site as a writer: [1, H, T, d_v]."""
        site = Site.parse(place(name))
        self.layer, self.stack = site.layer, site.stack
        if site.key in self.tapped:
            return self.write("head", value, site=site.key)
        if self.mixed is not None:  # read from operators: weights · V is a writer already
            self.mixed.kind, self.mixed.layer, self.mixed.site = "head", site.layer, site.key
            if self.factors is not None:
                self.values[site.key] = by_head(self.factors[1])
        return None

    def __torch_function__(
        self, func: Callable[..., Any], types: Sequence[type], args: Sequence[Any] = (), kwargs: Any = None
    ) -> Any:
        """Called by torch for every operator that Python code runs."""
        name = getattr(func, "__name__", "")
        args, kwargs = mapped(self.given, tuple(args)), mapped(self.given, kwargs or {})
        if name == "embedding":
            return self.embedded(func, args, kwargs)
        followed = [part for part in tensors(args, kwargs) if is_followed(part)]
        if not followed or name in NEW:
            return func(*args, **kwargs)
        if name in FORMS:
            return passed_on(func(*args, **kwargs), followed)
        if name in SUMS:
            return self.sum(func, name, args, kwargs)
        if name in SCALED and len(followed) == 1 and args[0] is followed[0]:
            return passed_on(OUT_OF_PLACE.get(name, func)(*args, **kwargs), followed)
        if name in SCALED and len(followed) == 1 and name in ("mul", "__mul__", "multiply", "__rmul__"):
            return func(*args, **kwargs)
        if name in PRODUCTS and len(followed) == 1 and name != "baddbmm":
            return self.product(func, args, kwargs, followed[0], None)
        if name == "linear":
            bias = kwargs.pop("bias", args[2] if len(args) > 2 else None)
            return self.product(func, args[:2], kwargs, followed[0], bias)
        if name == "addmm" and len(args) == 3 and not kwargs:  # GPT-2's bias + x W
            return self.product(torch.mm, args[1:], {}, followed[0], args[0])
        if name == "layer_norm":
            return self.normed(*args, **kwargs)
        if name == "rms_norm":
            return self.scaled(*args, **kwargs)
        result = self.unfollowed(func, args, kwargs)
        if name in PRODUCTS:
            self.factors = (followed[-2], followed[-1]) if len(followed) > 1 else None
            self.mixed = leaf_of(result)
        return result

    def given(self, value: Tensor) -> Tensor:
        """An argument: a parameter as a constant; a tensor of inference mode as a copy that takes gradients."""
        if isinstance(value.grad_fn, BackwardCFunction):  # made by a function whose operators are not seen (BLOOM)
            return self.write("feed-forward", value)
        value = value.detach() if isinstance(value, nn.Parameter) else value
        return value.clone() if value.is_inference() else value

    def write(self, kind: WriterKind, value: Tensor, *, site: str = "", name: str = "") -> Tensor:
        """A value becomes a writer of its own."""
        detached = value.detach()
        detached = detached.clone() if detached.is_inference() else detached
        detached = detached.requires_grad_()
        leaf = Leaf(kind, detached, self.layer, site, name, self.stack)
        self.leaves.append(leaf)
        return tagged(detached, leaf)

    def embedded(self, func: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> Tensor:
        table = kwargs["weight"] if "weight" in kwargs else args[1]
        embedded: Tensor = func(*args, **kwargs)
        name = self.names.get(table.data_ptr(), "")
        tables = [table.data_ptr() for table in (self.rerun.table, self.rerun.source_table) if table is not None]
        if table.data_ptr() in tables:
            self.layer, self.stack = None, ""  # a decoder begins, behind the last layer of its encoder
        if table.data_ptr() in tables or (name and not PLACES.search(name)):
            return self.write("token type" if "type" in name else "embedding", embedded)
        return self.write("position", embedded)

    def sum(self, func: Callable[..., Any], name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """A sum of two; a constant beside a followed tensor is a writer: a bias, or positions."""
        if kwargs or len(args) != 2:
            return self.unfollowed(func, args, kwargs)
        left, right = args
        other = left if is_followed(right) and not is_followed(left) else right
        if isinstance(other, int | float) and other == 0:
            return func(*args)
        if not isinstance(other, Tensor):
            return self.unfollowed(func, args, kwargs)
        if not is_followed(other):
            if not other.is_floating_point():
                return self.unfollowed(func, args, kwargs)
            written = self.constant(other)
            left, right = (written, right) if other is left else (left, written)
        return OUT_OF_PLACE.get(name, func)(left, right)

    def constant(self, value: Tensor) -> Tensor:
        name = self.names.get(value.data_ptr(), "")
        if value.ndim == 1 or self.is_head:
            return self.write("bias", value, name=name)
        return self.write("position" if self.layer is None else "feed-forward", value)

    def product(
        self, func: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any], read: Tensor,
        bias: Tensor | None,
    ) -> Tensor:  # fmt: skip
        """A product with a constant matrix; the output of a feed-forward or a head keeps its writer."""
        result: Tensor = func(*args, **kwargs)
        leaf = leaf_of(read)
        if leaf is not None and leaf.kind == "feed-forward" and leaf.layer == self.layer:
            result = self.write("feed-forward", result)
        elif leaf is not None and leaf.kind == "head" and leaf.w_o is None and args and args[0] is read:
            leaf.merged = read.detach()
            leaf.w_o = Product(func, tuple(args[1:]), dict(kwargs))
            written = replace(leaf, value=result.detach().requires_grad_())
            self.leaves[self.leaves.index(leaf)] = written
            result = written.value * 1.0  # followed, and no longer what W_O reads
        if bias is not None:
            result = result + self.write("bias", bias, name=self.names.get(bias.data_ptr(), ""))
        if self.is_head and self.is_capped:  # an activation before the vocabulary (BERT)
            raise not_exact("The logit")
        if self.is_head:
            self.vocabulary, self.w_u = result, args[1] if func is functional.linear else None
        return result

    def normed(
        self, x: Tensor, shape: Sequence[int], weight: Tensor | None = None, bias: Tensor | None = None,
        eps: float | None = 1e-5, *, is_centred: bool = True,
    ) -> Tensor:  # fmt: skip
        """Layer norm, or RMS norm without centring, with the scale of the run."""
        axes = tuple(range(-len(tuple(shape)), 0))
        x = x - x.mean(axes, keepdim=True) if is_centred else x
        small = torch.finfo(x.dtype).eps if eps is None else eps
        result = x * (x.detach().square().mean(axes, keepdim=True) + small).rsqrt()
        result = result if weight is None else result * weight
        return result if bias is None else result + self.write("bias", bias, name=self.names.get(bias.data_ptr(), ""))

    def scaled(self, x: Tensor, shape: Sequence[int], weight: Tensor | None = None, eps: float | None = None) -> Tensor:
        """RMS norm, as torch calls it."""
        return self.normed(x, shape, weight, None, eps, is_centred=False)

    def unfollowed(self, func: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """Any other operator: if it gives one number per token, that is a fixed scale; if a vector, a writer."""
        with torch.no_grad():
            result = func(*mapped(Tensor.detach, args), **mapped(Tensor.detach, kwargs))
        if isinstance(result, tuple | list):
            return type(result)(self.as_writer(part) for part in result) if type(result) in (tuple, list) else result
        return self.as_writer(result)

    def as_writer(self, made: Any) -> Any:
        if not isinstance(made, Tensor) or not made.is_floating_point() or made.ndim == 0 or made.shape[-1] == 1:
            return made
        self.is_capped |= self.is_head
        return self.write("feed-forward", made)


class Reached(BaseException):
    """Stops the run at the attention that was asked for; the rest is not needed. No Exception: it is no fault."""


def not_exact(place: str) -> StepError:
    """The error for a model in which the parts would not sum to the value."""
    return StepError(id="not-exact", place=place)


def tensors(args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[Tensor]:
    """The tensors among an operator's arguments, also those in lists."""
    listed: list[Tensor] = []
    for part in (*args, *kwargs.values()):
        listed += [one for one in (part if isinstance(part, tuple | list) else (part,)) if isinstance(one, Tensor)]
    return listed


def mapped(change: Callable[[Tensor], Tensor], given: Any) -> Any:
    """The same arguments with every tensor changed."""
    if isinstance(given, Tensor):
        return change(given)
    if isinstance(given, dict):
        return {name: mapped(change, part) for name, part in given.items()}
    return type(given)(mapped(change, part) for part in given) if type(given) in (tuple, list) else given


def place(name: str) -> str:
    return name.rpartition(".")[0]


def by_head(value: Tensor) -> Tensor:
    """[H, T, d_k] or [1, H, T, d_k] as the latter."""
    return value if value.ndim == 4 else value[None]
