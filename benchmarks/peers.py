"""SmolLM2's attention on one text, here and elsewhere: seconds and memory to have it, its picture, and whether the
numbers are the same. `make peers` runs each in a process of its own and writes docs/peers.md.

All have the same weights in float32 and the same token ids; equal numbers are those of transformers' eager attention.
"""

import copy
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import torch
from torch import Tensor

import attnviz as av
from attnviz import views
from attnviz.pretrained.model import PretrainedModel
from benchmarks.table import bytes_in_proc

MODEL = "smollm2-135m"
TOKENS = (12, 64, 128, 512)
ROUNDS = {12: 9, 64: 9, 128: 5, 512: 3}  # by tokens, after one that warms up
SECONDS = 240.0  # for one peer at one length, its loading included
MB = 1e6
ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Found:
    """What one peer did with one text; None where it does not do that."""

    seconds: float | None = None  # to have the weights of all heads, the median
    memory: float | None = None  # MB by which the process grew
    picture: float | None = None  # MB as HTML
    picture_seconds: float | None = None
    difference: float | None = None  # the largest from the eager weights
    refused: str = ""


@dataclass(frozen=True, eq=False)
class Run:
    """A loaded model and the ids of one text."""

    model: PretrainedModel
    ids: tuple[int, ...]

    @property
    def batch(self) -> Tensor:
        return torch.tensor([self.ids])  # [1, T]

    @property
    def tokens(self) -> list[str]:
        return [self.model.tokenizer.piece_text(number) for number in self.ids]

    @property
    def text(self) -> str:
        return self.model.tokenizer.decode(self.ids)

    def plain(self, attention: str = "eager") -> Any:
        """transformers' own model with the same weights."""
        assert self.model.lm_head is not None
        whole = self.model.lm_head.whole
        made: Any = type(whole)._from_config(copy.deepcopy(whole.config), attn_implementation=attention)
        made.load_state_dict(whole.state_dict())
        return made.eval().requires_grad_(False)


Captured = Callable[[], Any]  # runs the model
Weights = Callable[[Any], Tensor]  # of what it gave: [L, H, T, T], or the last rows alone, [L, H, 1, T]
Picture = Callable[[Any], str]
Peer = Callable[[Run], tuple[Captured, Weights | None, Picture | None]]


def attnviz(run: Run) -> tuple[Captured, Weights, Picture]:
    return (
        lambda: run.model.trace(run.ids),
        lambda trace: torch.stack([trace[site].weights() for site in trace.sites]),
        lambda trace: views.heads(trace).html(),
    )


def transformers(run: Run) -> tuple[Captured, Weights, None]:
    model = run.plain()
    return partial(_attentions, model, run.batch), _stacked, None


def transformers_sdpa(run: Run) -> tuple[Captured, None, None]:
    """The plain forward, which gives no weights."""
    model = run.plain("sdpa")
    return torch.inference_mode()(lambda: model(input_ids=run.batch, use_cache=False)), None, None


def bertviz_model_view(run: Run) -> tuple[Captured, Weights, Picture]:
    from bertviz import model_view

    capture, weights, _ = transformers(run)
    return capture, weights, lambda made: str(model_view(made.attentions, run.tokens, html_action="return").data)


def bertviz_head_view(run: Run) -> tuple[Captured, Weights, Picture]:
    from bertviz import head_view

    capture, weights, _ = transformers(run)
    return capture, weights, lambda made: str(head_view(made.attentions, run.tokens, html_action="return").data)


def circuitsvis(run: Run) -> tuple[Captured, Weights, Picture]:
    from circuitsvis.attention import attention_patterns

    capture, weights, _ = transformers(run)
    return capture, weights, lambda made: str(attention_patterns(run.tokens, _stacked(made).flatten(0, 1)))


def transformer_lens(run: Run) -> tuple[Captured, Weights, None]:
    bridge, n = bridged(run.plain(), run.model.tokenizer.tokenizer), run.model.card.n_layers
    return (
        torch.inference_mode()(lambda: bridge.run_with_cache(run.batch)[1]),
        lambda cache: torch.stack([cache[f"blocks.{layer}.attn.hook_pattern"][0] for layer in range(n)]),
        None,
    )


def nnsight(run: Run) -> tuple[Captured, Weights, None]:
    from nnsight import NNsight

    traced: Any = NNsight(run.plain())
    n = run.model.card.n_layers

    def capture() -> list[Any]:
        kept = []
        with torch.no_grad(), traced.trace(input_ids=run.batch, use_cache=False, output_attentions=True):
            for layer in range(n):
                kept.append(traced.model.layers[layer].self_attn.output[1].save())
        return kept

    return capture, lambda kept: torch.stack([weights[0] for weights in kept]), None


def inseq(run: Run) -> tuple[Captured, Weights, None]:
    """Of the last token alone: it attributes what is written."""
    from inseq import load_model

    model = load_model(run.plain(), "attention", tokenizer=run.model.tokenizer.tokenizer)

    def capture() -> Any:
        return model.attribute(run.text, f"{run.text} a", show_progress=False).sequence_attributions[0]

    return capture, lambda made: made.target_attributions[: len(run.ids), 0].permute(1, 2, 0)[:, :, None], None


PEERS: dict[str, Peer] = {
    "AttnViz": attnviz, "transformers, eager": transformers, "transformers, sdpa": transformers_sdpa,
    "BertViz model_view": bertviz_model_view, "BertViz head_view": bertviz_head_view, "CircuitsVis": circuitsvis,
    "TransformerLens": transformer_lens, "nnsight": nnsight, "inseq": inseq,
}  # fmt: skip


def bridged(made: Any, tokenizer: Any) -> Any:
    """A model in TransformerLens's dress; the bridge changes how it attends."""
    from transformer_lens.model_bridge import TransformerBridge

    with tempfile.TemporaryDirectory() as folder:
        made.config.architectures = [type(made).__name__]
        made.config.save_pretrained(folder)
        tokenizer.save_pretrained(folder)
        tokenizer.init_kwargs["name_or_path"] = folder  # which is missing where it was read from a GGUF file
        return TransformerBridge.boot_transformers(folder, hf_model=made, tokenizer=tokenizer, device="cpu")


def _attentions(model: Any, ids: Tensor) -> Any:
    with torch.inference_mode():
        return model(input_ids=ids, use_cache=False, output_attentions=True)


def _stacked(made: Any) -> Tensor:
    return torch.stack([weights[0] for weights in made.attentions])  # [L, H, T, T]


def loaded() -> PretrainedModel:
    model = av.load(MODEL)
    assert isinstance(model, PretrainedModel)
    return model


def texts() -> dict[int, tuple[int, ...]]:
    """The ids of the first sentences that heads are measured on, by how many tokens."""
    lines = (ROOT / "attnviz/analysis/heads/sentences/en.txt").read_text(encoding="utf-8").splitlines()
    model = loaded()
    ids = model.tokenizer.tokens(" ".join(lines)[:6000]).ids
    return {n: ids[:n] for n in TOKENS}


def one(name: str, ids: Sequence[int], reference: str) -> Found:
    """One peer on one text, in this process."""
    model = loaded()
    run = Run(model, tuple(ids))
    capture, weights_of, picture = PEERS[name](run)
    short = Run(model, run.ids[:8])
    PEERS[name](short)[0]()  # what is made once, whatever the text
    Path("/proc/self/clear_refs").write_text("5")  # the most memory so far is what there is now
    before = bytes_in_proc("self/status", "VmRSS")
    made = capture()
    memory = (bytes_in_proc("self/status", "VmHWM") - before) / MB
    spent = []
    for _ in range(ROUNDS[len(ids)]):
        start = time.perf_counter()
        capture()
        spent.append(time.perf_counter() - start)
    difference = None
    if weights_of is not None:
        weights = weights_of(made).float().numpy()
        difference = float(np.abs(weights - np.load(reference)[:, :, -weights.shape[2] :]).max())
    found = Found(median(spent), memory, None, None, difference)
    if picture is None:
        return found
    start = time.perf_counter()
    size = len(picture(made)) / MB
    return Found(found.seconds, memory, size, time.perf_counter() - start, difference)


def measured(told: Callable[[str], None]) -> dict[int, dict[str, Found]]:
    """Every peer at every length, one after the other."""
    found: dict[int, dict[str, Found]] = {}
    model = loaded()
    with tempfile.TemporaryDirectory() as folder:
        for n, ids in texts().items():
            run = Run(model, ids)
            reference = f"{folder}/{n}.npy"
            np.save(reference, _stacked(_attentions(run.plain(), run.batch)).numpy())
            for name in PEERS:
                told(f"{name}, {n} tokens")
                found.setdefault(n, {})[name] = _apart(name, ids, reference)
    return found


def _apart(name: str, ids: Sequence[int], reference: str) -> Found:
    asked = json.dumps({"name": name, "ids": list(ids), "reference": reference})
    try:
        ran = subprocess.run(
            [sys.executable, "-m", "benchmarks.peers", asked], cwd=ROOT, check=False, capture_output=True, text=True,
            timeout=SECONDS, env=os.environ | {"HF_HUB_OFFLINE": "1"},
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return Found(refused=f"no answer in {SECONDS:.0f} s")
    if ran.returncode:
        said = (ran.stderr.strip().splitlines() or [f"ended with {ran.returncode}"])[-1]
        return Found(refused=said[:120])
    return Found(**json.loads(ran.stdout.splitlines()[-1]))


if __name__ == "__main__":
    print(json.dumps(asdict(one(**json.loads(sys.argv[1])))))
