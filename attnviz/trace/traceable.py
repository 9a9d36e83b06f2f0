"""`record()`, and how one text of what it recorded becomes a Trace."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

from torch import Tensor

from attnviz.core.capture import Keep, Recorder
from attnviz.core.edit import Edit, Edits, refuse_unmatched
from attnviz.core.errors import CaptureError, InputError
from attnviz.core.ops import Call
from attnviz.core.recording import Recording, of_run
from attnviz.core.site import Site
from attnviz.core.tensor_checks import index_in, whole_number
from attnviz.trace.records import AttentionRecord
from attnviz.trace.run_facts import YOUR_CODE, AppliedEdit, Card, run_versions
from attnviz.trace.split_batch import Span, Splitter, n_texts, no_such_text, stack_of_keys
from attnviz.trace.tokens import TokenPair, Tokens
from attnviz.trace.torch_calls import FollowTorch
from attnviz.trace.trace import Trace

Parameters = Mapping[str, Mapping[str, Tensor]]  # point -> name -> matrix


def record(keep: Keep = "weights", edits: Edits = ()) -> Recorder[TraceableRecording]:
    """Record every attention that runs inside the block, in this thread: `with record() as run:`.

    What is built on `attend` or on the layers of `av.models` is recorded, and torch's own in any module:
    nn.MultiheadAttention, nn.TransformerEncoder, F.scaled_dot_product_attention (`trace/torch_calls.py` says what not).

    >>> import torch, attnviz as av
    >>> encoder = torch.nn.TransformerEncoder(torch.nn.TransformerEncoderLayer(16, 4, batch_first=True), 2).eval()
    >>> with av.record() as run:
    ...     out = encoder(torch.randn(1, 3, 16))
    >>> run.trace(tokens=["the", "cat", "sat"])["encoder.1.self"].weights(head=0).shape
    torch.Size([3, 3])

    An edit changes a value on the way; this one silences head 0 of every layer (one layer of our own models:
    `"encoder.1.self.context"`):

    >>> edit = av.Edit("*.context", lambda name, context: context.index_fill(1, torch.tensor(0), 0.0), "no head 0")
    >>> with av.record(edits=[edit]) as run:  # context is [B, H, T, d_k]
    ...     out = encoder(torch.randn(1, 3, 16))
    >>> run.trace()["encoder.1.self"].context(head=0).any().item()
    False

    Places are named by the modules that run them: `decoder.2.cross` is `decoder.layers.2.multihead_attn` of an
    nn.Transformer. Where no name says which stack it is, causal attention is a decoder's and other attention an
    encoder's. `with av.at("decoder.0.cross"):` gives another name. A place that runs again, as in each step of a
    generation, keeps its name: edits act every time, and values of its second run are read as `decoder.2.self#2.q`.
    Inside one outermost `forward` it is the next layer instead, for layers may share a module: record a loop that
    generates around the calls of its model, not as one call.

    Inside the block torch returns and raises what it does outside, bit for bit. Three exceptions: padding of an
    nn.TransformerEncoder in eval without gradients, where torch uses nested tensors (equal within rounding, and
    a batch of nothing but padding is not refused); an nn.TransformerEncoderLayer in eval without gradients inside
    `torch.autocast("cpu")`, where torch computes the whole layer in the lower precision, and here only what autocast
    names (it returns float32); and an attention that an edit aims at, which runs on `attend` (a query that can attend
    to nothing gets zeros).

    When recordings nest, only the innermost one records.

    Values are kept by reference. One that the recorded code writes into afterwards (`y += x`) is refused when it is
    read, except under torch.inference_mode, where torch does not count writes: it then reads as what was written.
    Gradient checkpointing runs its block again in the backward pass, and that run is recorded too unless the `with`
    block was left before.

    Args:
        keep: `"weights"` keeps q, k, v, weights, context, out and the residual stream; raw, scores and masked are
            computed when they are read. `"all"` keeps those too.
        edits: one or several changes to make on the way; their labels travel with the recording.
    Returns:
        what `with` takes; it gives a recording: `run["weights"]` with one attention, else
        `run["encoder.2.self.weights"]`; `run.trace(i)` is the trace of one text.
    Raises:
        CaptureError: keep is misspelled, or edits are no list of Edit; it is entered again while it records; inside
            the block, an edit fails, gives what cannot be used, or aims at a value that the kernel in use never makes;
            at its end, an edit matched no value. A block that recorded nothing warns at its end.
    """
    return TorchRecorder(TraceableRecording, keep, edits)


def record_unchecked(edits: Sequence[Edit]) -> Recorder[TraceableRecording]:
    """As `record`, for edits that listen to values which not every model has."""
    return TorchRecorder(TraceableRecording, edits=edits, is_checked=False)


class TorchRecorder(Recorder["TraceableRecording"]):
    """A recorder that sees torch's own attention too.

    Where it is checked it refuses at its end an edit that matched nothing, and warns of a block that recorded nothing.
    """

    def __init__(self, *given: Any, is_checked: bool = True, **named: Any) -> None:
        super().__init__(*given, **named)
        self.is_checked = is_checked

    def __enter__(self) -> TraceableRecording:
        run = super().__enter__()
        self.mode = FollowTorch(self)
        self.mode.__enter__()
        return run

    def __exit__(self, kind: type[BaseException] | None, *fault: object) -> None:
        self.mode.__exit__(kind, *fault)
        super().__exit__(kind, *fault)
        if kind is None and self.is_checked:
            refuse_unmatched(self.edits, self.recording.editable)
            if not self.recording.names:
                warnings.warn(str(self.recording.nothing), stacklevel=2)


class TraceableRecording(Recording):
    """A recording whose texts become traces."""

    @property
    def nothing(self) -> CaptureError:
        """Why it is empty."""
        return CaptureError(id="recorded-inside" if self.has_inner else "recorded-nothing")

    def trace(
        self,
        i: int = 0,
        *,
        card: Card | None = None,
        tokens: Tokens | Sequence[str] | None = None,
        target: Tokens | Sequence[str] | None = None,
        parameters: Parameters | None = None,
        nth: int | None = None,
    ) -> Trace:
        """Text number `i` of the batch as a frozen, unbatched `Trace`.

        Values of attention have the axes [batch, heads, tokens, features]; or [batch, tokens, features] or [tokens,
        features] for one head. Padding before and behind a text of several, at which no query can look, is left
        out; a text that ran alone is shown with what it was given. A run in training mode drops weights at random after
        they were recorded: its trace says so in `edits` ("dropout 0.1") and holds the context of the run, which no
        arithmetic gives back.

        Args:
            i: which text of the batch, from 0 or, negative, from the end. A value of one text, such as a memory that
                all attend to, belongs to each.
            card: what ran; without it the trace says "your code".
            tokens: the source tokens, or their texts, with or without those of the padding; if not given, positions
                are numbered.
            target: the same for the decoder's own tokens, of a run over two texts.
            parameters: the matrices that made the values, by point, for explanations; kept by reference.
            nth: which run of its places, from 1, where one ran more than once: with 2, what the run has as
                `decoder.0.self#2` is `decoder.0.self` of the trace. Of a place that ran fewer times it is the last one,
                such as the encoder's in a generation. Only the last has its residual stream.
        Raises:
            CaptureError: nothing was recorded, the block failed, there is no text number `i`, values have other axes,
                self-attention has other keys than queries, a place ran more than once and `nth` is not said, or none
                ran so often, or a target came and no place is a decoder's that reads another text.
        """
        if not self.complete:
            raise CaptureError(id="recording-failed")
        calls, parameters = self._site_calls(nth), parameters or {}
        if not calls:
            raise self.nothing
        n = max(n_texts(self[f"{place}.{name}"]) for place, _ in calls.values() for name in "qk")
        text = index_in(i, n)
        if text is None:
            raise no_such_text(i, n)
        spans = Splitter(self, text, {}).seen(calls) if n > 1 else {}
        splitter = Splitter(self, text, spans)
        records = {site.key: splitter.record(site, place, parameters) for site, (place, _) in calls.items()}
        is_last = nth is None or nth == max(self._n_begun.values())  # points of the stream keep their last value
        stream = splitter.stream(self.stream_values() if is_last else {})  # [T, d_model] each
        first = next(iter(records.values()))
        layers = {site.layer for site in calls}
        width = next((value.shape[-1] for value in stream.values()), first.n_heads * first.source.v.shape[-1])
        card = card or Card(YOUR_CODE, "your code", "your code", len(layers), first.n_heads, width)
        drops = sorted({call.dropout for _, call in calls.values()} - {0.0})
        edits = (
            *map(AppliedEdit.of, self.edits),
            *(AppliedEdit(f"dropout {share:g}", "dropout", share) for share in drops),
        )
        pair = _token_pair(records, tokens, target, spans)
        return Trace(card, pair, records, stream, edits=edits, versions=run_versions(), matrices=parameters)

    def _site_calls(self, nth: int | None) -> dict[Site, tuple[str, Call]]:
        """Each place as a Site with its call, in its nth run or the last before."""
        name, most = max(self._n_begun.items(), key=lambda place: place[1], default=("", 0))
        number = 1 if nth is None else whole_number(nth)
        if most > 1 and nth is None:
            raise CaptureError(id="ran-twice", name=name, n=most)
        if most and (number is None or not 1 <= number <= most):
            raise CaptureError(id="ran-less-often", nth=repr(nth), n=most)
        names = {place: of_run(place, min(number or 1, n)) for place, n in self._n_begun.items()}
        return {Site.parse(place): (name, self.call(name)) for place, name in names.items()}


def _token_pair(
    records: Mapping[str, AttentionRecord], tokens: Tokens | Sequence[str] | None,
    target: Tokens | Sequence[str] | None, spans: Mapping[str, Span],
) -> TokenPair:  # fmt: skip
    has_cross = any(record.site.kind == "cross" for record in records.values())
    is_source = [r for r in records.values() if r.site.stack == "encoder" or r.site.kind == "cross" or not has_cross]
    written = [record for record in records.values() if record.site.stack == "decoder"]
    if target is not None and not (has_cross and written):
        raise CaptureError(id="target-without-cross", names=tuple(records))
    source = _tokens(tokens, is_source[0].n_keys, spans.get(stack_of_keys(is_source[0].site)))
    if not has_cross or not written:
        return TokenPair(source)
    return TokenPair(source, _tokens(target, written[0].n_queries, spans.get("decoder")))


def _tokens(given: Tokens | Sequence[str] | None, n: int, span: Span | None) -> Tokens:
    if isinstance(given, Tokens):
        return given
    if given is not None and (isinstance(given, str) or not isinstance(given, Sequence)):
        raise InputError(id="no-tokens-of-text", came=type(given).__name__)
    texts = tuple(given) if given is not None else tuple(str(position + 1) for position in range(n))
    return Tokens.plain(texts[span.slice] if span is not None and len(texts) == span.n else texts)
