"""Scores and logits taken apart, on models whose circuit is known and by hand, and the stream read early."""

import pickle

import pytest
import torch

import attnviz as av
from attnviz.core.edit import Edit
from attnviz.core.errors import LimitError, StepError
from attnviz.scratch.untrained import untrained


def test_the_induction_heads_score_comes_first_from_the_head_that_wrote_the_previous_token(repeated):
    weights = repeated["decoder.1.self"].weights(0)
    query, key = 11, int(weights[11].argmax())
    ids = repeated.tokens.source.ids

    found = av.why(repeated, "decoder.1.self", 0, query, key)

    assert ids[key - 1] == ids[query]  # the key comes behind the same letter
    first = found.frame("key").iloc[0]
    assert (first.kind, first.site, first["head"]) == ("head", "decoder.0.self", 0) and first.share > 0.5
    moved = found.sources("key").iloc[0]
    again = av.why(repeated, str(moved.site), moved["head"], key, moved.token)  # a row of one table asks for the next
    assert again.head == 0 and abs(float(again.parts.sum()) - again.score) < 1e-4
    assert (moved.site, moved["head"], moved.token) == ("decoder.0.self", 0, key - 1)


def test_what_is_taken_apart_comes_back_from_a_pickle(repeated):
    found = av.why(repeated, "decoder.1.self", 0, 11, 4)
    again = pickle.loads(pickle.dumps(found))
    assert again.score == found.score and again.sources("key").equals(found.sources("key"))


def test_a_heads_part_is_what_arithmetic_by_hand_gives(repeated):
    """scale · q · W_K · norm(context W_O), with the norm's scale of the run, in float64."""
    head, query, key = 1, 12, 10
    found = av.why(repeated, "decoder.1.self", head, query, key)

    own, norm = repeated.parameters("decoder.1.self"), repeated.parameters("decoder.1.self_norm")
    x = repeated.stream["decoder.1.in"][key].double()  # [d_model]
    scale_of_norm = 1 / torch.sqrt(x.var(unbiased=False) + float(norm["eps"]))
    source, earlier = repeated["decoder.1.self"].replay, repeated["decoder.0.self"]
    width = source.q.shape[-1]
    w_o = earlier.w_o.double().unflatten(1, (earlier.n_heads, -1))  # [d_model, H, d_v]
    w_k = own["w_k"].double()[head * width : (head + 1) * width]  # [d_k, d_model]
    for other in range(earlier.n_heads):
        wrote = w_o[:, other] @ earlier.context(other)[key].double()  # [d_model]
        k = w_k @ ((wrote - wrote.mean()) * scale_of_norm * norm["gain"].double())  # [d_k]
        expected = float(source.q[head, query].double() @ k) * source.scale
        index = [it.label for it in found.keys].index(f"head decoder.0.self {other}")
        assert float(found.parts[:, index].sum()) == pytest.approx(expected, abs=1e-5)


def test_frames_hold_every_part_once(repeated):
    found = av.why(repeated, "decoder.1.self", 0, 12, 10)
    for by, rows in (("pair", found.parts.numel()), ("query", len(found.queries)), ("key", len(found.keys))):
        frame = found.frame(by)
        assert len(frame) == rows and frame["value"].sum() == pytest.approx(found.score, abs=1e-5)
        assert frame["value"].abs().is_monotonic_decreasing
        assert frame["share"].sum() == pytest.approx(1, abs=1e-5)
    assert repr(found).startswith("score of decoder.1.self, head 0, token 12 on token 10: ")


def test_a_run_saved_edited_or_of_ones_own_code_is_refused_and_the_lens_reads_one_edited(tmp_path, trained, repeated):
    repeated.save(tmp_path / "one.safetensors")
    edit = Edit("decoder.0.self.context", lambda name, value: value * 0, "nothing")
    edited = trained.trace(repeated.tokens.source.source, edits=[edit])
    with av.record() as run:
        av.attend(*torch.ones(3, 1, 4, 8).unbind())
    for trace in (av.Trace.load(tmp_path / "one.safetensors"), edited, run.trace()):
        with pytest.raises(StepError, check=lambda error: error.id in ("no-rerun", "edited-rerun")):
            av.why(trace, trace.sites[0], 0, 1, 1)
    end = av.logit_lens(edited).query("point == 'decoder.out'")  # of the run as it was edited
    assert end["token"].tolist() == edited.logits().argmax(-1).tolist() != repeated.logits().argmax(-1).tolist()
    assert end["probability"].tolist() == pytest.approx(edited.prediction.probabilities[:, 0].tolist(), abs=1e-5)


def test_a_text_that_is_too_long_to_take_apart_is_refused():
    trace = untrained("decoder", max_tokens=1100).trace("word " * 1050)
    with pytest.raises(LimitError, check=lambda error: error.id == "too-long-to-take-apart"):
        av.why(trace, trace.sites[0], 0, 5, 1)


def test_the_induction_heads_write_the_letter_that_followed_before(repeated):
    position, answer = 11, repeated.tokens.source.ids[10]  # behind the second n: f, as behind the first
    assert int(repeated.prediction.ids[position, 0]) == answer

    found = av.wrote(repeated, position, answer)

    heads = found.frame()
    heads = heads[heads["kind"] == "head"]
    assert heads.iloc[0][["site", "layer", "token"]].tolist() == ["decoder.1.self", 1, position]
    moved = found.sources().iloc[0]
    assert moved.site == "decoder.1.self" and repeated.tokens.source.ids[int(moved.token)] == answer

    likeliest = av.wrote(repeated, position)  # less the next one
    assert [likeliest.token, likeliest.against] == repeated.prediction.ids[position, :2].tolist()
    less = av.wrote(repeated, position, likeliest.against).logit
    assert likeliest.logit == pytest.approx(found.logit - less, abs=1e-4)


def test_the_answer_of_induction_appears_in_the_last_block(repeated):
    lens = av.logit_lens(repeated)
    at = lens[lens["position"] == 11].set_index("point")
    assert at.loc["decoder.out", "final_rank"] == 1 < at.loc["decoder.0.in", "final_rank"]


def test_a_model_without_a_vocabulary_says_what_is_nearest(minilm):
    trace = minilm.trace("The cat sat.")
    for ask in (lambda: av.wrote(trace, 1, 5), lambda: av.logit_lens(trace)):
        with pytest.raises(StepError, match="sentence vector", check=lambda error: error.id == "no-vocabulary"):
            ask()


def test_without_a_token_the_likeliest_is_taken_apart_against_the_next_within_the_bound_that_is_said():
    trace = av.load("induction").trace("a b c a b")
    found = av.wrote(trace, -1)
    first, second = trace.logits()[-1].topk(2).indices.tolist()
    assert (found.token, found.against) == (first, second)
    logits = trace.logits()[-1].double()
    assert float(found.parts.sum()) == pytest.approx(float(logits[first] - logits[second]), abs=found.bound)
    assert found.difference <= found.bound < 1e-2 and f"within {found.bound:.2g}" in repr(found)
