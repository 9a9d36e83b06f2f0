"""The proof of a run: rows taken while the kernel runs; a kernel that does something else than was read is refused."""

import pytest
import torch

from attnviz.core import kernels, ops
from attnviz.core.errors import UnsupportedModel
from attnviz.trace.verify import ROWS_A_SITE, SITES_AT_ONCE
from tests.parity.tiny_models import traced_model

TEXT = "The cat sat on the mat because it was tired."  # more tokens than rows are taken


def broken(spoil):
    """The fused kernel with something done to what it returns."""
    true = kernels.fused

    def kernel(*given):
        return spoil(true(*given).clone(), *given)  # [B, H, T_q, d_v]

    return kernel


def one_head(context, *_):
    context[:, 1] *= 1.001  # one head, a thousandth
    return context


def no_mask(context, q, k, v, call):
    weights = torch.softmax(q @ ops.repeat_heads(k, q).mT * call.scale, -1)  # [B, H, T_q, T_k]
    return weights @ ops.repeat_heads(v, q)


def rows_of_another(context, *_):
    return context.roll(1, dims=2)  # every query has its neighbour's


@pytest.mark.parametrize("spoil", [one_head, no_mask, rows_of_another])
@pytest.mark.parametrize("family", ["gpt2", "mistral"])
def test_a_kernel_that_does_something_else_is_refused(monkeypatch, family, spoil):
    model = traced_model(family)
    assert model.trace(TEXT).verified.holds
    monkeypatch.setattr(kernels, "fused", broken(spoil))
    with pytest.raises(UnsupportedModel, match=r"read from this run differs .* by up to .*; at most 1.0×10⁻⁵") as error:
        model.trace(TEXT)
    assert error.value.id == "run-difference"


def test_one_text_of_a_batch_that_goes_wrong_is_found(monkeypatch):
    def second_text(context, *_):
        context[1, :, 2:] += 0.01  # no proof looks only at the first
        return context

    monkeypatch.setattr(kernels, "fused", broken(second_text))
    with pytest.raises(UnsupportedModel, match="what was read from this run differs"):
        traced_model("gpt2").traces(["The first text.", TEXT])


def test_a_pass_keeps_some_rows_of_what_the_kernel_returned_and_not_all():
    model = traced_model("gpt2")
    texts = ("The first text, which is short.", TEXT * 3)
    run = model.run([model.read(text, None) for text in texts]).run

    taken = set()
    for place in run.places:
        assert f"{place}.context" not in run
        for rows, text in zip(run.kernel[place], run.extents.source, strict=True):
            assert rows.context.shape == (ROWS_A_SITE, run[f"{place}.q"].shape[1], run[f"{place}.v"].shape[3])
            piece = rows.context.untyped_storage().nbytes()  # a copy of such rows alone, of many sites together
            assert piece == SITES_AT_ONCE * rows.context.nbytes
            assert len(set(rows.rows.tolist())) == ROWS_A_SITE and int(rows.rows.max()) < text.stop
            taken.add(tuple(rows.rows.tolist()))
    assert len(taken) == len(run.places) * len(texts)  # other rows at every site
