"""`with av.record()` sees torch's own attention in a person's module, changes no number, and its values replay."""

from typing import Any

import pytest
import torch
from torch import nn
from torch.nn import functional as F
from transformers import ViTConfig, ViTModel

import attnviz as av
from attnviz.pretrained.loading.meta_load import refuse_other_input
from attnviz.trace.traceable import record_unchecked
from tests.parity.tiny_models import traced_model

B, T, D, H = 2, 5, 16, 4
PADDING = torch.tensor([[False] * T, [False] * 3 + [True] * 2])
CAUSAL = torch.ones(T, T, dtype=torch.bool).triu(1)


class Own(nn.Module):
    """A person's own module on torch's function."""

    def __init__(self) -> None:
        super().__init__()
        self.qkv, self.out = nn.Linear(D, 3 * D), nn.Linear(D, D)

    def forward(self, x: torch.Tensor, **options: object) -> torch.Tensor:
        q, k, v = (part.unflatten(-1, (H, -1)).transpose(1, 2) for part in self.qkv(x).chunk(3, -1))
        return self.out(F.scaled_dot_product_attention(q, k, v, **options).transpose(1, 2).flatten(2))


def attention(**options: object) -> nn.Module:
    return nn.MultiheadAttention(D, H, **{"batch_first": True, **options}).eval()


def layers(**options: object) -> nn.Module:
    return nn.TransformerEncoder(nn.TransformerEncoderLayer(D, H, 32, batch_first=True, **options), 2).eval()


X = torch.randn(B, T, D, generator=torch.Generator().manual_seed(1))
RUNS = {
    "sdpa": (Own(), lambda m: m(X), 1),
    "sdpa, causal": (Own(), lambda m: m(X, is_causal=True), 1),
    "sdpa, mask and scale": (Own(), lambda m: m(X, attn_mask=~CAUSAL, scale=0.3), 1),
    "multi-head": (attention(), lambda m: m(X, X, X), 1),
    "multi-head, every weight": (attention(), lambda m: m(X, X, X, average_attn_weights=False), 1),
    "multi-head, no weights": (attention(), lambda m: m(X, X, X, need_weights=False), 1),
    "multi-head, masks": (attention(), lambda m: m(X, X, X, key_padding_mask=PADDING, attn_mask=CAUSAL), 1),
    "multi-head, additive": (attention(), lambda m: m(X, X, X, attn_mask=torch.full((B * H, T, T), 0.5).tril()), 1),
    "multi-head, tokens first": (attention(batch_first=False), lambda m: m(*[X.transpose(0, 1)] * 3), 1),
    "multi-head, one text": (attention(), lambda m: m(X[0], X[0], X[0]), 1),
    "multi-head, other widths": (attention(kdim=D, vdim=8), lambda m: m(X, X, X[..., :8]), 1),
    "encoder": (layers(), lambda m: m(X), 2),
    "encoder, norm first": (layers(norm_first=True), lambda m: m(X, src_key_padding_mask=PADDING), 2),
    "encoder, causal": (layers(), lambda m: m(X, mask=CAUSAL, is_causal=True), 2),
}
ODD = torch.rand(T, T, generator=torch.Generator().manual_seed(2)) > 0.7
ODD.fill_diagonal_(False)
Q = torch.randn(B, H, T, 4, generator=torch.Generator().manual_seed(3))
SDPA = F.scaled_dot_product_attention
CALLS = {  # what torch makes of these is what it makes of them inside `record()`, bit for bit and word for word
    "sdpa, mask and causal": lambda: SDPA(Q, Q, Q, ~ODD, is_causal=True),
    "sdpa, float mask and causal": lambda: SDPA(Q, Q, Q, torch.randn(T, T), is_causal=True),
    "sdpa, causal, more keys": lambda: SDPA(Q[..., :3, :], Q, Q, is_causal=True),
    "sdpa, shared keys": lambda: SDPA(Q, Q[:, :2], Q[:, :2], enable_gqa=True),
    "sdpa, shared keys not said": lambda: SDPA(Q, Q[:, :2], Q[:, :2]),
    "sdpa, dropout": lambda: SDPA(Q, Q, Q, dropout_p=0.5),
    "sdpa, rows without a key": lambda: SDPA(Q, Q, Q, torch.ones(T, T, dtype=torch.bool).tril(-1)),
    "sdpa, other widths": lambda: SDPA(Q, Q[..., :3], Q),
    "sdpa, two types": lambda: SDPA(Q, Q.double(), Q),
    "sdpa, whole numbers": lambda: SDPA(*[Q.long()] * 3),
    "sdpa, a mask of whole numbers": lambda: SDPA(Q, Q, Q, (~ODD).long()),
    "sdpa, a mask of another type": lambda: SDPA(Q, Q, Q, torch.zeros(T, T, dtype=torch.float64)),
    "sdpa, a mask of another size": lambda: SDPA(Q, Q, Q, ODD[:3, :3]),
    "sdpa, nothing": lambda: SDPA(),
    "multi-head, causal without a mask": lambda: MULTI(X, X, X, is_causal=True),
    "multi-head, causal without a mask or weights": lambda: MULTI(X, X, X, is_causal=True, need_weights=False),
    "multi-head, causal with its mask": lambda: MULTI(X, X, X, attn_mask=CAUSAL, is_causal=True),
    "multi-head, causal with another mask": lambda: MULTI(X, X, X, attn_mask=ODD, is_causal=True),
    "multi-head, another mask, no weights": lambda: MULTI(X, X, X, attn_mask=ODD, is_causal=True, need_weights=False),
    "multi-head, causal, padding, no weights": lambda: MULTI(
        X, X, X, key_padding_mask=PADDING, attn_mask=ODD, is_causal=True, need_weights=False
    ),
    "multi-head, rows without a key": lambda: MULTI(X, X, X, attn_mask=torch.ones(T, T, dtype=torch.bool)),
    "multi-head, one text": lambda: MULTI(X[0], X[0], X[0], attn_mask=ODD, average_attn_weights=False),
    "multi-head, zero attention": lambda: attention(add_zero_attn=True)(X, X, X),
    "multi-head, no biases": lambda: attention(bias=False)(X, X, X),
    "multi-head, no biases, a mask of another size": lambda: attention(bias=False)(
        X, X, X, attn_mask=ODD[:3], is_causal=True, need_weights=False
    ),
    "encoder, no biases": lambda: layers(bias=False)(X, mask=ODD, src_key_padding_mask=PADDING),
    "multi-head, biases of keys": lambda: attention(add_bias_kv=True)(X, X, X, need_weights=False),
    "multi-head, other widths": lambda: MULTI(X, X[..., :3], X),
    "multi-head, another number of values": lambda: MULTI(X, X, X[:, :3]),
    "multi-head, two types": lambda: MULTI(X.double(), X.double(), X.double()),
    "multi-head, a mask of another size": lambda: MULTI(X, X, X, attn_mask=ODD[:3]),
    "multi-head, padding of another size": lambda: MULTI(X, X, X, key_padding_mask=PADDING[:, :3]),
    "multi-head, dropout": lambda: attention(dropout=0.5).train()(X, X, X),
    "multi-head, dropout, no weights": lambda: attention(dropout=0.5).train()(X, X, X, need_weights=False),
    "encoder, causal without a mask": lambda: layers()(X, is_causal=True),
    "encoder, causal with another mask": lambda: layers()(X, mask=ODD, is_causal=True),
    "multi-head, rows without a key, no weights": lambda: MULTI(X, X, X, attn_mask=CAUSAL.mT, need_weights=False),
    "multi-head, a text of nothing but padding": lambda: MULTI(
        X, X, X, key_padding_mask=PADDING | PADDING[:, -1:], need_weights=False
    ),
    "multi-head, a mask for every head": lambda: MULTI(X, X, X, attn_mask=ODD.expand(B * H, T, T)),
    "multi-head, a mask of another size, no weights": lambda: MULTI(X, X, X, attn_mask=ODD[:3], need_weights=False),
    "multi-head, every weight": lambda: MULTI(X, X, X, key_padding_mask=PADDING, average_attn_weights=False),
    "encoder": lambda: layers()(X),
    "encoder, norm first": lambda: layers(norm_first=True, activation="gelu")(X, src_key_padding_mask=PADDING),
    "encoder, rows without a key": lambda: layers()(X, mask=CAUSAL.mT),
    "encoder, numbers as a mask": lambda: layers()(X, mask=torch.arange(25.0).view(T, T)),
    "encoder, mask and padding": lambda: layers()(X, mask=CAUSAL, src_key_padding_mask=PADDING),
    "encoder, a mask of another size": lambda: layers()(X, mask=ODD[:3]),
    "encoder, three heads": lambda: nn.TransformerEncoderLayer(12, 3, 8, batch_first=True).eval()(X[..., :12]),
    "layer, causal without a mask": lambda: layers().layers[0](X, is_causal=True),
    "encoder, training": lambda: layers(dropout=0.5).train()(X, src_key_padding_mask=PADDING),
    "decoder": lambda: decoder_layers()(X, X, tgt_mask=ODD, tgt_is_causal=True, memory_mask=ODD),
    "decoder, causal without a mask": lambda: decoder_layers()(X, X, tgt_is_causal=True),
    "decoder, training": lambda: decoder_layers().train()(X, X.repeat(1, 2, 1), memory_is_causal=False),
    "transformer, training": lambda: nn.Transformer(D, H, 1, 1, 32, batch_first=True).train()(X, X),
}
MULTI = attention()


def outcome(call) -> tuple[object, ...]:
    """What a call returns or raises, and torch's next random number: nothing else was drawn."""
    torch.manual_seed(0)
    try:
        found = tuple(tensors(call()))
    except Exception as error:
        found = (type(error), str(error))
    return *found, torch.rand(1)


def is_same(one: object, other: object) -> bool:
    if isinstance(one, torch.Tensor) and isinstance(other, torch.Tensor):
        return (
            one.shape == other.shape
            and torch.equal(one.isnan(), other.isnan())
            and bool((one == other)[~one.isnan()].all())
        )
    return one == other


@pytest.mark.parametrize("edits", [False, True])
@pytest.mark.parametrize("gradients", [torch.enable_grad, torch.no_grad, torch.inference_mode])
@pytest.mark.parametrize("case", list(CALLS))
def test_inside_record_torch_returns_and_raises_what_it_does_outside(case: str, gradients, edits: bool) -> None:
    listening = [av.Edit("*.in", lambda name, value: None, "elsewhere")] if edits else []
    with gradients():
        outside = outcome(CALLS[case])
        with record_unchecked(listening) as run:
            inside = outcome(CALLS[case])
    assert len(inside) == len(outside)
    assert all(map(is_same, inside, outside)), (inside, outside)
    assert bool(run.places) == isinstance(outside[0], torch.Tensor)


@pytest.mark.parametrize("padding", [PADDING, PADDING | PADDING[:, -1:]])
def test_an_encoder_without_gradients_gives_zeros_for_padding_and_its_norm_of_them(padding: torch.Tensor) -> None:
    stack = nn.TransformerEncoder(nn.TransformerEncoderLayer(D, H, 32, batch_first=True), 2, nn.LayerNorm(D)).eval()
    nn.init.normal_(stack.norm.bias)
    for encoder in (stack, layers()):
        with torch.no_grad():
            outside = encoder(X, src_key_padding_mask=padding)
            with av.record():
                inside = encoder(X, src_key_padding_mask=padding)
        assert torch.equal(inside[padding], outside[padding]) and torch.allclose(inside, outside, atol=2e-6)


def tensors(found: object) -> list[torch.Tensor]:
    return [part for part in (found if isinstance(found, tuple) else (found,)) if part is not None]


def decoder_layers() -> nn.Module:
    return nn.TransformerDecoder(nn.TransformerDecoderLayer(D, H, 32, batch_first=True), 2).eval()


class Gpt(nn.Module):
    """A person's decoder, whose names say nothing of a stack."""

    def __init__(self) -> None:
        super().__init__()
        self.h = nn.ModuleList([Own(), Own()])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for block in self.h:
            x = x + block(x, is_causal=True)
        return x


class Shared(Own):
    """One module for every layer."""

    def forward(self, x: torch.Tensor, n_layers: int = 3) -> torch.Tensor:
        return x if n_layers == 0 else super().forward(self.forward(x, n_layers - 1))


class Block(nn.Module):
    """A block of attentions that run one after another; those but the first read the memory too, where it comes."""

    def __init__(self, *names: str) -> None:
        super().__init__()
        self.names = names
        for name in names:
            setattr(self, name, nn.MultiheadAttention(D, H, batch_first=True))

    def forward(self, x: torch.Tensor, memory: torch.Tensor | None = None, is_causal: bool = False) -> torch.Tensor:
        for n, name in enumerate(self.names):
            read = x if n == 0 or memory is None else memory
            mask = CAUSAL if is_causal and n == 0 else None
            x = x + getattr(self, name)(x, read, read, attn_mask=mask, need_weights=False)[0]
        return x


class TwoStacks(nn.Module):
    """An encoder and a decoder of two layers each, called by these names."""

    def __init__(self, encoder: str, decoder: str, first: str, second: str) -> None:
        super().__init__()
        self.stacks = encoder, decoder
        setattr(self, encoder, nn.ModuleList(Block(first) for _ in range(2)))
        setattr(self, decoder, nn.ModuleList(Block(first, second) for _ in range(2)))

    def forward(self, x: torch.Tensor) -> None:
        memory = x
        for block in getattr(self, self.stacks[0]):
            memory = block(memory)
        for block in getattr(self, self.stacks[1]):
            x = block(x, memory, is_causal=True)


SECONDS = [
    ("self_attn", "cross_attention"), ("self_attention", "crossattn"), ("attn", "cross"), ("attention", "xattn"),
    ("self_attention", "encoder_attention"), ("attn1", "attn2"), ("attention1", "attention2"), ("slf_attn", "enc_attn"),
    ("self_attn", "src_attn"), ("self_attn", "multihead_attn"), ("mha", "enc_dec_attention"),
    ("attn", "CrossAttention"), ("SelfAttention", "EncDecAttention"), ("attn", "memory_attn"),
    ("mha1", "mha2"), ("masked_mha", "mha"), ("self_mha", "cross_mha"), ("sa", "ca"),
]  # fmt: skip


@pytest.mark.parametrize("stacks", [("encoder", "decoder"), ("enc", "dec"), ("EncLayers", "DecLayers"), ("src", "tgt")])
@pytest.mark.parametrize("names", SECONDS)
def test_cross_attention_is_known_by_its_name_and_what_stands_beside_it(names, stacks) -> None:
    with av.record() as run:
        TwoStacks(*stacks, *names)(X)
    assert list(run.places) == ["encoder.0.self", "encoder.1.self", *decoder_names(2)]


def blocks(*names: str) -> nn.Sequential:
    return nn.Sequential(Block(*names), Block(*names))


def named(**modules: nn.Module) -> nn.Sequential:
    stack = nn.Sequential()
    for name, module in modules.items():
        stack.add_module(name, module)
    return stack


@pytest.mark.parametrize(("model", "places"), [
    (named(cross_encoder=blocks("self_attn")), ["encoder.0.self", "encoder.1.self"]),
    (named(encoder=blocks("multihead_attn")), ["encoder.0.self", "encoder.1.self"]),
    (named(encoder_decoder=named(encoder=blocks("attn"), decoder=blocks("attn"))),
     ["encoder.0.self", "encoder.1.self", "decoder.0.self", "decoder.1.self"]),
    (Block("encoder_attn", "decoder_attn", "cross_attn"), ["encoder.0.self", "decoder.0.self", "decoder.0.cross"]),
    (Block("attn1", "attn2"), ["encoder.0.self", "encoder.1.self"]),
    (blocks("attn1", "attn2", "attn3"), [f"encoder.{n}.self" for n in range(6)]),
    (named(cross_attention_layers=blocks("self_attn")), ["encoder.0.self", "encoder.1.self"]),
])  # fmt: skip
def test_self_attention_under_a_name_that_only_resembles_another_is_self_attention(model, places) -> None:
    with av.record() as run:
        model(X)
    assert sorted(run.places) == sorted(places)


def decoder_names(n_layers: int) -> list[str]:
    return [f"decoder.{n}.{kind}" for n in range(n_layers) for kind in ("self", "cross")]


@pytest.mark.parametrize(("run_it", "places"), [
    (lambda: nn.Transformer(D, H, 2, 2, 32, batch_first=True)(X, X),
     ["encoder.0.self", "encoder.1.self", *decoder_names(2)]),
    (lambda: decoder_layers()(X, X), decoder_names(2)),
    (lambda: decoder_layers().layers[1](X, X), decoder_names(1)),
    (lambda: [layer(X) for layer in layers().layers], ["encoder.0.self", "encoder.1.self"]),
    (lambda: layers()(X, mask=CAUSAL), ["decoder.0.self", "decoder.1.self"]),
    (lambda: Gpt()(X), ["decoder.0.self", "decoder.1.self"]),
    (lambda: [Own()(X), Own()(X)], ["encoder.0.self", "encoder.1.self"]),
    (lambda: Shared()(X), ["encoder.0.self", "encoder.1.self", "encoder.2.self"]),
    (lambda: [F.scaled_dot_product_attention(X, X, X) for _ in range(2)], ["encoder.0.self", "encoder.1.self"]),
    (lambda: [F.scaled_dot_product_attention(X, X, X, is_causal=n > 0) for n in range(2)],
     ["encoder.0.self", "decoder.0.self"]),
    (lambda: [av.attend(X, X, X, mask=~CAUSAL) for _ in range(2)], ["decoder.0.self", "decoder.1.self"]),
])  # fmt: skip
def test_a_place_is_named_by_the_module_that_runs_it_in_the_run_and_in_its_trace(run_it, places: list[str]) -> None:
    with av.record() as run:
        run_it()
    assert list(run.places) == places == list(run.trace(1))
    if any("cross" in place for place in places):
        assert run.trace(0, tokens=list("abcde"), target=list("vwxyz")).tokens.target.text == tuple("vwxyz")


def test_a_target_that_no_place_reads_and_keys_of_another_text_are_refused() -> None:
    with av.record() as run:
        Gpt()(X)
    with pytest.raises(
        av.AttnvizError, match=r"A target was given.*decoder.0.self, decoder.1.self. Leave the target out"
    ):
        run.trace(tokens=list("abcde"), target=list("vwxyz"))
    with av.record() as run, av.at("encoder.0.cross"):  # no decoder that a target could be the text of
        attention()(X, X, X)
    with pytest.raises(av.AttnvizError, match=r"A target was given.*this run has encoder.0.cross"):
        run.trace(tokens=list("abcde"), target=list("vwxyz"))
    with av.record() as run:
        attention()(X, X.repeat(1, 2, 1), X.repeat(1, 2, 1))
    with pytest.raises(av.AttnvizError, match=r"5 queries and 10 keys.*If they come from a cache"):
        run.trace()


def test_an_edit_acts_in_every_step_of_a_generation_by_the_place_s_one_name() -> None:
    model, names = Gpt().eval(), []

    def silenced(name: str, context: torch.Tensor) -> torch.Tensor:
        names.append(name)
        return torch.zeros_like(context)

    with av.record(edits=[av.Edit("decoder.1.self.context", silenced, "silent")]) as run:
        for n in (2, 3, 4):
            model(X[:, :n])
    assert names == ["decoder.1.self.context"] * 3
    assert run.places[:4] == ("decoder.0.self", "decoder.1.self", "decoder.0.self#2", "decoder.1.self#2")
    assert not run["decoder.1.self#3.context"].any() and run["decoder.0.self#3.context"].any()
    with pytest.raises(av.AttnvizError, match=r"decoder.0.self ran 3 times .*run\.trace\(nth=3\)"):
        run.trace()
    for nth, name in enumerate(("decoder.1.self", "decoder.1.self#2", "decoder.1.self#3"), 1):
        step = run.trace(nth=nth)
        assert tuple(step) == ("decoder.0.self", "decoder.1.self") and len(step.tokens.source) == nth + 1
        assert torch.equal(step["decoder.1.self"].weights(), run[f"{name}.weights"][0])
        assert not step["decoder.1.self"].context(head=0).any()
    for wrong in (0, 4, 1.5):
        with pytest.raises(av.AttnvizError, match=r"Expected a number from 1 to 3\."):
            run.trace(nth=wrong)


@pytest.mark.parametrize("name", ["context", "call"])
def test_an_edit_of_the_second_run_of_a_place_acts_in_that_run_alone(name: str) -> None:
    model = Gpt().eval()

    def silenced(name: str, value: Any) -> Any:
        return value._replace(scale=0.0) if name.endswith("call") else torch.zeros_like(value)

    with av.record(edits=[av.Edit(f"decoder.1.self#2.{name}", silenced, "silent")]) as run:
        outs = [model(X[:, :n]) for n in (2, 3, 4)]
    changed = [not torch.allclose(out, model(X[:, :n]), atol=1e-6) for n, out in zip((2, 3, 4), outs, strict=True)]
    assert changed == [False, True, False]
    assert f"decoder.1.self#2.{name}" in run.editable
    with (
        pytest.raises(av.AttnvizError, match="changes nothing"),
        av.record(edits=[av.Edit("decoder.1.self#4.q", silenced, "")]),
    ):
        model(X)


def test_nested_tensors_run_as_they_do_outside_and_are_not_recorded() -> None:
    x = torch.nested.nested_tensor([torch.randn(4, 3, 8), torch.randn(4, 5, 8)])
    expected = F.scaled_dot_product_attention(x, x, x)
    with pytest.warns(UserWarning, match="Nothing was recorded"), av.record():
        context = F.scaled_dot_product_attention(x, x, x)
    assert all(map(torch.equal, context.unbind(), expected.unbind()))


@pytest.mark.parametrize("model", [layers(), attention(), Own()], ids=["encoder", "attention", "function"])
def test_only_the_innermost_of_three_recordings_has_an_attention_and_has_it_once(model: nn.Module) -> None:
    run_it = (lambda: model(X, X, X)) if isinstance(model, nn.MultiheadAttention) else (lambda: model(X))
    with av.record() as alone:
        run_it()
    with av.record() as outer:
        run_it()
        with av.record() as middle:
            run_it()
            with av.record() as inner:
                run_it()
    assert alone.places == outer.places == middle.places == inner.places
    assert all(torch.equal(alone[f"{place}.q"], run[f"{place}.q"]) for place in alone.places for run in (outer, inner))


def test_a_module_is_known_by_a_forward_whose_first_argument_has_another_name() -> None:
    class Decoder(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.self_attn, self.cross_attn = Own(), Own()

        def forward(module, x: torch.Tensor) -> torch.Tensor:
            return module.cross_attn(module.self_attn(x))

    class Named(Own):
        def forward(this, x: torch.Tensor, **options: object) -> torch.Tensor:
            return super().forward(x, **options)

    model = Decoder()
    model.cross_attn = Named()
    with av.record() as run:
        model(X)
    assert run.places == ("decoder.0.self", "decoder.0.cross")


def test_a_recording_of_nothing_warns_at_its_end() -> None:
    said = r"Nothing was recorded.*attnviz.attend.*scaled_dot_product_attention"
    with pytest.warns(UserWarning, match=said), av.record():
        torch.softmax(X @ X.mT, -1) @ X


def test_a_recording_around_others_says_that_they_recorded() -> None:
    said = r"recorded by a record\(\) or a trace\(\) inside this block.*only the innermost one records"
    with pytest.warns(UserWarning, match=said) as warned, av.record() as run, av.record():
        Gpt()(X)
    assert len(warned) == 1
    with pytest.raises(av.AttnvizError, match=said):
        run.trace()
    model = av.load("induction")
    with pytest.warns(UserWarning, match=said), av.record():
        model.trace("a b c a b")


@pytest.mark.parametrize("case", list(RUNS))
@pytest.mark.parametrize("grad", [False, True])
def test_torchs_attention_is_recorded_and_its_result_stays(case: str, grad: bool) -> None:
    module, call, n = RUNS[case]
    with torch.set_grad_enabled(grad):
        expected = tensors(call(module))
        with av.record() as run:
            found = tensors(call(module))
    assert len(run.places) == n and len(found) == len(expected)
    for ours, theirs in zip(found, expected, strict=True):
        assert torch.equal(ours, theirs)
    for place in run.places:
        weights = run[f"{place}.weights"]
        assert weights.shape[-3:] == (H, T, T) and torch.allclose(weights.sum(-1), torch.ones(()), atol=1e-5)
        assert torch.allclose(weights @ run[f"{place}.v"], run[f"{place}.context"], atol=1e-5)
    if case == "multi-head, every weight":
        assert torch.equal(weights, found[1])  # those that torch returns


def test_shared_keys_are_recorded_as_torch_was_given_them() -> None:
    with av.record() as run:
        context = SDPA(Q, Q[:, :2], Q[:, 2:], enable_gqa=True)
    assert [run[name].shape[1] for name in ("q", "k", "v", "weights", "context")] == [H, 2, 2, H, H]
    assert torch.allclose(run["weights"] @ Q[:, 2:].repeat_interleave(2, 1), context, atol=1e-6)
    record = run.trace(1)["encoder.0.self"]
    assert torch.allclose(record.weights(head=3) @ Q[1, 3], context[1, 3], atol=1e-6)
    with av.record(edits=[av.Edit("scores", lambda name, scores: scores * 1, "the same")]) as run:
        assert torch.allclose(SDPA(Q, Q[:, :2], Q[:, 2:], enable_gqa=True), context, atol=1e-6)


def test_edits_reach_what_torch_runs() -> None:
    def even(name: str, weights: torch.Tensor) -> torch.Tensor:
        return torch.full_like(weights, 1 / T)

    for module, call, _ in (RUNS["sdpa"], RUNS["encoder"]):
        with av.record(edits=[av.Edit("*.weights", even, "even")]) as run:
            changed = call(module)
        assert not torch.allclose(changed, call(module), atol=1e-3)
        assert all(torch.equal(run[f"{place}.weights"], torch.full((B, H, T, T), 1 / T)) for place in run.places)


def test_keys_that_no_token_has_are_recorded_and_make_no_trace() -> None:
    with av.record() as run:
        attention(add_bias_kv=True)(X, X, X)
    assert run["weights"].shape == (B, H, T, T + 1)
    with pytest.raises(av.AttnvizError, match="add_bias_kv and add_zero_attn add belong to no token"):
        run.trace()


def test_a_model_of_transformers_is_recorded_where_it_is_loaded_as_the_refusals_say() -> None:
    sizes = {"hidden_size": D, "intermediate_size": D, "num_attention_heads": H, "image_size": 16, "patch_size": 8}
    model = ViTModel(ViTConfig(num_hidden_layers=2, **sizes)).eval()
    advice = r'attn_implementation="sdpa"'
    with pytest.raises(av.AttnvizError, match=rf"av\.record.*{advice}"):
        refuse_other_input(model, "vit")
    model.set_attn_implementation("eager")
    with pytest.warns(UserWarning, match="Nothing was recorded"), av.record() as run:
        model(torch.randn(1, 3, 16, 16))
    with pytest.raises(av.AttnvizError, match=rf"Nothing was recorded.*{advice}"):
        run.trace()
    model.set_attn_implementation("sdpa")
    with av.record() as run:
        model(torch.randn(1, 3, 16, 16))
    assert list(run.trace()) == ["encoder.0.self", "encoder.1.self"]


def test_a_module_inside_ours_and_ours_inside_it_are_each_recorded_once() -> None:
    ours = av.models.MultiHeadAttention(d_model=D, n_heads=H)
    with av.record() as outer:
        ours(X)
        with av.record() as inner:
            RUNS["multi-head"][1](RUNS["multi-head"][0])
        av.attend(X, X, X, kernel="fused")
    assert (outer.places, inner.places) == (("encoder.0.self", "encoder.1.self"), ("encoder.0.self",))  # the inner wins


@pytest.mark.filterwarnings("ignore")  # torch tells where its graphs end
@pytest.mark.parametrize("grad", [False, True])
@pytest.mark.parametrize("layer", [
    lambda: attention(), lambda: nn.TransformerEncoderLayer(D, H, 16, batch_first=True),
], ids=["multi-head", "encoder layer"])  # fmt: skip
def test_what_torch_compiled_is_recorded_too(layer, grad: bool) -> None:
    module = layer().eval()
    given = (X, X, X) if isinstance(module, nn.MultiheadAttention) else (X,)
    compiled = torch.compile(module, backend="eager")
    with torch.set_grad_enabled(grad):
        expected = module(*given)
        with av.record() as run:
            found = compiled(*given)
    torch.testing.assert_close(found, expected, rtol=0, atol=0)
    assert run.places == ("encoder.0.self",)


def test_a_batch_of_nothing_runs_as_outside() -> None:
    module, nothing = attention(), torch.zeros(0, T, D)
    with av.record():
        out, weights = module(nothing, nothing, nothing)
    assert out.shape == (0, T, D) and weights.shape == (0, T, T)


def test_an_edit_of_weights_acts_on_a_module_of_transformers_that_is_called_outside_a_trace() -> None:
    model = traced_model("llama")
    ids = torch.tensor([[3, 4, 5, 6]])
    with av.record(edits=[av.cut("1.1", 3, 1)]) as run, torch.no_grad():
        model.module(ids)
    weights = run["decoder.1.self.weights"]
    assert float(weights[0, 1, 3, 1]) == 0 < float(weights[0, 0, 3, 1])
