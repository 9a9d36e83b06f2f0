"""Two texts and chats as one string: what is written is read back, and an ordinary text is never taken for one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnviz.core.errors import InputError
from attnviz.trace.given import Chat, Pair, as_text, from_text, given_of, only_text

TEXTS = st.text(max_size=12)
PREFIXED = st.builds("{}{}".format, st.sampled_from(["pair:", "chat:", "chat+:", "text:"]), TEXTS)
CHATS = st.builds(
    Chat, st.lists(st.tuples(st.text(min_size=1, max_size=8), TEXTS), min_size=1, max_size=3).map(tuple), st.booleans()
)
MESSAGES = [{"role": "user", "content": "What is\nit?"}, {"role": "assistant", "content": "A cat."}]


@given(st.one_of(TEXTS, PREFIXED, st.builds(Pair, TEXTS, TEXTS), CHATS))
def test_what_is_written_is_read_back(each):
    assert from_text(as_text(each)) == each


@given(st.builds(Pair, TEXTS, TEXTS), st.integers(1, 3))
def test_a_text_that_looks_like_two_stays_a_text(pair, times):
    text = "text:" * (times - 1) + as_text(pair)
    assert from_text(as_text(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "pair:", 'pair:["a"]', "pair:[1, 2]", "chat:[]", 'chat:[["user"]]', 'chat:[["", "x"]]', 'chat:{"a": 1}',
        "chat:" + "[" * 100_000, "Chat: hello", "text: hello", "text:hello",
    ],
)  # fmt: skip
def test_what_is_no_pair_and_no_chat_is_the_text_itself(text):
    assert from_text(text) == text == as_text(text)


def test_the_arguments_of_trace_are_a_text_two_texts_or_a_chat():
    assert given_of("a") == "a"
    assert given_of("a", "b") == Pair("a", "b")
    assert given_of(MESSAGES, None, True) == Chat((("user", "What is\nit?"), ("assistant", "A cat.")), True)


@pytest.mark.parametrize(
    "text, pair, said",
    [
        ([], None, "A chat without messages came"),
        ([{"role": "user"}], None, "no role or no text"),
        ([{"role": "user", "content": [{"type": "image"}]}], None, "no role or no text"),
        (["hello"], None, "no role or no text"),
        (MESSAGES, "b", "A second text came with a chat"),
    ],
)
def test_what_is_no_chat_is_refused(text, pair, said):
    with pytest.raises(InputError, match=said):
        given_of(text, pair)


@pytest.mark.parametrize("each, id", [(Pair("a", "b"), "reads-no-pair"), (MESSAGES, "reads-no-chat")])
def test_a_model_of_one_text_refuses_the_others(each, id):
    with pytest.raises(InputError) as refused:
        only_text(each, "Reverse")
    assert refused.value.id == id
