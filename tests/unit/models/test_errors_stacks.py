"""What an embedding, a block, a stack or decoding cannot use is refused in a sentence."""

from __future__ import annotations

import math
import re
from typing import Any

import pytest
import torch

from attnviz.core.errors import AttnvizError, InputError, MaskError, TooLong, TraceShapeError
from attnviz.models import (
    BERT,
    GPT2,
    Decoder,
    DecoderBlock,
    EmbeddingStyle,
    Encoder,
    EncoderBlock,
    EncoderDecoder,
    FeedForward,
    KeyValueCache,
    Residual,
    TokenEmbedding,
    TransformerConfig,
    beam,
    greedy,
    sinusoidal_positions,
)

TINY = TransformerConfig(vocab_size=20, d_model=16, n_heads=4, n_layers=2, d_ff=24, max_tokens=12, dropout=0.0)
IDS = torch.randint(20, (2, 6), generator=torch.Generator().manual_seed(0))  # [B, T]
X = torch.randn(2, 6, 16, generator=torch.Generator().manual_seed(0))  # [B, T, D]


def tiny(**changes: object) -> TransformerConfig:
    return TransformerConfig(**{**TINY.__dict__, **changes})  # type: ignore[arg-type]


BAD_IDS = [
    (InputError, "token id 20 came; expected 0 to 19. Encode the text with this model's own vocabulary", IDS * 0 + 20),
    (InputError, "token id -1 came; expected 0 to 19", IDS * 0 - 1),
    (InputError, "token ids came as torch.float32; expected whole numbers", IDS.float()),
    (InputError, "token ids came as torch.bool; expected whole numbers, torch.int64 or torch.int32", IDS > 3),
    (InputError, "token ids came as torch.uint8; expected whole numbers", IDS.to(torch.uint8)),
    (InputError, "token ids came as list; expected a tensor", IDS.tolist()),
    (InputError, "token ids came as ndarray; expected a tensor", IDS.numpy()),
    (InputError, "token ids came as str; expected a tensor", "the cat"),
    (InputError, "no token ids came, shape [2, 0]; expected at least one token", IDS[:, :0]),
    (TraceShapeError, "one token id came without an axis; expected [batch, tokens]", IDS[0, 0]),
    (TraceShapeError, "token ids is on meta and the layer on cpu; expected one device", IDS.to("meta")),
]


@pytest.mark.parametrize(("kind", "sentence", "wrong"), BAD_IDS, ids=[sentence[:50] for _, sentence, _ in BAD_IDS])
def test_ids_that_no_table_holds_are_refused(kind: type[AttnvizError], sentence: str, wrong: Any) -> None:
    model = EncoderDecoder(TINY)
    for run in (model.encoder, lambda ids: model(ids, IDS), lambda ids: model(IDS, ids)):
        with pytest.raises(kind, match=re.escape(sentence)):
            run(wrong)


@pytest.mark.parametrize("dtype", [torch.int32, torch.int64])
def test_ids_of_both_kinds_of_whole_numbers_are_read(dtype: torch.dtype) -> None:
    encoder = Encoder(TINY).eval()
    assert torch.equal(encoder(IDS.to(dtype)), encoder(IDS))


@pytest.mark.parametrize("style", [TINY.embedding, GPT2])
def test_a_text_longer_than_the_positions_is_refused(style: EmbeddingStyle) -> None:
    with pytest.raises(TooLong, match="13 tokens; this model has positions for at most 12"):
        Encoder(tiny(embedding=style))(torch.zeros(1, 13, dtype=torch.long))


def test_token_types_that_do_not_fit_are_refused() -> None:
    bert = Encoder(tiny(embedding=BERT))
    with pytest.raises(InputError, match="token type 2 came; expected 0 to 1"):
        bert(IDS[:, :3], types=torch.tensor([[0, 1, 2]]))
    with pytest.raises(TraceShapeError, match=r"token types have shape \[2, 5\] and ids \[2, 6\]; expected one type"):
        bert(IDS, types=torch.zeros(2, 5, dtype=torch.long))
    with pytest.raises(InputError, match=r"token types came; this model has none \(n_token_types=0\)"):
        Encoder(TINY)(IDS, types=torch.zeros_like(IDS))


BAD_VECTORS = [
    (TraceShapeError, "has shape [2, 6, 15]; expected [batch, tokens, 16]", X[..., 1:]),
    (TraceShapeError, "has shape [16]; expected [batch, tokens, 16]", X[0, 0]),
    (TraceShapeError, "holds torch.float64 and the layer torch.float32; expected one precision", X.double()),
    (TraceShapeError, "is on meta and the layer on cpu; expected one device", X.to("meta")),
    (InputError, "came as list; expected a tensor", X.tolist()),
    (InputError, "came as ndarray; expected a tensor", X.numpy()),
    (InputError, "has shape [2, 0, 16]; expected at least one token", X[:, :0]),
]


@pytest.mark.parametrize("norm", ["post", "pre"])
@pytest.mark.parametrize(("kind", "sentence", "wrong"), BAD_VECTORS, ids=[text[:40] for _, text, _ in BAD_VECTORS])
def test_vectors_that_do_not_fit_are_refused(kind: type[AttnvizError], sentence: str, wrong: Any, norm: str) -> None:
    config = tiny(norm=norm)
    own = (EncoderBlock(config), FeedForward(config), Encoder(config).through_blocks, Decoder(config).through_blocks)
    for run in (*own, lambda x: DecoderBlock(config)(x, X)):
        with pytest.raises(kind, match=re.escape(f"x {sentence}")):
            run(wrong)
    for run in (DecoderBlock(config), Decoder(config, has_cross=True).through_blocks):
        with pytest.raises(kind, match=re.escape(f"memory {sentence}")):
            run(X, wrong)


def test_source_and_target_texts_that_are_not_equally_many_are_refused_in_their_words() -> None:
    source, target = torch.zeros(2, 5, dtype=torch.long), torch.zeros(3, 4, dtype=torch.long)
    sentence = "memory holds 2 texts of 5 tokens and the decoder reads 3 texts of 4 tokens; expected as many source"
    with pytest.raises(TraceShapeError, match=sentence):
        EncoderDecoder(TINY)(source, target)
    EncoderDecoder(TINY)(source[:1], target)  # one source for all


@pytest.mark.parametrize("norm", ["post", "pre"])
@pytest.mark.parametrize("wrong", [math.nan, math.inf])
def test_nan_and_infinity_do_not_get_into_a_stack(norm: str, wrong: float) -> None:
    spoilt = X.clone()
    spoilt[1, 2, 3] = wrong
    with pytest.raises(InputError, match=r"query holds \d+ NaN or infinite numbers, the first at text 1, token 2"):
        Encoder(tiny(norm=norm)).through_blocks(spoilt)
    for run in (Decoder(tiny(norm=norm), has_cross=True).through_blocks, DecoderBlock(tiny(norm=norm))):
        with pytest.raises(InputError, match=r"memory holds 1 NaN or infinite numbers, the first at \[1, 2, 3\]"):
            run(X, spoilt)
    with pytest.raises(InputError, match=r"x holds 1 NaN or infinite numbers, the first at \[1, 2, 3\]"):
        FeedForward(tiny(norm=norm))(spoilt)


def test_masks_of_a_stack_are_refused_as_those_of_a_layer() -> None:
    encoder, decoder = Encoder(TINY), Decoder(TINY, has_cross=True)
    with pytest.raises(MaskError, match=r"is_token has shape \[2, 5\]; expected \[2, 6\]"):
        encoder(IDS, is_token=torch.ones(2, 5, dtype=torch.bool))
    with pytest.raises(MaskError, match=r"mask has shape \[6, 5\]; expected \[queries, keys\] = \[6, 6\]"):
        encoder(IDS, mask=torch.ones(6, 5, dtype=torch.bool))
    with pytest.raises(MaskError, match=r"memory_is_token has shape \[2, 5\]; expected \[2, 6\]"):
        decoder(IDS, X, memory_is_token=torch.ones(2, 5, dtype=torch.bool))
    with pytest.raises(MaskError, match=r"memory_mask has shape \[6, 5\]; expected \[queries, keys\] = \[6, 6\]"):
        decoder.through_blocks(X, X, memory_mask=torch.ones(6, 5, dtype=torch.bool))
    with pytest.raises(InputError, match="is_token came as list; expected a tensor"):
        encoder(IDS, is_token=[[True] * 6] * 2)  # type: ignore[arg-type]


def test_memory_is_asked_for_and_refused_in_a_sentence() -> None:
    with pytest.raises(TraceShapeError, match="no memory came; this decoder looks at a second text"):
        Decoder(TINY, has_cross=True)(IDS)
    with pytest.raises(TraceShapeError, match="memory came; this decoder does not look at a second text"):
        Decoder(TINY)(IDS, X)
    with pytest.raises(TraceShapeError, match="a mask for memory came; this decoder does not look"):
        Decoder(TINY)(IDS, memory_is_token=torch.ones(2, 6, dtype=torch.bool))


def test_a_block_asks_for_memory_and_refuses_it_as_its_decoder_does() -> None:
    with pytest.raises(TraceShapeError, match="no memory came; this decoder block looks at a second text"):
        DecoderBlock(TINY)(X)
    with pytest.raises(TraceShapeError, match="memory came; this decoder block does not look at a second text"):
        DecoderBlock(TINY, has_cross=False)(X, X)


def test_stacks_of_different_width_cannot_be_joined() -> None:
    with pytest.raises(InputError, match="encoder has d_model=16 and the decoder 32; expected the same width"):
        EncoderDecoder(TINY, tiny(d_model=32))


@pytest.mark.parametrize("came", [None, 512, {"d_model": 16}])
@pytest.mark.parametrize(
    "part", [Encoder, Decoder, EncoderDecoder, EncoderBlock, DecoderBlock, FeedForward, Residual, TokenEmbedding]
)
def test_what_is_no_configuration_is_refused(part: Any, came: object) -> None:
    with pytest.raises(InputError, match=rf"config came as {type(came).__name__}; expected a TransformerConfig\. Pass"):
        part(came)


def test_the_second_configuration_is_one_too() -> None:
    with pytest.raises(InputError, match="target came as dict; expected a TransformerConfig"):
        EncoderDecoder(TINY, {})  # type: ignore[arg-type]


def test_what_is_no_cache_is_refused() -> None:
    decoder = Decoder(TINY)
    for run in (lambda cache: decoder(IDS, cache=cache), lambda cache: decoder.through_blocks(X, cache=cache),
                lambda cache: DecoderBlock(TINY, has_cross=False)(X, cache=cache)):  # fmt: skip
        with pytest.raises(
            InputError, match=r"cache came as dict; expected a KeyValueCache\. Begin with KeyValueCache\("
        ):
            run({})


def test_rows_of_a_cache_are_whole_numbers() -> None:
    for wrong in ([0, 0], torch.tensor([0.0])):
        with pytest.raises(InputError, match=r"rows came as .*; expected a tensor of row numbers"):
            KeyValueCache().select(wrong)  # type: ignore[arg-type]


def test_a_table_of_positions_has_a_size() -> None:
    with pytest.raises(InputError, match="n_tokens is -1; expected at least 1"):
        sinusoidal_positions(-1, 4)
    with pytest.raises(InputError, match=r"d_model is 2\.5; expected a whole number"):
        sinusoidal_positions(3, 2.5)  # type: ignore[arg-type]


@pytest.mark.parametrize("write", [greedy, beam])
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"prompt": ()}, "prompt came empty; expected at least one token"),
        ({"prompt": "the cat"}, "prompt came as 'the cat'; expected a list of token ids"),
        ({"prompt": [1.5]}, "prompt came as [1.5]; expected a list of token ids"),
        ({"prompt": [[1]]}, "prompt came as [[1]]; expected a list of token ids"),
        ({"prompt": IDS[0]}, "expected a list of token ids. Of a tensor [T] pass .tolist()"),
        ({"prompt": None}, "prompt came as None; expected a list of token ids"),
        ({"prompt": [99]}, "token id 99 came; expected 0 to 19"),
        ({"max_new_tokens": 0}, "max_new_tokens is 0; expected at least 1"),
        ({"max_new_tokens": 2.5}, "max_new_tokens is 2.5; expected a whole number"),
        ({"n_candidates": 0}, "n_candidates is 0; expected at least 1"),
        ({"end": 20}, "end is 20; expected a token id from 0 to 19, or None"),
        ({"end": "x"}, "end is 'x'; expected a token id"),
        ({"memory": X}, "memory came; this decoder does not look at a second text"),
    ],
)  # fmt: skip
def test_what_cannot_be_decoded_is_refused(write: Any, arguments: dict[str, Any], sentence: str) -> None:
    given = {"prompt": (1,), "end": 3, "max_new_tokens": 3, **arguments}
    with pytest.raises(AttnvizError, match=re.escape(sentence)):
        write(Decoder(TINY).eval(), given.pop("prompt"), **given)


@pytest.mark.parametrize("write", [greedy, beam])
def test_a_text_that_would_outgrow_the_positions_is_refused(write: Any) -> None:
    sentence = "1 tokens and 12 new ones are 13; this decoder has positions for at most 12"
    with pytest.raises(TooLong, match=sentence):
        write(Decoder(TINY).eval(), (1,), end=3, max_new_tokens=12)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"width": 0}, "width is 0; expected at least 1"),
        ({"width": 1.5}, "width is 1.5; expected a whole number"),
        ({"length_penalty": "high"}, "length_penalty is 'high'; expected a number of at least 0"),
        ({"length_penalty": -1}, "length_penalty is -1; expected a number of at least 0"),
    ],
)
def test_a_race_that_cannot_be_held_is_refused(arguments: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        beam(Decoder(TINY).eval(), (1,), end=3, max_new_tokens=3, **arguments)


@pytest.mark.parametrize("write", [greedy, beam])
def test_a_decoder_in_training_mode_is_refused(write: Any) -> None:
    with pytest.raises(InputError, match=r"in training mode; expected eval mode.*decoder.eval\(\)"):
        write(Decoder(TINY).train(), (1,), end=3, max_new_tokens=3)


@pytest.mark.parametrize("write", [greedy, beam])
def test_an_encoder_decoder_is_no_decoder(write: Any) -> None:
    with pytest.raises(InputError, match=r"EncoderDecoder came; expected a Decoder.*model\.decoder"):
        write(EncoderDecoder(TINY).eval(), (1,), end=3, max_new_tokens=3)


def test_a_mask_of_the_new_token_alone_is_not_taken_for_all_that_were_read() -> None:
    decoder, cache = Decoder(TINY).eval(), KeyValueCache()
    decoder(IDS[:, :4], is_token=torch.tensor([[False, True, True, True]] * 2), cache=cache)
    with pytest.raises(MaskError, match=r"is_token has shape \[2, 1\]; expected \[2, 5\], \[batch, keys\]"):
        decoder(IDS[:, 4:5], is_token=torch.ones(2, 1, dtype=torch.bool), cache=cache)


def test_a_decoder_that_ran_away_is_refused_when_it_writes() -> None:
    decoder = Decoder(tiny(embedding=EmbeddingStyle(is_tied=False))).eval()
    with torch.no_grad():
        decoder.to_vocabulary.weight[3] = math.nan
    for write in (greedy, beam):
        with pytest.raises(InputError, match="what the decoder gave holds 1 NaN or infinite numbers, the first at"):
            write(decoder, [2], end=None, max_new_tokens=3)


def test_a_translator_names_the_mask_that_is_wrong() -> None:
    model = EncoderDecoder(TINY).eval()
    short = torch.ones(2, 5, dtype=torch.bool)
    for name in ("source_is_token", "target_is_token"):
        with pytest.raises(MaskError, match=rf"{name} has shape \[2, 5\]; expected \[2, 6\]"):
            model(IDS, IDS, **{name: short})


def test_memory_without_a_batch_axis_is_told_to_get_one() -> None:
    with pytest.raises(TraceShapeError, match=r"memory has shape \[6, 16\] and the decoder .*pass memory\[None\]"):
        Decoder(TINY, has_cross=True)(IDS, X[0])
