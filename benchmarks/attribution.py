"""Logits and edges of a GPT-2-shaped random model taken apart here and by TransformerLens, whose numbers must agree.

`make peers` runs it. `logit_attrs` of its cache gives the logit of a token as a sum over heads; its hooks make
the runs in which one head is exchanged, and torch the gradient by what a later head read.
"""

from functools import partial
from typing import Any

import torch
from torch import Tensor
from transformers import GPT2Config, GPT2LMHeadModel

import attnviz as av
from attnviz.pretrained.model import PretrainedModel
from benchmarks.gpt2size import traceable
from benchmarks.peers import bridged
from benchmarks.table import Row, not_measured
from tests.parity.tiny_models import byte_tokenizer

CLEAN, CORRUPT = "every token looks at every other", "every woken looks at every other"
TARGET = 100.0  # millionths of the largest number
TOKEN, OTHER = 65, 90  # whose logits are compared
EDGES = 60  # the largest
SHAPE = {"n_embd": 96, "n_layer": 4, "n_head": 4}


def measure() -> list[Row]:
    try:
        bridge = bridged(random_model(), byte_tokenizer())
    except ImportError as error:
        return [not_measured("TransformerLens", "", error)]
    model = traceable(random_model(), "random")
    return [*logits(model, bridge), *edges(model, bridge)]


def random_model() -> GPT2LMHeadModel:
    """Seeded, with weights ten times as large as at the start of a training, so that heads differ."""
    torch.manual_seed(0)
    config = GPT2Config(**SHAPE, n_positions=64, vocab_size=257, bos_token_id=256, eos_token_id=256)
    made = GPT2LMHeadModel._from_config(config, attn_implementation="eager").eval().requires_grad_(False)
    with torch.no_grad():
        for name, part in made.named_parameters():
            if part.ndim == 2 and "wte" not in name and "wpe" not in name:
                part.mul_(10)
    return made


def ids_of(model: PretrainedModel, text: str) -> Tensor:
    return torch.tensor([model.tokenizer.tokens(text).ids])  # [1, T]


def logits(model: PretrainedModel, bridge: Any) -> list[Row]:
    """What each head gives the logit of a token, less that of another."""
    trace = model.trace(CLEAN)
    found = av.wrote(trace, len(trace.tokens.source) - 1, TOKEN, against=OTHER)
    ours = {writer.label: float(part) for writer, part in zip(found.writers, found.parts, strict=True)}
    _, cache = bridge.run_with_cache(ids_of(model, CLEAN))
    heads = cache.stack_head_results(layer=-1, pos_slice=-1)  # [heads of all layers, 1, d_model]
    theirs = cache.logit_attrs(heads, tokens=TOKEN, incorrect_tokens=OTHER, pos_slice=-1)[:, 0].tolist()
    places = [(layer, head) for layer in range(SHAPE["n_layer"]) for head in range(SHAPE["n_head"])]
    differ = max(
        abs(part - ours[f"head decoder.{layer}.self {head}"])
        for (layer, head), part in zip(places, theirs, strict=True)
    )
    largest = max(map(abs, theirs))
    note = f"of the largest of {len(places)} heads, {largest:.3g}"
    return [Row("logit attribution, from TransformerLens'", 1e6 * differ / largest, TARGET, "ppm", note)]


def edges(model: PretrainedModel, bridge: Any) -> list[Row]:
    """What the way from one head to another brings back, exactly and by the gradient."""
    ids = ids_of(model, CORRUPT)
    last = ids.shape[1] - 1
    found = av.patch(model, CLEAN, CORRUPT, "edges", metric=lambda rows: rows[:, TOKEN] - rows[:, OTHER], position=last)
    _, clean = bridge.run_with_cache(ids_of(model, CLEAN))
    _, before = bridge.run_with_cache(ids)
    names = [f"blocks.{layer}.attn.hook_z" for layer in range(SHAPE["n_layer"])]
    exact = gradient = largest = 0.0
    for row in found.table.head(EDGES).to_dict("records"):
        sender, receiver = (int(row[key].split(".")[1]) for key in ("from_site", "site"))
        read = f"blocks.{receiver}.attn.hook_{row['via']}"

        def held(value: Tensor, hook: Any, *, name: str, sent: bool, head: int = row["from_head"]) -> Tensor:
            kept = before[name].clone()
            if sent:
                by_head(kept)[:, :, head] = by_head(clean[name])[:, :, head]
            return kept

        others = [(name, partial(held, name=name, sent=layer == sender)) for layer, name in enumerate(names[:receiver])]
        heard: dict[str, Tensor] = {}

        def hear(value: Tensor, hook: Any, *, heard: dict[str, Tensor] = heard) -> None:
            heard["read"] = value.detach().clone()

        with torch.no_grad():
            bridge.run_with_hooks(ids, fwd_hooks=[*others, (read, hear)])

        def put(value: Tensor, hook: Any, *, head: int = row["head"], new: Tensor = heard["read"]) -> Tensor:
            value = value.clone()
            by_head(value)[:, :, head] = by_head(new)[:, :, head]
            return value

        with torch.no_grad():
            rows = bridge.run_with_hooks(ids, fwd_hooks=[(read, put)])[0, last]
        slope = gradient_of(bridge, ids, read, last)
        change = by_head(heard["read"] - before[read])[:, :, row["head"]]
        exact = max(exact, abs(float(rows[TOKEN] - rows[OTHER]) - row["value"]))
        gradient = max(gradient, abs(float((change * by_head(slope)[:, :, row["head"]]).sum()) - row["gradient"]))
        largest = max(largest, abs(row["effect"]))
    note = f"of the largest effect, {largest:.3g}; {EDGES} of {len(found.table)} edges"
    return [
        Row("an edge exchanged, from TransformerLens'", 1e6 * exact / largest, TARGET, "ppm", note),
        Row("edge attribution, from TransformerLens'", 1e6 * gradient / largest, TARGET, "ppm", note),
    ]


def by_head(value: Tensor) -> Tensor:
    """[B, T, H·d] or [B, T, H, d] as the latter, a view."""
    return value if value.ndim == 4 else value.view(*value.shape[:2], SHAPE["n_head"], -1)


def gradient_of(bridge: Any, ids: Tensor, name: str, position: int) -> Tensor:
    """d (logit − logit) / d what is recorded under a name."""
    leaves: list[Tensor] = []

    def follow(value: Tensor, hook: Any) -> Tensor:
        leaves.append(value.detach().requires_grad_())
        return leaves[-1]

    with torch.enable_grad():
        row = bridge.run_with_hooks(ids, fwd_hooks=[(name, follow)])[0, position]
        (found,) = torch.autograd.grad(row[TOKEN] - row[OTHER], leaves[-1])
    return found
