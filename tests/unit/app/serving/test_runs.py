"""The shared cache, the gate and the runs behind all sessions: bounded, computed once, never mixed up."""

import logging
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
from attnviz_app.serving import gate as gates
from attnviz_app.serving.gate import Busy, Gate
from attnviz_app.serving.runs import Runs
from attnviz_app.settings import Settings

from attnviz.bounded_cache import BoundedCache
from attnviz.core.errors import EmptyText, LimitError, TooLong, UnknownModel


def test_the_cache_keeps_what_was_used_last_within_its_limit_and_hands_over_what_is_larger():
    cache = BoundedCache(100, len)
    for key, size in (("a", 45), ("b", 45), ("a", 45), ("c", 50), ("too large", 101)):
        assert len(cache.get(key, lambda size=size: bytes(size))) == size and cache.nbytes <= 100
    assert cache.keys == ("a", "c")


def test_racing_threads_compute_a_value_once_and_all_get_it():
    cache, calls = BoundedCache(100, len), []

    def compute():
        calls.append(1)
        time.sleep(0.05)
        return b"value"

    with ThreadPoolExecutor(8) as pool:
        values = list(pool.map(lambda _: cache.get("key", compute), range(8)))
    assert len(calls) == 1
    assert all(value is values[0] for value in values)


def test_an_error_reaches_all_who_waited_and_is_not_kept():
    cache = BoundedCache(100, len)

    def fail():
        time.sleep(0.02)
        raise EmptyText(id="empty-text")

    with ThreadPoolExecutor(4) as pool:
        futures = [pool.submit(cache.get, "key", fail) for _ in range(4)]
    assert all(isinstance(future.exception(), EmptyText) for future in futures)
    assert cache.get("key", lambda: b"later") == b"later"


def test_a_session_that_is_stopped_does_not_stop_those_who_waited():
    cache, started = BoundedCache(100, len), threading.Event()

    class Stopped(BaseException):
        """As Streamlit stops a run."""

    def stopped():
        started.set()
        time.sleep(0.05)
        raise Stopped

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(cache.get, "key", stopped)
        started.wait()
        second = pool.submit(cache.get, "key", lambda: b"value")
    assert isinstance(first.exception(), Stopped)
    assert second.result() == b"value"


def test_the_gate_lets_only_so_many_in():
    gate, inside, most = Gate(workers=2, queue_length=10, seconds=5), [], []

    def work(_):
        with gate.entered():
            inside.append(1)
            most.append(len(inside))
            time.sleep(0.02)
            inside.pop()

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(work, range(6)))
    assert max(most) <= 2


@pytest.mark.parametrize(("queue_length", "seconds"), [(0, 60), (1, 0.05)])
def test_a_full_queue_is_busy_at_once_and_who_waited_too_long_leaves_it(queue_length, seconds):
    gate = Gate(workers=1, queue_length=queue_length, seconds=seconds)
    with gate.entered(), ThreadPoolExecutor(1) as pool:
        for _ in range(2):
            error = pool.submit(lambda: gate.entered().__enter__()).exception(timeout=30)
            assert isinstance(error, Busy) and "Try again in a few seconds." in str(error)
    with gate.entered():
        pass


def test_who_waits_is_told_so_and_who_would_wait_too_long_is_told_to_come_back_at_once(monkeypatch):
    monkeypatch.setattr(gates, "TOLD_AFTER", 0.01)
    gate, told = Gate(workers=1, queue_length=9, seconds=60), threading.Event()

    def wait():
        gates.tell_waiting.set(lambda n: told.set() if n == 1 else None)
        with gate.entered():
            pass

    with ThreadPoolExecutor(1) as pool:
        with gate.entered():
            second = pool.submit(wait)
            assert told.wait(30)
        second.result(30)
        gate.seconds["running"] = 61.0 * gate.counts["passed"]  # as if each had taken a minute
        with gate.entered():
            assert isinstance(pool.submit(wait).exception(timeout=30), Busy)
    assert gate.counts == {"passed": 3, "refused": 1}


class FakeModel:
    """A model of any name, whose trace says which text it is of."""

    card = SimpleNamespace(id="minilm-l6", name="Large", revision="1", parameters=10, n_layers=6, d_model=384)
    nbytes = 60

    def __init__(self):
        self.texts, self.loads = [], []

    def load(self, name, **place):
        self.loads.append((name, place))
        return self

    def trace(self, text):
        self.texts.append(text)
        time.sleep(0.01)
        return SimpleNamespace(text=text, nbytes=100, tokens=SimpleNamespace(source=text.split()))


@pytest.fixture
def model(monkeypatch):
    fake = FakeModel()
    monkeypatch.setattr("attnviz_app.serving.runs.av.load", fake.load)
    return fake


def test_sessions_with_different_texts_never_get_each_others(model):
    runs = Runs(Settings(workers=4, trace_cache=500))
    texts = [f"text {i % 12}" for i in range(60)]
    with ThreadPoolExecutor(8) as pool:
        traces = list(pool.map(lambda text: runs.trace("minilm-l6", text), texts))
    assert [trace.text for trace in traces] == texts
    assert runs.traces.nbytes <= 500


@pytest.mark.parametrize(("name", "text", "kind", "words", "read"), [
    ("/etc/passwd", "text", UnknownModel, "is not allowed on this server", []),
    ("minilm-l6", "x" * 30_000, TooLong, "30,000 characters", []),
    ("minilm-l6", "a b c d e f", TooLong, "6 tokens are too many: the pages show at most 4", ["a b c d e f"]),
])  # fmt: skip
def test_what_is_not_offered_or_too_long_is_refused_and_not_kept(model, name, text, kind, words, read):
    runs = Runs(Settings(max_tokens=4))
    with pytest.raises(kind, match=words):
        runs.trace(name, text)
    assert model.texts == read and runs.traces.nbytes == 0


def test_of_a_model_that_counts_tokens_a_text_that_is_too_long_is_refused_before_it_runs(model):
    model.n_tokens = lambda text: len(text.split())
    with pytest.raises(TooLong, match="ATTNVIZ_MAX_TOKENS") as error:
        Runs(Settings(max_tokens=4)).trace("minilm-l6", "a b c d e f")
    assert (error.value.arguments["n"], error.value.arguments["limit"]) == (6, 4) and model.texts == []
    assert Runs(Settings(max_tokens=4)).trace("minilm-l6", "a b c d").text == "a b c d"
    with pytest.raises(TooLong) as error:
        Runs(Settings(mode="hosted", max_tokens=4)).trace("minilm-l6", "a b c d e f")
    assert "ATTNVIZ" not in str(error.value)  # a visitor sets nothing


def test_a_model_that_makes_room_takes_its_traces_along(model):
    runs = Runs(Settings(model_cache=100))
    runs.trace("minilm-l6", "one")
    runs.trace("reverse", "two")
    assert runs.traces.nbytes == 100 and not any(key[0] == "minilm-l6" for key in runs.traces.keys)


def test_a_model_is_loaded_where_the_operator_says_and_refused_once_it_was_weighed_as_too_large(model):
    model.nbytes = 3 << 30
    runs = Runs(Settings(model_cache=2 << 30, device="auto", dtype="bfloat16"))
    for _ in range(2):
        with pytest.raises(LimitError, match=r"Large take 3 GiB, and this server keeps at most 2 GiB"):
            runs.trace("minilm-l6", "one")
    assert model.loads == [("minilm-l6", {"device": "auto", "dtype": "bfloat16", "on_progress": None})]


def test_the_log_holds_no_text(model, caplog):
    caplog.set_level(logging.DEBUG)
    Runs(Settings()).trace("minilm-l6", "a secret sentence")
    assert "traced 3 tokens" in caplog.text
    assert "secret" not in caplog.text
