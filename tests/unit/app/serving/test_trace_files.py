"""Trace files that people bring: what is no trace, too large or cannot be is refused in a sentence and not kept."""

import gc
import json

import pytest
import torch
from attnviz_app.serving import trace_files
from attnviz_app.serving.trace_files import TraceFiles
from attnviz_app.settings import Settings
from safetensors.torch import load, save

import attnviz as av
from attnviz.core.errors import LimitError, TooLong, TraceFileError
from attnviz.trace import container

SITE = "encoder.0.self"


@pytest.fixture(scope="module")
def content(tmp_path_factory):
    path = tmp_path_factory.mktemp("trace") / "own.safetensors"
    av.load("reverse").trace("a b c d e").save(path)
    return path.read_bytes()


def changed(content, change):
    """The same file, or answer of a service, whose writer meant harm."""
    size = int.from_bytes(content[:8], "little")
    said = json.loads(content[8 : 8 + size])["__metadata__"]
    key = next(key for key in container.FORMATS if key in said)
    header, tensors = json.loads(said[key]), load(content)
    change(header, tensors)
    return container.to_bytes(header, tensors, key)


def test_a_file_is_the_trace_that_was_saved_and_forgotten_with_the_session_that_holds_it(content):
    files, trace = TraceFiles(Settings()), av.load("reverse").trace("a b c d e")
    name, opened = files.opened(content, "own")
    assert files.get(name) is opened and opened.tokens.source == trace.tokens.source
    for key, record in trace.records.items():
        torch.testing.assert_close(opened[key].weights(), record.weights(), rtol=0, atol=0)
    assert files.opened(content, "again") == (name, opened)
    del opened
    gc.collect()
    with pytest.raises(TraceFileError, match="no longer open"):
        files.get(name)


def sized(*shape):
    return {f"record/{SITE}/{name}": torch.zeros(*shape) for name in ("q", "k", "v")}


HOSTILE = {
    "no records": lambda header, tensors: header["records"].clear(),
    "a site that is none": lambda header, tensors: header["records"].update({"../etc": header["records"][SITE]}),
    "more on its card": lambda header, tensors: header["card"].update(surprise=1),
    "one id of all": lambda header, tensors: header["source"].update(ids=[1]),
    "a mask of more keys": lambda header, tensors: header["records"][SITE]["mask"].update(n_keys=10**9),
    "no edits": lambda header, tensors: header.pop("edits"),
    "infinite": lambda header, tensors: tensors[f"record/{SITE}/q"].fill_(torch.inf),
    "without width": lambda header, tensors: tensors.update(sized(100_000, 6, 0)),
    "many heads": lambda header, tensors: tensors.update(sized(1001, 6, 1)),
    "edited of another text": lambda header, tensors: tensors.update(
        {f"record/{SITE}/edited/weights": torch.ones(2, 1, 7)}
    ),
    "a name that is no text": lambda header, tensors: header["card"].update(name={"a": 1}),
    "layers that are no number": lambda header, tensors: header["card"].update(n_layers="many"),
    "words that are no texts": lambda header, tensors: header["source"]["text"].__setitem__(0, 7),
    "spans outside": lambda header, tensors: header["source"].update(spans=[[0, 10**9]] * 6),
    "edits that are no texts": lambda header, tensors: header.update(edits=[{"a": 1}]),
    "a proof that is no number": lambda header, tensors: header["verified"].update(difference="none"),
    "a window that is no number": lambda header, tensors: header["records"][SITE]["mask"].update(window="wide"),
    "a window beyond any number": lambda header, tensors: header["records"][SITE]["mask"].update(window=10**30),
}


NO_TRACE = (
    b"", b"\x00" * 8, b"\xff" * 100, b"PK\x03\x04 a zip", save({"a": torch.zeros(2)}),
    save({"a": torch.zeros(2)}, {"format": "attnviz trace 1"}), (10**12).to_bytes(8, "little") + b"{}",
    save({"a": torch.zeros(2)}, {"format": "attnviz trace 1", "trace": "[" * 100_000}),
)  # fmt: skip


@pytest.mark.parametrize("wrong", [*HOSTILE.values(), *NO_TRACE], ids=[*HOSTILE, *range(len(NO_TRACE))])
def test_a_hostile_file_and_what_is_no_trace_are_refused_in_a_sentence(content, wrong):
    is_none = isinstance(wrong, bytes)
    with pytest.raises(TraceFileError, match="^theirs is" if is_none else "^theirs is truncated or not a trace"):
        TraceFiles(Settings()).opened(wrong if is_none else changed(content, wrong), "theirs")


def test_files_are_bounded_in_bytes_and_in_tokens(content, monkeypatch):
    with pytest.raises(TooLong, match="this page shows at most 4"):
        TraceFiles(Settings(max_tokens=4)).opened(content, "own")
    monkeypatch.setattr(trace_files, "ALL_BYTES", 100)
    with pytest.raises(LimitError, match="Too many trace files"):
        TraceFiles(Settings()).opened(content, "own")
    monkeypatch.setattr(trace_files, "MOST_BYTES", 100)
    with pytest.raises(LimitError, match="at most 0 MB"):
        TraceFiles(Settings()).opened(content, "own")


def test_a_run_with_an_edge_cut_can_be_saved_and_opened(tmp_path, minilm):
    minilm.trace("The cat sat.", edits=[av.cut("encoder.1.self.0", 2, 3)]).save(tmp_path / "cut.safetensors")
    opened = TraceFiles(Settings()).opened((tmp_path / "cut.safetensors").read_bytes(), "cut")[1]
    assert opened["encoder.1.self"].weights(0)[2, 3] == 0
