"""The trace service of several replicas and the atlas of several processes, each on a cluster of this test's own."""

import importlib.util
import os
import signal
import time
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from attnviz.analysis.heads import atlas
from attnviz.analysis.heads.sentences import bundled
from attnviz.catalog import load
from attnviz.core.errors import TooLong
from attnviz.engine.remote import HttpEngine
from tests.contract.test_engine import TOLERANCE, same

pytestmark = [
    pytest.mark.ray,
    pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="Ray is not installed: pip install .[cluster]"),
]  # fmt: skip
PORT = 18611
TEXTS = bundled("en")[:32]


@pytest.fixture(scope="module")
def cluster():
    """Two replicas that serve two models."""
    from attnviz.engine import cluster

    cluster.serve_replicas(cluster.Place(("minilm-l6", "reverse")), least=2, most=2, port=PORT)
    import ray

    yield HttpEngine(f"http://127.0.0.1:{PORT}", seconds=120.0)
    from ray import serve

    serve.shutdown()
    ray.shutdown()


def replicas():
    """The process of each replica of this test's cluster."""
    parents, titles = {}, {}
    for path in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, IndexError):
            parents[int(path.name)] = int((path / "stat").read_text().rpartition(")")[2].split()[1])
            titles[int(path.name)] = (path / "cmdline").read_text()

    def is_ours(pid):
        return pid == os.getpid() or (pid in parents and is_ours(parents[pid]))

    return [pid for pid, title in titles.items() if title.startswith("ray::ServeReplica") and is_ours(pid)]


def ask_all(engine, asked) -> list[Future]:
    """Every question, asked by eight threads at once."""
    pool = ThreadPoolExecutor(8)
    return [pool.submit(lambda name, text: engine.model(name).trace(text), *it) for it in asked]


def check(found, asked, here):
    for (name, text), answer in zip(asked, found, strict=True):
        same(answer.result(), here[name].trace(text))


@pytest.fixture(scope="module")
def here():
    return {name: load(name) for name in ("minilm-l6", "reverse")}


def test_two_replicas_answer_what_one_process_does_under_mixed_models(cluster, here):
    asked = [("minilm-l6", text) for text in TEXTS] + [("reverse", " ".join("abcdefgh"[i : i + 3])) for i in range(6)]
    asked = [asked[i * 7 % len(asked)] for i in range(len(asked))]
    check(ask_all(cluster, asked), asked, here)
    assert len(replicas()) == 2
    with pytest.raises(TooLong):
        cluster.model("minilm-l6").trace("word " * 3000)


def test_a_replica_that_is_killed_in_a_batch_loses_no_question(cluster, here):
    asked = [("minilm-l6", f"{text} Again, number {i}.") for i, text in enumerate(TEXTS * 3)]
    found = ask_all(cluster, asked)
    while sum(it.done() for it in found) < 8:
        time.sleep(0.01)
    killed = replicas()[0]
    with suppress(ProcessLookupError):
        os.kill(killed, signal.SIGKILL)
    assert sum(not it.done() for it in found) > 20, "it was killed too late to be a test"
    check(found, asked, here)
    assert killed not in replicas()


def test_an_atlas_of_two_processes_has_the_numbers_of_one(cluster, here, tmp_path):
    from attnviz.engine.cluster import measure_spread

    (tmp_path / "texts.txt").write_text("\n".join(TEXTS), encoding="utf-8")
    model, tables = here["minilm-l6"], []
    plan = atlas.Plan.of("minilm-l6", model, tmp_path / "texts.txt", 5)
    n = atlas.measure(model, plan, tmp_path / "one")
    (tmp_path / "two" / atlas.PARTS).mkdir(parents=True)
    kept = atlas.part_path(tmp_path / "two", 1)
    kept.write_bytes(atlas.part_path(tmp_path / "one", 1).read_bytes())
    before = kept.stat().st_mtime_ns
    assert measure_spread(plan, tmp_path / "two", 1, None, None) == n == 7
    assert kept.stat().st_mtime_ns == before, "a shard that was there was measured again"
    for name in ("one", "two"):
        tables.append(atlas.gathered(model, plan, tmp_path / name, n).heads.select_dtypes("number"))
    np.testing.assert_allclose(*tables, rtol=0, atol=TOLERANCE, equal_nan=True)
