"""Traces: replay, shapes, previews, any cell written out, files that may come from anyone."""

import errno
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
import torch
from torch.nn import functional as F
from torch.testing import assert_close

import attnviz as av
from attnviz.core import ops
from attnviz.core.errors import LimitError, StepError, TraceFileError, TraceShapeError, WriteError
from attnviz.core.site import Site
from attnviz.trace.mask import Mask
from attnviz.trace.records import AttentionRecord
from attnviz.trace.trace import AppliedEdit, Prediction, Verified
from attnviz.trace.weight_sources import Replay

H, T, D, DH = 2, 6, 8, 4
EDITS = (AppliedEdit("mine"), AppliedEdit("temperature 0.5", "temperature", 0.5))
WORDS = ["the", "cat", "and", "the", "mat", "."]


def traced(mask: torch.Tensor | None = None, softcap: float | None = None, sinks: bool = False) -> av.Trace:
    """A trace of one attention layer over six words, made by the project's own arithmetic."""
    generator = torch.Generator().manual_seed(3)
    shapes = {f"w_{n}": (D, D) for n in "qkvo"} | {f"b_{n}": (D,) for n in "qkvo"}
    own = {name: torch.randn(*shape, generator=generator) for name, shape in shapes.items()}
    x = torch.randn(1, T, D, generator=generator)
    with av.record() as run:
        av.tap("encoder.0.in", x)
        q, k, v = (ops.split_heads(ops.project(x, own[f"w_{n}"], own[f"b_{n}"]), H) for n in "qkv")  # [1, H, T, d_k]
        with av.at("encoder.0.self"):
            av.attend(q, k, v, mask=mask, softcap=softcap, sinks=torch.randn(H) if sinks else None)
    return run.trace(0, tokens=WORDS, parameters={"encoder.0.self": own})


VARIANTS = {
    "plain": traced(),
    "causal": traced(torch.ones(T, T).tril().bool()),
    "padded": traced(torch.tensor([True] * 5 + [False]).expand(T, T)),
    "blocked": traced(torch.tensor([[True] * T] * 5 + [[False] * T])),
    "capped": traced(softcap=0.7),
    "sinks": traced(sinks=True),
    "biased": traced(torch.randn(H, T, T)),
}


def test_the_terms_of_a_softmax_are_named_by_their_tokens_and_counted_where_a_word_comes_twice():
    cell = av.explain(VARIANTS["causal"], "encoder.0.self", "weights", head=1, query=4, key=2)
    assert [term.label for term in cell.terms] == ["the₁", "cat", "and", "the₂", "mat", "."]


def test_rows_equal_the_rows_of_the_whole():
    for trace in VARIANTS.values():
        record = trace["encoder.0.self"]
        for name in ("raw", "scores", "masked", "weights", "context"):
            whole = getattr(record, name)()
            assert_close(getattr(record, name)(1, slice(2, 5)), whole[1, 2:5], rtol=0, atol=1e-6)


def long_record(n: int, causal: bool) -> AttentionRecord:
    torch.manual_seed(n)
    q, k, v = torch.randn(4, n, 8) * 2, torch.randn(2, n, 8), torch.randn(2, n, 8)
    return AttentionRecord(Site("decoder", "self", 0), Replay(q, k, v, 0.5, Mask(n, n, causal=causal)))


@pytest.mark.parametrize("n", [5, 64, 300, 777])
@pytest.mark.parametrize("causal", [False, True])
def test_a_preview_is_the_whole_map_pooled(n, causal):
    record = long_record(n, causal)
    weights = record.weights(head=3)
    size = min(n, 64)
    assert_close(record.preview(3, 64), F.adaptive_max_pool2d(weights[None], size)[0], rtol=0, atol=1e-6)


def test_an_answer_over_a_gigabyte_is_refused():
    q = torch.zeros(12, 1, 1).expand(12, 8192, 1)
    record = AttentionRecord(Site("encoder", "self", 0), Replay(q, q, q, 1.0, Mask(8192, 8192)))
    with pytest.raises(LimitError, match=r"That would be 3 GiB, and 1 GiB is the limit"):
        record.weights()


def test_an_attention_is_had_by_its_key_or_its_number():
    trace = av.load("reverse").trace("a b c")
    assert trace[0] is trace["encoder.0.self"] and trace[-1] is trace[trace.sites[-1]]
    assert trace[np.int64(1)] is trace["encoder.1.self"]
    for missing in (len(trace.sites), -len(trace.sites) - 1, "encoder.9.self", True):
        with pytest.raises(
            TraceShapeError, match=rf"no attention at {missing}\. This trace has {len(trace)}: encoder\.0\.self, "
        ):
            trace[missing]


def test_a_trace_cannot_be_changed():
    trace = VARIANTS["plain"]
    with pytest.raises(AttributeError):
        trace.edits = ("sneaky",)
    with pytest.raises(TypeError):
        trace.records["encoder.1.self"] = trace["encoder.0.self"]


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("parameters", [False, True])
def test_a_saved_trace_reads_back_the_same(variant, parameters, tmp_path):
    trace = VARIANTS[variant]
    prediction = Prediction(torch.ones(T, 20).long(), torch.rand(T, 20), (("词", "</script>"),) * T)
    whole = av.Trace(
        trace.card, trace.tokens, trace.records, trace.stream, prediction, Verified(1e-7, 8, 1e-5), EDITS,
        trace.versions, trace.matrices,
    )  # fmt: skip
    whole.save(tmp_path / "a.safetensors", parameters=parameters)
    back = av.Trace.load(tmp_path / "a.safetensors")
    assert list(back.stream) == list(whole.stream)
    assert (back.card, back.tokens, back.edits) == (whole.card, whole.tokens, whole.edits)
    assert (back.verified, back.prediction.texts) == (whole.verified, prediction.texts)
    ours, theirs = whole["encoder.0.self"], back["encoder.0.self"]
    for name, tensor in ours.source.tensors.items():
        assert torch.equal(theirs.source.tensors[name], tensor)
    assert_close(theirs.weights(), ours.weights(), rtol=0, atol=1e-6)
    assert torch.equal(back.stream["encoder.0.in"], whole.stream["encoder.0.in"])
    if parameters:
        assert_close(theirs.out(), ours.out(), rtol=0, atol=1e-5)
    else:
        assert theirs.w_o is None
        with pytest.raises(StepError, match=r"run\.trace\(parameters=…\)"):
            av.explain(back, "encoder.0.self", "q", query=0, feature=0)


def test_broken_files_are_refused_in_a_sentence(tmp_path):
    VARIANTS["plain"].save(tmp_path / "good.safetensors")
    whole = (tmp_path / "good.safetensors").read_bytes()
    for name, content in {"cut": whole[:-100], "noise": b"\x80\x04pickle", "empty": b"", "head": whole[:40]}.items():
        (tmp_path / name).write_bytes(content)
        with pytest.raises(TraceFileError, match=f"{name} is truncated or not a trace"):
            av.Trace.load(tmp_path / name)
    with pytest.raises(TraceFileError, match="There is no file"):
        av.Trace.load(tmp_path / "missing")
    with pytest.raises(TraceFileError, match="There is no folder"):
        VARIANTS["plain"].save(tmp_path / "nowhere" / "a.safetensors")


def test_a_trace_is_saved_whole_or_not_at_all_whoever_saves_beside(tmp_path, monkeypatch):
    path, trace = tmp_path / "a.safetensors", VARIANTS["plain"]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: trace.save(path), range(40)))
    whole = path.read_bytes()

    def fill_the_disk(self, content):
        with self.open("wb") as half:
            half.write(content[:100])
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as full:
        full.setattr(Path, "write_bytes", fill_the_disk)
        with pytest.raises(WriteError, match="no room left"):
            trace.save(path)
    assert path.read_bytes() == whole and list(tmp_path.iterdir()) == [path]


def test_bytes_count_each_storage_once():
    trace = VARIANTS["plain"]
    tensors = (*trace["encoder.0.self"].source.tensors.values(), trace.stream["encoder.0.in"])
    assert trace.nbytes == sum(tensor.nbytes for tensor in tensors)
