"""The proof of a run: rows taken while the kernel runs; a kernel that does something else than was read is refused."""

import pytest
import torch

from attnviz.core.errors import UnsupportedModel
from attnviz.pretrained.capture import interface
from attnviz.pretrained.capture.interface import InterfaceCall
from attnviz.trace.kernel_rows import ROWS_A_SITE, SITES_AT_ONCE
from tests.parity.tiny_models import traced_model

TEXT = "The cat sat on the mat because it was tired."  # more tokens than rows are taken


def broken(spoil):
    """transformers' fused kernel with something done to what it returns."""
    true = interface.sdpa_attention_forward

    def kernel(*args, **kwargs):
        context, weights = true(*args, **kwargs)  # [B, T_q, H, d_v]
        return spoil(context.clone(), *args), weights

    return kernel


def one_head(context, module, *_):
    context[:, :, 1] *= 1.001  # one head, a thousandth
    return context


def no_mask(context, module, query, key, value, *_):
    key, value = (interface.repeat_kv(it, query.shape[1] // it.shape[1]) for it in (key, value))  # [B, H, T_k, d]
    return torch.softmax(query @ key.mT * query.shape[-1] ** -0.5, -1).matmul(value).transpose(1, 2)


def rows_of_another(context, module, *_):
    return context.roll(1, dims=1)  # every query has its neighbour's


@pytest.mark.parametrize("spoil", [one_head, no_mask, rows_of_another])
@pytest.mark.parametrize("family", ["gpt2", "mistral"])
def test_a_kernel_that_does_something_else_is_refused(monkeypatch, family, spoil):
    model = traced_model(family)
    assert model.trace(TEXT).verified.holds
    monkeypatch.setattr(interface, "sdpa_attention_forward", broken(spoil))
    with pytest.raises(UnsupportedModel, match=r"read from this run differs .* by up to .*; at most 1.0×10⁻⁵") as error:
        model.trace(TEXT)
    assert error.value.id == "run-difference"


def test_one_text_of_a_batch_that_goes_wrong_is_found(monkeypatch):
    def second_text(context, *_):
        context[1, 2:] += 0.01  # no proof looks only at the first
        return context

    monkeypatch.setattr(interface, "sdpa_attention_forward", broken(second_text))
    with pytest.raises(UnsupportedModel, match="what was read from this run differs"):
        traced_model("gpt2").traces(["The first text.", TEXT])


def test_a_pass_keeps_some_rows_of_what_the_kernel_returned_and_not_all():
    model = traced_model("gpt2")
    texts = ("The first text, which is short.", TEXT * 3)
    ran = model.run([model.read(text, None) for text in texts])

    taken = set()
    for call in ran.calls:
        assert isinstance(call, InterfaceCall)
        for rows, text in zip(call.kernel, ran.extents.source, strict=True):
            assert rows.context.shape == (ROWS_A_SITE, call.q.shape[1], call.v.shape[3])
            piece = rows.context.untyped_storage().nbytes()  # a copy of such rows alone, of many sites together
            assert piece == SITES_AT_ONCE * rows.context.nbytes
            assert len(set(rows.rows.tolist())) == ROWS_A_SITE and int(rows.rows.max()) < text.n_tokens
            taken.add(tuple(rows.rows.tolist()))
    assert len(taken) == len(ran.calls) * len(texts)  # other rows at every site
