"""Numbers of the heads view: one head, a window of a long one, its vectors, all heads, and the looks beside one."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Annotated, Any, Literal

from attnviz_app.api.route import Body, post
from attnviz_app.heads.looks import effect, every_head, rollout, support, why
from attnviz_app.jobs.measurements import Tell, many_runs
from attnviz_app.jobs.queue import Measured
from attnviz_app.serving import measured_heads
from attnviz_app.serving.gate import Busy
from attnviz_app.serving.runs import runs
from attnviz_app.serving.surveys import SEQUENCES, surveys
from attnviz_app.step.looks.decoding_blocks import lens_map
from attnviz_app.step.looks.token_slice import holding
from pydantic import Field

from attnviz import views
from attnviz.analysis.circuits.logits import logit_lens
from attnviz.analysis.heads.effect import Effects, every_effect
from attnviz.analysis.heads.kinds import BY_NAME
from attnviz.analysis.heads.sentences import listed
from attnviz.analysis.heads.survey import Survey, excited_by, pattern_of
from attnviz.core.errors import AttnvizError
from attnviz.core.site import Site
from attnviz.text import Strings, sentences
from attnviz.trace.edits import HeadEdit, How
from attnviz.trace.trace import Trace
from attnviz.training.trained_model import TrainedModel
from attnviz.views.heads import revision_of
from attnviz.views.heads.attention_parts import Part, shown_part, sites_of
from attnviz.views.heads.first_pick import Pick, inside, telling_token
from attnviz.views.heads.measured_heads import without_sinks
from attnviz.views.heads.written_tokens import LIKELIEST
from attnviz.views.panel.blocks import Block, Prose

Index = Annotated[int, Field(ge=0, lt=1 << 24)]  # beyond any text


class Picture(Body):
    """Which picture: what a link says before anything in it is picked."""

    model: str
    text: str
    target: str = ""
    part: Part | Literal[""] = ""

    def trace(self) -> Trace:
        return runs().trace(self.model, self.text, self.target)


class Head(Picture):
    layer: Index
    head: Index


class Window(Head):
    """Some rows and columns of a head, each from and up to; what is outside the head is put inside."""

    rows: tuple[Index, Index] = Field(strict=False)
    columns: tuple[Index, Index] = Field(strict=False)


class Vectors(Head):
    """Queries and keys of a head; of a long text those of one row."""

    token: Index | None = None


class Kinds(Picture):
    """What all heads do, in this text or over many sentences: this project's, or a person's own."""

    source: Literal["sentence", "many", "own"]
    without_sinks: bool = False  # of this text: metrics of what the sinks leave
    typed: str = ""  # the person's own sentences, one a line
    starts: bool = False  # whether many sentences are measured for this request
    replaced: str = ""  # the person's own before these, for which nobody waits any more


class Excited(Head):
    """The sentences that excite a head most."""

    source: Literal["many", "own"]
    typed: str = ""


class Look(Head):
    """What stands beside a head: why it looks there, rollout, the lens, what silencing it, or each, does, its support;
    or of every head the weight at a cell, what it moves from there into the likeliest word of the row, or adds to it.
    """

    look: Literal["why", "rollout", "lens", "effect", "silencing", "support", "cell", "moved", "adds"]
    token: Index | None = None  # the row
    key: Index | None = None  # the column
    how: How = "silence"
    word: Annotated[int, Field(ge=0, lt=LIKELIEST)] | None = None  # why this word of the row is ahead of the next
    starts: bool = False  # of what takes many runs: whether that begins with this request, or ends
    stops: bool = False


def _exact(asked: Head) -> bytes:
    trace = asked.trace()
    key = ("exact", revision_of(trace, asked.part), asked.layer, asked.head)
    return runs().payloads.get(key, lambda: views.exact(trace, asked.layer, asked.head, part=asked.part))


def _window(asked: Window) -> bytes:
    trace = asked.trace()
    key = ("window", revision_of(trace, asked.part), asked.layer, asked.head, asked.rows, asked.columns)

    def made() -> bytes:
        return views.window(trace, asked.layer, asked.head, asked.rows, asked.columns, part=asked.part)

    return runs().payloads.get(key, made)


def _neurons(asked: Vectors) -> bytes:
    return views.neurons(asked.trace(), asked.layer, asked.head, asked.token, part=asked.part)


def _kinds(asked: Kinds) -> bytes:
    trace = asked.trace()
    if asked.source == "sentence":
        frame = measured_heads.of_sentence(trace, asked.model)
        if asked.without_sinks:
            frame = without_sinks(trace, frame, asked.part)
        return views.kinds(trace, frame, part=asked.part, lang=asked.lang, has_sinks=not asked.without_sinks)
    if asked.replaced:
        with suppress(AttnvizError):  # a list that was refused is measured by nobody
            surveys().give_up(asked.model, listed(asked.replaced))
    many = _surveyed(asked, starts=asked.starts)
    if many.result is not None:
        n = len(many.result.sentences)
        frame = many.result.heads
        return views.kinds(trace, frame, part=asked.part, lang=asked.lang, n=n, source=asked.source)
    n, share = max(many.total - SEQUENCES, 0), many.done / max(many.total, 1)
    error = many.error if asked.starts else None  # nobody is told why what they did not ask for cannot be had
    reason = None if error is None else asked.say.error(error)
    return views.kinds_waiting(trace, n, part=asked.part, share=share, reason=reason, source=asked.source)


def _surveyed(asked: Kinds | Excited, *, starts: bool = False) -> Measured[Survey]:
    """The heads over this project's sentences or the person's own, as far as they are measured."""
    if asked.source != "own":
        return surveys().of(asked.model, asked.lang, starts=starts)
    try:
        sentences = listed(asked.typed)
    except AttnvizError as error:
        return Measured(error=error)
    return surveys().of_sentences(asked.model, sentences, starts=starts)


def _excited(asked: Excited) -> bytes:
    result, trace = _surveyed(asked).result, asked.trace()
    say = asked.say.of(trace.card.tokens)
    site, head = _place(asked, trace)
    part, revision = shown_part(trace, asked.part), revision_of(trace, asked.part)
    named = asked.model_dump(include={"layer", "head", "source", "typed"})
    if result is None:
        return views.excited(revision, named, (), (), part=part, layer=0, head=0)
    frame = result.heads
    kind = str(frame.loc[(frame["site"] == site.key) & (frame["head"] == head), "kind_of_head"].iloc[0])
    by = "heads-excited-least" if pattern_of(kind)[1] else "heads-excited-most"
    said = (sentences(_measured_on(asked.source, result, say), say(by, kind=say(BY_NAME[kind].title))),)
    model, excited = runs().model(asked.model), excited_by(result, site.key, head)
    if asked.source == "many" and isinstance(model, TrainedModel):  # whose own are simplified Chinese
        excited = tuple(replace(one, sentence=model.spelled(one.sentence, asked.lang)) for one in excited)
    each = [(one, runs().trace(asked.model, one.sentence, "")) for one in excited]
    return views.excited(revision, named, said, each, part=part, layer=asked.layer, head=head)


def _measured_on(source: str, survey: Survey, say: Strings) -> str:
    """On how many sentences of which kind a table was measured."""
    kind, n = "own" if source == "own" else survey.language or "task", len(survey.sentences)
    if n < survey.n_asked:
        return say("heads-of-part", n=n, of=survey.n_asked, kind=kind)
    unknown = say("heads-many-unknown", percent=round(100 * survey.unknown_share)) if survey.has_unknown else ""
    return sentences(unknown, say("heads-of-many", n=n, kind=kind))


def _place(asked: Head, trace: Trace) -> tuple[Site, int]:
    """The head that is asked for, refused where the model has none there."""
    sites = sites_of(trace, asked.part)
    pick = inside(Pick(asked.layer, asked.head), trace, sites)
    return sites[pick.layer], pick.head


def _look(asked: Look) -> bytes:
    trace = asked.trace()
    _place(asked, trace)
    named = asked.model_dump(include={"look", "layer", "head", "token", "key", "how", "word"})
    if asked.look == "silencing":
        return _silenced(asked, trace, named)
    if asked.look == "support":
        return _supported(asked, trace, named)
    key = ("look", revision_of(trace, asked.part), asked.lang, *named.values())

    def made() -> bytes:
        return views.look(trace, named, _blocks(asked, trace), part=asked.part)

    return runs().payloads.get(key, made)


def _blocks(asked: Look, trace: Trace) -> tuple[Block, ...]:
    say, (site, head) = asked.say, _place(asked, trace)
    try:
        if asked.look == "rollout":
            start = holding(asked.token or 0, 0)
            return rollout.blocks(trace, sites_of(trace, asked.part)[0], shown_part(trace, asked.part), start, say)
        if asked.look == "lens":
            with runs().gate.entered():
                read = logit_lens(trace)
            about = sentences(say("look-lens-about"), say("look-lens-honest"))
            return (*lens_map(trace, read, asked.token, say), Prose(about))
        query, key = _cell(asked, trace, site, head)
        if asked.look == "cell":
            tokens = {"query": trace.query_tokens(site).name(query), "key": trace.key_tokens(site).name(key)}
            return (every_head.weights(trace, site, query, key, say), Prose(say("heads-cell-says", **tokens)))
        if asked.look == "moved":
            with runs().gate.entered():
                return why.moved_blocks(trace, site, query, key, say)
        if asked.look == "adds":
            with runs().gate.entered():
                return why.added_blocks(trace, site, query, say)
        if asked.look == "why":
            with runs().gate.entered():
                if asked.word is not None:
                    return why.word_blocks(trace, site, head, query, asked.word, say)
                return why.blocks(trace, site, head, query, key, say)
        edge = (query, key) if asked.how == "edge" else (None, None)
        edit = HeadEdit(site.key, head, asked.how, *edge)
        position = effect.position_of(trace, site, asked.token)
        effects = effect.measured(trace, asked.model, edit, position)
        return (*effect.effect_blocks(trace, effects, say), Prose(say("heads-effect-about", n=len(effects.others))))
    except Busy:
        raise
    except AttnvizError as problem:
        return (Prose(say.error(problem)),)


def _cell(asked: Look, trace: Trace, site: Site, head: int) -> tuple[int, int]:
    """The row and the column that a look is about: where one is not picked, that which tells most."""
    record = trace[site]
    query = asked.token
    if query is None and asked.key is not None:
        query = int(record.weights(head)[:, min(asked.key, record.n_keys - 1)].argmax())
    query = min(telling_token(trace, site, head) if query is None else query, record.n_queries - 1)
    most = int(record.weights(head, slice(query, query + 1))[0].argmax())
    return query, most if asked.key is None else min(asked.key, record.n_keys - 1)


def _silenced(asked: Look, trace: Trace, named: dict[str, object]) -> bytes:
    say, part = asked.say, shown_part(trace, asked.part)
    sites = sites_of(trace, part)
    position = effect.position_of(trace, sites[0], asked.token)

    def work(tell: Tell) -> Effects:
        return every_effect(runs().model(asked.model), asked.trace(), sites, position=position, on_progress=tell)

    key = effect.silencing_key(asked.model, trace, asked.text, asked.target, part, position)
    if asked.stops:
        many_runs().queue.leave(key)
    measured = many_runs().ask(key, work, starts=asked.starts)
    return _answer(asked, trace, named, measured, lambda done: effect.silenced_blocks(trace, done, say))


def _supported(asked: Look, trace: Trace, named: dict[str, object]) -> bytes:
    """What supports the kinds that many sentences give, or, while these are not measured, those of the text."""
    frame = surveys().frame(asked.model, asked.lang, starts=False)
    if frame is None:
        frame = measured_heads.of_sentence(trace, asked.model)

    def work(tell: Tell) -> support.Evidence:
        return support.measured(asked.model, trace, tell)

    measured = many_runs().ask(("support", asked.model, trace.card.revision), work, starts=asked.starts)
    sites, say = sites_of(trace, asked.part), asked.say
    return _answer(asked, trace, named, measured, lambda done: support.blocks(sites, frame, done, say))


def _answer(
    asked: Look, trace: Trace, named: dict[str, object], measured: Measured[Any], made: Callable[[Any], Sequence[Block]]
) -> bytes:
    """What many runs gave; before that how far they are, or why there will be none."""
    if measured.result is not None:
        return views.look(trace, named, made(measured.result), part=asked.part)
    reason = None if measured.error is None else asked.say.error(measured.error)
    share = measured.done / max(measured.total, 1)
    return views.look(trace, named, (), part=asked.part, share=share, reason=reason)


ROUTES = (
    post("/heads/exact", Head, _exact),
    post("/heads/window", Window, _window),
    post("/heads/neurons", Vectors, _neurons),
    post("/heads/kinds", Kinds, _kinds),
    post("/heads/excited", Excited, _excited),
    post("/heads/look", Look, _look),
)
