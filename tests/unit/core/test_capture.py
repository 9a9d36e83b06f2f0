"""Recording: names, edits, threads, exceptions. Nothing is left behind and nothing mixes."""

import contextlib
from concurrent.futures import ThreadPoolExecutor

import pytest
import torch
from torch.testing import assert_close

import attnviz as av
from attnviz.core.capture import active_recorder, edit_point
from attnviz.core.edit import refuse_unmatched
from attnviz.core.errors import CaptureError
from attnviz.models import MultiHeadAttention


def qkv(seed: int = 0, batch: int = 2) -> list[torch.Tensor]:
    generator = torch.Generator().manual_seed(seed)
    return [torch.randn(batch, 3, 5, 4, generator=generator) for _ in range(3)]


def two_layers(seed: int = 0, batch: int = 2) -> torch.Tensor:
    q, k, v = qkv(seed, batch)
    for layer in range(2):
        with av.at(f"encoder.{layer}.self"):
            q = av.attend(q, k, v)[0]
    return q


def test_what_was_not_recorded_is_refused_with_what_was():
    with av.record() as run:
        two_layers()
    for name in ("weights", 5):
        with pytest.raises(
            CaptureError, match=rf"under {name!r}. Attention ran at encoder.0.self.* weights, .*names such as"
        ):
            run[name]
    for number in (2, "a"):
        with pytest.raises(CaptureError, match=rf"There is no text number {number!r} in this recording. It has 2"):
            run.trace(number)
    assert torch.equal(run.trace(-1)["encoder.1.self"].weights(), run["encoder.1.self.weights"][1])


@pytest.mark.parametrize("edits", [5, ["zero"], [lambda name, x: x]])
def test_what_is_no_edit_is_refused_before_the_run(edits):
    with pytest.raises(CaptureError, match=r"edits is .*; expected an edit, such as av\.ablate.*, or a list of them"):
        av.record(edits=edits)


def test_an_edit_changes_the_run_and_is_told():
    silence = av.Edit("encoder.0.self.context", lambda name, x: x * 0, "layer 1 silenced")
    with av.record(edits=[silence]) as run:
        two_layers()
    assert run.edits == (silence,)
    assert_close(run["encoder.1.self.q"], torch.zeros(2, 3, 5, 4), rtol=0, atol=0)
    assert run["encoder.1.self.context"].any()  # the layer that it does not name
    trace = run.trace(0)
    assert str(*trace.edits) == "layer 1 silenced"
    assert_close(trace["encoder.0.self"].context(), torch.zeros(3, 5, 4), rtol=0, atol=0)


def forgotten_return(name, x):
    x[:, 0] = 0


FAULTY = {
    "it fails": (lambda name, x: x[9], "failed at {place}: IndexError: index 9 is out of bounds"),
    "it takes one argument": (lambda x: x, "failed at {place}: TypeError: .*takes 1 positional argument"),
    "it returns nothing": (forgotten_return, "of {place}, wrote into its copy and returned None"),
    "it gives NaN": (lambda name, x: x / 0 * 0, "of {place}, returned NaN"),
    "another shape": (lambda name, x: x[0], r"of {place}, returned \[3, 5, 4\]. Return a tensor of the same shape"),
    "another precision": (
        lambda name, x: x.double(),
        "of {place}, returned torch.float64 on cpu. Return torch.float32",
    ),
    "no tensor": (lambda name, x: x.numpy(), "of {place}, returned ndarray. Return a tensor"),
}


@pytest.mark.parametrize(("change", "said"), FAULTY.values(), ids=FAULTY)
def test_a_fault_in_an_edit_is_told_of_the_edit(change, said):
    edit, place = av.Edit("encoder.0.self.context", change, "mine"), r"encoder\.0\.self\.context, \[2, 3, 5, 4\]"
    with pytest.raises(CaptureError, match="The edit 'mine' " + said.format(place=place)), av.record(edits=[edit]):
        two_layers()


def test_a_bare_name_is_that_value_of_every_attention():
    edit = av.Edit("weights", lambda name, x: torch.zeros_like(x), "no weights")
    with av.record(edits=[edit]) as run:
        two_layers()
        av.attend(*qkv())
    assert not any(run[f"{place}.context"].any() for place in run.places) and "encoder.2.self" in run.places


def test_an_edit_of_a_name_that_no_value_has_is_refused_at_the_end_of_the_block():
    edit, said = (
        av.Edit("encoder.0.cros.context", lambda name, x: x * 0, "none"),
        r"changes nothing.*encoder.\{layer\}.",
    )
    with pytest.raises(CaptureError, match=said), av.record(edits=[edit]):
        two_layers()


@pytest.mark.parametrize("keep", ["weights", "all"])
def test_the_fused_kernel_takes_an_edit_of_q_and_refuses_one_of_what_it_never_makes(keep):
    with av.record(keep, [av.Edit("*.q", lambda name, x: torch.zeros_like(x), "no questions")]) as run:
        context, _ = av.attend(*qkv(), kernel="fused")
    assert_close(context, run["v"].mean(-2, keepdim=True).expand_as(context), rtol=0, atol=1e-6)
    edit = av.Edit("*.weights", lambda name, x: x, "nothing")
    with pytest.raises(CaptureError, match="Run with kernel='explicit'"), av.record(keep, [edit]):
        av.attend(*qkv(), kernel="fused")


def test_nothing_stays_behind_after_an_exception():
    with pytest.raises(ZeroDivisionError), av.record() as run:
        two_layers()
        1 / 0  # noqa: B018
    assert active_recorder() is None
    with pytest.raises(CaptureError, match="has not ended, or ended in an error"):
        run.trace(0)
    with av.record() as clean:
        av.attend(*qkv())
    assert clean.places == ("encoder.0.self",)


def test_eight_threads_never_mix():
    def recorded(seed: int) -> bool:
        with av.record() as run:
            two_layers(seed, batch=1)
        return torch.equal(run["encoder.0.self.q"], qkv(seed, 1)[0]) and len(run.places) == 2

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(recorded, range(80)))


def test_a_site_that_ran_twice_is_two_traces_of_which_one_is_asked_for():
    with av.record() as run:
        for _ in range(2):
            with av.at("encoder.0.self"):
                av.attend(*qkv())
            av.tap("encoder.0.mid", torch.zeros(1, 5, 8))
    with pytest.raises(CaptureError, match=r"encoder.0.self ran 2 times"):
        run.trace(0)
    assert not run.trace(0, nth=1).stream  # whose values the second run has replaced
    assert tuple(run.trace(0, nth=2).stream) == ("encoder.0.mid",)


def test_a_value_that_was_written_to_afterwards_is_refused():
    with av.record() as run:
        context, weights = av.attend(*qkv())
        kept = weights.clone()
        context += 100
    with pytest.raises(CaptureError, match=r"encoder.0.self.context was changed in place after it was recorded"):
        run["context"]
    assert torch.equal(run["weights"], kept)


def test_three_axes_are_texts_of_one_head():
    x = torch.randn(2, 5, 4)
    with av.record() as run:
        _, weights = av.attend(x, x, x, mask=torch.rand(2, 5, 5) > 0.2)
    for text in range(2):
        record = run.trace(text)["encoder.0.self"]
        assert record.n_heads == 1
        assert_close(record.weights(0), weights[text], rtol=0, atol=1e-6)


def test_attention_without_a_name_takes_no_place_that_has_one():
    with av.record() as run:
        av.attend(*qkv(0))
        with av.at("encoder.1.self"):
            av.attend(*qkv(1))
        av.attend(*qkv(2))
    assert run.places == ("encoder.0.self", "encoder.1.self", "encoder.2.self") == tuple(run.trace())
    assert torch.equal(run["encoder.1.self.q"], qkv(1)[0])


@pytest.mark.parametrize("kernel", ["explicit", "fused"])
def test_a_mask_written_into_after_the_run_is_refused_not_used(kernel):
    q, k, v = qkv()
    mask = torch.ones(5, 5, dtype=torch.bool).tril()  # [T_q, T_k]
    with av.record() as run:
        av.attend(q, k, v, mask=mask, kernel=kernel)
    before = run.trace()
    mask.fill_(True)
    with pytest.raises(CaptureError, match=r"decoder\.0\.self\.mask was changed in place"):
        run["masked"]
    with pytest.raises(CaptureError, match=r"decoder\.0\.self\.mask was changed in place"):
        run.trace()
    assert before["decoder.0.self"].weights(0)[0, 1] == 0.0  # a trace made before holds its own


def test_one_text_without_a_batch_axis_is_refused_for_its_heads_could_be_texts():
    with av.record() as run:
        av.models.MultiHeadAttention(12, 3)(torch.randn(5, 12))  # [T, D]
    with pytest.raises(CaptureError, match=r"read one text without a batch axis.*call the layer with x\[None\]"):
        run.trace()


@pytest.mark.parametrize("grad_mode", [contextlib.nullcontext, torch.no_grad])
@pytest.mark.parametrize("name", ["q", "k", "v", "raw", "scores", "masked", "weights", "context", "out"])
def test_an_edit_may_write_into_what_it_is_given(name, grad_mode):
    torch.manual_seed(0)
    layer, x = MultiHeadAttention(16, 4).eval(), torch.randn(2, 5, 16)
    with grad_mode():
        with av.record("all", [av.Edit(f"*{name}", lambda _, value: value.mul_(1.5), "louder")]) as written:
            out = layer(x)
        with av.record("all", [av.Edit(f"*{name}", lambda _, value: value * 1.5, "louder")]) as anew:
            expected = layer(x)
    torch.testing.assert_close(out, expected, rtol=0, atol=1e-6)
    for part in ("q", "k", "v", "raw", "scores", "masked", "weights", "context", "out"):
        torch.testing.assert_close(written[part], anew[part], rtol=0, atol=1e-6)


def test_what_is_offered_to_edits_alone_is_edited_and_not_kept():
    def run(edits):
        with av.record(edits=edits) as recorded, av.at("decoder.0"):
            av.attend(*qkv())
            return edit_point("gate", torch.ones(2)), recorded

    doubled = av.Edit("*.gate", lambda name, gate: 2 * gate, "doubled")
    gate, recorded = run(())
    assert torch.equal(gate, torch.ones(2)) and "decoder.0.gate" not in recorded.names
    gate, recorded = run(doubled)
    assert torch.equal(gate, torch.full((2,), 2.0)) and recorded.edited_names == {"decoder.0.gate"}
    refuse_unmatched((doubled,), recorded.editable)
    with pytest.raises(CaptureError, match=r"Expected a name such as .*decoder\.{layer}\.gate"):
        refuse_unmatched((av.Edit("*.gates", lambda name, gate: gate, "misspelled"),), recorded.editable)
