"""From an eager transformers module to a model that is proved: which way reads its attention, and that it reads truly.

The interface comes first, the operators second; a model that neither reads truly is refused with the reason.
"""

import copy
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import torch
from transformers import PreTrainedModel, PreTrainedTokenizerBase

from attnviz.core.errors import UnsupportedModel
from attnviz.pretrained.capture.backends import InterfaceWay, OperatorWay
from attnviz.pretrained.capture.interface import use_attnviz, use_eager
from attnviz.pretrained.capture.rope_reset import parts_of, refuse_changed
from attnviz.pretrained.decoder_text import writer_of
from attnviz.pretrained.families import BY_MODEL_TYPE, Family, sites_of
from attnviz.pretrained.lm_head import head_of, without_head
from attnviz.pretrained.model import PretrainedModel
from attnviz.pretrained.reference import Expected, Probe, eager_weights, probes
from attnviz.pretrained.self_check import Proof, proved
from attnviz.pretrained.tokens.tokenize import SentenceTokenizer
from attnviz.trace.model import module_bytes
from attnviz.trace.trace import Card

SPARE_ROWS = 4096  # of an embedding table, for bytes and for entries that were never used
LONGEST_TEXT = 1 << 17  # tokens; models without a table of positions have no limit of their own


def ready(whole: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, card: Card) -> PretrainedModel:
    """Probe the eager module, find the way that reads its attention, and prove it.

    Args:
        whole: in eval(), eager, with its language-model head if the checkpoint has one.
        card: what is known beforehand; the rest is counted from the module.
    Raises:
        UnsupportedModel: it has no attention matrices, or neither way reads them truly.
    """
    module = without_head(whole)
    family = BY_MODEL_TYPE.get(module.config.model_type)
    check_belongs(tokenizer, module, card.name)
    parts = parts_of(module)
    asked = probes(module.config, embedding_shape(module)[0])
    expected = [eager_weights(module, probe, name=card.name) for probe in asked]
    proof = found_way(module, family, asked, expected, name=card.name)
    refuse_changed(module, parts, name=card.name)
    limit = longest_text(module, tokenizer)
    card = described(card, whole, module, expected[0], proof, limit)
    sentences = SentenceTokenizer(tokenizer, model_name=card.name, limit=limit)
    written = sentences
    if module.config.is_encoder_decoder:
        written = SentenceTokenizer(target_tokenizer(tokenizer), model_name=card.name, limit=limit)
    head = None if proof.last is None else head_of(whole, proof.last, asked[0].source, asked[0].target, written)
    writer = writer_of(whole, written, name=card.name, has_head=head is not None) if written is not sentences else None
    return PretrainedModel(card, module, sentences, proof.way, family, head, writer, module_bytes(whole), proof.can_pad)


def found_way(
    module: PreTrainedModel, family: Family | None, asked: Sequence[Probe], expected: Sequence[Expected], *, name: str
) -> Proof:
    """The first way that proves itself; the module's attention function stays as that way needs it.

    Raises:
        UnsupportedModel: why the interface fails where the model uses it, else why the operators do.
    """
    refused = None
    if module._can_set_attn_implementation():
        try:
            with understood(name):
                use_attnviz(module)
                return proved(module, InterfaceWay(sites_of(module, family)), family, asked, expected, name=name)
        except UnsupportedModel as error:
            refused = error
            use_eager(module)
    try:
        with understood(name):
            proof = proved(module, OperatorWay(), family, asked, expected, name=name)
        refuse_unnumbered(module, proof, name=name)
        return proof
    except UnsupportedModel as error:
        raise (refused or error) from None


@contextmanager
def understood(name: str) -> Iterator[None]:
    """Whatever a strange model does when it is watched becomes one sentence."""
    try:
        yield
    except (RuntimeError, TypeError, ValueError, LookupError, AttributeError) as error:
        reason = str(error).strip().split("\n")[0]
        raise UnsupportedModel(
            f"{name} runs, but not while it is watched: {reason} Choose another model.",
            id="not-watchable",
            model=name,
            reason=reason,
        ) from error


def refuse_unnumbered(module: PreTrainedModel, proof: Proof, *, name: str) -> None:
    """Refuse a model some of whose layers have no attention when nothing says which: operators have no names."""
    n_layers = layers_of(module, proof)
    n_read = len({site.layer for site in proof.sites})
    if n_read != n_layers:
        raise UnsupportedModel(
            f"{name} has {n_layers} layers and {n_read} of them have attention; which ones cannot be told. Choose "
            "another model.",
            id="unnumbered-layers",
            model=name,
            layers=n_layers,
            came=n_read,
        )


def described(
    card: Card, whole: PreTrainedModel, module: PreTrainedModel, expected: Expected, proof: Proof, limit: int
) -> Card:
    """The card with what is counted from the module and seen by the probes."""
    n_layers = layers_of(module, proof)
    without = sorted(set(range(n_layers)) - {site.layer for site in proof.sites})
    return replace(
        card,
        family=module.config.model_type,
        n_layers=n_layers,
        n_heads=expected.heads,
        d_model=embedding_shape(module)[1],
        parameters=sum(parameter.numel() for parameter in whole.parameters()),
        max_tokens=limit,
        probe_difference=proof.difference,
        layers_without_attention=tuple(without),
    )


def layers_of(module: PreTrainedModel, proof: Proof) -> int:
    """How many layers a model has: of the stack that has more, as its configuration or the probe says."""
    config = module.config
    counted = [getattr(config, name, None) for name in ("num_hidden_layers", "encoder_layers", "decoder_layers")]
    seen = 1 + max(site.layer for site in proof.sites)
    return max([seen, *(number for number in counted if isinstance(number, int))])


def check_belongs(tokenizer: PreTrainedTokenizerBase, module: PreTrainedModel, name: str) -> None:
    """Refuse a tokenizer whose ids reach past the model's embedding table, or leave most of a large one unused."""
    if set(tokenizer.get_vocab()) <= set(tokenizer.all_special_tokens):  # what transformers makes of no files at all
        raise UnsupportedModel(
            f"{name} comes without the vocabulary of its tokenizer, so no text can be read. Copy tokenizer.json from "
            "where these weights came from.",
            id="no-tokenizer",
            model=name,
        )
    rows = embedding_shape(module)[0]
    tokens = max(len(tokenizer), 1 + max(tokenizer.get_vocab().values(), default=-1))
    if tokens > rows or rows > 2 * tokens + SPARE_ROWS:
        raise UnsupportedModel(
            f"The tokenizer of {name} has {tokens} tokens and the model {rows}: they do not belong together. "
            "Copy the tokenizer that came with these weights.",
            id="tokenizer-mismatch",
            model=name,
            tokens=tokens,
            rows=rows,
        )


def target_tokenizer(tokenizer: PreTrainedTokenizerBase) -> PreTrainedTokenizerBase:
    """A copy of the tokenizer that reads what the model writes: with the special tokens of the target language."""
    written = copy.deepcopy(tokenizer)
    switch = getattr(written, "_switch_to_target_mode", None)
    if switch is not None:
        switch()
    return written


def embedding_shape(module: PreTrainedModel) -> tuple[int, int]:
    """How many tokens the model knows, and how wide each is."""
    rows, width = module.get_input_embeddings().get_parameter("weight").shape
    return rows, width


def longest_text(module: PreTrainedModel, tokenizer: PreTrainedTokenizerBase) -> int:
    """How many tokens the model takes: its positions, less RoBERTa's for padding; or the tokenizer's limit."""
    told = getattr(module.config, "max_position_embeddings", None)
    positions = told if isinstance(told, int) and told > 0 else LONGEST_TEXT  # XLNet says -1: as many as one likes
    table = getattr(getattr(module, "embeddings", None), "position_embeddings", None)
    if isinstance(table, torch.nn.Embedding) and table.padding_idx is not None:
        positions = table.num_embeddings - table.padding_idx - 1
    return min(positions, tokenizer.model_max_length, LONGEST_TEXT)
