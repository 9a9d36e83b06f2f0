"""What a trace says of its run besides the values: the model, predictions, the proof, what was changed, versions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import torch
from torch import Tensor

from attnviz.core.edit import Edit
from attnviz.core.version import installed_version
from attnviz.trace.display_mixin import Tabled

if TYPE_CHECKING:
    import pandas as pd

Predicted = Literal["tokens", "classes", "labels", "span"]
YOUR_CODE = "your-code"  # the id on the card of a run that was recorded without one


@dataclass(frozen=True)
class Card:
    """What a model is, for a person who wants to know what they are looking at."""

    id: str  # the name av.load takes
    name: str  # as shown
    family: str  # "bert", "gpt2", "from scratch", "your code"
    n_layers: int
    n_heads: int
    d_model: int
    revision: str = ""
    parameters: int = 0
    licence: str = ""
    source: str = ""  # where the weights come from
    languages: tuple[str, ...] = ()  # languages it can read, as codes; empty = not known
    max_tokens: int | None = None  # the longest text it takes, specials included
    probe_difference: float | None = None  # largest difference from eager weights, seen by the probe at load
    layers_without_attention: tuple[int, ...] = ()  # of a hybrid model: layers that keep no attention matrix
    left_out: str = ""  # the class of a task's head that the checkpoint has and that is not read
    quantised: tuple[str, ...] = ()  # ggml types of a file's blocks, whose weights were dequantised: "Q4_1", "Q8_0"
    tokenizer_rebuilt: bool = False  # out of such a file, which does not hold all of a tokenizer
    tokens: Literal["", "characters"] = (
        ""  # what each of them is, where readers have a word for it: a Chinese character
    )


@dataclass(frozen=True, repr=False)
class Prediction(Tabled):
    """What a model predicts, the likeliest first: R rows of n each.

    Of tokens a row for each position, with the 20 likeliest of the full vocabulary. Other heads keep all: one row of
    the classes of a text; a row of labels for each token; two rows of tokens, where a span starts and where it ends.
    """

    ids: Tensor  # [R, n], of tokens, classes or labels; the places of tokens in a span
    probabilities: Tensor  # [R, n]; of tokens those of the whole vocabulary, so a row sums to less than 1
    texts: tuple[tuple[str, ...], ...]  # [R][n]
    of: Predicted = "tokens"  # next tokens, or hidden ones of a masked model
    is_any: bool = False  # of classes: each has a probability of its own (sigmoid), and a row sums to any number

    def frame(self) -> pd.DataFrame:
        """The likeliest of each row: `row`, a position but of classes, its `id`, `text` and `value`."""
        import pandas as pd

        return pd.DataFrame({
            "row": range(len(self.texts)), "id": self.ids[:, 0].tolist(), "text": [row[0] for row in self.texts],
            "value": self.probabilities[:, 0].tolist(),
        })  # fmt: skip

    def heading(self) -> str:
        return (
            f"{self.of} predicted: the likeliest of {self.ids.shape[1]} that are held of each of {len(self.ids)} rows"
        )


@dataclass(frozen=True)
class Verified:
    """This run's own proof: replayed weights · V against what the model's kernel returned."""

    difference: float  # the largest, as a share of the largest value of its site (or of 1 where that is smaller)
    rows: int  # how many seeded rows were compared, over all sites
    tolerance: float  # the difference that rounding explains
    sites: Mapping[str, float] = field(default_factory=dict)  # the largest of each site; of an older file none

    @property
    def holds(self) -> bool:
        return self.difference <= self.tolerance


About = tuple[str, str, tuple[tuple[str, str], ...]]  # a run in words: its model, its text, kind and label of each edit


def as_attrs(runs: Iterable[About]) -> list[list[Any]]:
    """What runs are, as the attrs of a table hold it: these must fit into JSON."""
    return [[model, text, [[*edit] for edit in edits]] for model, text, edits in runs]


@dataclass(frozen=True)
class AppliedEdit:
    """One thing that was changed in a run; it prints as its label."""

    label: str  # "temperature 0.5", or what the person called it
    kind: str = "edit"  # what code asks for: "edit", "dropout", "temperature", …
    value: float | None = None  # the temperature, the share that was dropped
    head: str = ""  # of what attentions are given, the one head that it is of: "encoder.1.self.5"; "" is all

    @classmethod
    def of(cls, edit: Edit) -> AppliedEdit:
        made = getattr(edit, "edit", edit)  # in one head
        head = "" if made is edit else f"{getattr(edit, 'site', '')}.{getattr(edit, 'head', '')}"
        return cls(edit.label, getattr(made, "kind", "edit"), getattr(made, "value", None), head)

    def __str__(self) -> str:
        return self.label


def run_versions() -> dict[str, str]:
    return {"attnviz": installed_version(), "torch": str(torch.__version__)}
