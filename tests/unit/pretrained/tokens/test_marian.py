"""A Marian translator as it is published: two SentencePiece models and one vocabulary, in Python alone."""

import json

import pytest
import sentencepiece
import torch
from transformers import MarianConfig, MarianMTModel, MarianTokenizer

from attnviz import catalog

ENGLISH = ["the cat sat on the mat", "the dog ran to the house", "a teacher reads the old book", "it rains in the city"]
CHINESE = ["猫坐在垫子上", "狗跑到房子里", "老师读那本旧书", "城里下雨了"]


def trained(path, lines, size):
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(lines * 20), model_prefix=str(path), vocab_size=size, hard_vocab_limit=False,
        minloglevel=2,
    )  # fmt: skip
    return sentencepiece.SentencePieceProcessor(model_file=f"{path}.model")


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("marian")
    sides = trained(folder / "en", ENGLISH, 60), trained(folder / "zh", CHINESE, 60)
    pieces = [side.id_to_piece(number) for side in sides for number in range(side.get_piece_size())]
    names = dict.fromkeys(["</s>", "<unk>", ">>cmn<<", *pieces, "<pad>"])
    (folder / "vocab.json").write_text(json.dumps({piece: number for number, piece in enumerate(names)}))
    files = (str(folder / name) for name in ("en.model", "zh.model", "vocab.json"))
    tokenizer = MarianTokenizer(*files, source_lang="en", target_lang="zh")
    tokenizer.save_pretrained(folder / "model")
    torch.manual_seed(0)
    pad = len(tokenizer) - 1
    config = MarianConfig(
        vocab_size=len(tokenizer), d_model=16, encoder_layers=1, decoder_layers=1, encoder_attention_heads=2,
        decoder_attention_heads=2, encoder_ffn_dim=16, decoder_ffn_dim=16, max_position_embeddings=40,
        pad_token_id=pad, eos_token_id=0, decoder_start_token_id=pad, forced_eos_token_id=0,
    )  # fmt: skip
    MarianMTModel(config).save_pretrained(folder / "model")
    return catalog.load(str(folder / "model")), tokenizer


def test_both_sides_are_read_by_their_own_pieces(model):
    loaded, tokenizer = model
    source, target = "the cat sat on the mat", "猫坐在垫子上"
    trace = loaded.trace(source, target=target)
    assert list(trace.tokens.source.ids) == tokenizer(source).input_ids
    assert list(trace.tokens.target.ids[1:]) == tokenizer(text_target=target).input_ids[:-1]
    assert trace.tokens.target.ids[0] == len(tokenizer) - 1 and trace.verified.holds
    assert [site.key for site in trace.sites] == ["encoder.0.self", "decoder.0.self", "decoder.0.cross"]


@pytest.mark.parametrize("text", ["the cat sat", "  the   cat ", "catsat, dog!", "the 猫 cat", "the café"])
def test_spans_point_at_the_readers_own_characters(model, text):
    tokens = model[0].tokenizer.tokens(text)
    own = [span for span, special in zip(tokens.spans, tokens.special, strict=True) if not special]
    assert own == sorted(own) and "".join(text.split()) == "".join("".join(text[a:b].split()) for a, b in own)
    assert tokens.special[-1] and list(tokens.ids) == model[1](text).input_ids


def test_words_begin_where_a_blank_stood_and_a_language_code_is_a_token_of_its_own(model):
    tokens = model[0].tokenizer.tokens(">>cmn<< the dog ran")
    spans = list(zip(tokens.spans, tokens.words, strict=True))
    words = ["".join(tokens.source[a:b] for (a, b), own in spans if own == word).strip() for word in range(3)]
    assert tokens.text[0] == ">>cmn<<" and words == ["the", "dog", "ran"]
    assert list(tokens.ids) == model[1](tokens.source).input_ids


def test_it_writes_and_what_it_wrote_is_shown(model):
    loaded, tokenizer = model
    written = loaded.writer.written(loaded.tokenizer.tokens("the dog ran"), 6)
    assert written.source == tokenizer.decode(list(written.ids[1:]), skip_special_tokens=True)
    assert len(written) <= 7 and loaded.generate("the dog ran", max_tokens=6) == written.source
