"""The decoder's own text of a model that reads one and writes another: a given one, or what the model writes itself.

The decoder reads a start token and then each token it wrote; row i of its attention is what it looked at to write
token i + 1. The end token is written and never read.
"""

import copy
from dataclasses import dataclass
from typing import Any

import torch
from transformers import PreTrainedModel

from attnviz.core.errors import TooLong, UnsupportedModel
from attnviz.pretrained.capture.rope_reset import fresh
from attnviz.pretrained.tokens.tokenize import SentenceTokenizer
from attnviz.trace.tokens import NO_WORD, Tokens

LONGEST_WRITTEN = 128  # tokens, where nobody asks for another number


@dataclass(frozen=True, eq=False)
class Writer:
    """Makes the decoder's tokens."""

    whole: PreTrainedModel | None  # with its head; None where the checkpoint has none, and nothing can be written
    tokenizer: SentenceTokenizer  # of the language that is written
    start_id: int
    end_id: int | None
    limit: int  # tokens the decoder takes

    def given(self, text: str) -> Tokens:
        """The tokens of a text that the decoder is to read, its start token first.

        Raises:
            EmptyText, TooLong, InputError: as for any text.
        """
        try:
            tokens = self.tokenizer.tokens(text)
        except TooLong as error:  # what it offers to cut is not the source text
            raise self.too_long(int(error.arguments["n"]) + 1) from None
        ids = tokens.ids[:-1] if tokens.ids[-1] == self.end_id else tokens.ids
        if len(ids) + 1 > self.limit:
            raise self.too_long(len(ids) + 1)
        return self.started(tokens, len(ids))

    def too_long(self, n: int) -> TooLong:
        return TooLong(
            f"The target text has {n} tokens; the decoder takes at most {self.limit}. Shorten it.",
            id="target-too-long",
            n=n,
            limit=self.limit,
        )

    def written(self, source: Tokens, max_tokens: int | None = None) -> Tokens:
        """What the model writes for a source text, the likeliest token each time; its start token first.

        Args:
            source: the source's tokens.
            max_tokens: at most so many; 128, or as many as the decoder takes, if not given.
        Raises:
            UnsupportedModel: the checkpoint has no head to write with; a target text can still be given.
        """
        if self.whole is None:
            raise UnsupportedModel(
                f"{self.tokenizer.model_name} has no language-model head in this checkpoint, so it cannot write a "
                "target text. Give one.",
                id="no-head-to-write",
                model=self.tokenizer.model_name,
            )
        whole: Any = self.whole  # generate() is typed as a parameter
        longest = min(max_tokens or LONGEST_WRITTEN, self.limit - 1)
        device = next(self.whole.parameters()).device
        ids = torch.tensor([source.ids], device=device)  # [1, T]
        greedy = copy.deepcopy(self.whole.generation_config)
        greedy.update(num_beams=1, do_sample=False, early_stopping=False, max_length=None, max_new_tokens=longest)
        greedy.decoder_start_token_id, greedy.num_return_sequences = self.start_id, 1
        try:
            with fresh(self.whole), torch.inference_mode():
                out = whole.generate(input_ids=ids, attention_mask=torch.ones_like(ids), generation_config=greedy)
        except Exception as error:  # whatever a strange generation_config.json asks for
            reason = str(error).strip().split("\n")[0]
            raise UnsupportedModel(
                f"{self.tokenizer.model_name} could not write a target text: {reason} Give one.",
                id="cannot-write-text",
                model=self.tokenizer.model_name,
                reason=reason,
            ) from error
        written = out[0].tolist()[1:]  # without the start token
        if written and written[-1] == self.end_id:
            written.pop()
        tokens = self.tokenizer.tokens_of(written)
        return self.started(tokens, len(written))

    def started(self, tokens: Tokens, n: int) -> Tokens:
        """The first n tokens of a text, behind the decoder's start token."""
        name = self.tokenizer.piece(self.start_id)
        return Tokens(
            text=(name, *tokens.text[:n]),
            ids=(self.start_id, *tokens.ids[:n]),
            special=(True, *tokens.special[:n]),
            unknown=(False, *tokens.unknown[:n]),
            spans=((0, 0), *tokens.spans[:n]),
            words=(NO_WORD, *tokens.words[:n]),
            source=tokens.source,
            pieces=(name, *tokens.pieces[:n]),
        )


def writer_of(whole: PreTrainedModel, tokenizer: SentenceTokenizer, *, name: str, has_head: bool) -> Writer:
    """The writer of a model with a decoder of its own.

    Raises:
        UnsupportedModel: nothing says which token its decoder starts with.
    """
    own, config = getattr(whole, "generation_config", None), whole.config
    starts = [getattr(own, "decoder_start_token_id", None), getattr(config, "decoder_start_token_id", None),
              getattr(config, "bos_token_id", None)]  # fmt: skip
    start = next((number for number in starts if number is not None), None)
    if start is None:
        raise UnsupportedModel(
            f"{name} does not say which token its decoder starts with (decoder_start_token_id), so no target text can "
            "be read. Add it to config.json.",
            id="no-start-token",
            model=name,
        )
    end = getattr(config, "eos_token_id", None)
    return Writer(whole if has_head else None, tokenizer, start, end, tokenizer.limit)
