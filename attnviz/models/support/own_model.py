"""A person's own Encoder, Decoder or EncoderDecoder with a tokenizer, as a model that reads texts like any other."""

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import torch
from torch import Tensor

from attnviz.core.capture import Recorder
from attnviz.core.edit import Edit
from attnviz.core.errors import EmptyText, InputError
from attnviz.models.decoding import greedy_search, sample
from attnviz.models.support.parameters import parameters_of
from attnviz.models.support.rerun import network_rerun
from attnviz.models.support.vocabulary import END, Vocabulary
from attnviz.models.transformer import Decoder, Encoder, EncoderDecoder
from attnviz.trace.generation import CONTINUATION, Generated, RecordedSteps, StepRecording
from attnviz.trace.given import Given, Ids, as_text, checked_ids, only_text
from attnviz.trace.model_protocol import module_sha256
from attnviz.trace.run_facts import Card
from attnviz.trace.sampling import Sampling
from attnviz.trace.text_model import TextModel
from attnviz.trace.tokens import Tokens
from attnviz.trace.trace import Trace
from attnviz.trace.traced_run import prediction_of, traced_run

Network = Encoder | Decoder | EncoderDecoder


@dataclass(frozen=True, eq=False, repr=False)
class OwnModel(TextModel):
    """A network of `av.models` as it was when it was loaded; its tokens are those of its tokenizer, or ids alone."""

    network: Network = field(repr=False)
    words: Any = field(
        default=None, repr=False
    )  # a Vocabulary, or anything with `encode` and `decode`; None: ids alone

    @property
    def reads_target(self) -> bool:
        return isinstance(self.network, EncoderDecoder)

    def some_ids(self, n: int) -> tuple[int, ...]:
        """At most so many token ids that it reads, as a source and as a target."""
        assert self.card.max_tokens is not None
        return tuple(at % min(self._sizes) for at in range(min(n, self.card.max_tokens)))

    @property
    def matrices(self) -> Mapping[str, Mapping[str, Tensor]]:
        return parameters_of(self.network)

    @property
    def weights_sha256(self) -> str:
        return module_sha256(self.network)

    def _trace(self, given: Given, target: Given | None, edits: Sequence[Edit]) -> Trace:
        if self.reads_target and target is None:
            raise InputError(id="needs-target", model=self.card.name)
        first, last = self._sizes
        source = self._tokens(given, first)
        written = None if target is None else self._tokens(target, last)
        texts = [source] if written is None else [source, written]
        ids = [torch.tensor([tokens.ids], device=self._device) for tokens in texts]  # [1, T] each
        trace, out = traced_run(
            lambda: self.network(*ids), card=self.card, tokens=source, target=written, parameters=self.matrices,
            edits=edits,
            rerun=network_rerun(self.network, *ids, text_of=self._shown, has_one_vocabulary=first == last),
        )  # fmt: skip
        if isinstance(self.network, Encoder):
            return trace
        return replace(trace, prediction=prediction_of(out, self._shown))

    def _generate(
        self, given: Given, max_tokens: int | None, edits: Sequence[Edit], sampling: Sampling | None
    ) -> Generated:
        """At most 32 new tokens, or as many as asked for; a Vocabulary says which token ends a text."""
        network = self.network
        if not isinstance(network, Decoder):
            return super()._generate(given, max_tokens, edits, sampling)
        begun = self._tokens(given, network.config.vocab_size).ids
        end = END if isinstance(self.words, Vocabulary) else None
        n = min(CONTINUATION if max_tokens is None else max_tokens, network.config.max_tokens - len(begun))
        write = greedy_search if sampling is None else partial(sample, sampling=sampling)
        with RecordedSteps(lambda: Recorder(StepRecording, edits=edits)) as steps:
            ids = write(network, begun, end=end, max_new_tokens=n, steps=steps).ids
        steps.refuse_unmatched(edits)
        written, decode = ids[len(begun) :], getattr(self.words, "decode", None)
        text = " ".join(map(str, written)) if decode is None else decode(list(written))
        return Generated.of(text, ids, steps.steps(written, self._shown))

    @property
    def _sizes(self) -> tuple[int, int]:
        """How many ids the source may have, and the text that is written."""
        network = self.network
        if isinstance(network, EncoderDecoder):
            return network.encoder.config.vocab_size, network.decoder.config.vocab_size
        return network.config.vocab_size, network.config.vocab_size

    @property
    def _device(self) -> torch.device:
        return next(self.network.parameters()).device

    def _tokens(self, given: Given, n_vocabulary: int) -> Tokens:
        limit = self.card.max_tokens
        assert limit is not None
        if isinstance(given, Ids):
            ids = checked_ids(given, n_vocabulary, self.card.name, limit)
            return replace(Tokens.plain([self._shown(id) for id in ids]), ids=ids, form=as_text(given))
        text = only_text(given, self.card.name)
        if self.words is None:
            raise InputError(id="loaded-without-tokenizer", model=self.card.name)
        read = self.words.tokens(text) if hasattr(self.words, "tokens") else self._encoded(text)
        checked_ids(Ids(tuple(read.ids)), n_vocabulary, self.card.name, limit)
        return read

    def _encoded(self, text: str) -> Tokens:
        """The tokens of a text by a tokenizer that only numbers them; each is shown as it is decoded alone."""
        encoded = self.words.encode(text)
        ids = tuple(int(id) for id in getattr(encoded, "ids", encoded))
        if not ids:
            raise EmptyText(id="empty-text")
        return replace(Tokens.plain([self._shown(id) for id in ids]), ids=ids, source=text, spans=((0, 0),) * len(ids))

    def _shown(self, token: int) -> str:
        entries = getattr(self.words, "entries", None)
        if entries is not None:
            return str(entries[token]) if token < len(entries) else str(token)
        decode: Callable[[list[int]], str] | None = getattr(self.words, "decode", None)
        return (decode([token]).strip() if decode is not None else "") or str(token)


def own_model(network: Network, tokenizer: Any = None) -> OwnModel:
    """A copy of a network as it is now, in eval()."""
    if tokenizer is not None and not hasattr(tokenizer, "tokens") and not hasattr(tokenizer, "encode"):
        raise InputError(id="tokenizer-no-vocabulary", came=type(tokenizer).__name__)
    copied = copy.deepcopy(network).eval().requires_grad_(False)
    config = copied.encoder.config if isinstance(copied, EncoderDecoder) else copied.config
    name = f"your {type(network).__name__}"
    card = Card(
        "your-model", name, "from scratch", config.n_layers, config.n_heads, config.d_model,
        parameters=sum(part.numel() for part in copied.parameters()), max_tokens=config.max_tokens,
    )  # fmt: skip
    return OwnModel(card, copied, tokenizer)
