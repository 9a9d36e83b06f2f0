"""The page about GPUs: its first rows are measured, here on the processor and with a model of two narrow layers."""

import pytest
import torch
from transformers import GPT2Config

from benchmarks import gpt2size
from scripts import make_gpu_page

SMALL = {"n_embd": 16, "n_layer": 2, "n_head": 2}


def test_every_row_of_the_page_can_be_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = gpt2size.config
    monkeypatch.setattr(gpt2size, "config", lambda: GPT2Config(**usual().to_diff_dict() | SMALL))
    monkeypatch.setattr(gpt2size, "weights", gpt2size.weights.__wrapped__)  # those of GPT-2's size are not kept
    monkeypatch.setattr(make_gpu_page, "ROUNDS", {16: 1, 32: 1})
    monkeypatch.setattr(make_gpu_page, "synchronize", lambda device: None)
    rows = make_gpu_page.measured(torch.device("cpu"))
    assert [row.claim for row in rows] == ["trace, GPT-2 size, 16 tokens", "trace, GPT-2 size, 32 tokens"]
    assert all(row.measured > 0 and "of the plain fused forward" in row.note for row in rows)


def test_without_a_gpu_it_refuses_and_leaves_the_page_as_it_is(monkeypatch, tmp_path, capsys) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: False)
    monkeypatch.setattr(make_gpu_page, "PAGE", tmp_path / "gpu.md")
    assert make_gpu_page.main() == 1
    assert "neither a CUDA device nor an Apple GPU" in capsys.readouterr().err
    assert not make_gpu_page.PAGE.exists()
