"""The language models of poems on poems they never saw, and what they write: `pip install --no-deps qieyun`, then
`python -m benchmarks poems`.

Perplexity is that of a character, a mark or the end of a poem that the vocabulary has, of all 3,388 held-out poems,
beside n-grams of the same training poems: interpolated, with absolute discounting (Ney et al. 1994). Rhymes are those
of the Guangyun (1008), the same final and tone in some reading, which real poems too keep only in part: they also took
neighbouring finals as one.
"""

import csv
import math
from collections import Counter
from collections.abc import Sequence
from functools import cache, partial
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from statistics import median

import torch
from torch import Tensor
from torch.nn import functional

from attnviz.core.edit import Edit
from attnviz.models.support.vocabulary import END, START, UNKNOWN
from attnviz.trace.sampling import Sampling
from attnviz.trace.traceable import record
from attnviz.training import TrainedModel, bundled_models
from attnviz.training.accuracy import batches
from attnviz.training.batches import NOT_COUNTED
from attnviz.training.best_heads import best_heads
from attnviz.training.bundled_models import load_bundled
from attnviz.training.checkpoints import saved_steps
from attnviz.training.head_scores import even_shares, head_scores
from attnviz.training.network import Network, logits_of, new_network
from attnviz.training.tasks.poetry import corpus
from attnviz.training.tasks.poetry.verse import FORMS, MARKS, rhyme, verse
from attnviz.training.tasks.task import Example, Task
from benchmarks.table import Row

DISCOUNT = 0.75
WRITTEN = 200  # poems
SAMPLING = Sampling(temperature=0.8, top_k=40)
HELD_OUT = 10_000  # more than there are
SILENCED = 500  # held-out poems for what a head is good for


def measure() -> list[Row]:
    return [row for name in ("poems-zh", "poems-zh-tw") for row in of_model(load_bundled(name))]


def of_model(model: TrainedModel) -> list[Row]:
    task, name, script = model.task, model.card.id, script_of(model.task)
    poems = task.examples("sentences", HELD_OUT, 0)
    held_out = [ids_of(task, poem.source) for poem in poems]
    trained = [ids_of(task, tuple(poem.text)) for poem in corpus.poems(script) if poem.split == "train"]
    untrained = perplexity(new_network(task, model.plan.shape, model.plan.seed).eval(), task)
    one, two, three = (n_gram(trained, held_out, n, len(task.source.entries)) for n in (1, 2, 3))
    beside = f"untrained {untrained:.0f}, one-grams {one:.0f}, two {two:.0f}, three {three:.0f}"
    rows = [Row(f"{name}, perplexity", perplexity(model.network, task), three, "", beside)]
    written = [write(model, seed) for seed in range(WRITTEN)]
    real = ["".join(poem.source) for poem in poems]
    folder = bundled_models.FOLDER / name
    steps = {step: model.at_step(step, folder) for step in saved_steps(folder)}
    of_steps = {f" at step {step}": [write(one, seed) for seed in range(WRITTEN)] for step, one in steps.items()}
    for at, texts in (*of_steps.items(), ("", written)):
        for what, share in (("lines of the right length", right_length), ("rhymes that rhyme", rhyming)):
            note = "target: the held-out poems themselves"
            rows.append(Row(f"{name}, {what}{at}", share(texts), share(real), "", note))
    longest = [sorted(longest_run(text, script) for text in texts) for texts in (written, real[:WRITTEN])]
    note = f"characters, median; the longest {longest[0][-1]}; target: held-out poems, their longest {longest[1][-1]}"
    medians = [float(median(lengths)) for lengths in longest]
    return [*rows, Row(f"{name}, longest run of a training poem", *medians, "", note), *of_heads(model)]


def of_heads(model: TrainedModel) -> list[Row]:
    """The head of each known answer, its share of weight on held-out poems, and what is lost without it."""
    task, network = model.task, model.network
    poems = task.examples("sentences", SILENCED, 0)
    scores, before = head_scores(network, task, poems), costs(network, task, poems)
    even, rows = even_shares(task, poems), []
    for answer in task.answers:
        head = best_heads(model)[answer.name]
        share = float(scores[answer.name][head.site][head.head])
        silent = Edit(f"{head.site.key}.context", partial(_without, head.head), "silenced")
        after = costs(network, task, poems, [silent])
        lost = ", ".join(f"{kind} {after[kind] - before[kind]:+.2f}" for kind in before)
        rows.append(
            Row(
                f"{model.card.id}, {answer.name}", share, even[answer.name], "", f"{head}; nats lost without it: {lost}"
            )
        )
    return rows


def _without(head: int, name: str, context: Tensor) -> Tensor:
    return context.index_fill(1, torch.tensor(head), 0.0)  # [B, H, T, d_k]


def costs(network: Network, task: Task, poems: Sequence[Example], edits: Sequence[Edit] = ()) -> dict[str, float]:
    """The mean of −log p(right token) by what the row writes: a mark, a rhyme, or anything."""
    marks = torch.tensor([task.source.ids[mark] for mark in MARKS])
    sums = {"marks": [0.0, 0], "rhymes": [0.0, 0], "all": [0.0, 0]}
    for part, batch in batches(network, task, poems):
        with torch.inference_mode(), record(edits=edits):
            logits = logits_of(network, batch)  # [B, T, V]
        losses = functional.cross_entropy(
            logits.flatten(0, 1), batch.wanted.flatten(), ignore_index=NOT_COUNTED, reduction="none"
        ).view_as(batch.wanted)  # [B, T]
        rhymes = torch.zeros_like(batch.wanted, dtype=torch.bool)
        for text, poem in enumerate(part):
            rhymes[text, list(rhyme(poem))] = True
        counted = batch.wanted != NOT_COUNTED
        for kind, rows in (("marks", torch.isin(batch.wanted, marks)), ("rhymes", rhymes & counted), ("all", counted)):
            sums[kind][0] += float(losses[rows].sum())
            sums[kind][1] += int(rows.sum())
    return {kind: total / n for kind, (total, n) in sums.items()}


def script_of(task: Task) -> corpus.Script:
    return "zh-TW" if task.name.endswith("tw") else "zh-CN"


def ids_of(task: Task, words: Sequence[str]) -> list[int]:
    return [START, *(task.source.ids.get(word, UNKNOWN) for word in words), END]


def perplexity(network: Network, task: Task) -> float:
    """Of the known tokens of all held-out poems."""
    total, n = 0.0, 0
    for _, batch in batches(network, task, task.examples("sentences", HELD_OUT, 0)):
        with torch.inference_mode():
            logits = logits_of(network, batch)  # [B, T, V]
        wanted = batch.wanted.flatten()  # [B·T]
        loss = functional.cross_entropy(logits.flatten(0, 1), wanted, ignore_index=NOT_COUNTED, reduction="sum")
        total += float(loss)
        n += int((wanted != NOT_COUNTED).sum())
    return math.exp(total / n)


def n_gram(trained: Sequence[Sequence[int]], held_out: Sequence[Sequence[int]], n: int, size: int) -> float:
    """The perplexity of n-grams on the same tokens."""
    counts = [Counter[tuple[int, ...]]() for _ in range(n + 1)]  # by length; [0] counts all tokens
    followers = [Counter[tuple[int, ...]]() for _ in range(n)]  # different tokens after each context
    for ids in trained:
        for at in range(1, len(ids)):
            for length in range(min(n, at + 1)):
                context = tuple(ids[at - length : at])
                gram = (*context, ids[at])
                followers[length][context] += gram not in counts[length + 1]
                counts[length + 1][gram] += 1
    contexts = [Counter[tuple[int, ...]]() for _ in range(n)]
    for length in range(n):
        for gram, times in counts[length + 1].items():
            contexts[length][gram[:-1]] += times

    def probability(context: tuple[int, ...], token: int) -> float:
        lower = probability(context[1:], token) if context else 1 / size
        times = contexts[len(context)][context]
        if not times:
            return lower
        kept = max(counts[len(context) + 1][(*context, token)] - DISCOUNT, 0)
        return (kept + DISCOUNT * followers[len(context)][context] * lower) / times

    logs = [
        math.log(probability(tuple(ids[max(0, at - n + 1) : at]), ids[at]))
        for ids in held_out
        for at in range(1, len(ids))
        if ids[at] != UNKNOWN
    ]
    return math.exp(-sum(logs) / len(logs))


def write(model: TrainedModel, seed: int) -> str:
    """A poem of the model's own, after the first two characters of a held-out one."""
    poem = model.task.examples("sentences", WRITTEN, 1)[seed]
    begun = "".join(poem.source[:2])
    return begun + model.generate(begun, sampling=Sampling(SAMPLING.temperature, SAMPLING.top_k, seed=seed))


def right_length(poems: Sequence[str]) -> float:
    """The share of lines that are as long as the first of their poem, which has five characters or seven."""
    widths = [[len(line) for line in _lines(poem)] for poem in poems]
    right = sum(width == lines[0] for lines in widths if lines[0] in (5, 7) for width in lines)
    return right / sum(len(lines) for lines in widths)


def _lines(poem: str) -> list[str]:
    for mark in MARKS:
        poem = poem.replace(mark, MARKS[0])
    return poem.removesuffix(MARKS[0]).split(MARKS[0])


def rhyming(poems: Sequence[str]) -> float:
    """Of the even lines from the fourth on, the share whose last character rhymes with that of the even line before."""
    pairs = []
    for poem in poems:
        known = verse(tuple(poem))
        if known is not None and (known.width, len(known.lines)) in FORMS:
            ends = [poem[known.lines[line] + known.width - 1] for line in range(1, len(known.lines), 2)]
            pairs += pairwise(ends)
    return sum(bool(finals(one) & finals(other)) for one, other in pairs) / max(1, len(pairs))


@cache
def finals(character: str) -> frozenset[str]:
    """Final and tone of each reading, of each traditional character that a simplified one stands for."""
    forms = {character, *(chr(code) for code, short in corpus.to_simplified().items() if short == character)}
    return frozenset(reading for form in forms for reading in _guangyun().get(form, ()))


@cache
def _guangyun() -> dict[str, set[str]]:
    """The table of the library, which describes a reading as 從開三支平: its last two characters are final and tone."""
    spec = find_spec("Qieyun")
    if spec is None or spec.origin is None:
        raise SystemExit("The rhymes come from a library that is not here: pip install qieyun.")
    readings: dict[str, set[str]] = {}
    with (Path(spec.origin).parent / "rhyme_book.csv").open(encoding="utf-8") as table:
        for row in csv.DictReader(table):
            head = row["字頭"] or row["字頭覈校前"]  # as collated, where that changed it
            readings.setdefault(head, set()).add(row["最簡描述"][-2:])
    return readings


def longest_run(text: str, script: corpus.Script) -> int:
    """The most characters in a row that stand so in one poem of the training, marks counted."""
    whole = _trained(script)
    length = 0
    for at in range(len(text)):
        while at + length < len(text) and text[at : at + length + 1] in whole:
            length += 1
    return length


@cache
def _trained(script: corpus.Script) -> str:
    return "\n".join(poem.text for poem in corpus.poems(script) if poem.split == "train")
