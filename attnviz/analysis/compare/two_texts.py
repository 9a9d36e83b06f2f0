"""One model on two sentences: words aligned by identity, and which heads change when a word is swapped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher

import pandas as pd
import torch
from torch import Tensor

from attnviz.analysis.compare.distances import js_rows
from attnviz.analysis.compare.merged import merged_blocks
from attnviz.analysis.compare.self_attention_heads import heads_of, self_attention_sites
from attnviz.analysis.compare.units import Unit, words_of
from attnviz.core.errors import InputError
from attnviz.trace.tokens import Tokens
from attnviz.trace.trace import Trace

MOST_WORDS = 512  # of a sentence


@dataclass(frozen=True)
class Slot:
    """A word of one sentence and the word at the same place in the other."""

    a: Unit
    b: Unit
    is_swapped: bool  # they are different words


@dataclass(frozen=True, eq=False)
class TwoTexts:
    """How every head's rows change from one sentence to the other."""

    slots: tuple[Slot, ...]  # aligned words, in order: rows and columns of both sides
    only_a: tuple[str, ...]  # words of A without a partner in B
    only_b: tuple[str, ...]
    heads: pd.DataFrame = field(repr=False)
    # One row a head: `site`, `head`, `moved` (bits: mean divergence over aligned words), `moved_elsewhere` (over words
    # that are the same in both), `moved_most_at` (the slot whose row moved most, from 0), `moved_most`.
    js: Tensor = field(repr=False)  # float64 [H, slots], bits

    @property
    def is_minimal_pair(self) -> bool:
        """One word is swapped and nothing else differs."""
        return not self.only_a and not self.only_b and sum(slot.is_swapped for slot in self.slots) == 1


def compare_texts(trace_a: Trace, trace_b: Trace) -> TwoTexts:
    """Compare the rows of aligned words, head by head.

    A row is a distribution over the aligned words and the rest of the sentence as one more key, so it still sums to 1.
    Words are aligned by identity (longest common runs); different words between the same neighbours share a slot and
    are called swapped.

    Raises:
        InputError: the runs are of different models, no word is aligned, or a sentence has more than MOST_WORDS.
    """
    if (trace_a.card.id, trace_a.card.revision) != (trace_b.card.id, trace_b.card.revision):
        raise InputError(
            f"Two sentences are compared in one model; these ran in {trace_a.card.name} and {trace_b.card.name}.",
            id="two-models", a=trace_a.card.name, b=trace_b.card.name,
        )  # fmt: skip
    words_a, words_b = (_words(trace.tokens.source) for trace in (trace_a, trace_b))
    slots, only_a, only_b = align(words_a, words_b)
    if not any(not slot.is_swapped and slot.a.span != (0, 0) for slot in slots):
        raise InputError(
            "The two sentences share no word, so their rows cannot be compared. Change one word of the first to make "
            "the second.",
            id="no-common-word",
        )
    heads = heads_of(trace_a)
    p, q = _rows_by_slot(trace_a, [slot.a for slot in slots]), _rows_by_slot(trace_b, [slot.b for slot in slots])
    js = js_rows(p, q)  # [H, slots]
    same = torch.tensor([not slot.is_swapped for slot in slots])
    most = js.argmax(1)  # [H]
    frame = pd.DataFrame(
        {
            "site": [head.site for head in heads], "head": [head.head for head in heads],
            "moved": js.mean(1).numpy(), "moved_elsewhere": js[:, same].mean(1).numpy(),
            "moved_most_at": most.numpy(), "moved_most": js.gather(1, most[:, None])[:, 0].numpy(),
        }
    )  # fmt: skip
    return TwoTexts(slots, tuple(word.text for word in only_a), tuple(word.text for word in only_b), frame, js)


def align(words_a: Sequence[Unit], words_b: Sequence[Unit]) -> tuple[tuple[Slot, ...], list[Unit], list[Unit]]:
    """The slots of two sentences in order, and the words of each without one."""
    plain_a, plain_b = [_plain(word) for word in words_a], [_plain(word) for word in words_b]
    slots: list[Slot] = []
    only_a: list[Unit] = []
    only_b: list[Unit] = []
    for kind, a0, a1, b0, b1 in SequenceMatcher(None, plain_a, plain_b, autojunk=False).get_opcodes():
        if kind == "equal" or (kind == "replace" and a1 - a0 == b1 - b0):
            slots += [
                Slot(a, b, kind != "equal") for a, b in zip(words_a[a0:a1], words_b[b0:b1], strict=True)
            ]  # fmt: skip
        else:
            only_a += words_a[a0:a1]
            only_b += words_b[b0:b1]
    return tuple(slots), only_a, only_b


def _words(tokens: Tokens) -> list[Unit]:
    """The words of a sentence, and each token that the tokenizer added."""
    if len(tokens) > 4 * MOST_WORDS:
        _refuse_length(len(tokens))
    words = words_of(tokens)
    added = [Unit(tokens.text[i], (0, 0), (i,), ()) for i in range(len(tokens)) if tokens.special[i]]
    units = sorted([*words, *added], key=lambda unit: unit.in_a)
    if len(units) > MOST_WORDS:
        _refuse_length(len(units))
    return units


def _refuse_length(n: int) -> None:
    raise InputError(
        f"The sentence has {n} words. Expected at most {MOST_WORDS} where two sentences are compared.",
        id="sentence-too-long", n=n, most=MOST_WORDS,
    )  # fmt: skip


def _plain(unit: Unit) -> tuple[bool, str]:
    """A word without its occurrence number and case, apart from tokens that the tokenizer added."""
    return unit.span == (0, 0), unit.text.rstrip("₀₁₂₃₄₅₆₇₈₉").casefold()


def _rows_by_slot(trace: Trace, units: Sequence[Unit]) -> Tensor:
    """The rows of aligned words over aligned words and, last, the rest, for all heads: [H, slots, slots + 1]."""
    groups = [unit.in_a for unit in units]
    used = {token for group in groups for token in group}
    rest = [token for token in range(len(trace.tokens.source)) if token not in used]
    keys = [*groups, rest] if rest else groups
    parts = []
    for site in self_attention_sites(trace):
        blocks = list(merged_blocks(trace[site], groups, keys))
        parts.append(torch.cat([block.weights for block in blocks], 1))  # [H, slots, slots (+ 1)]
    rows = torch.cat(parts)
    return rows if rest else torch.nn.functional.pad(rows, (0, 1))
