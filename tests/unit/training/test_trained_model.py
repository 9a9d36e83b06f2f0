"""A model trained here is a model like any other: traced, explained, edited, read in both scripts, or refused."""

from pathlib import Path

import pytest
import torch

import attnviz as av
from attnviz.core.errors import EmptyText, InputError, TooLong, UnknownWords
from attnviz.text import strings
from attnviz.trace.model_protocol import Model
from attnviz.training import TrainedModel, load_trained
from attnviz.training.tasks.symbol_tasks import SYMBOLS

Trained = dict[str, TrainedModel]


@pytest.fixture(scope="module")
def trained(folders: dict[str, Path]) -> Trained:
    return {name: load_trained(folder) for name, folder in folders.items()}


def test_a_folder_is_loaded_like_any_model(trained: Trained) -> None:
    folder = trained["reverse"].card.id
    model = av.load(folder)
    assert isinstance(model, Model)
    assert (model.card.id, model.card.name, model.card.family) == (folder, "Reverse", "from scratch")
    assert model.card.parameters > 0 and model.card.source == "trained with AttnViz"  # no command makes so small a one
    assert av.load("reverse").card.source == "trained with AttnViz: attnviz train reverse --seed 0"


def test_a_trace_has_every_site_the_stream_the_matrices_and_a_prediction(trained: Trained) -> None:
    trace = trained["reverse"].trace("hello", target="olleh")
    assert [site.key for site in trace.sites] == [
        "encoder.0.self", "encoder.1.self",
        "decoder.0.self", "decoder.0.cross", "decoder.1.self", "decoder.1.cross",
    ]  # fmt: skip
    assert trace.tokens.source.text == ("h", "e", "l", "l", "o", "<end>")
    assert trace.tokens.target is not None and trace.tokens.target.text == ("<start>", "o", "l", "l", "e", "h")
    weights = trace["decoder.1.cross"].weights(head=1)  # [T_q, T_k]
    assert weights.shape == (6, 6)
    torch.testing.assert_close(weights.sum(-1), torch.ones(6), rtol=0, atol=1e-6)
    assert trace.verified is not None and trace.verified.holds
    assert {"encoder.embed", "encoder.out", "decoder.1.crossed", "decoder.out"} <= set(trace.stream)
    assert trace.prediction is not None and trace.prediction.ids.shape == (6, 20)
    assert set(trace.parameters("decoder.1.cross")) >= {"w_q", "w_k", "w_v", "w_o"}
    target = trained["reverse"].trace("abcd").tokens.target  # where none is given, what the model writes
    assert target is not None and " ".join(target.text[1:]) == trained["reverse"].generate("abcd")


def test_tokens_show_the_typed_text_and_point_at_it(trained: Trained) -> None:
    text = "He doesn't like TEA."
    tokens = trained["translate-en-zh"].trace(text, target="他不喜欢茶。").tokens
    assert tokens.source.text == ("He", "does", "n't", "like", "TEA", ".")
    assert [text[slice(*span)] for span in tokens.source.spans] == list(tokens.source.text)
    assert tokens.source.pieces[:5] == ("he", "does", "not", "like", "tea")
    assert not any(tokens.source.special) and not any(tokens.source.unknown)
    assert tokens.target is not None and tokens.target.text == ("<start>", "他", "不", "喜欢", "茶", "。")


def test_chinese_is_read_in_both_scripts_as_the_same_words(trained: Trained) -> None:
    model = trained["translate-zh-en"]
    simplified = model.trace("他昨天在图书馆读了三本书。", target="he").tokens.source
    traditional = model.trace("他昨天 在圖書館讀了三本书。", target="he").tokens.source
    assert simplified.ids == traditional.ids
    assert traditional.text[:4] == ("他", "昨天", "在", "圖書館")
    assert model.trace("她喜歡茶吗?", target="he").tokens.source.pieces[:5] == ("她", "喜欢", "茶", "吗", "？")


def test_the_other_script_changes_what_is_written_and_nothing_else(trained: Trained) -> None:
    model = trained["translate-en-zh"]
    taiwan = model.in_script("zh-TW", "translate-en-zh-tw")
    assert taiwan.card.id == "translate-en-zh-tw" and taiwan.card.revision == model.card.revision
    plain, spelled = model.trace("he sings."), taiwan.trace("he sings.")
    assert plain.tokens.target is not None and spelled.tokens.target is not None
    assert plain.tokens.target.ids == spelled.tokens.target.ids


def test_a_word_outside_the_vocabulary_is_refused_with_the_list_of_what_is_known(trained: Trained) -> None:
    with pytest.raises(UnknownWords) as caught:
        trained["translate-en-zh"].trace("She likes pizza and an aple.")
    error, words = caught.value, [w for w in trained["translate-en-zh"].task.source.words if w not in ".,?"]
    start = f"English → Chinese, simplified does not know: pizza, and, aple. It knows {len(words)} words: "
    assert str(error).startswith(start) and "apple" in str(error)[len(start) :], "the nearest spelling is among them"
    assert str(error).endswith(f" …. All of them: attnviz words {trained['translate-en-zh'].card.id}")
    assert len(str(error).splitlines()) == 1 and len(str(error)) < 600
    assert error.id == "unknown-words" and error.arguments["words"] == ("pizza", "and", "aple")
    assert error.arguments["every"] == tuple(words)
    assert "不认识“pizza、and、aple”" in strings("zh-CN").error(error)


@pytest.mark.parametrize(("name", "texts", "error", "sentence"), [
    ("translate-zh-en", ["我喜欢披萨。"], UnknownWords, "does not know: 披萨\\. It"),
    ("translate-zh-en", ["我喜欢<start>。"], UnknownWords, "does not know: <start>\\. It"),
    ("translate-en-zh", ["She likes pizza!"], UnknownWords, "does not know: pizza\\. It"),
    ("translate-en-zh", ["She likes cats!"], UnknownWords, "does not know: !\\. It"),  # as nothing else is unknown
    ("translate-en-zh", ["She sings.", "x"], UnknownWords, "does not know: x\\. It"),
    ("reverse", ["abc8"], UnknownWords, f"^Reverse does not know: 8. It knows 30 words: {', '.join(SYMBOLS)}\\. "),
    ("reverse", ["  "], EmptyText, "There is no text to read"),
    ("reverse", ["a" * 25], TooLong, "25 tokens are too many: Reverse takes at most 24"),
    ("induction", ["abc", "a"], InputError, "takes no target text"),
])  # fmt: skip
def test_what_cannot_be_read_is_refused(trained: Trained, name: str, texts: list[str], error, sentence: str) -> None:
    with pytest.raises(error, match=sentence):
        trained[name].trace(*texts)


def test_token_ids_are_read_as_they_are(trained: Trained) -> None:
    own = trained["reverse"].trace("hello")
    assert own.tokens.target is not None
    again = trained["reverse"].trace(own.tokens.source.ids, own.tokens.target.ids)
    for site in own:
        torch.testing.assert_close(again[site].weights(), own[site].weights(), rtol=0, atol=0)
    assert again.tokens.source.text == own.tokens.source.text
    assert again.tokens.source.special == own.tokens.source.special
    assert trained["reverse"].trace(own.tokens.source.ids).tokens.target.text == own.tokens.target.text
    with pytest.raises(InputError, match="is no token id of Reverse"):
        trained["reverse"].trace([1000])
