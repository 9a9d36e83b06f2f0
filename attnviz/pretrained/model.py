"""A transformers model that can be traced: text in, a frozen Trace out. Safe to share between threads."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from typing import Any

import torch
import transformers
from torch import Tensor
from transformers import PreTrainedModel

from attnviz.core.attend import Kernel
from attnviz.core.capture import Recorder
from attnviz.core.edit import Edit, Edits, as_edits, refuse_unmatched
from attnviz.core.errors import AttnvizError, InputError, UnsupportedModel
from attnviz.pretrained.capture.edit_points import editable_names, points_of, tapped_points
from attnviz.pretrained.capture.forward import ForwardPass, run_pass
from attnviz.pretrained.capture.interface import Backend, InterfaceBackend
from attnviz.pretrained.capture.memory_limit import check_memory, tokens_that_fit
from attnviz.pretrained.capture.rope_reset import ONE_AT_A_TIME, depends_on_length
from attnviz.pretrained.families import Family, final_norm, matrices_of, sites_of, windows_of
from attnviz.pretrained.generate import TargetWriter, continued, generated, without_end
from attnviz.pretrained.lm_head import LMHead
from attnviz.pretrained.loading.meta_load import one_load
from attnviz.pretrained.task_head import TaskHead
from attnviz.pretrained.tokens.batch import batch_of
from attnviz.pretrained.tokens.tokenize import SentenceTokenizer, check_text
from attnviz.trace.generation import Continued, Generated, RecordedSteps, StepRecording
from attnviz.trace.given import Given, Ids, Readable, given_of, target_of
from attnviz.trace.model_protocol import module_sha256
from attnviz.trace.rerun import Rerun
from attnviz.trace.run_facts import AppliedEdit, Card, run_versions
from attnviz.trace.sampling import Sampling
from attnviz.trace.text_model import TextModel
from attnviz.trace.tokens import TokenPair, Tokens
from attnviz.trace.trace import Trace
from attnviz.trace.verify import verify


@dataclass(frozen=True, eq=False, repr=False)
class PretrainedModel(TextModel):
    """One loaded model, its tokenizer and its card. Nothing in it changes after it is made.

    `model.module` is transformers' own model without its head, `model.tokenizer` what splits and joins its texts:
    `tokens(text)`, `decode(ids)`.
    """

    module: PreTrainedModel = field(repr=False)  # in eval(), without its head
    tokenizer: SentenceTokenizer = field(repr=False)
    backend: Backend = field(repr=False)  # how its attention is captured
    family: Family | None = field(default=None, repr=False)
    lm_head: LMHead | None = field(default=None, repr=False)  # None where the checkpoint has none
    writer: TargetWriter | None = field(default=None, repr=False)  # for a model that reads one text and writes another
    nbytes: int = 0  # of its weights, with its head
    task_head: TaskHead | None = field(default=None, repr=False)  # of a classifier, a tagger, a reader of questions

    @cached_property
    def matrices(self) -> Mapping[str, Mapping[str, Tensor]]:
        """The parameters of every site that the family's row names, by reference, and the windows of its layers."""
        windows = windows_of(self.module.config, sites_of(self.module, self.family).values())
        return matrices_of(self.module, self.family) | windows

    @cached_property
    def weights_sha256(self) -> str:
        return module_sha256(self.module)

    @property
    def reads_target(self) -> bool:
        return self.writer is not None

    @property
    def can_pad(self) -> bool:
        """Whether padding behind a text leaves its weights as they are; not known of a model without a row."""
        return self.family is not None and not depends_on_length(self.module.config)

    @property
    def reads_pairs(self) -> bool:
        """Whether it reads two texts together: its tokenizer separates them."""
        return self.tokenizer.reads_pairs

    @property
    def reads_chats(self) -> bool:
        """Whether it reads a chat: its tokenizer has a template."""
        return self.tokenizer.reads_chats

    def trace(
        self, text: Readable, target: Readable | None = None, edits: Edits = (), *, pair: str | None = None,
        generation_prompt: bool = False, stream: bool | None = None,
    ) -> Trace:  # fmt: skip
        """Run over one text and keep what happened.

        Args:
            text: the whole text, which is never cut; or a chat, `[{"role": "user", "content": "Hello."}]`, which the
                tokenizer's own template writes out; or token ids, a sequence or tensor [T] or [1, T], which are read as
                they are: no special token is added.
            target: the decoder's own text, for a model that reads one text and writes another, or its ids with the
                start token first; if not given, what the model itself writes, the likeliest token each time.
            pair: a second text, for a model whose tokenizer separates two; it gives their token types.
            generation_prompt: whether a chat ends with the template's opening of an answer.
            edits: one or several changes to q, k, v, raw, scores, masked, weights, context or out of a site, or to a
                point of the residual stream, by name.
            stream: whether to keep the residual stream, which pictures of attention do not need; if not given, up to
                4,096 tokens.
        Returns:
            a Trace; `verified` is this run's own check of the replay against the kernel, `prediction` says
            of what it is, and is None where the checkpoint has no head that is read.
        Raises:
            EmptyText, TooLong, InputError: the text cannot be read; the message says why and what to do.
            CaptureError: an edit matches nothing, or changes a shape.
            UnsupportedModel: what was read is not what the model's kernel made of this text.
        """
        return self._trace(given_of(text, pair, generation_prompt), target_of(target), as_edits(edits), stream)

    def _trace(
        self, given: Given, target: Given | None, edits: Sequence[Edit], stream: bool | None = None
    ) -> Trace:  # fmt: skip
        read = self.read(given, target)
        ran = self.run([read], "explicit" if edits else "fused", stream=stream, edits=edits)
        trace = self.split(ran, 0, read)
        if edits:
            refuse_unmatched(
                edits, editable_names(tuple(trace.records), points_of(self.module, self.family), self.backend)
            )
            rerun = trace.rerun and replace(trace.rerun, edits=tuple(edits))
            trace = replace(trace, edits=tuple(map(AppliedEdit.of, edits)), rerun=rerun)
        return refuse_unverified(trace)

    def _traces(self, given: Sequence[Given]) -> tuple[Trace, ...]:
        """One padded batch; one after the other where padding may change a text."""
        pairs = [self.read(each, None) for each in given]
        is_one_length = len({(len(pair.source), len(pair.target or ())) for pair in pairs}) <= 1
        batches = [pairs] if self.can_pad or is_one_length else [[pair] for pair in pairs]
        traces: list[Trace] = []
        for batch in filter(None, batches):
            ran = self.run(batch)
            traces += [refuse_unverified(self.split(ran, index, pair)) for index, pair in enumerate(batch)]
        return tuple(traces)

    def first_part(self, text: str, max_tokens: int | None = None) -> str:
        """The longest beginning of a text that can be traced: `model.trace(model.first_part(text))`.

        Args:
            text: any text; one that fits comes back whole.
            max_tokens: fewer than the model takes, if given.
        Returns:
            whole tokens, as many as the model's positions and the memory of a run allow; "" where not one fits.
        Raises:
            EmptyText, InputError: the text cannot be read.
        """
        check_text(text)
        limits = [limit for limit in (tokens_that_fit(self.backend, self.card), max_tokens) if limit is not None]
        return self.tokenizer.first_part(text, min(limits, default=None))

    def n_tokens(self, text: Given) -> int:
        """How many tokens a text is read as, special ones included.

        Raises:
            EmptyText, TooLong, InputError: the text cannot be read.
        """
        return len(self.tokenizer.tokens(text))

    def untrained(self, seed: int, card: Card) -> PretrainedModel:
        """The same layers, heads and tokenizer with the random weights that transformers starts a training with.

        It predicts nothing. A target text is written by the trained model, so that both read the same one.

        Args:
            seed: of the weights. card: what the new model is called.
        """
        # torch has one generator for the whole process
        with one_load, ONE_AT_A_TIME, torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            fresh: Any = type(self.module)(self.module.config)
        fresh = fresh.to(device=self.module.device, dtype=self.module.dtype).eval().requires_grad_(False)
        backend = self.backend
        if isinstance(backend, InterfaceBackend):  # which knows sites by their modules
            backend = replace(backend, sites=sites_of(fresh, self.family))
        return replace(self, card=card, module=fresh, backend=backend, lm_head=None, task_head=None)

    def _generate(
        self, given: Given, max_tokens: int | None, edits: Sequence[Edit], sampling: Sampling | None
    ) -> Generated:
        tokens = self.tokenizer.tokens(given)
        steps = RecordedSteps(partial(self._recorded_step, edits))
        if self.writer is not None:
            target = self.written(self.writer, tokens, max_tokens, sampling, steps)
            end = () if self.writer.end_id is None or len(steps.made) < len(target) else (self.writer.end_id,)
            ids = (*target.ids[1:], *end)
            written = Generated.of(target.source, target.ids, steps.steps(ids, self.writer.tokenizer.piece_text))
        elif not self.can_write_on:
            raise InputError(id="writes-nothing", model=self.card.name)
        else:
            assert self.lm_head is not None
            begun = list(tokens.ids) if isinstance(given, Ids) else without_end(tokens)
            check_memory(self.backend, self.card, [TokenPair(tokens)], self.tokenizer)
            written = generated(self.lm_head.whole, self.tokenizer, begun, max_tokens, sampling, steps)
        if edits and steps.made:
            places = tuple(dict.fromkeys(place for run, _ in steps.made[:1] for place in run.places))
            refuse_unmatched(edits, editable_names(places, points_of(self.module, self.family), self.backend))
        return written

    @contextmanager
    def _recorded_step(self, edits: Sequence[Edit]) -> Iterator[StepRecording]:
        """One forward pass of a generation; hooks and modes of the pass last as long as it."""
        made = ("raw", "scores", "masked", "weights", "call")  # what only the explicit kernel makes, or may need
        sites = {} if self.backend.sites is None else self.backend.sites
        is_made = any(edit.is_of(f"{site.key}.{name}") for edit in edits for site in sites.values() for name in made)
        kernel: Kernel = "explicit" if is_made else "fused"
        with (
            Recorder(StepRecording, edits=edits) as run, tapped_points(self.module, self.family),
            self.backend.follow(1, kernel),
        ):  # fmt: skip
            yield run

    @property
    def can_write_on(self) -> bool:
        return self.writer is None and self.lm_head is not None and self.lm_head.whole.can_generate()

    def _write_on(
        self, text: str, max_tokens: int | None, sampling: Sampling | None, chosen: int | None,
        on_token: Callable[[int], None],
    ) -> Continued:  # fmt: skip
        """As many new tokens as `trace(text)` reads as the same tokens again, up to the end token."""
        assert self.lm_head is not None
        given = TokenPair(self.tokenizer.tokens(text))
        check_memory(self.backend, self.card, [given], self.tokenizer)
        return continued(self.lm_head.whole, self.tokenizer, text, max_tokens, sampling, chosen, on_token)

    def read(self, text: Given, target: Given | None) -> TokenPair:
        """The tokens of a text, and of the decoder's own: the given one, or what the model writes."""
        source = self.tokenizer.tokens(text)
        if self.writer is not None:
            return TokenPair(source, self.written(self.writer, source) if target is None else self.writer.given(target))
        self._refuse_target(target)
        return TokenPair(source)

    def written(
        self, writer: TargetWriter, source: Tokens, max_tokens: int | None = None, sampling: Sampling | None = None,
        steps: RecordedSteps | None = None,
    ) -> Tokens:  # fmt: skip
        """What the model writes for a source text; one that could not be traced is refused before it is read."""
        started = TokenPair(source, self.tokenizer.tokens_of([writer.start_id]))
        check_memory(self.backend, self.card, [started], self.tokenizer)
        return writer.written(source, max_tokens, sampling, steps)

    def rerun(self, pair: TokenPair) -> Rerun:
        def states(n: int) -> Tensor:
            last = self.run([pair] * n, "explicit", stream=False, gradients=True).last
            assert last is not None, "a model whose states are not known has no rerun"
            return last  # [n, T, d_model]

        head = self.lm_head
        norm, table = final_norm(self.module, self.family), self.module.get_input_embeddings().get_parameter("weight")
        if head is None:
            task = self.task_head
            whole = self.module if task is None else task.whole
            rows = None if task is None else task.rows
            return Rerun(whole, table, states, None, str, lambda token: (str(token),), norm, task=rows)
        source = None
        if self.writer is not None:
            stacks = self.module.get_encoder(), self.module.get_decoder()
            source, table = (stack.get_input_embeddings().get_parameter("weight") for stack in stacks)
        is_one = source is None or source.data_ptr() == table.data_ptr()
        return Rerun(head.whole, table, states, head.logits, head.text_of, head.spellings, norm, source, is_one)

    def run(
        self, pairs: Sequence[TokenPair], kernel: Kernel = "fused", *, stream: bool | None = None,
        edits: Sequence[Edit] = (), gradients: bool = False,
    ) -> ForwardPass:  # fmt: skip
        """One recorded forward pass over texts, refused beforehand where what it must keep would not fit."""
        check_memory(self.backend, self.card, pairs, self.tokenizer)
        pad_id = getattr(self.module.config, "pad_token_id", None) or 0
        targets = [pair.target for pair in pairs if pair.target is not None]
        target = batch_of(targets, pad_id) if targets else None
        source = batch_of([pair.source for pair in pairs], pad_id)
        try:
            return run_pass(
                self.module, self.backend, self.family, source, target, kernel, stream, edits=edits, gradients=gradients
            )
        except AttnvizError:
            raise
        except (RuntimeError, LookupError, ValueError, TypeError, AttributeError) as error:  # such as too few positions
            reason = str(error).strip().split("\n")[0].rstrip(".")
            raise UnsupportedModel(id="fails-inside", model=self.card.name, reason=reason) from error

    def split(self, ran: ForwardPass, index: int, pair: TokenPair) -> Trace:
        with torch.inference_mode():
            records = ran.run.records(index, self.matrices)
            # without those whose context was changed: they went on with something else than weights·V
            proof = verify(records, {key: rows[index] for key, rows in ran.run.kernel.items() if key in records})
            prediction = None
            if self.lm_head is not None and ran.last is not None:
                span, ids = ran.run.extents.of("decoder")[index], (pair.target or pair.source).ids
                prediction = self.lm_head.prediction(ran.last[index, span.slice], ids)
            if self.task_head is not None and ran.last is not None:
                span = ran.run.extents.source[index]
                prediction = self.task_head.prediction(ran.last[index, span.slice], pair.source)
            return Trace(
                self.card, pair, records, ran.run.splitter(index).stream(ran.stream),
                prediction=prediction, verified=proof, versions=versions(), matrices=self.matrices,
                rerun=None if ran.last is None else self.rerun(pair),
            )  # fmt: skip


def refuse_unverified(trace: Trace) -> Trace:
    """The trace, refused if what was read is not what the model's kernel made."""
    proof = trace.verified
    if proof is not None and not proof.holds:
        raise UnsupportedModel(
            id="run-difference", model=trace.card.name, difference=proof.difference, tolerance=proof.tolerance,
        )  # fmt: skip
    return trace


@cache
def versions() -> Mapping[str, str]:
    """The packages that make a trace; read once, since reading them takes as long as a layer."""
    return run_versions() | {"transformers": transformers.__version__}
