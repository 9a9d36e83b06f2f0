"""What the transformer cannot use is refused in a sentence: what came, what was expected, what to do."""

import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

from attnviz.core.errors import AttnvizError, InputError, MaskError, TooLong, TraceShapeError
from attnviz.models import (
    BERT_EMBEDDING,
    GPT2_EMBEDDING,
    Decoder,
    DecoderBlock,
    EmbeddingStyle,
    Encoder,
    EncoderBlock,
    EncoderDecoder,
    KeyValueCache,
    MultiHeadAttention,
    SelfAttention,
    beam_search,
    greedy_search,
    sinusoidal_positions,
)
from tests.unit.models.tiny import tiny

X = torch.randn(2, 5, 16, generator=torch.Generator().manual_seed(0))  # [B, T, D]
NAN = X.masked_fill(torch.arange(160).reshape(2, 5, 16) == 115, math.nan)  # at [1, 2, 3]
NESTED = torch.nested.nested_tensor([X[0], X[1, :3]], layout=torch.jagged)
TRUE = torch.ones(5, 5, dtype=torch.bool)  # [T, T]
IDS = torch.randint(20, (2, 5), generator=torch.Generator().manual_seed(0))  # [B, T]
LAYER = MultiHeadAttention(16, 4).eval()
HEAD = SelfAttention(16)
ENCODER, DECODER = Encoder(tiny()).eval(), Decoder(tiny()).eval()
READER = Decoder(tiny(), has_cross=True).eval()  # of a source text too
Row = tuple[type[AttnvizError], str, Callable[[], object]]


def table(rows: list[Row]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(("kind", "sentence", "call"), rows, ids=[sentence[:70] for _, sentence, _ in rows])


def refused(kind: type[AttnvizError], sentence: str, call: Callable[[], object]) -> None:
    with pytest.raises(kind, match=re.escape(sentence)):
        call()


VECTORS = [
    (TraceShapeError, "has shape [2, 5, 15]. Expected [batch, tokens, 16]", X[..., 1:]),
    (TraceShapeError, "has shape [16]. Expected [batch, tokens, 16]", X[0, 0]),
    (TraceShapeError, "is on meta, the weights on cpu. Move one of them", X.to("meta")),
    (TraceShapeError, "holds torch.float64, the layer torch.float32. Expected one precision", X.double()),
    (InputError, "has shape [2, 0, 16]. Expected at least one token", X[:, :0]),
    (InputError, "is list. Expected a tensor; convert it with torch.as_tensor()", X.tolist()),
    (InputError, "is torch.sparse_coo. Expected a dense tensor", X.to_sparse()),
    (InputError, "is a nested tensor. Expected a dense tensor", NESTED),
    (InputError, "holds 1 NaN or infinite numbers, the first at [1, 2, 3]", NAN),
    (InputError, "holds 1 NaN or infinite numbers", NAN.nan_to_num(math.inf)),
]
READERS: list[tuple[str, Callable[[Any], object]]] = [
    ("query", LAYER),
    ("key", lambda x: LAYER(X, x)),
    ("value", lambda x: LAYER(X, X, x)),
    ("x", HEAD),
    ("query", EncoderBlock(tiny())),
    ("key", lambda x: DecoderBlock(tiny())(X, x)),
]


@pytest.mark.parametrize(("kind", "sentence", "wrong"), VECTORS, ids=[text[:40] for _, text, _ in VECTORS])
def test_vectors_that_no_layer_can_read_are_refused(kind: type[AttnvizError], sentence: str, wrong: Any) -> None:
    for name, read in READERS:
        refused(kind, f"{name} {sentence}", lambda read=read: read(wrong))


MASKS: list[Row] = [
    (MaskError, "mask has shape [5, 4]. Expected one that broadcasts to [batch, head, query, key] [2, 4, 5, 5]",
     lambda **o: LAYER(X, mask=TRUE[:, 1:], **o)),
    (MaskError, "mask has shape [2, 5, 5]. Expected", lambda **o: LAYER(X, mask=TRUE.expand(2, 5, 5), **o)),
    (MaskError, "mask has shape [3, 1, 5, 5]. Expected", lambda **o: LAYER(X, mask=TRUE.expand(3, 1, 5, 5), **o)),
    (MaskError, "mask holds torch.int64. Expected bool", lambda **o: LAYER(X, mask=TRUE.long(), **o)),
    (MaskError, "mask holds NaN or +∞", lambda **o: LAYER(X, mask=torch.full((5, 5), math.nan), **o)),
    (InputError, "mask is list. Expected a tensor", lambda **o: LAYER(X, mask=TRUE.tolist(), **o)),
    (MaskError, "mask has shape [5, 4]. Expected", lambda **o: ENCODER(IDS, mask=TRUE[:, 1:])),
    (MaskError, "Expected one that broadcasts to [text, query, key] [2, 5, 5]",
     lambda **o: HEAD(X, mask=TRUE[None, :4])),
]  # fmt: skip


@pytest.mark.parametrize("others", [{}, {"is_causal": True}, {"kernel": "fused"}], ids=str)
@table(MASKS)
def test_masks_that_do_not_fit_are_refused_alone_and_joined(kind, sentence, call, others) -> None:
    refused(kind, sentence, lambda: call(**others))


BAD_IDS = [
    (
        InputError,
        "ids holds 20; expected 0 to 19. Encode the text with this model’s own vocabulary",
        IDS * 0 + 20,
    ),
    (InputError, "ids holds -1; expected 0 to 19", IDS * 0 - 1),
    (InputError, "ids holds torch.float32; expected torch.int64 or torch.int32", IDS.float()),
    (InputError, "ids is list. Expected a tensor", IDS.tolist()),
    (InputError, "ids has shape [2, 0]. Expected at least one token", IDS[:, :0]),
    (TraceShapeError, "ids is a single number; expected [batch, tokens]", IDS[0, 0]),
    (TraceShapeError, "ids is on meta, the weights on cpu", IDS.to("meta")),
]


@pytest.mark.parametrize(("kind", "sentence", "wrong"), BAD_IDS, ids=[sentence[:50] for _, sentence, _ in BAD_IDS])
def test_ids_that_no_table_holds_are_refused(kind: type[AttnvizError], sentence: str, wrong: Any) -> None:
    model = EncoderDecoder(tiny())
    for run in (model.encoder, lambda ids: model(ids, IDS), lambda ids: model(IDS, ids)):
        refused(kind, sentence, lambda run=run: run(wrong))


BERT_LIKE, GPT2_LIKE = (Encoder(tiny(embedding=style)) for style in (BERT_EMBEDDING, GPT2_EMBEDDING))
LONG = torch.zeros(1, 13, dtype=torch.long)
IN_TWO_PRECISIONS = MultiHeadAttention(16, 4)
IN_TWO_PRECISIONS.w_k.double()
OWN_CACHE, READER_CACHE = KeyValueCache(), KeyValueCache()
DECODER(IDS[:, :4], is_token=torch.tensor([[False, True, True, True]] * 2), cache=OWN_CACHE)
READER(IDS[:, :3], X, cache=READER_CACHE)


@table([
    # texts that do not belong together
    (TraceShapeError, "k has 5 tokens and v has 4. Expected one value for each key", lambda: LAYER(X, X, X[:, 1:])),
    (TraceShapeError, "The axes before the tokens differ: q [2, 4, 5, 4], k [3, 4, 5, 4]",
     lambda: LAYER(X, X[[0, 1, 1]])),
    (InputError, "and no “memory” was passed. Pass the encoder’s output.", lambda: READER(IDS)),
    (InputError, "This decoder reads one text (has_cross=False), and “memory” or its mask", lambda: DECODER(IDS, X)),
    (InputError, "“memory” or its mask was passed", lambda: DECODER(IDS, memory_is_token=TRUE[:2])),
    (TraceShapeError, "key holds torch.float32, the layer torch.float64", lambda: IN_TWO_PRECISIONS(X)),
    (InputError, "This “memory” is not the one whose keys the cache holds",
     lambda: READER(IDS[:, :1], X + 1, cache=READER_CACHE)),
    (TraceShapeError, "3 texts were given and the cache holds 2; expected the same texts",
     lambda: READER(IDS[[0, 1, 0], :1], X[[0, 1, 0]], cache=READER_CACHE)),
    # what does not say where tokens are
    (MaskError, "is_token has shape [2, 1]; expected [2, 5]",  # the tokens before, in the cache, count too
     lambda: DECODER(IDS[:, 4:5], is_token=TRUE[:2, :1], cache=OWN_CACHE)),
    (MaskError, "is_token has shape [2, 4]; expected [2, 5], [batch, keys]", lambda: LAYER(X, is_token=TRUE[:2, :4])),
    (MaskError, "is_token has shape []; expected [2, 5]", lambda: LAYER(X, is_token=TRUE[0, 0])),
    (MaskError, "is_token holds torch.float32; expected bool, True for a token", lambda: LAYER(X, is_token=X[..., 0])),
    (InputError, "is_token is ndarray. Expected a tensor", lambda: LAYER(X, is_token=np.ones((2, 5), dtype=bool))),
    (TraceShapeError, "is_token is on meta, the weights on cpu", lambda: LAYER(X, is_token=TRUE[:2].to("meta"))),
    (TraceShapeError, "mask is on meta, the weights on cpu", lambda: LAYER(X, mask=TRUE.to("meta"), is_causal=True)),
    (TraceShapeError, "The tensors are on cpu, meta", lambda: LAYER(X, mask=TRUE.to("meta"))),
    (MaskError, "is_token has shape [2, 4]; expected [2, 5]", lambda: ENCODER(IDS, is_token=TRUE[:2, :4])),
    (MaskError, "memory_is_token has shape [2, 4]; expected [2, 5]",
     lambda: READER(IDS, X, memory_is_token=TRUE[:2, :4])),
    # texts that this model does not read
    (InputError, "types holds 2; expected 0 to 1", lambda: BERT_LIKE(IDS, types=IDS * 0 + 2)),
    (TraceShapeError, "types has shape [2, 4], ids [2, 5]", lambda: BERT_LIKE(IDS, types=IDS[:, 1:] * 0)),
    (InputError, "Token types were given; this model has none (n_token_types=0)", lambda: ENCODER(IDS, types=IDS * 0)),
    (TooLong, "13 tokens are too many: this model has positions for at most 12", lambda: ENCODER(LONG)),
    (TooLong, "13 tokens are too many: this model has positions for at most 12", lambda: GPT2_LIKE(LONG)),
    # what cannot be built
    (InputError, "d_model=10 is not divisible by n_heads=4. Choose d_model=12", lambda: MultiHeadAttention(10, 4)),
    (InputError, "d_model=3 is not divisible by n_heads=4. Choose d_model=4", lambda: MultiHeadAttention(3, 4)),
    (InputError, "d_model is 0; expected a whole number of at least 1", lambda: MultiHeadAttention(0, 4)),
    (InputError, "n_heads is 2.0; expected a whole number", lambda: MultiHeadAttention(8, 2.0)),
    (InputError, "dropout is 1.0; expected a number of at least 0 and below 1",
     lambda: MultiHeadAttention(8, 4, dropout=1.0)),
    (InputError, "width is 0; expected a whole number of at least 1", lambda: SelfAttention(8, 0)),
    (InputError, "n_layers is 0; expected a whole number of at least 1", lambda: tiny(n_layers=0)),
    (InputError, "norm is 'prenorm'. Expected one of 'post', 'pre'", lambda: tiny(norm="prenorm")),
    (InputError, "activation is 'gelu_new'. Expected one of 'relu', 'gelu', 'gelu_tanh', 'silu'. GPT-2’s",
     lambda: tiny(activation="gelu_new")),
    (InputError, "norm_eps is -1; expected a number of at least 0", lambda: tiny(norm_eps=-1)),
    (InputError, "positions is 'sin'. Expected one of 'sinusoidal', 'learned', 'none'",
     lambda: EmbeddingStyle(positions="sin")),
    (InputError, "encoder has d_model=16 and the decoder 32; expected the same width",
     lambda: EncoderDecoder(tiny(), tiny(d_model=32))),
    (InputError, "n_tokens is -1; expected a whole number of at least 1", lambda: sinusoidal_positions(-1, 4)),
    (InputError, "width is 0; expected a whole number of at least 1",
     lambda: beam_search(DECODER, (1,), width=0, end=3, max_new_tokens=3)),
    (InputError, "torch.nn.modules.linear.Linear given; expected torch.nn.MultiheadAttention itself",
     lambda: MultiHeadAttention.from_torch(torch.nn.Linear(4, 4))),
    (InputError, "adds keys that belong to no token",
     lambda: MultiHeadAttention.from_torch(torch.nn.MultiheadAttention(16, 4, add_bias_kv=True))),
    (InputError, "adds keys that belong to no token",
     lambda: MultiHeadAttention.from_torch(torch.nn.MultiheadAttention(16, 4, add_zero_attn=True))),
    (InputError, "makes keys from 8 features and values from 16; expected 16",
     lambda: MultiHeadAttention.from_torch(torch.nn.MultiheadAttention(16, 4, kdim=8))),
])  # fmt: skip
def test_what_cannot_be_read_or_built_is_refused(kind, sentence, call) -> None:
    refused(kind, sentence, call)


DIVERGED = Decoder(tiny(embedding=EmbeddingStyle(is_tied=False))).eval()
DIVERGED.to_vocabulary.weight.data[3] = math.nan


@table([
    (InputError, "The prompt is empty; expected a list of token ids, at least the start token", {"prompt": ()}),
    (InputError, "ids holds 99; expected 0 to 19", {"prompt": [99]}),
    (InputError, "max_new_tokens is -1; expected a whole number of at least 0", {"max_new_tokens": -1}),
    (InputError, "“memory” or its mask was passed", {"memory": X}),
    (TooLong, "13 tokens are too many: this model has positions for at most 12", {"max_new_tokens": 12}),
    (InputError, "in training mode, with dropout; expected eval mode. Call decoder.eval()",
     {"decoder": Decoder(tiny())}),
    (InputError, "logits holds 1 NaN or infinite numbers, the first at", {"decoder": DIVERGED, "end": None}),
])  # fmt: skip
def test_what_cannot_be_decoded_is_refused(kind, sentence, call) -> None:
    given = {"decoder": DECODER, "prompt": (1,), "end": 3, "max_new_tokens": 3, **call}
    for search in (greedy_search, beam_search):
        refused(kind, sentence, lambda search=search: search(**given))
