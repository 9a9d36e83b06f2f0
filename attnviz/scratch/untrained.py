"""A small model with random weights, for any words; its name and its card say that it was never trained.

It has the steps of any model, and so few numbers that all can be shown. A word has the same vector in every sentence.
What it writes means nothing.
"""

import hashlib
import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Literal

import torch
from torch import nn

from attnviz.core.capture import Recorder
from attnviz.core.edit import Edit
from attnviz.core.errors import EmptyText, InputError, TooLong
from attnviz.core.tensor_checks import check_choice
from attnviz.models.config import TransformerConfig
from attnviz.models.decoding import greedy_search, sample
from attnviz.models.positions import SinusoidalPositions, sinusoidal_positions
from attnviz.models.support.parameters import parameters_of
from attnviz.models.support.rerun import network_rerun
from attnviz.models.support.vocabulary import SPECIAL, START, Vocabulary
from attnviz.models.transformer import Decoder, Encoder, EncoderDecoder
from attnviz.trace.generation import CONTINUATION, Continued, Generated, RecordedSteps, StepRecording
from attnviz.trace.given import Given, Ids, checked_ids, only_text
from attnviz.trace.run_facts import Card
from attnviz.trace.sampling import Sampling
from attnviz.trace.text_model import TextModel
from attnviz.trace.tokens import NO_WORD, Tokens
from attnviz.trace.trace import Trace
from attnviz.trace.traced_run import prediction_of, traced_run

Architecture = Literal["encoder", "decoder", "encoder-decoder"]
ARCHITECTURES: tuple[Architecture, ...] = ("encoder", "decoder", "encoder-decoder")
MAX_TOKENS = 127  # of a text, by default
MOST_TOKENS = 4096
WIDTH, HEADS, HIDDEN = 16, 2, 32  # d_model, H, d_ff: ten tokens' numbers fit into cells
BLANK = " "


@dataclass(frozen=True)
class Written:
    """A beginning and the words that the model wrote after it."""

    ids: tuple[int, ...]  # of the beginning, and of what was written after it
    first: int  # the place of the first written one
    entries: tuple[str, ...]  # of the vocabulary, by id

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(self.entries[number] for number in self.ids[self.first :])


@dataclass(frozen=True, eq=False, repr=False)
class UntrainedModel(TextModel):
    """A model whose weights are drawn from one seed. Immutable, so threads can share it."""

    architecture: Architecture
    seed: int
    config: TransformerConfig
    words: Collection[str] = field(repr=False)  # Chinese words that are one token; without them a character is

    @property
    def reads_target(self) -> bool:
        return self.architecture == "encoder-decoder"

    @property
    def can_write_on(self) -> bool:
        return self.architecture == "decoder"

    def _trace(self, given: Given, target: Given | None, edits: Sequence[Edit]) -> Trace:
        """A decoder beside an encoder reads the source where no target is given."""
        text = only_text(given, self.card.name)
        source = self.tokens(text, starts=self.architecture == "decoder")
        written = text if target is None else only_text(target, self.card.name)
        reads = self.tokens(written, starts=True) if self.reads_target else None
        entries = tuple(dict.fromkeys([*SPECIAL, *source.pieces, *(reads.pieces if reads else ())]))
        numbers = {entry: number for number, entry in enumerate(entries)}
        source = replace(source, ids=tuple(numbers[piece] for piece in source.pieces))
        reads = None if reads is None else replace(reads, ids=tuple(numbers[piece] for piece in reads.pieces))
        network = self.network(entries)
        ids = [torch.tensor([tokens.ids]) for tokens in (source, reads) if tokens is not None]  # [1, T] each
        trace, out = traced_run(
            lambda: network(*ids), card=self.card, tokens=source, target=reads, parameters=parameters_of(network),
            edits=edits, rerun=network_rerun(network, *ids, text_of=entries.__getitem__),
        )  # fmt: skip
        if self.architecture == "encoder":
            return trace
        return replace(trace, prediction=prediction_of(out, entries.__getitem__))

    def _write_on(
        self, text: str, max_tokens: int | None, sampling: Sampling | None, chosen: int | None,
        on_token: Callable[[int], None],
    ) -> Continued:  # fmt: skip
        """At most 32 more words, or as many as asked for."""
        written = self._written(text, max_tokens, sampling, chosen)
        added = "".join(BLANK + word for word in written.words)  # blanks split it into the same words
        return Continued(text.rstrip() + added, written.first, len(written.words), has_ended=False)

    def _generate(
        self, given: Given, max_tokens: int | None, edits: Sequence[Edit], sampling: Sampling | None
    ) -> Generated:
        if not self.can_write_on:
            return super()._generate(given, max_tokens, edits, sampling)
        steps = RecordedSteps(lambda: Recorder(StepRecording, edits=edits))
        with steps:
            written = self._written(only_text(given, self.card.name), max_tokens, sampling, steps=steps)
        steps.refuse_unmatched(edits)
        made = steps.steps(written.ids[written.first :], written.entries.__getitem__)
        return Generated.of(BLANK.join(written.words), written.ids, made)

    def _written(
        self, text: str, max_tokens: int | None, sampling: Sampling | None, chosen: int | None = None,
        steps: RecordedSteps | None = None,
    ) -> Written:  # fmt: skip
        given = self.tokens(text, starts=True)
        entries = tuple(dict.fromkeys([*SPECIAL, *given.pieces]))
        network, first = self.network(entries), len(given)
        assert isinstance(network, Decoder)
        n = max(0, min(CONTINUATION if max_tokens is None else max_tokens, self.config.max_tokens - first))
        ids = [entries.index(piece) for piece in given.pieces]
        begins: tuple[int, ...] = ()
        if chosen is not None and n > 0:
            begins = checked_ids(Ids((chosen,)), len(entries), self.card.name, self.config.max_tokens)
        write = partial(greedy_search if sampling is None else partial(sample, sampling=sampling), steps=steps)
        wrote = write(
            network, [*ids, *begins], end=None, max_new_tokens=n - len(begins), suppressed=range(len(SPECIAL))
        )
        return Written(wrote.ids, first, entries)

    def tokens(self, text: str, *, starts: bool = False) -> Tokens:
        """The words of a text, numbered from 0; `pieces` are what the vocabulary knows them by."""
        placed = word_spans(text, self.words)
        limit = self.config.max_tokens - 1  # the start token takes a position
        if len(placed) > limit:
            raise TooLong(id="more-than-taken", model=self.card.name, n=len(placed), limit=limit)
        rows = [(text[a:b], False, (a, b), word) for word, (a, b) in enumerate(placed)]
        if starts:
            rows.insert(0, (SPECIAL[START], True, (0, 0), NO_WORD))
        shown, special, spans, words = zip(*rows, strict=True)
        n = len(rows)
        pieces = tuple(piece if is_special else piece.lower() for piece, is_special in zip(shown, special, strict=True))
        return Tokens(shown, tuple(range(n)), special, (False,) * n, spans, words, text, pieces)

    def network(self, entries: Sequence[str]) -> Encoder | Decoder | EncoderDecoder:
        """The model over these entries: every word's vector depends on the word and the seed alone."""
        config = replace(self.config, vocab_size=len(entries))
        with torch.device("meta"):  # torch's own first weights are drawn from a generator of the whole process
            networks = {"encoder": Encoder, "decoder": Decoder, "encoder-decoder": EncoderDecoder}
            network: Encoder | Decoder | EncoderDecoder = networks[self.architecture](config)
        network.to_empty(device="cpu")
        for module in network.modules():
            if isinstance(module, Decoder):
                module.to_vocabulary.weight = module.embed.tokens.weight  # [V, d_model], tied again
        _fill(network, self.seed, entries)
        return network.eval()


def untrained(
    architecture: str = "encoder",
    *,
    seed: int = 0,
    norm: str = "post",
    n_layers: int = 2,
    words: Collection[str] = (),
    max_tokens: int = MAX_TOKENS,
) -> UntrainedModel:
    """A model of random numbers.

    Args:
        architecture: encoder, decoder or encoder-decoder.
        seed: the same seed gives the same numbers, on every machine.
        norm: "post" (LayerNorm after each sum, as in the paper) or "pre".
        words: Chinese words that are one token; other Chinese text is split into characters.
        max_tokens: the longest text it takes, at most 4096.
    Raises:
        InputError: architecture or norm is misspelled, or n_layers or max_tokens is out of range.
    """
    check_choice("architecture", architecture, ARCHITECTURES)
    if not 1 <= max_tokens <= MOST_TOKENS:
        raise InputError(id="max-tokens-of-untrained", came=str(max_tokens), most=str(MOST_TOKENS))
    config = TransformerConfig(
        vocab_size=len(SPECIAL), d_model=WIDTH, n_heads=HEADS, n_layers=n_layers, d_ff=HIDDEN,
        max_tokens=max_tokens + 1, dropout=0.0, norm=norm,  # type: ignore[arg-type]  # the configuration refuses any other
    )  # fmt: skip
    chosen: Architecture = architecture  # type: ignore[assignment]
    card = Card(
        id=f"untrained-{architecture}-{config.norm}-{seed}", name=f"Untrained {architecture}, seed {seed}",
        family="from scratch", n_layers=n_layers, n_heads=HEADS, d_model=WIDTH, revision=str(seed),
        licence="Apache-2.0",
        source=f"random numbers from seed {seed}; never trained", max_tokens=max_tokens, probe_difference=0.0,
    )  # fmt: skip
    model = UntrainedModel(card, chosen, seed, config, frozenset(words))
    parameters = sum(part.numel() for part in model.network(SPECIAL).parameters())
    return replace(model, card=replace(card, parameters=parameters))


def word_spans(text: str, words: Collection[str] = ()) -> list[tuple[int, int]]:
    """Start and end of each token: words and marks; in Chinese the longest known word, else one character."""
    try:
        cut = Vocabulary.build([text], "word").tokens(text).spans
    except EmptyText:
        raise EmptyText(id="empty-text") from None
    longest, spans, at = max((len(word) for word in words), default=1), [], 0
    while at < len(cut):
        start, stop = cut[at]
        ends = [end for _, end in cut[at:] if start < end <= start + longest]  # where a known word may end
        stop = next((end for end in reversed(ends) if text[start:end] in words), stop)
        spans.append((start, stop))
        at = next((later for later in range(at + 1, len(cut)) if cut[later][0] >= stop), len(cut))
    return spans


def _fill(network: nn.Module, seed: int, entries: Sequence[str]) -> None:
    """Draw each parameter from a generator of its own, seeded by its name (an embedding's row by its word)."""
    with torch.no_grad():
        for name, module in network.named_modules():
            if isinstance(module, SinusoidalPositions):
                module.table.copy_(sinusoidal_positions(*module.table.shape))  # [max_tokens, d_model]
            elif isinstance(module, nn.LayerNorm):
                module.weight.fill_(1.0)
                module.bias.fill_(0.0)
            elif isinstance(module, nn.Embedding):
                side = "source" if "encoder" in name else "target"
                for row, entry in enumerate(entries):
                    drawn = torch.randn(module.embedding_dim, generator=_generator(seed, side, entry))  # [d_model]
                    module.weight[row] = drawn * module.embedding_dim**-0.5
            elif isinstance(module, nn.Linear) and not name.endswith("to_vocabulary"):  # which is the table itself
                nn.init.xavier_uniform_(module.weight, generator=_generator(seed, name))
                if module.bias is not None:
                    drawn = torch.randn(module.bias.shape, generator=_generator(seed, f"{name} bias"))  # [out]
                    module.bias.copy_(drawn / math.sqrt(module.in_features))


def _generator(seed: int, *names: str) -> torch.Generator:
    digest = hashlib.blake2b("\n".join((str(seed), *names)).encode(), digest_size=8).digest()
    return torch.Generator().manual_seed(int.from_bytes(digest, "big") >> 1)
