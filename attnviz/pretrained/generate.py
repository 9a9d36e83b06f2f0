"""How a model with a language-model head goes on with a text: the likeliest token each time, none by chance."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

import torch
from transformers import PreTrainedModel

from attnviz.core.errors import UnsupportedModel
from attnviz.pretrained.capture.rope_reset import fresh
from attnviz.pretrained.tokens.tokenize import SentenceTokenizer
from attnviz.trace.generation import Continued, read_back
from attnviz.trace.tokens import Tokens

LONGEST = 32  # tokens, where nobody asks for another number


def can_write_on(whole: PreTrainedModel) -> bool:
    """Whether a model with this head continues the text it reads."""
    return whole.can_generate() and not whole.config.is_encoder_decoder


def written_on(whole: PreTrainedModel, tokenizer: SentenceTokenizer, text: str, max_tokens: int | None) -> Continued:
    """A text, and what the model writes after it.

    Args:
        max_tokens: at most so many new ones; 32 if not given. Never more than the model has positions.
    Raises:
        EmptyText, TooLong, InputError: the text cannot be read.
    """
    given = own_ids(tokenizer.tokens(text))
    room = min(max_tokens or LONGEST, tokenizer.limit - len(given))
    written = likeliest(whole, given, room, tokenizer.model_name) if room > 0 else []
    has_ended = bool(written) and written[-1] in end_ids(whole)
    kept = written[:-1] if has_ended else written

    def decode(ids: Sequence[int]) -> str:
        return tokenizer.encoder.decode(ids, skip_special_tokens=True)

    longer, n = read_back(text, given, kept, decode, lambda read: own_ids(tokenizer.tokens(read)))
    return Continued(longer, len(given), n, has_ended and n == len(kept))


def likeliest(whole: PreTrainedModel, given: Sequence[int], n: int, name: str) -> list[int]:
    """The next ids by transformers' own greedy generation; the end token, where it comes, is the last."""
    model: Any = whole  # generate() is typed as a parameter
    ids = torch.tensor([given], device=next(whole.parameters()).device)  # [1, T]
    greedy = copy.deepcopy(whole.generation_config)
    greedy.update(num_beams=1, do_sample=False, early_stopping=False, max_length=None, max_new_tokens=n)
    greedy.num_return_sequences = 1
    try:
        with fresh(whole), torch.inference_mode():
            out = model.generate(input_ids=ids, attention_mask=torch.ones_like(ids), generation_config=greedy)
    except Exception as error:  # whatever a strange generation_config.json asks for
        reason = str(error).strip().split("\n")[0]
        raise UnsupportedModel(
            f"{name} could not write on: {reason} Look at its attention over the text itself.",
            id="cannot-write-on",
            model=name,
            reason=reason,
        ) from error
    new: list[int] = out[0, len(given) :].tolist()
    return new


def end_ids(whole: PreTrainedModel) -> tuple[int, ...]:
    """The tokens that end a text, of which a model may have several."""
    end = getattr(whole.generation_config, "eos_token_id", None)
    return tuple(end) if isinstance(end, list) else () if end is None else (end,)


def own_ids(tokens: Tokens) -> list[int]:
    """The ids of a text without special ones at its end, behind which no text goes on."""
    n = len(tokens)
    while n > 1 and tokens.special[n - 1] and tokens.spans[n - 1][0] == tokens.spans[n - 1][1]:
        n -= 1
    return list(tokens.ids[:n])
