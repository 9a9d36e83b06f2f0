"""What a researcher types in the first hour: numbers of numpy, misspelled words, copies, paths, a trace as a text."""

import copy
import doctest
import gc
import pickle
import weakref
from dataclasses import replace
from inspect import ismodule
from operator import attrgetter
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import torch

import attnviz as av
from attnviz.core.errors import InputError
from attnviz.core.recording import Recording
from attnviz.engine.remote import ServedModel
from attnviz.scratch.rebuilt import rebuilt
from attnviz.scratch.untrained import untrained
from attnviz.trace.edits import HeadEdit
from attnviz.training.bundled_models import FOLDER

pytestmark = pytest.mark.usefixtures("one_thread")

SITE = "encoder.0.self"


@pytest.fixture(scope="module")
def small() -> av.Trace:
    return av.load("reverse").trace("a b c")


def edited(result: object, name: str = f"{SITE}.weights") -> object:
    return av.load("reverse").trace("a b", edits=[av.Edit(name, lambda *_: result, "mine")])


def recorded() -> av.Trace:
    with av.record() as run:
        torch.nn.MultiheadAttention(4, 1, batch_first=True)(*[torch.randn(1, 3, 4)] * 3)
    return run.trace()


REFUSED = {
    "how": (lambda t: HeadEdit(SITE, 0, how="zap"), "'silence', 'mean', 'edge'"),
    "way": (lambda t: av.views.heads(t, way="zap"), "'heatmap'"),
    "part": (lambda t: av.views.heads(t, part="zap"), "'cross'"),
    "together": (lambda t: av.views.heads(t, together="zap"), "'overlay'"),
    "filters": (lambda t: av.views.heads(t, filters="special zap"), "below-3"),
    "head beside": (lambda t: av.views.heads(t, also=[(99, 0)]), "from 0 to"),
    "overview": (lambda t: av.views.heads(t, overview="zap"), "show-entropy"),
    "language of heads": (lambda t: av.views.heads(t, lang="zap"), "'en', 'zh-CN', 'zh-TW'"),
    "language of a step": (lambda t: t.step(lang="zap"), "'zh-CN'"),
    "language of a comparison": (lambda t: av.views.compare(av.compare(t, t), lang="zap"), "'zh-CN'"),
    "size": (lambda t: av.views.heads(t, size="zap"), "'projector'"),
    "True as a head": (lambda t: t[SITE].weights(True), "There is no head True"),
    "a word as a head": (lambda t: t[SITE].weights("a"), "There is no head a"),
    "no head of the site": (lambda t: t[SITE].weights(11), f"There is no head 11 at {SITE}. It has 2"),
    "no site of the trace": (lambda t: t["encoder.7.self"], f"This trace has 4: {SITE}, "),
    "a number as rows": (lambda t: t[SITE].weights(rows=3), "rows=3"),
    "True as a cell": (lambda t: av.explain(t, SITE, "scores", head=0, query=True, key=0), "needs query="),
    "True as a pick": (lambda t: av.views.heads(t, av.views.Pick(True, 0)), "layer=True"),
    "a word as a pick": (lambda t: av.views.heads(t, av.views.Pick(0, "first")), "head='first'"),
    "a released number": (lambda t: av.views.heads(t, av.views.Pick(0, 0, released=7)), "released is 7"),
    **{
        f"letters as texts of {name}": (lambda t, model=model: model().traces("hello"), "list of texts")
        for name, model in {
            "a trained model": lambda: av.load("reverse"),
            "an untrained one": untrained,
            "a pretrained one": lambda: av.load("minilm-l6"),
            "a rebuilt one": lambda: rebuilt(av.load("minilm-l6")),
            "a served one": lambda: ServedModel(av.load("reverse").card, True, {}, engine=None),
        }.items()
    },
    "no such folder": (lambda t: av.load("~/nothing here"), str(Path.home())),
    "an array from an edit": (lambda t: edited(np.zeros(3)), "torch.from_numpy"),
    "an edit of nothing": (lambda t: edited(None, "encoder.0.self.weigths"), "encoder.{layer}.self.weights, "),
    "arrays of three axes": (lambda t: av.Trace.from_arrays(np.ones((2, 3, 3)), "abc"), "[layer, head, query, key]"),
    "no arrays": (lambda t: av.Trace.from_arrays("x", ["a"]), "[layer, head, query, key]"),
    **{
        f"weights that transformers did not give: {given}": (
            lambda t, given=given: av.Trace.from_arrays(given, ["a", "b"]),
            'attn_implementation="eager" and called with output_attentions=True',
        )
        for given in (None, (None, None), ())
    },
    "layers of two sizes": (
        lambda t: av.Trace.from_arrays([np.ones((1, 1, 1)), np.ones((2, 1, 1))], "a"),
        "Layer 1 has weights of shape [2, 1, 1], and layer 0 [1, 1, 1]",
    ),
    "a batch of two texts": (
        lambda t: av.Trace.from_arrays([np.ones((2, 1, 1, 1))], "a"),
        "[layer[:1] for layer in weights]",
    ),
    "the steps of a generation": (lambda t: av.Trace.from_arrays([[np.ones((1, 1, 1, 1))]] * 2, "a"), "“weights[0]”"),
    "scores as weights": (lambda t: av.Trace.from_arrays(np.full((1, 1, 2, 2), 3.0), "ab"), "softmax"),
    "scores of both signs as weights": (
        lambda t: av.Trace.from_arrays(np.array([[[[-0.5, 2.0], [0.25, 0.25]]]]), "ab"),
        "they go from −0.5 to 2, and a row sums to 1.5",
    ),
    "weights of NaN": (lambda t: av.Trace.from_arrays(np.full((1, 1, 2, 2), np.nan), "ab"), "weights holds 4 NaN"),
    "no point of the stream": (
        lambda t: t.stream["decoder.9.in"],
        "no point 'decoder.9.in' in the residual stream. This trace has encoder.embed, ",
    ),
    "the stream of weights alone": (
        lambda t: av.Trace.from_arrays(np.full((1, 1, 2, 2), 0.5), ["a", "b"]).stream["decoder.0.in"],
        "There is no 'decoder.0.in': this trace holds no residual stream",
    ),
    "a number as a model of many texts": (lambda t: av.survey(3), "int is no model. Give a loaded one"),
    "a number as the model of a trace": (lambda t: t.attach(3), "int is no model. Give a loaded one"),
    "several texts as one": (lambda t: av.load("reverse").trace(["a", "b c"]), "A list of texts was given"),
    "a number as a text": (lambda t: av.load("reverse").trace(3), "Expected a text (str), a chat (a list of messages)"),
    "a cell of a run of one's own code": (
        lambda t: av.explain(recorded(), SITE, "q", head=0, query=0, feature=0),
        "Give them to run.trace(parameters=…)",
    ),
    "a value where nothing ran": (
        lambda t: Recording()["weights"],
        "There is no 'weights', since nothing was recorded",
    ),
    "one text as tokens": (lambda t: av.Trace.from_arrays(np.zeros((1, 1, 2, 2)), "ab"), "Expected a list"),
    "too few tokens": (lambda t: av.Trace.from_arrays(np.zeros((1, 1, 2, 2)), ["a"]), "one token for each"),
    "a gradient of nothing": (lambda t: t.gradient("x", 0, 0), "'x'"),
    "logits of a copy": (lambda t: pickle.loads(pickle.dumps(t)).logits(), "a copy, one read from a file"),
    "logits at True": (lambda t: t.logits(True), "position=True, and the text has 4 tokens. Expected 0 to 3"),
    "logits beyond the text": (lambda t: t.logits(99), "position=99"),
    "logits before the text": (lambda t: t.logits(-5), "Expected 0 to 3, or -1 to -4 from the end"),
    "a trace as a comparison": (lambda t: av.views.compare(t), "Trace is no comparison. Give two runs: av.compare("),
    "a model explained": (lambda t: av.explain(av.load("reverse"), SITE, "raw"), "TrainedModel is no trace"),
    "a word as a budget": (lambda t: av.Shelf("4GB"), "limit='4GB'. Expected a number of bytes"),
    "a word as trainings": (lambda t: av.views.training("mine"), "runs holds str. Expected a list of one or two"),
    "traces as trainings": (lambda t: av.views.training([t]), "runs holds Trace"),
    "a gradient beyond the text": (lambda t: t.gradient("decoder.0.in", 99, 0), "position=99"),
    "an edited run taken apart": (
        lambda t: av.why(edited(torch.eye(3).expand(1, 2, 3, 3)), "decoder.0.self", 0, 1, 0),
        "av.logit_lens(trace)",
    ),
    "no head of a step": (lambda t: t.step(head=None), "There is no head None"),
    "no head of a cell": (lambda t: av.explain(t, SITE, "raw", head=None, query=0, key=0), "There is no head None"),
    "a gradient of no word": (lambda t: t.gradient("decoder.0.self.weights", 0, 99_999), "0 to"),
    "a gradient of True": (lambda t: t.gradient("decoder.0.self.weights", 0, True), "token=True"),
    "two models compared": (lambda t: av.compare(av.load("reverse"), av.load("reverse")), "is no trace"),
    "a number compared": (lambda t: t.compare(3), "int is no trace"),
    "a number as heads": (lambda t: av.views.heads(3), "int is no trace"),
    "no name": (lambda t: av.load(None), "not NoneType"),
    "a module": (lambda t: av.load(torch.nn.Linear(2, 2)), "or EncoderDecoder of av.models, not Linear."),
    "a model measured": (lambda t: av.head_metrics(av.load("reverse")), "TrainedModel is no trace. Give a run"),
    "a model among traces": (lambda t: av.head_metrics([t, av.load("reverse")]), "TrainedModel is no trace"),
    "numbers as tokens": (lambda t: av.Trace.from_arrays(np.full((1, 1, 3, 3), 1 / 3), [1, 2, 3]), "tokens holds 1"),
    "less than no words": (lambda t: av.load("induction").write_on("a b c", -1), "at least 0"),
    "less than no words, untrained": (lambda t: untrained("decoder").write_on("a b c", -1), "at least 0"),
    "a number to write on": (lambda t: av.load("induction").write_on(3, 2), "int"),
    "bytes to write on": (lambda t: av.load("induction").write_on(b"a", 2), "bytes"),
    "ids to write on": (lambda t: av.load("induction").write_on([3, 4], 2), "continued by generate"),
    "a text as how many": (lambda t: av.load("induction").write_on("a b", "x"), "max_tokens is 'x'"),
    "no such layer": (lambda t: t.heads((99, 0)), "layer=99 is not here. Expected a whole number from 0 to 0"),
    "a head beyond the model": (lambda t: av.views.heads(t, av.views.Pick(0, -3)), "There is no head -3"),
    "a token beyond the text": (lambda t: av.views.heads(t, av.views.Pick(0, 0, 99)), "token=99, and the text has"),
    "a place as a pick": (lambda t: t.heads("0.1"), "(layer, head)"),
}


@pytest.mark.parametrize("case", list(REFUSED))
def test_what_is_not_known_is_refused_with_what_is(case: str, small: av.Trace) -> None:
    ask, words = REFUSED[case]
    with pytest.raises(av.AttnvizError) as refused:
        ask(small)
    assert words in str(refused.value)


@pytest.mark.parametrize("number", [np.int64, np.uint8, torch.tensor], ids=["int64", "uint8", "tensor"])
def test_whole_numbers_of_numpy_and_torch_are_numbers(number: type, small: av.Trace) -> None:
    one, two = number(1), number(2)
    assert torch.equal(small[SITE].weights(one), small[SITE].weights(1))
    cell = av.explain(small, SITE, "scores", head=one, query=two, key=one)
    for query, key in ((2, 1), (-2, -3)):
        assert cell.value == av.explain(small, SITE, "scores", head=1, query=query, key=key).value
    assert av.views.heads(small, av.views.Pick(number(0), one, two)).payload == (small.heads((0, 1, 2)).payload)


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda t: pickle.loads(pickle.dumps(t))], ids=["deepcopy", "pickle"])
def test_a_copy_of_a_trace_is_the_trace(copied, small: av.Trace, minilm) -> None:
    for trace in (small, minilm.trace("The cat sat.")):
        again = copied(trace)
        assert again.card == trace.card and again.tokens == trace.tokens and list(again) == list(trace)
        assert list(again.stream) == list(trace.stream)  # in the order of the run
        assert torch.equal(again[SITE].weights(0), trace[SITE].weights(0))
        assert torch.equal(again.prediction.ids, trace.prediction.ids) if trace.prediction else not again.prediction
    with pytest.raises(av.AttnvizError, match="parameters"):  # 90 MB of MiniLM
        pickle.loads(pickle.dumps(trace)).parameters(SITE)


def test_a_pickle_is_no_larger_than_a_file(small: av.Trace, tmp_path: Path) -> None:
    small.save(tmp_path / "small.safetensors")
    assert len(pickle.dumps(small)) < (tmp_path / "small.safetensors").stat().st_size + 500


def test_a_trace_and_a_comparison_print_as_one_screen(small: av.Trace, minilm) -> None:
    trace = minilm.trace("The cat sat on the mat. " * 20)
    for shown in (repr(trace), repr(av.compare(trace, trace)), repr(small), repr(trace[SITE])):
        assert len(shown.splitlines()) <= 24 and max(map(len, shown.splitlines())) <= 120
    said = repr(small)
    assert "Reverse" in said and "a b c" in said and SITE in said and "verified" in said


def test_a_trace_iterates_over_its_places_and_a_recording_over_its_names(small: av.Trace) -> None:
    assert list(small) == [site.key for site in small.sites] and len(small) == len(small.records)
    assert SITE in small and "encoder.9.self" not in small
    layer = av.models.MultiHeadAttention(d_model=8, n_heads=2)
    with av.record() as run:
        layer(torch.randn(1, 3, 8))
    assert run.places == (SITE,) and {f"{SITE}.q", f"{SITE}.raw"} < set(run)
    assert all(name in run and len(run[name]) == 1 for name in run)


def test_q_k_v_by_name_make_the_weights_as_the_formula_says(small: av.Trace) -> None:
    for record in small.records.values():
        q, k, v = record.q(1), record.k(1), record.v(1)  # [T_q, d_k], [T_k, d_k], [T_k, d_v]
        assert torch.allclose(q @ k.T, record.raw(1), atol=1e-5)
        assert torch.allclose(record.weights(1) @ v, record.context(1), atol=1e-5)
        assert torch.equal(record.q()[1], q) and torch.equal(record.q(1, slice(1, 2)), q[1:2])


def test_models_are_found_by_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine").symlink_to(FOLDER / "reverse")
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in (tmp_path / "mine", str(tmp_path / "mine"), "~/mine"):
        assert av.load(name).card.name == "Reverse"


def test_a_table_of_metrics_is_written_as_parquet(small: av.Trace, tmp_path: Path) -> None:
    frame = av.head_metrics(small)
    frame.to_parquet(tmp_path / "heads.parquet")
    again = pd.read_parquet(tmp_path / "heads.parquet")
    assert list(again.columns) == list(frame.columns) and again.attrs == frame.attrs and again.attrs["reasons"]


def test_logits_are_those_of_the_prediction_over_the_whole_vocabulary(small: av.Trace) -> None:
    logits = small.logits()
    assert logits.shape == (len(small.tokens.target), len(av.load("reverse").task.target.entries))
    shares = torch.softmax(logits, -1).gather(1, small.prediction.ids)
    assert torch.allclose(shares, small.prediction.probabilities, atol=1e-5)
    assert torch.equal(small.logits(np.int64(2)), logits[2])
    silence = av.Edit("decoder.0.self.context", lambda _, context: 0 * context, "silent")
    silent = av.load("reverse").trace("a b c", small.tokens.target.source, edits=[silence])
    shares = torch.softmax(silent.logits(), -1).gather(1, silent.prediction.ids)
    assert torch.allclose(shares, silent.prediction.probabilities, atol=1e-5)
    assert not torch.allclose(silent.logits(), logits, atol=1e-2)


@pytest.mark.parametrize(
    ("name", "by"), [("decoder.0.self.weights", 1e-2), ("encoder.0.in", 1e-4), ("encoder.1.self.v", 1e-2)]
)
def test_a_gradient_is_what_a_small_change_does(name: str, by: float, small: av.Trace) -> None:
    model, position = av.load("reverse"), 1
    token = int(small.logits(position).argmax())
    gradient = small.gradient(name, position, token)
    direction = torch.randn(gradient.shape, generator=torch.Generator().manual_seed(0))
    found = []
    for step in (by, -by):
        edit = av.Edit(name, lambda _, value, step=step: value + step * direction, "moved")
        changed = model.trace("a b c", small.tokens.target.source, edits=[edit])
        found.append(float(changed.logits(position)[token]))
    slope = (found[0] - found[1]) / (2 * by)
    assert float((gradient * direction).sum()) == pytest.approx(slope, rel=0.02, abs=2e-6 / by)


def test_a_changed_out_is_shown_as_it_was_used(small: av.Trace, tmp_path: Path) -> None:
    edit = av.Edit("encoder.1.self.out", lambda _, out: out * 0.5, "half")
    changed = av.load("reverse").trace("a b c", small.tokens.target.source, edits=[edit])
    changed.save(tmp_path / "changed.safetensors")
    for own in (changed, av.Trace.load(tmp_path / "changed.safetensors")):
        assert torch.allclose(own["encoder.1.self"].out(), small["encoder.1.self"].out() * 0.5, atol=1e-6)
    assert torch.equal(changed["encoder.0.self"].out(), small["encoder.0.self"].out())
    with pytest.raises(av.AttnvizError, match="does not hold the output matrix"):  # saved without parameters
        av.explain(own, "encoder.1.self", "out", query=0, feature=0)


def test_a_trace_of_arrays_shows_weights_and_says_that_it_has_no_more(tmp_path: Path) -> None:
    weights = torch.softmax(torch.randn(2, 3, 4, 4), -1).numpy()
    trace = av.Trace.from_arrays(weights, ["the", "cat", "sat", "down"])
    trace.save(tmp_path / "mine.safetensors")
    attentions = tuple(torch.tensor(layer)[None] for layer in weights)  # as a model of transformers gives them
    for own in (
        trace,
        av.Trace.from_arrays(attentions, ["the", "cat", "sat", "down"]),
        av.Trace.load(tmp_path / "mine.safetensors"),
        copy.deepcopy(trace),
    ):
        assert np.array_equal(own["encoder.1.self"].weights().numpy(), weights[1])
        for value in ("q", "k", "v", "raw", "scores", "masked", "context"):
            with pytest.raises(av.AttnvizError, match="made from weights alone"):
                getattr(own["encoder.0.self"], value)(0)
    assert "srcdoc" in trace._repr_html_() and len(av.head_metrics(trace)) == 6
    assert trace.compare(trace).difference("encoder.0.self", 1).js == 0
    assert list(av.Trace.from_arrays(np.ones((1, 1, 1, 1)), ["a"])) == ["encoder.0.self"]  # one token has no mask


@pytest.mark.parametrize(("name", "stack"), [("induction", "decoder"), ("minilm-l6", "encoder")])
def test_a_trace_of_a_models_arrays_measures_its_heads_as_the_models_own_trace_does(name: str, stack: str) -> None:
    own = av.load(name).trace("a b c a b c a")
    weights = torch.stack([own[site].weights() for site in own])
    given = av.Trace.from_arrays(weights, own.tokens.source.text)
    measured, expected = av.head_metrics(given), av.head_metrics(own)
    assert list(given) == list(own) and set(measured["stack"]) == {stack}
    names = ["entropy", "evenness", "distance", "previous", "next", "self", "first", "same_token", "induction"]
    pd.testing.assert_frame_equal(measured[names], expected[names], atol=1e-6, rtol=0)
    assert "srcdoc" in given._repr_html_()


def test_equal_tokens_are_one_text_whoever_gave_them(minilm) -> None:
    own = minilm.trace("The cat sat on the mat.")
    given = av.Trace.from_arrays(torch.stack([own[site].weights() for site in own]), own.tokens.source.text)
    for found in (av.compare(own, given), av.compare(given, own)):
        assert found.units.are_tokens and not found.is_of_two_texts and found.is_same_shape
        assert found.difference("encoder.2.self", 9).js == pytest.approx(0, abs=1e-6)
        assert max(move.share for move in found.moves) == pytest.approx(0, abs=1e-6)
        assert "srcdoc" in found._repr_html_()


@pytest.mark.parametrize("name", [*av.__all__, "views.View"])
def test_a_name_is_found_by_whoever_imported_the_package_alone_and_its_help_has_an_example_that_runs(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(vars(av), name, raising=False)  # as an earlier import of that part would leave it
    part = attrgetter(name)(av)
    runner = doctest.DocTestRunner()
    for example in doctest.DocTestFinder(recurse=not ismodule(part)).find(part, name, globs={}):
        runner.run(example)
    assert runner.tries and not runner.failures


def test_a_negative_head_is_counted_from_the_end_wherever_a_head_is_asked_for():
    trace = av.load("reverse").trace("a b c")
    for name in ("q", "k", "v", "raw", "scores", "masked", "weights", "context"):
        read = getattr(trace["decoder.0.cross"], name)
        assert torch.equal(read(head=-1), read(head=1)) and torch.equal(read(head=-2), read(head=0)), name
    record = trace["decoder.0.cross"]
    assert torch.equal(record.preview(-1), record.preview(1))
    assert torch.equal(record.reader(-1)(0, 2), record.reader(1)(0, 2))
    cells = [av.explain(trace, "encoder.0.self", "raw", head=head, query=1, key=0).value for head in (-1, 1)]
    assert cells[0] == cells[1]
    picked = [av.views.heads(trace, av.views.Pick(0, head, -1)).payload for head in (-1, 1)]
    assert picked[0] == picked[1]
    with pytest.raises(InputError, match="There is no head -3"):
        record.weights(-3)


def test_a_model_offers_what_a_person_asks_of_it():
    for name in ("reverse", "minilm-l6"):
        offered = {it for it in dir(av.load(name)) if not it.startswith("_")}
        assert {"card", "trace", "traces", "generate", "write_on"} <= offered
        assert not offered & {"run", "split", "rerun", "matrices", "backend", "header", "in_script", "covers"}
        assert all(hasattr(av.load(name), it) for it in offered)


def test_what_is_kept_of_many_texts_is_that_of_each_and_their_traces_are_let_go():
    model, texts = av.load("induction"), ["a b", "a b c a b", "d e f g d e", "c"] * 5
    made, longest = [], len(texts[2].split())

    def widest(trace):
        made.append(weakref.ref(trace))
        if len(trace.tokens.source) >= longest:
            assert sum(it() is not None for it in made) <= 2
        return trace["decoder.1.self"].weights(1)[-1].max().item()

    for wrong in ({"keep": 1000}, {"keep": widest, "max_bytes": 0}, {"keep": widest, "max_bytes": 1.5}):
        with pytest.raises(InputError, match="max_bytes"):
            model.traces(texts, **wrong)
    found = model.traces(texts, keep=widest, max_bytes=2 * model.trace(texts[2]).nbytes)
    assert found == pytest.approx([model.trace(it)["decoder.1.self"].weights(1)[-1].max().item() for it in texts])
    gc.collect()
    assert not any(it() is not None for it in made)
    assert model.traces([], keep=widest) == ()


def test_a_model_prints_as_one_screen_that_says_what_it_is():
    model = av.load("induction")
    assert repr(model).splitlines()[0] == (
        "Induction (induction): from scratch, 2 layers × 2 heads, d_model 64, 38,272 parameters, at most 41 tokens"
    )
    hostile = replace(model, card=replace(model.card, name="<b>", licence="", source="", revision=""))
    assert hostile._repr_html_().startswith("<p>&lt;b&gt; (induction): ") and hostile._repr_html_().count("<p>") == 1
