"""Two texts and chats against transformers: token ids, token types, templates, and the weights that come of them."""

import pytest
import torch
from tokenizers import AddedToken, Tokenizer, models, pre_tokenizers, processors
from torch.testing import assert_close
from transformers import AutoModel, AutoModelForCausalLM, PreTrainedTokenizerFast

from attnviz import catalog
from attnviz.core.errors import InputError
from attnviz.pretrained.known_models import Origin
from attnviz.pretrained.loading.build import build
from attnviz.pretrained.tokens.tokenize import SentenceTokenizer, shared_start
from attnviz.scratch.rebuilt import TOLERANCE, difference
from attnviz.scratch.variants import in_our_blocks
from attnviz.trace.given import Chat, Pair, given_of
from attnviz.trace.trace import Trace
from tests.conftest import TINY
from tests.parity.tiny_models import byte_tokenizer, eager_module

FIRST, SECOND = "How old are you?", "I am six years old.\nReally."
CHATML = (
    "{% for m in messages %}{% if loop.first and m.role != 'system' %}<|im_start|>system\nBe helpful.<|im_end|>\n"
    "{% endif %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)  # as Qwen2.5's and SmolLM2's: with a system message of its own
LLAMA = (
    "{{ bos_token }}{% for m in messages %}<|start_header_id|>{{ m.role }}<|end_header_id|>\n\n"
    "{{ m.content | trim }}<|eot_id|>{% endfor %}"
    "{% if add_generation_prompt %}<|start_header_id|>assistant<|end_header_id|>\n\n{% endif %}"
)
GEMMA = (
    "{{ bos_token }}{% for m in messages %}{% if (m.role == 'user') != (loop.index0 % 2 == 0) %}"
    "{{ raise_exception('Conversation roles must alternate') }}{% endif %}<turn>{{ m.role }}\n{{ m.content }}</turn>\n"
    "{% endfor %}"
)
ESCAPE = "{{ cycler.__init__.__globals__.os.popen('x') }}"  # out of the sandbox
LAST_ALONE = "{% for m in messages %}{{ m.role }}: {{ m.content }} {% endfor %}({{ messages | length }} messages)"
CHAT = [
    {"role": "user", "content": "What is it?"},
    {"role": "assistant", "content": "A cat."},
    {"role": "user", "content": "Why?"},
]


def bert_like() -> PreTrainedTokenizerFast:
    words = [
        "[UNK]",
        "[CLS]",
        "[SEP]",
        "[PAD]",
        *["how", "old", "are", "you", "?", "i", "am", "six", "years", ".", "really"],
    ]
    tokenizer = Tokenizer(models.WordPiece({word: at for at, word in enumerate(words)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 1), ("[SEP]", 2)]
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]", pad_token="[PAD]",
        model_input_names=["input_ids", "token_type_ids", "attention_mask"],
    )  # fmt: skip


def roberta_like() -> PreTrainedTokenizerFast:
    own = byte_tokenizer()
    own.add_special_tokens({"bos_token": "<s>", "sep_token": "</s>", "eos_token": "</s>"})
    ends = own.convert_tokens_to_ids(["</s>", "<s>"])
    own.backend_tokenizer.post_processor = processors.RobertaProcessing(("</s>", ends[0]), ("<s>", ends[1]))
    own.model_input_names = ["input_ids", "attention_mask"]
    return own


def chatting(template: str, bos: str = "<|begin_of_text|>") -> PreTrainedTokenizerFast:
    own = byte_tokenizer()
    marks = [
        "<|im_start|>",
        "<|im_end|>",
        "<|start_header_id|>",
        "<|end_header_id|>",
        "<|eot_id|>",
        "<turn>",
        "</turn>",
    ]
    own.add_special_tokens(
        {"bos_token": bos, "additional_special_tokens": [AddedToken(it) for it in marks if it != bos]}
    )
    own.chat_template = template
    return own


def sentences(tokenizer: PreTrainedTokenizerFast) -> SentenceTokenizer:
    return SentenceTokenizer(tokenizer, model_name="tiny", limit=500)


@pytest.mark.parametrize("made", [bert_like, roberta_like])
def test_two_texts_have_transformers_ids_and_types_and_say_which_each_token_belongs_to(made):
    theirs, own = made()(FIRST, SECOND), sentences(made())
    tokens = own.tokens(Pair(FIRST, SECOND))
    assert list(tokens.ids) == theirs["input_ids"]
    assert list(tokens.types) == theirs.get("token_type_ids", [])
    assert tokens.given == Pair(FIRST, SECOND) and tokens.source == f"{FIRST}\n{SECOND}"
    read = [
        "".join(tokens.source[a:b] for (a, b), side in zip(tokens.spans, tokens.segments, strict=True) if side == of)
        for of in (0, 1)
    ]
    assert ["".join(text.split()) for text in read] == ["".join(text.split()) for text in (FIRST, SECOND)]


def test_minilm_on_two_texts_has_transformers_weights_and_one_with_a_separator_typed_has_others(minilm):
    folder = catalog.get("minilm-l6")
    eager = AutoModel.from_pretrained(folder, attn_implementation="eager", local_files_only=True).eval()
    trace = minilm.trace(FIRST, pair=SECOND)
    inputs = minilm.tokenizer.tokenizer(FIRST, SECOND, return_tensors="pt")
    with torch.no_grad():
        theirs = eager(**inputs, output_attentions=True).attentions  # [1, H, T, T] a layer
    own = [trace[site].weights() for site in trace.sites]
    for mine, layer in zip(own, theirs, strict=True):
        assert_close(mine, layer[0], rtol=0, atol=5e-6)
    typed = minilm.trace(f"{FIRST} [SEP] {SECOND}")
    assert typed.tokens.source.ids == trace.tokens.source.ids
    assert max(float((typed[it].weights() - trace[it].weights()).abs().max()) for it in trace.sites) > 0.1


def test_two_texts_in_a_batch_with_others_are_as_alone(minilm):
    alone, (_, batched) = (
        minilm.trace(FIRST, pair=SECOND),
        minilm.traces(["A longer text than both of these are.", Pair(FIRST, SECOND)]),
    )
    assert batched.tokens == alone.tokens
    for site in alone.sites:
        assert_close(batched[site].weights(), alone[site].weights(), rtol=0, atol=5e-6)


def test_our_own_blocks_read_two_texts_alike(minilm):
    trace = minilm.trace(FIRST, pair=SECOND)
    assert difference(in_our_blocks(minilm).trace(trace.tokens.source.given), trace) < TOLERANCE


@pytest.mark.parametrize("is_prompted", [False, True])
@pytest.mark.parametrize("template", [CHATML, LLAMA, GEMMA, LAST_ALONE])
def test_a_chat_has_the_ids_of_transformers_and_a_role_for_what_each_message_says(template, is_prompted):
    tokenizer = chatting(template)
    model = build(
        eager_module("llama", TINY["llama"] | {"vocab_size": 400}, AutoModelForCausalLM),
        tokenizer,
        Origin("tiny", "tiny"),
    )
    tokens = model.trace(CHAT, generation_prompt=is_prompted).tokens.source
    theirs = tokenizer.apply_chat_template(CHAT, add_generation_prompt=is_prompted, return_dict=True)["input_ids"]
    assert list(tokens.ids) == theirs
    for said in CHAT:
        start = tokens.source.index(said["content"])
        inside = [
            role
            for (a, _), role in zip(tokens.spans, tokens.roles, strict=True)
            if start <= a < start + len(said["content"])
        ]
        assert set(inside) == {said["role"]}
    assert not tokens.starts_twice
    assert model.trace(tokens.given).tokens.source == tokens
    opened = model.trace(CHAT, generation_prompt=True).tokens.source.ids
    assert model.generate(CHAT, 1).ids[:-1] == opened, "what is written is the answer, not the opening of it"


def test_the_marks_of_a_message_and_what_the_template_adds_have_roles_too():
    tokens = sentences(chatting(CHATML, "<|im_start|>")).tokens(given_of(CHAT, None, True))
    bands = "".join(
        f"{role[:1]}" if special else "" for role, special in zip(tokens.roles, tokens.special, strict=True)
    )
    assert bands == "ss" + "uu" + "aa" + "uu" + "a"  # <|im_start|> and <|im_end|> of each, and of the answer its start
    assert "" not in tokens.roles
    with_start = sentences(chatting(LLAMA)).tokens(given_of(CHAT))
    assert with_start.roles[0] == "" and "" not in with_start.roles[1:]  # the start token is nobody's


def test_a_start_token_that_stands_there_twice_is_known():
    tokenizer = chatting(LLAMA)
    bos = tokenizer.bos_token_id
    tokenizer.backend_tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{tokenizer.bos_token} $A", special_tokens=[(tokenizer.bos_token, bos)]
    )
    own = sentences(tokenizer)
    assert own.tokens(f"{tokenizer.bos_token}Hello").starts_twice
    assert not own.tokens("Hello").starts_twice and not own.tokens(given_of(CHAT)).starts_twice


def test_what_a_model_cannot_read_is_refused_in_a_sentence(minilm):
    plain = sentences(byte_tokenizer())
    for ask, id in (
        (lambda: plain.tokens(Pair("a", "b")), "reads-no-pair"),
        (lambda: minilm.trace(CHAT), "reads-no-chat"),
        (lambda: sentences(chatting(GEMMA)).tokens(Chat((("assistant", "Hello."),))), "chat-refused"),
        (lambda: sentences(chatting(ESCAPE)).tokens(Chat((("user", "Hello."),))), "chat-refused"),
        (lambda: sentences(chatting("{# #}" * 30_000)).tokens(given_of(CHAT)), "template-too-long"),
        (lambda: minilm.trace("a", pair=" "), "empty-text"),
    ):  # fmt: skip
        with pytest.raises(InputError) as refused:
            ask()
        assert refused.value.id == id


def test_a_file_keeps_segments_types_and_roles(minilm, tmp_path):
    trace = minilm.trace(FIRST, pair=SECOND)
    trace.save(tmp_path / "pair.safetensors")
    assert Trace.load(tmp_path / "pair.safetensors").tokens == trace.tokens


def test_random_ids_are_read_as_they_are_with_transformers_weights(minilm):
    folder = catalog.get("minilm-l6")
    eager = AutoModel.from_pretrained(folder, attn_implementation="eager", local_files_only=True).eval()
    ids = torch.randint(0, minilm.tokenizer.n_vocabulary, (1, 200), generator=torch.Generator().manual_seed(0))
    trace = minilm.trace(ids)
    assert trace.tokens.source.ids == tuple(ids[0].tolist())  # no [CLS], no [SEP]
    with torch.no_grad():
        theirs = eager(input_ids=ids, output_attentions=True).attentions  # [1, H, T, T] a layer
    for site, layer in zip(trace.sites, theirs, strict=True):
        assert_close(trace[site].weights(), layer[0], rtol=0, atol=5e-6)
    assert minilm.trace(trace.tokens.source.given).tokens == trace.tokens
    assert minilm.traces(torch.cat([ids, ids.flip(1)]))[0].tokens == trace.tokens
    with pytest.raises(
        InputError, match=r"30,522 is no token id of MiniLM-L6\. Expected whole numbers from 0 to 30,521"
    ):
        minilm.trace([1, 30522])


def test_ids_of_a_long_text_are_shown_as_its_tokens(minilm):
    own = minilm.trace("We read a word, and a few more in line. " * 30)
    again = minilm.trace(own.tokens.source.ids)
    assert_close(again["encoder.5.self"].weights(), own["encoder.5.self"].weights(), rtol=0, atol=0)
    assert [it.lower() for it in own.tokens.source.text] == [it.lower() for it in again.tokens.source.text]
    assert again.tokens.source.special == own.tokens.source.special


def test_each_id_ends_where_the_text_of_all_up_to_it_ends():
    own, text = sentences(byte_tokenizer()), "日本語 and 🙂🙂, café. " * 12  # in bytes: a character is up to four ids
    ids = own.tokens(text).ids
    made = own.decode(ids)
    assert own.ends_of(ids, made) == [shared_start(own.decode(ids[: n + 1]), made) for n in range(len(ids))]
