"""From an eager transformers module to a model that can be traced: chooses its backend and checks what it reads.

It tries the interface first, then the operators; a model that neither reads correctly is refused, with the reason.
"""

import copy
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import torch
from transformers import PreTrainedModel, PreTrainedTokenizerBase

from attnviz.core.errors import UnsupportedModel
from attnviz.pretrained.capture.interface import InterfaceBackend
from attnviz.pretrained.capture.operators import OperatorBackend
from attnviz.pretrained.families import BY_MODEL_TYPE, Family
from attnviz.pretrained.generate import target_writer
from attnviz.pretrained.known_models import Origin
from attnviz.pretrained.lm_head import checked_head, without_head
from attnviz.pretrained.loading.meta_load import reason_of, refuse_other_input
from attnviz.pretrained.model import PretrainedModel
from attnviz.pretrained.reference_weights import CheckText, EagerWeights, check_texts, eager_weights
from attnviz.pretrained.self_check import SelfCheck, self_check
from attnviz.pretrained.task_head import checked_task_head, task_of, transformers_class_name
from attnviz.pretrained.tokens.tokenize import SentenceTokenizer
from attnviz.trace.model_protocol import module_bytes
from attnviz.trace.run_facts import Card

SPARE_ROWS = 4096  # of an embedding table, for bytes and for entries that were never used
LONGEST_TEXT = 1 << 17  # tokens; models without a table of positions have no limit of their own


def build(whole: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, origin: Origin) -> PretrainedModel:
    """A model that can be traced, checked on two seeded texts, with its card.

    `whole` is in eval(), eager, with its language-model head if the checkpoint has one.
    """
    module = without_head(whole)
    name = origin.name
    refuse_other_input(module, name)  # before its table of embeddings is asked for, which others have not
    n_ids = embedding_shape(module)[0]
    family = BY_MODEL_TYPE.get(module.config.model_type)
    check_tokenizer(tokenizer, module, name)
    texts = check_texts(module.config, n_ids)
    expected = [eager_weights(module, text, name=name) for text in texts]
    check = choose_backend(module, family, texts, expected, name=name)
    limit = longest_text(module, tokenizer)
    source = target = SentenceTokenizer(tokenizer, model_name=name, limit=limit, n_vocabulary=n_ids)
    if module.config.is_encoder_decoder:
        for_target = target_tokenizer(tokenizer)
        target = SentenceTokenizer(for_target, model_name=name, limit=limit, n_vocabulary=n_ids)
    has_task = task_of(whole) is not None
    head = None if check.last is None or has_task else checked_head(whole, check.last, texts[0], target)
    task = None if check.last is None or not has_task else checked_task_head(whole, check.last, texts[0])
    if head is None and task is None and "For" in transformers_class_name(whole):
        origin = replace(origin, left_out=transformers_class_name(whole))
    writer = None
    if module.config.is_encoder_decoder:
        writer = target_writer(whole, target, name=name, has_head=head is not None)
    card = card_of(origin, whole, module, expected[0], check, limit)
    model = PretrainedModel(card, module, source, check.backend, family, head, writer, module_bytes(whole), task)
    with refusing_errors(name):
        _ = model.matrices  # noted now: in a run with edits hooks stand on the modules that they are read from
    return model


def choose_backend(
    module: PreTrainedModel, family: Family | None, texts: Sequence[CheckText], expected: Sequence[EagerWeights],
    *, name: str,
) -> SelfCheck:  # fmt: skip
    """The first backend that passes the check; the module's attention function stays as that backend needs it."""
    refused = None
    if module._can_set_attn_implementation():
        try:
            with refusing_errors(name):
                backend = InterfaceBackend.of(module, family)
                return self_check(module, backend, family, texts, expected, name=name)
        except UnsupportedModel as error:
            refused = error
            module.set_attn_implementation("eager")  # whose operators can be followed
    try:
        with refusing_errors(name):
            check = self_check(module, OperatorBackend(), family, texts, expected, name=name)
        refuse_unnumbered(module, check, name=name)
        return check
    except UnsupportedModel as error:
        raise (refused or error) from None


@contextmanager
def refusing_errors(name: str) -> Iterator[None]:
    """Turns whatever a strange model raises while it is captured into one sentence."""
    try:
        yield
    except (RuntimeError, TypeError, ValueError, LookupError, AttributeError) as error:
        reason = reason_of(error)
        raise UnsupportedModel(id="not-watchable", model=name, reason=reason) from error


def refuse_unnumbered(module: PreTrainedModel, check: SelfCheck, *, name: str) -> None:
    """Refuse a model where some layers have no attention and nothing says which: operators have no names."""
    n_layers = layers_of(module, check)
    n_read = len({site.layer for site in check.sites})
    if n_read != n_layers:
        raise UnsupportedModel(id="unnumbered-layers", model=name, layers=n_layers, came=n_read)


def card_of(
    origin: Origin, whole: PreTrainedModel, module: PreTrainedModel, seen: EagerWeights, check: SelfCheck, limit: int
) -> Card:
    """What is known of a model, with what is counted from the module and seen by the check."""
    n_layers = layers_of(module, check)
    without = sorted(set(range(n_layers)) - {site.layer for site in check.sites})
    return Card(
        **vars(origin),
        family=module.config.model_type,
        n_layers=n_layers,
        n_heads=seen.n_heads,
        d_model=embedding_shape(module)[1],
        parameters=sum(parameter.numel() for parameter in whole.parameters()),
        max_tokens=limit,
        probe_difference=check.difference,
        layers_without_attention=tuple(without),
    )


def layers_of(module: PreTrainedModel, check: SelfCheck) -> int:
    """How many layers a model has: of the stack that has more, by its configuration or by the check."""
    config = module.config
    counted = [getattr(config, name, None) for name in ("num_hidden_layers", "encoder_layers", "decoder_layers")]
    seen = 1 + max(site.layer for site in check.sites)
    return max([seen, *(number for number in counted if isinstance(number, int))])


def check_tokenizer(tokenizer: PreTrainedTokenizerBase, module: PreTrainedModel, name: str) -> None:
    """Refuse a tokenizer whose ids reach past the model's embedding table, or leave most of a large one unused."""
    if set(tokenizer.get_vocab()) <= set(tokenizer.all_special_tokens):  # what transformers makes of no files at all
        raise UnsupportedModel(id="no-tokenizer", model=name)
    rows = embedding_shape(module)[0]
    tokens = max(len(tokenizer), 1 + max(tokenizer.get_vocab().values(), default=-1))
    if tokens > rows or rows > 2 * tokens + SPARE_ROWS:
        raise UnsupportedModel(id="tokenizer-mismatch", model=name, tokens=tokens, rows=rows)


def target_tokenizer(tokenizer: PreTrainedTokenizerBase) -> PreTrainedTokenizerBase:
    """A copy of the tokenizer that reads what the model writes, with the special tokens of the target language."""
    written = copy.deepcopy(tokenizer)
    switch = getattr(written, "_switch_to_target_mode", None)
    if switch is not None:
        switch()
    return written


def embedding_shape(module: PreTrainedModel) -> tuple[int, int]:
    rows, width = module.get_input_embeddings().get_parameter("weight").shape
    return rows, width


def longest_text(module: PreTrainedModel, tokenizer: PreTrainedTokenizerBase) -> int:
    """How many tokens the model takes: its positions, less RoBERTa's for padding; or the tokenizer's limit."""
    told = getattr(module.config, "max_position_embeddings", None)
    positions = told if isinstance(told, int) and told > 0 else LONGEST_TEXT  # XLNet says -1: any number
    table = getattr(getattr(module, "embeddings", None), "position_embeddings", None)
    if isinstance(table, torch.nn.Embedding) and table.padding_idx is not None:
        positions = table.num_embeddings - table.padding_idx - 1
    return min(positions, tokenizer.model_max_length, LONGEST_TEXT)
