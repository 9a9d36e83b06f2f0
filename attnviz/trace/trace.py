"""The trace of one text: frozen, unbatched, holding only what cannot be derived.

Scores, weights and outputs are replayed from it for the head and rows that are asked for. No model runs here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from fnmatch import fnmatchcase
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, Self

import torch
from torch import Tensor

from attnviz.core.errors import CaptureError, InputError, StepError, TraceFileError, TraceShapeError
from attnviz.core.site import Site
from attnviz.core.tensor_checks import check_finite, check_token, index_in, shape
from attnviz.trace import container, display_mixin
from attnviz.trace.display_mixin import Shown, listed, shortened
from attnviz.trace.mask import Mask
from attnviz.trace.records import AttentionRecord
from attnviz.trace.rerun import Rerun, gradient_of, logits_of, rerun_of, token_id
from attnviz.trace.run_facts import YOUR_CODE, About, AppliedEdit, Card, Predicted, Prediction, Verified, run_versions
from attnviz.trace.tokens import TokenPair, Tokens
from attnviz.trace.weight_sources import Given

if TYPE_CHECKING:
    import pandas as pd

    from attnviz.trace.model_protocol import Model

SAME_RUN = 1e-4  # that two runs of one model may differ by, on two machines
SUM_TOLERANCE = 2**-8  # of a row of weights that a person brings, as bfloat16 rounds


class Points(dict[str, Tensor]):
    """The residual stream by its points; one that is not there is refused with those that are."""

    def __missing__(self, name: object) -> Tensor:
        if not self:
            raise CaptureError(id="no-points", name=repr(name))
        raise CaptureError(id="no-such-point", name=repr(name), points=listed(self))


@dataclass(frozen=True, eq=False, repr=False)
class Trace(Shown):
    """One run of one model over one text; iterating gives the keys of its places.

    >>> import attnviz as av
    >>> trace = av.load("reverse").trace("a b c")
    >>> list(trace)[:2]
    ['encoder.0.self', 'encoder.1.self']
    >>> trace["encoder.0.self"].weights(head=0).shape  # a row is a query, a column a key
    torch.Size([4, 4])
    """

    card: Card
    tokens: TokenPair
    records: Mapping[str, AttentionRecord]  # by site key, in the order they ran
    stream: Mapping[str, Tensor] = field(default_factory=dict)  # residual stream: point -> [T, d_model]
    prediction: Prediction | None = None  # None where the model has no head
    verified: Verified | None = None  # None for a person's own code, which has no second kernel to compare with
    edits: tuple[AppliedEdit, ...] = ()  # what was changed, dropout included; empty = untouched
    versions: Mapping[str, str] = field(default_factory=dict)
    matrices: Mapping[str, Mapping[str, Tensor]] = field(default_factory=dict, repr=False)  # point -> name -> parameter
    rerun: Rerun | None = field(default=None, repr=False)  # runs its text again; None for a trace from a file
    # The keys that each row comes from, where the model's task knows them: of cross-attention, or of self-attention
    # where there is one text; not saved.
    links: Mapping[int, frozenset[int]] = field(default_factory=dict, repr=False)
    # Of a poem, for other answers by their names; not saved either.
    answers: Mapping[str, Mapping[int, frozenset[int]]] = field(default_factory=dict, repr=False)
    facts: Mapping[str, Any] = field(default_factory=dict)  # title, place, link … of the picture it was saved from

    def __post_init__(self) -> None:
        for name in ("records", "stream", "versions", "facts", "matrices"):
            mapping_type = Points if name == "stream" else dict
            object.__setattr__(self, name, MappingProxyType(mapping_type(getattr(self, name))))
        if not self.records:
            raise TraceShapeError(id="trace-of-nothing")
        for key, record in self.records.items():
            queries, keys = self.query_tokens(record.site), self.key_tokens(record.site)
            if key != record.site.key or (record.n_queries, record.n_keys) != (len(queries), len(keys)):
                raise TraceShapeError(
                    id="tokens-differ",
                    site=key,
                    attention=f"{record.n_queries} x {record.n_keys}",
                    text=f"{len(queries)} x {len(keys)}",
                )

    def __reduce__(self) -> tuple[Any, ...]:
        """For pickle and other processes: the content of a file, so without the parameters."""
        return Trace.from_bytes, (self.to_bytes(), "a pickle")

    def __deepcopy__(self, memo: Any) -> Self:
        """A trace is immutable, so its copy is itself."""
        return self

    @classmethod
    def from_arrays(cls, weights: Any, tokens: Tokens | Sequence[str], *, name: str = "your weights") -> Self:
        """A trace of weights that come from elsewhere: it shows and compares them, and says that it has no more.

        Weights that are exactly 0 above the diagonal, in every layer and head of a text of two tokens or more, are a
        decoder's with a causal mask ("decoder.1.self"): no query is measured by keys that it cannot see. Others are an
        encoder's.

        >>> import attnviz as av, numpy as np
        >>> trace = av.Trace.from_arrays(np.full((2, 4, 3, 3), 1 / 3), ["the", "cat", "sat"])
        >>> trace["encoder.1.self"].weights(head=3)[0, 0]
        tensor(0.3333)

        Args:
            weights: [layer, head, query, key] as numpy or torch, or a sequence with [1, head, query, key] of each
                layer, as transformers gives `attentions`; each row from 0 to 1, with a sum of 1 at most.
            tokens: their texts, one for each query and key; or the Tokens of another trace, `trace.tokens.source`.
        Raises:
            TraceShapeError: they are no such weights. InputError: they hold NaN, or the tokens are one text.
        """
        if weights is None or (isinstance(weights, Sequence) and (not weights or any(one is None for one in weights))):
            raise TraceShapeError(id="no-weights-given" if weights is None or weights else "empty-weights")
        if (
            isinstance(weights, Sequence)
            and isinstance(weights[0], Sequence)
            and hasattr(next(iter(weights[0]), None), "shape")
        ):
            raise TraceShapeError(id="weights-of-steps", n=len(weights))
        try:
            layers = [torch.as_tensor(layer).detach().float() for layer in weights]
            if many := next((len(layer) for layer in layers if layer.ndim == 4 and len(layer) > 1), None):
                raise TraceShapeError(id="weights-of-texts", n=many)
            layers = [layer[0] if layer.ndim == 4 and len(layer) else layer for layer in layers]
            if other := next((at for at, layer in enumerate(layers) if layer.shape != layers[0].shape), None):
                first, came = shape(layers[0]), shape(layers[other])
                raise TraceShapeError(id="layers-unlike", layer=str(other), came=came, first=first)
            values = torch.stack(layers)
        except (TypeError, ValueError, RuntimeError) as reason:
            kind = type(weights).__name__
            raise TraceShapeError(id="no-matrices-of-weights", came=kind) from reason
        if values.ndim != 4 or values.shape[2] != values.shape[3] or not values.numel():
            raise TraceShapeError(id="no-matrices-of-weights", came=shape(values))
        check_finite(weights=values)
        low, high, largest_sum = (float(number) for number in (values.min(), values.max(), values.sum(-1).max()))
        if low < 0 or largest_sum > 1 + SUM_TOLERANCE:
            raise TraceShapeError(id="not-weights", low=low, high=high, sum=largest_sum)
        if isinstance(tokens, str):
            raise InputError(id="tokens-one-text", text=repr(tokens[:40]))
        n_layers, n_heads, n = values.shape[:3]
        is_causal = n > 1 and not bool(values.triu(1).any())
        mask, records = Mask(n, n, causal=is_causal), {}
        for layer, matrix in enumerate(values):  # [H, T, T] each
            site = Site("decoder" if is_causal else "encoder", "self", layer)
            records[site.key] = AttentionRecord(site, Given(matrix, mask))
        card = Card("your-weights", name, "your weights", n_layers, n_heads, 0)
        given = tokens if isinstance(tokens, Tokens) else Tokens.plain(tuple(tokens))
        return cls(card, TokenPair(given), records, versions=run_versions())

    def logits(self, position: int | None = None) -> Tensor:
        """The run's logits over the whole vocabulary, made again from its model, with the edits that the run had.

        >>> import attnviz as av
        >>> trace = av.load("induction").trace("a b c a b")
        >>> tuple(trace.logits(5).topk(2).values.shape)
        (2,)

        Args:
            position: of the prediction, from 0 or, negative, from the end, for its [V]; None for all, [T, V].
        Raises:
            InputError: there is no such position.
            StepError: no model stands beside this trace, or it has no vocabulary.
        """
        rows = slice(None) if position is None else self._row(position)
        return logits_of(self._again(), self._predicted_ids()).detach()[rows]

    def top(self, position: int = -1, k: int = 5) -> pd.DataFrame:
        """The likeliest next tokens at a position.

        >>> import attnviz as av
        >>> av.load("induction").trace("a b c a b").top(-1, k=1)["text"].tolist()
        ['c']

        Args:
            position: of the prediction, from 0 or, negative, from the end.
            k: how many, at most 20.
        Returns:
            columns `rank` (from 1), `token` (its id), `text` and `probability`, over the whole vocabulary.
        Raises:
            InputError: there is no such position. StepError: no tokens are predicted.
        """
        import pandas as pd

        predicted = self.predicted_tokens
        if predicted is None:
            raise StepError(
                id="predicts-no-tokens", model=self.card.name, predicts=self.predicts, head=self.card.left_out
            )
        row, n = self._row(position), predicted.ids.shape[1]
        if not 1 <= k <= n:
            raise InputError(id="k-of-tokens", k=repr(k), most=n)
        return pd.DataFrame({
            "rank": range(1, k + 1), "token": predicted.ids[row, :k].tolist(), "text": predicted.texts[row][:k],
            "probability": predicted.probabilities[row, :k].tolist(),
        })  # fmt: skip

    def probability(self, token: int | str, position: int = -1) -> float:
        """The probability of one next token at a position, from the run made again.

        >>> import attnviz as av
        >>> av.load("induction").trace("a b c a b").probability("c") > 0.9
        True

        Args:
            token: an id, or a text as of `av.wrote`: "cat" is " cat" where there is one.
            position: of the prediction, from 0 or, negative, from the end.
        Raises:
            InputError: no such position or token. StepError: as of `logits`.
        """
        logits = self.logits(position)  # [V]
        return float(logits.float().softmax(-1)[token_id(self, self._again(), token, len(logits))])

    def attach(self, model: Model) -> Self:
        """The trace with its model beside it, for what a file does not hold: parameters, `logits`, `av.why` and others.

        Args:
            model: the one that ran; its run of the same tokens is compared with this trace.
        Raises:
            InputError: it makes another run of them. StepError: the run was edited, which a file does not say how.
        """
        if not hasattr(model, "traces"):
            raise InputError(id="no-model", came=type(model).__name__)
        if self.edits:
            raise StepError(id="attach-edited")
        target = self.tokens.target
        again = model.trace(self.tokens.source.given, None if target is None else target.given)
        if again.tokens.source.ids != self.tokens.source.ids or list(again) != list(self):
            raise InputError(id="attach-other-tokens", model=model.card.name)
        for key, record in self.records.items():
            theirs = again[key].weights()  # [H, T_q, T_k]
            if theirs.shape != record.weights().shape or (theirs - record.weights()).abs().max() > SAME_RUN:
                raise InputError(id="attach-other-weights", model=model.card.name, site=key)
        records = {key: replace(record, w_o=again[key].w_o, b_o=again[key].b_o) for key, record in self.records.items()}
        return replace(self, records=records, matrices=again.matrices, rerun=again.rerun)

    def gradient(self, name: str, position: int, token: int) -> Tensor:
        """How a logit changes with a recorded value: its derivative, in the shape of that value without the batch.

        >>> import attnviz as av
        >>> trace = av.load("induction").trace("a b c a b")
        >>> trace.gradient("decoder.1.self.weights", position=5, token=int(trace.logits(5).argmax())).shape
        torch.Size([2, 6, 6])

        Args:
            name: `"decoder.2.self.weights"`; any value that an edit reaches.
            position: of the prediction, from 0 or, negative, from the end.
            token: an id of the vocabulary.
        Raises:
            InputError: there is no such position.
            StepError: no model stands beside this trace, it has no vocabulary, or nothing is recorded under the name.
        """
        return gradient_of(self._again(), self._predicted_ids(), name, self._row(position), token)

    @property
    def predicted_tokens(self) -> Prediction | None:
        """The prediction of a model that predicts tokens; None where it predicts something else, or nothing."""
        return self.prediction if self.prediction is not None and self.prediction.of == "tokens" else None

    @property
    def predicts(self) -> Predicted | Literal["left-out", "nothing"]:
        """What the model predicts; "left-out" where the checkpoint has a head of its own that is not read."""
        if self.prediction is not None:
            return self.prediction.of
        return "left-out" if self.card.left_out else "nothing"

    def _again(self) -> Rerun:
        rerun = rerun_of(self, takes_edited=True)
        if rerun.logits is None:
            raise StepError(
                id="predicts-no-tokens", model=self.card.name, predicts=self.predicts, head=self.card.left_out
            )
        return rerun

    def _row(self, position: int) -> int:
        return check_token(position, len(self._predicted_ids()))

    def _predicted_ids(self) -> tuple[int, ...]:
        return (self.tokens.target or self.tokens.source).ids

    def __repr__(self) -> str:
        """One screen: the model, its text, where attention ran, and whether the replay was verified."""
        texts = {"reads": self.tokens.source, "writes": self.tokens.target}
        heads = {record.n_heads for record in self.records.values()}
        lines = [f"Trace of {self.card.name}" + (f" at {self.card.revision[:12]}" if self.card.revision else "")]
        for verb, tokens in texts.items():
            lines += [f"{verb:<10}{len(tokens)} tokens: {shortened(' '.join(tokens.text))}"] if tokens else []
        lines.append(f"places    {listed(self.records)}: {len(self.records)}, {max(heads)} heads each")
        if self.stream:
            lines.append(f"stream    {listed(self.stream)}: {len(self.stream)} residual points")
        if self.edits:
            lines.append(f"edits     {shortened(', '.join(map(str, self.edits)))}")
        if self.verified is not None:
            lines.append(f"verified  replay and kernel differ by {self.verified.difference:.1e} at most")
        return "\n".join(lines)

    def __iter__(self) -> Iterator[str]:
        return iter(self.records)

    def __len__(self) -> int:
        return len(self.records)

    def __contains__(self, key: object) -> bool:
        return str(key) in self.records

    def heads(self, selection: Any = None, **options: Any) -> Any:
        """The view of all heads, one of them in lines: `av.views.heads` with this trace.

        >>> import attnviz as av
        >>> av.load("reverse").trace("a b c").heads(way="heatmap").title
        'Reverse: a b c'
        """
        return display_mixin.pictures().heads(self, selection, **options)

    def view(self) -> Any:
        return self.heads()

    @property
    def about(self) -> About:
        """What a result of this run is of: the model, what it read and wrote, and the kind and label of each edit, of
        `ablate` and `cut` with the site that it reached.
        """
        read = [self.tokens.source.source, *([self.tokens.target.source] if self.tokens.target is not None else [])]
        return self.card.name, " → ".join(read), tuple(said for edit in self.edits for said in self._reached(edit))

    def _reached(self, edit: AppliedEdit) -> list[tuple[str, str]]:
        pattern, *rest = edit.label.split(" ", 1)
        sites = [site.key for site in self.sites if edit.kind == "head" and fnmatchcase(site.key, pattern)]
        return [(edit.kind, " ".join([key, *rest])) for key in sites] or [(edit.kind, edit.label)]

    def figure(self, site: str | Site, head: int, **options: Any) -> Any:
        """The weights of one head as a plotly figure: `av.figures.pattern` with this trace.

        >>> import attnviz as av
        >>> av.load("reverse").trace("a b c").figure("encoder.1.self", head=0).layout.title.text
        'Encoder layer 1, head 0'
        """
        return display_mixin.figures().pattern(self, site, head, **options)

    def step(self, tab: str = "self", site: str | None = None, head: int = 0, **options: Any) -> Any:
        """The steps of one attention, each number written out: `av.views.stepper` of `explanation.chain`.

        >>> import attnviz as av
        >>> av.load("reverse").trace("a b c").step("self", head=1).name
        'stepper'

        Args:
            tab: "self", "heads", "block" or "decoder".
            site: which attention, cross-attention too; the first one, in the decoder for the tab "decoder".
            head: which head, from 0.
        """
        here = [site.key for site in self.sites if tab != "decoder" or site.stack == "decoder"] or list(self.records)
        return display_mixin.pictures().steps(self, tab, site or here[0], head, **options)

    def compare(self, other: Trace) -> Any:
        """This run beside another one, head by head: `av.compare`, which shows itself too.

        >>> import attnviz as av
        >>> model = av.load("reverse")
        >>> model.trace("a b c").compare(model.trace("a b d")).is_of_two_texts
        True
        """
        return display_mixin.pictures().compared(self, other)

    @property
    def sites(self) -> tuple[Site, ...]:
        """Where attention ran, in order."""
        return tuple(record.site for record in self.records.values())

    def __getitem__(self, key: str | Site | int) -> AttentionRecord:
        """The attention at a site, by its key (`"encoder.2.self"`) or by its number among `sites`: `trace[-1]`.

        Raises:
            TraceShapeError: there is none; the message says which there are.
        """
        number = index_in(key, len(self.records))
        name = str(key) if number is None else list(self.records)[number]
        if name not in self.records:
            raise TraceShapeError(id="no-such-site", site=name, n=len(self.records), sites=listed(self.records))
        return self.records[name]

    def has_head(self, site: str, head: int) -> bool:
        """Whether there is a head of this number, from 0, at a site."""
        return site in self.records and index_in(head, self.records[site].n_heads, from_end=False) is not None

    def query_tokens(self, site: Site) -> Tokens:
        """The tokens on the query axis of a site."""
        return self.tokens.target if site.stack == "decoder" and self.tokens.target else self.tokens.source

    def key_tokens(self, site: Site) -> Tokens:
        """The tokens on the key axis of a site: the source's for cross-attention."""
        return self.tokens.source if site.kind == "cross" else self.query_tokens(site)

    def parameters(self, point: str) -> Mapping[str, Tensor]:
        """The matrices used at a point, by reference to the model: w_q, w_k, w_v, w_o [out, in], biases, norms.

        Raises:
            StepError: this trace does not hold them (it was loaded from a file, or the family is not mapped).
        """
        if point not in self.matrices and self.matrices:
            raise StepError(id="no-parameters-there", point=point, model=self.card.name, others=listed(self.matrices))
        if not self.matrices:
            is_recorded = self.card.id == YOUR_CODE
            raise StepError(id="no-parameters-of-code" if is_recorded else "no-parameters", point=point)
        return self.matrices[point]

    @property
    def nbytes(self) -> int:
        """Bytes this trace keeps alive, each storage counted once; parameters belong to the model and do not count."""
        tensors = [*self.stream.values(), *(part for record in self.records.values() for part in record.tensors())]
        if self.prediction is not None:
            tensors += [self.prediction.ids, self.prediction.probabilities]
        storages = {tensor.untyped_storage().data_ptr(): tensor.untyped_storage().nbytes() for tensor in tensors}
        return sum(storages.values())

    def save(self, path: str | Path, *, parameters: bool = False) -> None:
        """Write this trace as one safetensors file with a JSON header, whole or not at all.

        Its tensors read back bit for bit. What is replayed from them can differ by rounding (1e-6), since products
        round by how their operands lie in memory.

        Args:
            path: the file; its folder must exist. "~" is one's home.
            parameters: save the matrices too, so that every step can be written out again.
        Raises:
            TraceFileError: there is no such folder.
            WriteError: there is no room, or no right to.
        """
        header, tensors = self.parts()
        if parameters:
            tensors |= container.flat("matrix", self.matrices)
        file = Path(path).expanduser()
        if not file.parent.is_dir():
            raise TraceFileError(id="no-folder", folder=str(file.parent))
        container.write(file, header, tensors, "trace")

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a trace back.

        Raises:
            TraceFileError: the file is missing, cut short, or not a trace; the message says which.
        """
        with container.refusing_broken(Path(path).name):
            return cls.from_parts(*container.read(Path(path).expanduser(), "trace"))

    def to_bytes(self) -> bytes:
        """The content of the file that `save` writes, without the matrices."""
        return container.to_bytes(*self.parts(), "trace")

    @classmethod
    def from_bytes(cls, content: bytes, name: str) -> Self:
        """Read a trace from the content of a file; `name` is what the errors call it.

        Raises:
            TraceFileError: it is cut short, or not a trace.
        """
        with container.refusing_broken(name):
            return cls.from_parts(*container.read_bytes(content, name, "trace"))

    def parts(self) -> container.Parts:
        """What fits into JSON, and every tensor but the parameters by name."""
        records = {key: record.parts() for key, record in self.records.items()}
        tensors = {f"stream/{point}": value for point, value in self.stream.items()}
        tensors |= container.flat("record", {key: tensors_of for key, (_, tensors_of) in records.items()})
        prediction = self.prediction
        if prediction is not None:
            tensors |= {"prediction/ids": prediction.ids, "prediction/probabilities": prediction.probabilities}
        header = {
            "card": asdict(self.card),
            "source": asdict(self.tokens.source),
            "target": None if self.tokens.target is None else asdict(self.tokens.target),
            "records": {key: facts for key, (facts, _) in records.items()},
            "stream": list(self.stream),
            "prediction": None if prediction is None else prediction.texts,
            "predicts": None if prediction is None else (prediction.of, prediction.is_any),
            "verified": None if self.verified is None else asdict(self.verified),
            "edits": [asdict(edit) for edit in self.edits],
            "versions": dict(self.versions),
            "facts": dict(self.facts),
        }
        return header, tensors

    @classmethod
    def from_parts(
        cls, header: Mapping[str, Any], tensors: Mapping[str, Tensor],
        matrices: Mapping[str, Mapping[str, Tensor]] | None = None,
    ) -> Self:  # fmt: skip
        """Rebuild a trace from `parts`; `matrices` are the model's parameters where the tensors hold none."""
        said, of_records = container.tuples(header), container.nested("record", tensors)
        matrices = container.nested("matrix", tensors) if matrices is None else matrices
        records = {
            key: AttentionRecord.from_parts(Site.parse(key), part, of_records.get(key, {}), matrices.get(key, {}))
            for key, part in header["records"].items()
        }
        target, texts, verified, prediction = said["target"], said["prediction"], said["verified"], None
        if texts is not None:
            of = said.get("predicts") or ("tokens", False)  # which older files do not say
            prediction = Prediction(tensors["prediction/ids"], tensors["prediction/probabilities"], texts, *of)
        return cls(
            Card(**said["card"]),
            TokenPair(Tokens(**said["source"]), None if target is None else Tokens(**target)),
            records,
            {point: tensors[f"stream/{point}"] for point in header["stream"]},
            prediction,
            None if verified is None else Verified(**verified),
            tuple(AppliedEdit(**edit) for edit in said["edits"]),
            header["versions"],
            matrices,
            facts=header.get("facts", {}),
        )
