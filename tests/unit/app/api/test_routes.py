"""Our routes: numbers equal to those of the run, and one sentence for whatever cannot be answered."""

import json
import re

import numpy as np
import pytest
import torch
from attnviz_app.api.route import MOST_BYTES
from attnviz_app.jobs.queue import Measured
from attnviz_app.serving.gate import Gate
from attnviz_app.serving.runs import runs
from attnviz_app.serving.surveys import surveys
from attnviz_app.step.query import picked_in
from torch.testing import assert_close

from attnviz import views
from attnviz.core.errors import AttnvizError
from attnviz.explanation import whatif
from attnviz.text import strings
from tests.unit.app.api.conftest import asked

CAT = "The cat sat on the mat because it was tired."
NO_SET = AttnvizError(id="survey-no-set", model="m", reads="French")
PICTURE = {"model": "minilm-l6", "text": CAT}
HERE = {"part": "encoder", "layer": "1", "head": "2"}
NO_CELL = dict.fromkeys(("matrix", "token", "key", "feature"), "")
UNMOVED = {"window": "", "guessed": "", "columns": "", "present": "", "draw": ""}
HEAD = {**PICTURE, "layer": 2, "head": 3}


@pytest.mark.parametrize(("path", "more", "name"), [
    ("exact", {}, "head"), ("window", {"rows": [1, 4], "columns": [0, 6]}, "part"), ("neurons", {"token": 4}, "q"),
])  # fmt: skip
def test_a_head_a_window_of_it_and_its_vectors_hold_the_runs_numbers(client, minilm, path, more, name):
    trace = minilm.trace(CAT)
    record = trace["encoder.2.self"]
    expected = {"head": record.weights(3), "part": record.weights(3)[1:4, :6], "q": record.replay.q[3]}
    header, arrays = asked(client, f"/heads/{path}", **HEAD, **more)
    assert (header["revision"], header["layer"], header["head"]) == (views.heads(trace).revision, 2, 3)
    assert header.items() >= {name: more[name] for name in more if name != "token"}.items()
    assert_close(torch.from_numpy(arrays[name].copy()), expected[name], rtol=0, atol=5e-6)


def test_an_answer_travels_compressed_to_who_takes_that_once_for_a_class(client, monkeypatch):
    body = {**HEAD, "text": " ".join([CAT] * 3)}
    ways = ({"accept-encoding": "gzip"}, {"accept-encoding": "identity"})
    packed, plain = (client.post("/heads/exact", json=body, headers=way) for way in ways)
    assert packed.headers["content-encoding"] == "gzip" and "content-encoding" not in plain.headers
    assert packed.content == plain.content
    monkeypatch.delattr("gzip.compress")  # the same answer to the next one is not compressed anew
    assert client.post("/heads/exact", json=body, headers=ways[0]).content == plain.content


@pytest.mark.parametrize("path", ["/heads/exact", "/heads/neurons", "/home/pair"])
def test_what_the_model_does_not_have_is_refused(client, path):
    refusal = client.post(path, json={**HEAD, "head": 99})
    assert (refusal.status_code, "It has 12 heads" in refusal.text) == (422, True)


def test_a_step_picture_holds_what_was_chosen_since_in_order(client):
    run, asks = {"model": "reverse", "text": "k a b c"}, [{"tab": "heads"}, {"head": 1}, {"temperature": 0.5}]
    header, arrays = asked(
        client, "/step/picture", **run, picked={"matrix": "raw", "token": "2", "key": "3"}, asks=asks
    )
    assert header["place"] == {"tab": "heads", **HERE, **NO_CELL, "if": "t0.5.encoder.0.self.2", **UNMOVED}
    again, same = asked(client, "/step/picture", **run, picked=header["place"])
    assert {**again["place"], **NO_CELL} == header["place"] and again["revision"] == header["revision"]
    first, second = ({name: array.tobytes() for name, array in them.items()} for them in (arrays, same))
    assert first == second


@pytest.mark.parametrize(("tab", "switched", "ask", "attention", "step"), [
    ("decoder", "full", {"causal": False, "attention": "decoder.1.self"}, "decoder.1.self", "weights"),
    ("decoder", "hide4", {"hide": 3, "attention": "decoder.1.cross"}, "decoder.1.cross", "weights.2"),
    ("self", "t3", {"temperature": 3}, "encoder.0.self", "weights"),
    ("heads", "nopos", {"positions": False}, "encoder.0.self", "weights"),
])  # fmt: skip
def test_a_what_if_without_a_picked_cell_shows_the_weight_that_changes_most(
    client, tab, switched, ask, attention, step
):
    says = {"model": "translate-en-zh", "text": "She did not buy this book yesterday."}
    first, _ = asked(client, "/step/picture", **says, picked={"tab": tab})
    assert first["is_free"]
    here = first["place"] | {"matrix": step, "token": "1", "key": "1", "feature": ""}
    free, _ = asked(client, "/step/picture", **says, picked=here, asks=[{**ask, "isFree": True, "isEverywhere": True}])
    bare, _ = asked(client, "/step/picture", **says, picked={"tab": tab, "if": switched})
    own, _ = asked(client, "/step/picture", **says, picked=here, asks=[{**ask, "isFree": False}])
    assert (own["picked"]["row"], own["picked"]["key"], own["is_free"]) == (0, 0, False)
    model = runs().model(says["model"])
    trace = model.trace(says["text"])
    ran = whatif.run(model, trace, picked_in({"if": switched}).switches)
    head = free["controls"]["head"] if tab != "heads" else 0
    changes = (ran[attention].weights(head) - trace[attention].weights(head)).abs()  # [T_q, T_k]
    assert free["picked"]["step"] == step and free["is_free"]
    assert changes[free["picked"]["row"], free["picked"]["key"]] == changes.max() > 0.05
    asked_for = bare["picked"]["step"]
    assert re.fullmatch(r"weights(\.\d+)?", asked_for) and (tab == "heads" or tab == "self" or asked_for == "weights.2")


def test_kinds_of_this_text_and_over_many_sentences(client):
    header, arrays = asked(client, "/heads/kinds", **PICTURE, source="sentence")
    assert (header["source"], arrays["kinds"].shape) == ("sentence", (6, 12))
    header, arrays = asked(client, "/heads/kinds", **PICTURE, source="many")
    assert (header["n"], arrays["errors"].shape[1:]) == (204, (6, 12))


@pytest.mark.parametrize(("starts", "reason"), [(False, None), (True, str(NO_SET))])
def test_why_there_are_none_is_said_to_those_who_ask(client, monkeypatch, starts, reason):
    none = Measured(None, 52, 208, NO_SET)
    monkeypatch.setattr(type(surveys()), "of", lambda *_, **__: none)
    header, arrays = asked(client, "/heads/kinds", **PICTURE, source="many", starts=starts)
    assert (header["n"], header["share"], header["reason"], arrays) == (204, 0.25, reason, {})


def test_a_pair_is_one_head_beside_another(client):
    sides = {"a": "minilm-l6", "b": "minilm-l6", "text": CAT}
    header, _ = asked(client, "/compare/pair", **sides, pair=[1, 2, 3, 4])
    assert (header["a"], header["b"]) == ([1, 2], [3, 4])
    assert client.post("/compare/pair", json={**sides, "pair": [1, 2, 9, 9]}).status_code == 422


def test_home_is_told_the_row_its_arithmetic_and_what_is_left_of_the_sentence_without_the_head(client):
    header, arrays = asked(client, "/home/story", **PICTURE, layer=5, head=11, token=8)
    head = asked(client, "/heads/exact", **PICTURE, layer=5, head=11)[1]["head"]
    assert np.abs(arrays["weights"] - head).max() < 1e-6
    score, key = header["score"], header["key"]
    assert key == int(head[8].argmax()) and score["weight"] == pytest.approx(float(head[8, key]), abs=1e-6)
    assert float(arrays["products"].sum(dtype=np.float64)) * score["scale"] == pytest.approx(score["score"], abs=1e-4)
    shares = np.exp(arrays["scores"].astype(np.float64))
    assert np.abs(shares / shares.sum() - head[8]).max() < 1e-5
    assert header["measure"] == "cosine" and len(header["effects"]) == 6 and header["effects"][0]["place"] == [5, 11]
    assert all(0 < one["after"] <= 1 for one in header["effects"]) and "reason" not in header
    assert client.post("/home/story", json={**HEAD, "token": -1}).status_code == 422


def test_home_shows_a_head_without_training_and_one_that_forms(client):
    assert client.post("/home/pair", json={**HEAD, "model": "nope"}).status_code == 404
    before, after = asked(client, "/home/pair", **PICTURE, layer=5, head=11)[1]["maps"].astype(float)
    head = asked(client, "/heads/exact", **PICTURE, layer=5, head=11)[1]["head"]
    assert np.abs(after / 255 - np.sqrt(head)).max() <= 0.5 / 255 + 1e-6
    assert after.std() > 5 * before.std()  # as the card says: before training every row is even
    first, *between, last = asked(client, "/home/formation", **PICTURE)[1]["maps"].astype(float)
    assert len(between) == 2 and last.std() > first.std()


BAD = [
    ({}, 422), ({**HEAD, "layer": -1}, 422), ({**HEAD, "layer": "2"}, 422), ({**HEAD, "head": 10**30}, 422),
    ({**HEAD, "text": ["x"]}, 422), ({**HEAD, "more": 1}, 422), ({**HEAD, "lang": "xx"}, 422), ([HEAD], 422),
    ({**HEAD, "model": "../../etc/passwd"}, 404), ({**HEAD, "model": "\ud800"}, 404),
    ({**HEAD, "text": ""}, 422), ({**HEAD, "text": "x" * 30_000}, 422),
]  # fmt: skip
JSON = "application/json"


@pytest.mark.parametrize(("content", "kind", "status"), [
    *((json.dumps(body), JSON, status) for body, status in BAD),
    (json.dumps(HEAD), "text/plain", 400),  # what a form of another site can send
    ("{", JSON, 400), ("[" * 100_000, JSON, 400), (b"\xff\xfe", JSON, 400), (" " * (MOST_BYTES + 1), JSON, 413),
])  # fmt: skip
def test_a_bad_request_gets_one_sentence(client, content, kind, status):
    response = client.post("/heads/exact", content=content, headers={"content-type": kind})
    assert response.status_code == status
    sentence = response.json()["error"]
    assert list(response.json()) == ["error"] and sentence.strip()
    assert "\n" not in sentence and "Traceback" not in sentence


def test_a_refusal_is_in_the_readers_language(client):
    said = client.post("/heads/exact", json={**HEAD, "model": "nope", "lang": "zh-TW"}).json()["error"]
    assert said == strings("zh-TW")("error-model-not-allowed", name="nope")


def test_a_busy_server_says_when_to_come_again(client, monkeypatch):
    monkeypatch.setattr(runs(), "gate", Gate(workers=1, queue_length=0, seconds=0.1))
    with runs().gate.entered():
        response = client.post("/heads/exact", json={**HEAD, "text": "Nobody asked this before."})
    assert response.status_code == 503 and int(response.headers["retry-after"]) > 0


@pytest.mark.parametrize("fault", [RuntimeError("a secret sentence"), MemoryError("a secret sentence")])
def test_a_fault_of_ours_says_nothing_of_the_visitor_in_the_log(client, monkeypatch, caplog, fault):
    def fail(*_):
        raise fault

    with monkeypatch.context() as within:
        within.setattr(runs(), "trace", fail)
        response = client.post("/heads/exact", json=HEAD)
    assert client.post("/heads/exact", json=HEAD).status_code == 200  # the next one is answered
    assert response.status_code == 500 and response.json()["error"] == strings("en")("error-no-answer")
    assert type(fault).__name__ in caplog.text and "secret" not in caplog.text


@pytest.mark.parametrize(("method", "path", "status"), [
    ("GET", "/heads/exact", 405), ("PUT", "/step/picture", 405), ("POST", "/page/heads", 405),
    ("POST", "/heads/exact/", 404), ("GET", "/page/none", 404), ("POST", "/nothing", 404), ("GET", "/..%2f", 404),
])  # fmt: skip
def test_what_no_route_answers_is_refused_in_a_sentence_too(client, method, path, status):
    response = client.request(method, path)
    assert response.status_code == status and response.json()["error"].startswith("The request cannot be read")
    assert (status == 405) is ("allow" in response.headers)
