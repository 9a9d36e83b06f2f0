"""The poems: how a line is read, what is held out, both scripts, and a model that goes on with them."""

from collections import Counter
from dataclasses import replace

import pytest

from attnviz.models.support.vocabulary import END, START, UNKNOWN
from attnviz.training import Plan, Shape, TrainedModel, load_trained, resume, task_named, train
from attnviz.training.batches import NOT_COUNTED, batch_of
from attnviz.training.tasks import poems
from attnviz.training.tasks.poetry import corpus, verse
from attnviz.training.tasks.task import Example

SIMPLIFIED, TRADITIONAL = poems.TASKS
MOON = "床前明月光，疑是地上霜。举头望明月，低头思故"
TINY = Plan(
    Shape(d_model=16, n_heads=2, n_layers=1, d_ff=16, positions="rotary", is_modern=True, dropout=0.1), steps=4,
    batch_size=4, warmup=1, n_checkpoints=2,
)  # fmt: skip


def keys(of, text=MOON):
    return {row: sorted(columns) for row, columns in of(Example(tuple(text))).items()}


def test_the_row_that_writes_a_character_should_look_where_a_reader_would():
    # <start> is column 0, 床 is 1, the first comma 6, 霜 is 11; row 22 reads 故 and writes what is missing.
    assert keys(verse.previous)[22] == [21]
    assert keys(verse.mark_before)[22] == [18] and 18 not in keys(verse.mark_before)
    assert keys(verse.first_line)[6] == [1, 2, 3, 4, 5] and 5 not in keys(verse.first_line)
    assert keys(verse.rhyme) == {22: [11]}
    assert keys(verse.same_place) == {
        6: [1],
        7: [2],
        8: [3],
        9: [4],
        10: [5],
        18: [13],
        19: [14],
        20: [15],
        21: [16],
        22: [17],
    }


def test_a_title_moves_every_column():
    titled = keys(verse.same_place, f"《静夜思》{MOON}")
    assert titled == {row + 5: [column + 5 for column in columns] for row, columns in keys(verse.same_place).items()}


def test_a_run_of_a_poem_holds_the_same_place_of_the_line_before_as_its_links(tmp_path):
    train(SIMPLIFIED, TINY, folder=tmp_path, device="cpu")
    model = load_trained(tmp_path)
    assert {row: sorted(columns) for row, columns in model.trace(MOON).links.items()} == keys(verse.same_place)
    assert model.trace("今天天气很好。").links == {}  # no verse
    ids = model.trace(MOON).tokens.source.ids
    assert model.trace(list(ids)).links == model.trace(MOON).links and model.trace(list(ids[1:])).links == {}


@pytest.mark.parametrize(("text", "width"), [
    ("空山", 5), ("空山新雨后天", 7), ("空山新雨后，天", 5), ("《秋夜》", 5),
    ("空山，", None), ("空山新雨后，天气晚来秋意浓", None), ("空山新雨后天气晚", None), ("今天天气很好。", None),
])  # fmt: skip
def test_a_text_is_verse_when_its_lines_are_of_one_length(text, width):
    known = verse.verse(tuple(text))
    assert (known and known.width) == width
    assert (SIMPLIFIED.example_for(tuple(text)) is not None) is (width is not None)


def test_every_poem_stands_there_once_in_both_scripts_and_in_one_of_the_forms():
    simplified, traditional = corpus.poems("zh-CN"), corpus.poems("zh-TW")
    assert [poem.split for poem in simplified] == [poem.split for poem in traditional]
    assert all(len(a.text) == len(b.text) for a, b in zip(simplified, traditional, strict=True))
    assert len({poem.text for poem in traditional}) == len(traditional)
    shares = Counter(poem.split for poem in traditional)
    assert 0.09 < shares["sentences"] / len(traditional) < 0.11
    for poem in (*simplified[::50], *traditional[::50]):
        known = verse.verse(tuple(poem.text))
        assert known is not None and (known.width, len(known.lines)) in verse.FORMS
    assert "乾坤" in "".join(poem.text for poem in simplified)  # where 乾 is not 干


@pytest.mark.parametrize("task", poems.TASKS)
def test_no_poem_that_is_held_out_is_ever_trained_on(task):
    held_out = {example.source for split in ("validation", "sentences") for example in task.examples(split, 10**6, 0)}
    draw = task.training(0, 32)
    trained = [example.source for step in range(300) for example in draw(step)]
    bare = [words[words.index(verse.CLOSE) + 1 :] if verse.CLOSE in words else words for words in trained]
    assert not held_out.intersection(bare)
    assert 0.35 < sum(words[0] == verse.OPEN for words in trained) / len(trained) < 0.5  # long titles are left out
    assert draw(7) == task.training(0, 32)(7) != draw(8)


def test_every_next_character_is_learned_and_the_end_but_none_that_has_no_number():
    unknown = next(word for poem in corpus.poems("zh-CN") for word in poem.text if word not in SIMPLIFIED.source.ids)
    batch = batch_of(SIMPLIFIED, [Example(("春", unknown, "眠"))])
    spring, sleep = SIMPLIFIED.source.ids["春"], SIMPLIFIED.source.ids["眠"]
    assert batch.given.tolist() == [[START, spring, UNKNOWN, sleep]]
    assert batch.wanted.tolist() == [[spring, NOT_COUNTED, sleep, END]]


@pytest.fixture(scope="module")
def model(tmp_path_factory) -> TrainedModel:
    folder = tmp_path_factory.mktemp("poems")
    train(SIMPLIFIED, TINY, folder=folder, device="cpu")
    return load_trained(folder)


def test_simplified_characters_are_read_in_either_script_and_marks_as_keyboards_type_them(model):
    tokens = model.trace("舉頭望明月,\n低頭").tokens.source
    assert tokens.text == ("<start>", *"舉頭望明月,低頭")
    assert tokens.pieces == ("<start>", *"举头望明月，低头")
    assert model.trace("舉頭望明月,低頭").tokens.source.ids == model.trace("举头望明月，低头").tokens.source.ids


def test_old_forms_are_read_and_the_traditional_model_reads_what_is_simplified_from_one_character_alone():
    def pieces(task, text):
        return "".join(piece.word for piece in task.source.pieces(text))

    assert pieces(SIMPLIFIED, "牀裏爲") == "床里为" and pieces(TRADITIONAL, "牀裏爲") == "床裡為"
    assert pieces(TRADITIONAL, "举头思乡") == "舉頭思鄉"
    assert pieces(TRADITIONAL, "干") == "干"  # which stands for several


def test_a_character_that_it_does_not_know_is_said_and_the_text_is_read(model):
    tokens = model.trace("春A夏").tokens.source
    assert tokens.unknown == (False, False, True, False) and tokens.pieces[2] == "<unk>" and tokens.text[2] == "A"


def test_it_goes_on_without_a_gap_until_it_ends(model):
    continued = model.write_on("春眠", 6)
    assert continued.text.startswith("春眠") and " " not in continued.text
    assert len(continued.text) == 2 + continued.n and continued.n <= 6
    longest = model.write_on("春眠")
    assert longest.has_ended or len(longest.text) == poems.LONGEST


def test_a_training_with_dropout_that_was_stopped_ends_with_the_same_weights(tmp_path):
    whole = train(SIMPLIFIED, TINY, folder=tmp_path / "whole", device="cpu")
    train(SIMPLIFIED, TINY, folder=tmp_path / "stopped", device="cpu", should_stop=lambda: True)
    assert resume(tmp_path / "stopped", device="cpu").sha256 == whole.sha256
    without = replace(TINY, shape=replace(TINY.shape, dropout=0.0))
    assert train(SIMPLIFIED, without, device="cpu").sha256 != whole.sha256


def test_what_checkpoints_predict_is_the_next_character(tmp_path):
    from attnviz.training.head_formation import head_formation

    train(task_named("poems-zh"), TINY, folder=tmp_path, device="cpu")
    formed = head_formation(tmp_path, MOON)
    assert formed.counted == "characters" and formed.right == "" and all(len(word) >= 1 for word in formed.answered)
    assert dict(zip(formed.answers, formed.expected, strict=True))["poem-rhyme"] == {22: frozenset({11})}
