"""Models at a trace service do what they do in this process, and a service that may answer anything does no harm."""

import asyncio
import json
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx2
import pytest
import torch
import uvicorn
from attnviz_app.serving.runs import Runs
from attnviz_app.settings import Settings

import attnviz as av
from attnviz.analysis.heads.effect import effect
from attnviz.analysis.heads.survey import survey
from attnviz.core.errors import AttnvizError, InputError, LimitError, TooLong, UnknownModel, UnsupportedModel
from attnviz.engine import messages
from attnviz.engine.cluster import Place
from attnviz.engine.messages import EngineError, Question
from attnviz.engine.remote import HttpEngine
from attnviz.engine.service import Service, service_app
from attnviz.explanation import whatif
from attnviz.explanation.whatif import ScoreSwitches, Switches
from attnviz.trace.edits import HeadEdit, Nothing
from attnviz.trace.generation import Continued
from tests.unit.app.serving.test_trace_files import changed

MODELS = ("minilm-l6", "reverse", "induction")
TEXT, OTHER = "The cat sat on the mat because it was tired.", "A short one."
TOLERANCE = 1e-5  # a batch rounds differently from one text alone


@pytest.fixture(scope="module")
def local():
    return Place(MODELS).loader()


@pytest.fixture(scope="module")
def remote(local):
    """The same models at a trace service on a port of its own."""
    server = uvicorn.Server(uvicorn.Config(service_app(Service(local, MODELS)), port=0, log_level="error"))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        threading.Event().wait(0.02)
    yield HttpEngine(f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}")
    server.should_exit = True
    thread.join()


def same(a, b):
    assert (a.card, a.tokens, tuple(a.records), a.edits) == (b.card, b.tokens, tuple(b.records), b.edits)
    for key in a.records:
        torch.testing.assert_close(a[key].weights(), b[key].weights(), rtol=0, atol=TOLERANCE)
    torch.testing.assert_close(a.stream, b.stream, rtol=0, atol=TOLERANCE)


@pytest.mark.parametrize(("name", "run"), [
    ("minilm-l6", lambda model: model.traces((TEXT, OTHER, "word " * 50))),
    ("ours:minilm-l6", lambda model: [model.trace(TEXT)]),
    ("reverse", lambda model: [model.trace("a b c", "c b")]),
    ("minilm-l6", lambda model: [model.trace(TEXT, edits=[av.ablate("encoder.5.self.11")])]),
    ("minilm-l6", lambda model: [model.trace(TEXT, edits=[Nothing()])]),
    ("minilm-l6", lambda model: [model.trace(
        TEXT, edits=[av.ablate("encoder.1.self.0", "mean"), av.cut("encoder.2.self.3", 2, 4)])]),
])  # fmt: skip
def test_a_run_is_what_the_model_gives_here_with_its_parameters(remote, local, name, run):
    here = local(name)  # loaded before the service waits for it
    for own, found in zip(run(here), run(remote.model(name)), strict=True):
        same(found, own)
        if name != "reverse":
            assert torch.equal(found.parameters("encoder.2.self")["w_o"], here.matrices["encoder.2.self"]["w_o"])
            torch.testing.assert_close(found["encoder.2.self"].out(), own["encoder.2.self"].out())


def test_a_survey_is_that_of_the_model(remote, local):
    sentences = (TEXT, OTHER, "Birds fly over the old house at night.")
    found = remote.model("minilm-l6").survey(sentences=sentences)
    own = survey(local("minilm-l6"), sentences)
    assert found.sentences == own.sentences and list(found.heads) == list(own.heads)
    numbers = found.heads.select_dtypes("number").to_numpy(), own.heads.select_dtypes("number").to_numpy()
    torch.testing.assert_close(*map(torch.from_numpy, numbers), rtol=0, atol=TOLERANCE, equal_nan=True)
    assert found.heads.attrs == own.heads.attrs


def test_effects_and_what_ifs_of_the_pages_are_the_same_at_a_service(local, remote):
    here, there = local("minilm-l6"), remote.model("minilm-l6")
    trace, change = here.trace(TEXT), HeadEdit("encoder.5.self", 11)
    ours, theirs = effect(here, trace, change), effect(there, there.trace(TEXT), change)
    assert theirs.chosen.after == pytest.approx(ours.chosen.after, abs=1e-5)
    assert [it.edit for it in theirs.others] == [it.edit for it in ours.others]
    own = ScoreSwitches(causal=True, scaling=False, temperature=4.0, hidden=2)
    for switches in (
        Switches(causal=True), Switches(temperature=0.5, silenced=(("encoder.0.self", 1),)),
        Switches(heads=(("encoder.1.self", 3, own),)),
    ):  # fmt: skip
        found = whatif.run(there, trace, switches)
        same(found, whatif.run(here, trace, switches))
        assert found.edits
    with pytest.raises(InputError, match="takes no code"):
        there.trace(TEXT, edits=[av.Edit("weights", lambda name, weights: weights, "code")])


@pytest.mark.parametrize(("text", "kind", "says"), [
    ("", InputError, "no text"), ("word " * 3000, TooLong, "3,002 tokens"), ("x" * 200_000, TooLong, "most 100,000"),
])  # fmt: skip
def test_what_a_model_or_its_service_refuses_is_refused_by_the_same_error(remote, text, kind, says):
    with pytest.raises(kind, match=says) as refusal:
        remote.model("minilm-l6").trace(text)
    assert refusal.value.id and refusal.value.arguments.get("n", 0) >= 0


def test_first_parts_and_what_is_written_on_come_from_the_service(local, remote):
    text = "word " * 3000
    assert remote.model("minilm-l6").first_part(text, 40) == local("minilm-l6").first_part(text, 40) != ""
    for text in ("a b c a b", " a b  "):
        assert remote.model("induction").write_on(text, 3) == local("induction").write_on(text, 3)
    assert remote.model("induction").can_write_on and not remote.model("minilm-l6").can_write_on


def test_many_threads_and_mixed_models_never_get_each_others_answers(local, remote):
    asked = [("minilm-l6", f"sentence number {i} of many") for i in range(24)]
    asked += [("reverse", " ".join("abcdefgh"[i % 8 :][:3])) for i in range(24)]
    asked += [("minilm-l6", "word " * 3000)] * 3  # one that is refused harms nobody beside it

    def ask(name, text):
        try:
            return remote.model(name).trace(text)
        except TooLong as error:
            return error

    with ThreadPoolExecutor(len(asked)) as pool:
        found = list(pool.map(ask, *zip(*asked, strict=True)))
    assert sum(isinstance(it, TooLong) for it in found) == 3
    for (name, text), trace in zip(asked[:48], found[:48], strict=True):
        assert (trace.card.id, trace.tokens.source.source) == (name, text)
    for i in (0, 23, 24, 47):
        same(found[i], local(asked[i][0]).trace(asked[i][1]))


class Slow:
    """A model that notes its runs; each waits until the test lets it go on."""

    def __init__(self, model):
        self.model, self.tokenizer, self.ran, self.gate = model, model.tokenizer, [], threading.Event()

    def traces(self, texts):
        self.ran.append(tuple(texts))
        self.gate.wait(10)
        return self.model.traces(texts)

    def trace(self, text, target=None, edits=()):
        return self.traces([text])[0]


def test_what_waits_shares_a_batch_by_tokens_and_nothing_runs_that_nobody_waits_for(local, monkeypatch):
    monkeypatch.setattr("attnviz.engine.service.QUEUE", 4)
    monkeypatch.setattr("attnviz.engine.service.BATCH_TOKENS", 32)
    slow = Slow(local("minilm-l6"))

    async def scene():
        service = Service(lambda name: slow, MODELS)

        def ask(text, seconds=30.0):
            asked = Question(call="trace", model="minilm-l6", texts=(text,), seconds=seconds)
            return asyncio.ensure_future(service.ask(asked))

        first = ask("one")
        while not slow.ran:
            await asyncio.sleep(0.01)
        left, late, *kept = ask("gone"), ask("late", 0.05), ask("two words"), ask("ten words " * 5)
        await asyncio.sleep(0.1)
        with pytest.raises(EngineError, match="too long"):
            await late
        left.cancel()
        await asyncio.gather(left, return_exceptions=True)
        more = [ask(f"number {i}") for i in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(LimitError) as busy:
            await ask("one too many")
        slow.gate.set()
        await asyncio.gather(first, *kept, *more)
        return busy.value.id

    assert asyncio.run(scene()) == "busy"
    assert slow.ran == [("one",), ("two words", "number 0", "number 1"), ("ten words " * 5,)]


def test_a_page_in_a_browser_is_refused_before_its_question_is_read(remote):
    pages = {"Origin": "https://elsewhere.example"}, {"Origin": remote._url.removesuffix(messages.PATH)}, {}
    answers = [httpx2.post(remote._url, headers=origin, trust_env=False) for origin in pages]
    assert [answer.status_code for answer in answers] == [403, 403, 422]


def test_only_the_models_that_are_served_can_be_asked_for(remote):
    with pytest.raises(UnknownModel, match="not allowed"):
        remote.model("sort")
    for kind in ("ours", "untrained"):
        with pytest.raises(UnsupportedModel, match="cannot be rebuilt"):
            remote.model(f"{kind}:reverse")
    with pytest.raises(AttnvizError, match="request"):
        remote.ask(Question.model_construct(call="trace", model="minilm-l6", texts=(), edits=()), lambda parts: parts)


@pytest.mark.parametrize("error", [
    TooLong(id="too-long", n=9, limit=8),
    InputError(id="no-choice-of", name="kernel", came="'fast'", known=("'fused'", "'explicit'")),
])  # fmt: skip
def test_an_error_of_a_service_is_the_one_that_it_raised(error):
    again = messages.read_error(messages.pack_error(error))
    assert (type(again), str(again), again.arguments) == (type(error), str(error), error.arguments)


@pytest.mark.parametrize(("said", "read"), [
    ({}, "The service that runs the models answers: Too hot."),
    ({"arguments": {"self": 1}}, "The service that runs the models answers: Too hot."),
    ({"id": "too-long", "arguments": {"n": 9, "limit": ["8", "7"]}}, "9 tokens are too many"),
    ({"kind": ["InputError"]}, None),
    ({"id": None}, None),
    ({"arguments": {"n": {"a": 1}}}, None),
    ({"arguments": {"n": [1]}}, None),
])  # fmt: skip
def test_an_error_of_a_newer_service_is_said_in_its_sentence_and_one_that_is_none_is_not_read(said, read):
    content = {"kind": "InputError", "sentence": "Too hot.", "id": "too-hot", "arguments": {}} | said
    error = messages.read_error(json.dumps({"error": content}).encode())
    assert str(error).startswith(str(read))


def set_tensor(name, make):
    return lambda header, tensors: tensors.update({name: make(tensors[name])})


Q = "trace/0/record/encoder.0.self/q"
TRACES = {
    "float64": set_tensor(Q, lambda q: q.double()),
    "integers": set_tensor(Q, lambda q: q.long()),
    "fewer heads of keys": set_tensor("trace/0/record/encoder.0.self/k", lambda k: k[:5]),
    "another width": set_tensor(Q, lambda q: q[..., :7]),
    "fewer tokens": set_tensor(Q, lambda q: q[:, :3]),
    "no tensor": lambda header, tensors: tensors.pop(Q),
    "a flat stream": set_tensor("trace/0/stream/encoder.embed", lambda x: x.flatten()),
    "another text": lambda header, tensors: header["traces"][0]["source"].update(source=TEXT.replace("mat", "hat")),
    "another model": lambda header, tensors: header["traces"][0]["card"].update(id="other"),
    "other weights": lambda header, tensors: header["traces"][0]["card"].update(revision="other"),
    "words that are none": lambda header, tensors: header["traces"][0]["source"]["text"].__setitem__(1, {"a": 1}),
    "two traces": lambda header, tensors: header["traces"].append(header["traces"][0]),
    "no header": lambda header, tensors: header.clear(),
}  # fmt: skip
JSON = {"Content-Type": "application/json"}
ARGUMENTS = b'{"error": {"kind": "SystemExit", "sentence": "a", "id": "a", "arguments": {"id": 1}}}'
# What a service answers in the place of a right answer: its status, headers and content.
HOSTILE = {
    **{name: lambda right, change=change: (200, {}, changed(right, change)) for name, change in TRACES.items()},
    **{f"cut after {n}": lambda right, n=n: (200, {}, right[:n]) for n in (0, 7, 5000, -1)},
    "cut before its length": lambda right: (200, {"Content-Length": len(right)}, right[:5000]),
    "html": lambda right: (200, {"Content-Type": "text/html"}, b"<h1>Welcome</h1>"),
    "redirect": lambda right: (302, {"Location": "/elsewhere"}, b""),
    "packed": lambda right: (200, {"Content-Encoding": "gzip"}, b"\x1f\x8b"),
    "length": lambda right: (200, {}, b"\xff" * 8 + b"{}"),
    "error": lambda right: (422, JSON, b'{"error": {"kind": "x"}}'),
    "arguments": lambda right: (422, JSON, ARGUMENTS),
    "fault": lambda right: (500, {"Content-Type": "text/plain"}, b"Internal"),
}


class Hostile(BaseHTTPRequestHandler):
    """Gives the card that a right service gives, and then what the test says."""

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        server = self.server
        server.asked += 1
        status, headers, content = (200, {}, server.card) if asked["call"] == "card" else server.answer
        self.send_response(status)
        usual = {"Content-Type": "application/octet-stream", "Content-Length": len(content)}
        for name, value in (usual | headers).items():
            self.send_header(name, str(value))
        self.end_headers()
        self.wfile.write(content)

    def do_GET(self):
        self.server.asked += 1000  # a redirect was followed

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def hostile(local):
    model = local("minilm-l6")
    server = ThreadingHTTPServer(("127.0.0.1", 0), Hostile)
    server.card = messages.pack_card(model.card, False, {}, 0)
    server.right = messages.pack_traces([model.trace(TEXT)])
    server.asked = 0
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def asked_of(hostile, answer, seconds=5.0):
    hostile.answer, hostile.asked = answer, 0
    return HttpEngine(f"http://127.0.0.1:{hostile.server_port}", seconds=seconds).model("minilm-l6").trace(TEXT)


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_no_trace_of_the_question_is_refused_in_a_sentence(hostile, monkeypatch, name):
    monkeypatch.setattr("attnviz.engine.remote.AGAIN_SECONDS", 0.3)
    with pytest.raises(EngineError) as refusal:
        asked_of(hostile, HOSTILE[name](hostile.right), seconds=1.0)
    assert refusal.value.id == ("engine-away" if name == "cut before its length" else "engine-answer")
    assert hostile.asked < 100  # no redirect was followed


CARDS = {
    "of another model": lambda header, tensors: header["card"].update(id="other"),
    "a name that is no text": lambda header, tensors: header["card"].update(name={"a": 1}),
    "more on it": lambda header, tensors: header["card"].update(surprise=1),
    "no word of writing on": lambda header, tensors: header.pop("can_write_on"),
    "strange parameters": lambda header, tensors: tensors.update({"matrix/a/w_o": torch.ones(1, dtype=torch.int16)}),
}
WRITTEN = {
    "another text": lambda header, tensors: header.update(text="Another text."),
    "no text": lambda header, tensors: header.update(text=7),
    "a first token that is no number": lambda header, tensors: header.update(first=True),
    "tokens that are no number": lambda header, tensors: header.update(n=0.5),
    "fewer than no tokens": lambda header, tensors: header.update(n=-1),
    "more than what was written": lambda header, tensors: header.update(more=1),
}


@pytest.mark.parametrize("name", CARDS)
def test_what_is_no_card_of_the_model_is_refused_in_a_sentence(hostile, monkeypatch, name):
    monkeypatch.setattr(hostile, "card", changed(hostile.card, CARDS[name]))
    with pytest.raises(EngineError, match="its content"):
        asked_of(hostile, (200, {}, hostile.right))


@pytest.mark.parametrize("name", WRITTEN)
def test_what_is_not_the_text_written_on_is_refused_in_a_sentence(hostile, monkeypatch, name):
    says_so = changed(hostile.card, lambda header, tensors: header.update(can_write_on=True))
    monkeypatch.setattr(hostile, "card", says_so)
    model = HttpEngine(f"http://127.0.0.1:{hostile.server_port}").model("minilm-l6")
    right = messages.pack_continued(Continued(f"{TEXT} And", 12, 1, False))
    hostile.answer = (200, {}, right)
    assert model.write_on(TEXT, 1).text == f"{TEXT} And"
    hostile.answer = (200, {}, changed(right, WRITTEN[name]))
    with pytest.raises(EngineError, match="its content"):
        model.write_on(TEXT, 1)


def test_the_right_answer_of_that_server_is_taken_unless_it_is_too_large(hostile, local, monkeypatch):
    same(asked_of(hostile, (200, {}, hostile.right)), local("minilm-l6").trace(TEXT))
    monkeypatch.setattr("attnviz.engine.remote.MOST_ANSWER", len(hostile.right) - 1)
    with pytest.raises(EngineError, match="bytes"):
        asked_of(hostile, (200, {}, hostile.right))


def test_a_service_that_is_away_or_hangs_is_said_in_time(monkeypatch):
    monkeypatch.setattr("attnviz.engine.remote.AGAIN_SECONDS", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as silent, pytest.raises(EngineError, match="took too long"):
        HttpEngine(f"http://127.0.0.1:{silent.getsockname()[1]}", seconds=0.5).model("minilm-l6")
    with pytest.raises(EngineError, match="cannot be reached"):
        HttpEngine("http://127.0.0.1:9").model("minilm-l6")


def test_the_dashboard_has_its_pretrained_models_from_the_service_and_ours_here(remote, local):
    runs = Runs(Settings(engine=remote._url.removesuffix(messages.PATH), max_tokens=256))
    same(runs.trace("minilm-l6", TEXT), local("minilm-l6").trace(TEXT))
    assert type(runs.model("minilm-l6")).__name__ == "ServedModel" and runs.limits.workers == 16
    assert type(runs.model("reverse")).__name__ == "TrainedModel"
    same(runs.trace("untrained:minilm-l6", TEXT), local("untrained:minilm-l6").trace(TEXT))  # beside it on Compare
    with pytest.raises(TooLong) as refusal:
        runs.trace("minilm-l6", "word " * 390)
    assert 0 < refusal.value.arguments["characters"] < 1950
