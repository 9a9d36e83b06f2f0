"""The tokenizer that a GGUF file describes: its vocabulary and merges, in transformers' tokenizer of that kind.

The rule by which text is cut before the merges is only named in a file, so a rebuilt tokenizer can differ from the
model's own; the card says that it was rebuilt.
"""

import json
from typing import Any

from tokenizers import Tokenizer
from transformers import PreTrainedTokenizerBase, PreTrainedTokenizerFast
from transformers.integrations.gguf import GGUF_TOKENIZER_MAPPING, convert_gguf_tokenizer

from attnviz.core.errors import UnsupportedModel
from attnviz.pretrained.loading.gguf.header import Header

# Names of the rule of Llama 3, which llama.cpp gives a BOS and whole words before merges (src/llama-vocab.cpp).
LLAMA3 = {"llama3", "llama-v3", "llama-bpe", "falcon3", "falcon-h1", "pixtral", "midm-2.0", "lfm2"}
SPECIAL = {"bos_token": "bos", "eos_token": "eos", "unk_token": "unknown", "pad_token": "padding"}


def tokenizer_of(header: Header) -> PreTrainedTokenizerBase:
    """The tokenizer of a file.

    Raises:
        UnsupportedModel: the file holds no vocabulary, or of a kind that transformers cannot rebuild.
    """
    given = {
        group: {name: header.metadata[f"tokenizer.{key}"] for key, name in renames.items()
                if f"tokenizer.{key}" in header.metadata}
        for group, renames in GGUF_TOKENIZER_MAPPING.items()
    }  # fmt: skip
    tokenizer, settings = given["tokenizer"], given["tokenizer_config"]
    check_lists(header, tokenizer)
    pre, kind = tokenizer.get("pre_tokenizer_type"), tokenizer["tokenizer_type"]
    settings.setdefault("add_bos_token", kind == "llama" or pre in LLAMA3)
    backend = within(convert_gguf_tokenizer(header.architecture, tokenizer)[0], len(tokenizer["tokens"]))
    if pre in LLAMA3:
        backend.model.ignore_merges = True
    for name, key in SPECIAL.items():
        number = header.metadata.get(f"tokenizer.ggml.{key}_token_id")
        is_there = isinstance(number, int) and 0 <= number < len(tokenizer["tokens"])
        settings[name] = tokenizer["tokens"][number] if is_there else None
    return PreTrainedTokenizerFast(tokenizer_object=backend, **settings)


def within(backend: Tokenizer, n_tokens: int) -> Tokenizer:
    """The tokenizer without what transformers' class of that kind adds behind a vocabulary that lacks it.

    Such as GPT-2's end of text behind the vocabulary of Llama 3, an id for which the model has no row.
    """
    if backend.get_vocab_size() <= n_tokens:
        return backend
    said = json.loads(backend.to_str())
    said["added_tokens"] = [token for token in said["added_tokens"] if token["id"] < n_tokens]
    return Tokenizer.from_str(json.dumps(said))


def check_lists(header: Header, tokenizer: dict[str, Any]) -> None:
    """Refuse a file whose vocabulary is missing, or has lists of another kind or length than its tokens."""
    tokens = tokenizer.get("tokens")
    fits = isinstance(tokens, list) and bool(tokens) and all(isinstance(token, str) for token in tokens)
    for name, part in (("scores", int | float), ("token_type", int)):
        given = tokenizer.get(name, [0] * len(tokens or ()))
        fits = fits and isinstance(given, list) and len(given) == len(tokens or ())
        fits = fits and all(isinstance(entry, part) for entry in given)
    merges = tokenizer.get("merges", [])
    fits = fits and isinstance(merges, list) and all(isinstance(merge, str) for merge in merges)
    if not fits or not isinstance(tokenizer.get("tokenizer_type"), str):
        raise UnsupportedModel(id="gguf-no-vocabulary", file=str(header.path))
