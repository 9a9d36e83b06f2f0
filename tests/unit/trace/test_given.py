"""Two texts and chats as one string: what is written is read back, and an ordinary text is never taken for one."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from attnviz.core.errors import InputError, TooLong
from attnviz.trace.given import Chat, Ids, Pair, as_text, checked_ids, from_text, given_of, only_text

TEXTS = st.text(max_size=12)
PREFIXED = st.builds("{}{}".format, st.sampled_from(["pair:", "chat:", "chat+:", "ids:", "text:"]), TEXTS)
CHATS = st.builds(
    Chat, st.lists(st.tuples(st.text(min_size=1, max_size=8), TEXTS), min_size=1, max_size=3).map(tuple), st.booleans()
)
IDS = st.lists(st.integers(-1, 10**6), min_size=1, max_size=5).map(lambda ids: Ids(tuple(ids)))
MESSAGES = [{"role": "user", "content": "What is\nit?"}, {"role": "assistant", "content": "A cat."}]


@given(st.one_of(TEXTS, PREFIXED, st.builds(Pair, TEXTS, TEXTS), CHATS, IDS))
def test_what_is_written_is_read_back(each):
    assert from_text(as_text(each)) == each


@given(st.builds(Pair, TEXTS, TEXTS), st.integers(1, 3))
def test_a_text_that_looks_like_two_stays_a_text(pair, times):
    text = "text:" * (times - 1) + as_text(pair)
    assert from_text(as_text(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "ids:", "ids:[]", "ids:[1.0]", 'ids:["1"]', "ids:[true]", "ids:{}",
        "pair:", 'pair:["a"]', "pair:[1, 2]", "chat:[]", 'chat:[["user"]]', 'chat:[["", "x"]]', 'chat:{"a": 1}',
        "chat:" + "[" * 100_000, "Chat: hello", "text: hello", "text:hello",
    ],
)  # fmt: skip
def test_what_is_none_of_these_is_the_text_itself(text):
    assert from_text(text) == text == as_text(text)


def test_the_arguments_of_trace_are_a_text_two_texts_or_a_chat():
    assert given_of("a") == "a"
    assert given_of("a", "b") == Pair("a", "b")
    assert given_of(MESSAGES, None, True) == Chat((("user", "What is\nit?"), ("assistant", "A cat.")), True)


@pytest.mark.parametrize(
    "text, pair, said",
    [
        ([], None, "An empty list was given"),
        ([{"role": "user"}], None, "no role or no text"),
        ([{"role": "user", "content": [{"type": "image"}]}], None, "no role or no text"),
        (["hello"], None, "A list of texts was given where one text is expected. Call it for each; “traces"),
        (["hello", *MESSAGES], None, "no role or no text"),
        (MESSAGES, "b", "A second text was given with a chat"),
        ([1, 2], "b", "A second text was given with a chat or ids"),
        ([1, 2.0], None, "2.0 is no token id"),
        ([1, True], None, "True is no token id"),
        (torch.tensor([1.0]), None, "1.0 is no token id"),
        (torch.tensor([[1, 2], [3, 4]]), None, "The ids of 2 texts were given"),
        (None, None, "or token ids, not NoneType"),
        (5, None, "or token ids, not int"),
        (b"a b", None, "or token ids, not bytes"),
    ],
)
def test_what_is_no_chat_is_refused(text, pair, said):
    with pytest.raises(InputError, match=said):
        given_of(text, pair)


@pytest.mark.parametrize("ids", [[3, 1], (3, 1), torch.tensor([3, 1]), torch.tensor([[3, 1]]), np.array([3, 1])])
def test_whole_numbers_are_token_ids_whatever_holds_them(ids):
    assert given_of(ids) == Ids((3, 1))


def test_an_id_outside_the_vocabulary_and_too_many_are_refused():
    assert checked_ids(Ids((0, 9)), 10, "Reverse", 2) == (0, 9)
    for ids, wrong in (((0, 10), 10), ((-1, 0), "−1")):
        with pytest.raises(
            InputError, match=rf"{wrong} is no token id of Reverse\. Expected whole numbers from 0 to 9"
        ):
            checked_ids(Ids(ids), 10, "Reverse", 2)
    with pytest.raises(TooLong, match="3 tokens are too many: Reverse takes at most 2"):
        checked_ids(Ids((1, 1, 1)), 10, "Reverse", 2)


@pytest.mark.parametrize(
    "each, id", [(Pair("a", "b"), "reads-no-pair"), (MESSAGES, "reads-no-chat"), (Ids((1,)), "reads-no-ids")]
)
def test_a_model_of_one_text_refuses_the_others(each, id):
    with pytest.raises(InputError) as refused:
        only_text(each, "Reverse")
    assert refused.value.id == id
