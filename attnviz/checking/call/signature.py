"""How a stranger's attention wants to be called, by its signature: how many inputs, which masks, which switches."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import nn

from attnviz.checking.call.mask_format import is_lengths
from attnviz.checking.read.layouts import HEAD_NAMES

Parameter = inspect.Parameter

_ROLES = (  # of three inputs, by their names: query, key, value
    re.compile(r"(?i)(x_?|src_?)?(q|query|queries|qry)(_in|_states|_input)?s?$"),
    re.compile(r"(?i)(x_?|src_?)?(k|key|keys)(_in|_states|_input)?s?$"),
    re.compile(r"(?i)(x_?|src_?)?(v|value|values|val)(_in|_states|_input)?s?$"),
)
_MEMORY = re.compile(r"(?i)(memory|context|kv|enc|encoder|src|source)(_?(out|output|outputs|states|hidden_states))?$")
_SECOND = re.compile(r"(?i)(key_value_states|x_?kv|cross_attention_states)$")
_TEXT = re.compile(r"(?i)(x|inputs?|input_?s|hidden_states?|tokens|embeddings?|embeds|tgt|target|seq|sequence)$")
_NO_TENSOR = re.compile(r"\b(bool|int|float|str)\b")  # in an annotation
_MASKS = ("mask", "attn_mask", "attention_mask", "src_mask", "allowed")
_NOT_THE_MASK = re.compile(r"(?i)padding|head_mask|encoder_|is_|has_")
_PADDING = re.compile(r"(?i)^(?!is_|has_|encoder_).*pad(ding)?_?mask")
_WANTS_WEIGHTS = re.compile(r"(?i)(need|return|output|with|get)_?(attn|attention|attentions|weights|attn_weights|"
                            r"attention_weights|scores|attention_scores)$")  # fmt: skip
_NO_INPUT = re.compile(r"(?i)position|rotary|rope|freqs|^cos$|^sin$|cache|past|bias|layer_idx|scal(e|ing)")
_DROPOUT = re.compile(r"(?i)(attn_)?(dropout|dropout_p|p_dropout|dropout_layer|p_drop|drop)$")
_CAUSAL = ("is_causal", "causal")


@dataclass(frozen=True)
class Signature:
    """What goes in."""

    places: tuple[int, ...]  # what each input is: 0 query (or x), 1 key (or memory), 2 value; in their order
    names: tuple[str, ...] = ()  # of the inputs, where they are known
    keyword_only: tuple[str, ...] = ()  # those of them that are given by name
    mask: str | None = None  # the name of the mask's argument
    mask_by_place: bool = False
    is_mask_required: bool = False
    padding: str | None = None  # the name of a second mask, of each text's keys
    switches: tuple[tuple[str, bool], ...] = ()  # arguments that ask for the weights of every head
    causal: str | None = None  # the name of a switch for causal attention
    heads: str | None = None  # the name of an argument that says how many heads
    missing: tuple[str, ...] = ()  # arguments without a default that nobody here can fill
    unused: tuple[str, ...] = ()  # arguments that are None unless they are given, and are not given here
    untried: tuple[str, ...] = ()  # every argument that is left at its default, whatever that is
    dropout: tuple[str, float | None] | None = None  # an argument of a function for dropout, and its default
    second: str | None = None  # the name of a second text that may be left out
    second_given: str | None = None  # the same, where it is given
    takes_query_alone: bool = False  # key and value may be left out
    is_padding_required: bool = False
    is_known: bool = True  # False where Python cannot say (functions written in C)

    @property
    def n_inputs(self) -> int:
        """1: x; 2: x and memory; 3: query, key, value."""
        return len(self.places)

    def with_second(self) -> Signature:
        """The same layer, given the second text that it can do without."""
        assert self.second is not None  # asked before
        names = (*self.names, self.second)
        return replace(
            self, places=(0, 1), names=names, keyword_only=(*self.keyword_only, self.second), second=None,
            second_given=self.second,
        )  # fmt: skip

    def query_alone(self) -> Signature:
        """The same layer, given its query and no more."""
        return replace(self, places=(0,), names=self.names[:1], takes_query_alone=False)

    def said(self, is_function: bool) -> str:
        """ "layer(query, key, value, mask=…)"."""
        usual = {1: ("x",), 2: ("x", "memory"), 3: tuple("qkv") if is_function else ("query", "key", "value")}
        names = ", ".join(self.names or usual[self.n_inputs])
        masks = [name for name in (self.mask, self.padding) if name is not None]
        given = "".join(", mask" if self.mask_by_place else f", {name}=…" for name in masks)
        return f"{'function' if is_function else 'layer'}({names}{given})"


def signature_of(subject: Callable[..., Any], is_function: bool) -> Signature:
    """Read the signature of a module's forward or of a function."""
    if isinstance(subject, nn.MultiheadAttention) and type(subject).forward is nn.MultiheadAttention.forward:
        of_torch = (("need_weights", True), ("average_attn_weights", False))
        return Signature((0, 1, 2), ("query", "key", "value"), mask="attn_mask", padding="key_padding_mask",
                         switches=of_torch, untried=("is_causal",))  # fmt: skip
    try:
        target = subject.forward if isinstance(subject, nn.Module) else subject
        parameters = list(inspect.signature(target).parameters.values())
    except (TypeError, ValueError):
        parameters = _of_schema(target)
        if not parameters:
            return Signature((0, 1, 2), mask="attn_mask", is_known=False)
    named = [p for p in parameters if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    mask = _mask_of(named)
    lengths = next((p for p in named[1:] if is_lengths(p.name) and not _is_no_tensor(p)), None)
    mask, lengths = (lengths, None) if mask is None else (mask, lengths)
    padding = next((p for p in named[1:] if p is not mask and _PADDING.search(p.name)), lengths)
    heads = next((p for p in named[1:] if is_function and p.name in HEAD_NAMES), None)
    rest = [p for p in named if p not in (mask, padding, heads)]
    likely = [p for p in rest if not _NO_INPUT.search(p.name) and not _is_no_tensor(p)]
    inputs = _inputs(parameters, likely, is_function)
    second = None if is_function or len(inputs) != 1 else next((p for p in likely if _is_second(p, inputs)), None)
    switches = _switches(named)
    causal = next((p for p in named if p.name in _CAUSAL and p.default is False), None)
    dropout = next((p for p in named if is_function and _DROPOUT.match(p.name) and _is_off(p.default)), None)
    given = [*inputs, mask, padding, heads, causal, second, dropout]
    return Signature(
        _places([p.name for p in inputs], _count(parameters, likely, is_function)),
        tuple(p.name for p in inputs),
        tuple(p.name for p in inputs if p.kind is p.KEYWORD_ONLY),
        mask.name if mask else None,
        mask.kind is mask.POSITIONAL_ONLY if mask else False,
        mask is not None and mask.default is mask.empty,
        padding.name if padding else None,
        switches,
        causal.name if causal else None,
        heads.name if heads else None,
        tuple(p.name for p in rest if p.default is p.empty and p not in inputs),
        tuple(p.name for p in rest if p.default is None and p not in inputs),
        tuple(_shown(p) for p in parameters if _is_optional(p) and p not in given and p.name not in dict(switches)),
        None if dropout is None else (dropout.name, dropout.default),
        second.name if second else None,
        takes_query_alone=not is_function and [p.default is None for p in inputs] == [False, True, True],
        is_padding_required=padding is not None and padding.default is padding.empty,
    )


def _of_schema(target: object) -> list[Parameter]:
    """The arguments of what torch.jit made, which Python cannot say; none where there is no schema."""
    schema = getattr(target, "schema", None)
    if not isinstance(schema, torch.FunctionSchema):
        return []
    return [
        Parameter(
            argument.name, Parameter.KEYWORD_ONLY if argument.kwarg_only else Parameter.POSITIONAL_OR_KEYWORD,
            default=argument.default_value if argument.has_default_value() else Parameter.empty,
            annotation=str(argument.type),
        )
        for argument in schema.arguments
        if argument.name != "self"
    ]  # fmt: skip


def _is_off(default: object) -> bool:
    return default is None or (type(default) in (int, float) and default == 0)


def _is_optional(parameter: Parameter) -> bool:
    return parameter.kind is parameter.VAR_KEYWORD or parameter.default is not parameter.empty


def _shown(parameter: Parameter) -> str:
    return f"**{parameter.name}" if parameter.kind is parameter.VAR_KEYWORD else parameter.name


def _is_no_tensor(parameter: Parameter) -> bool:
    """Whether it is said to be a number, a word or a switch."""
    said = inspect.formatannotation(parameter.annotation)  # "int", "'int'", "int | None"
    return _NO_TENSOR.search(said) is not None and "Tensor" not in said


def _is_second(parameter: Parameter, inputs: list[Parameter]) -> bool:
    is_named_so = _MEMORY.match(parameter.name) or _SECOND.match(parameter.name) or _ROLES[1].match(parameter.name)
    return parameter not in inputs and parameter.default is None and bool(is_named_so)


def _mask_of(named: list[Parameter]) -> Parameter | None:
    mask = next((p for name in _MASKS for p in named[1:] if p.name == name), None)
    mask = mask or next((p for p in named[1:] if "mask" in p.name.lower() and not _NOT_THE_MASK.search(p.name)), None)
    return mask or next((p for p in named[1:] if _PADDING.search(p.name)), None)


def _switches(named: list[Parameter]) -> tuple[tuple[str, bool], ...]:
    switches = [(p.name, True) for p in named if p.default is False and _WANTS_WEIGHTS.search(p.name)]
    switches += [(p.name, False) for p in named if p.name == "average_attn_weights" and p.default is True]
    return tuple(switches)


def _count(parameters: list[Parameter], rest: list[Parameter], is_function: bool) -> int:
    """How many inputs: one to three."""
    if is_function:
        return 3
    if any(p.kind is p.VAR_POSITIONAL for p in parameters) and len(rest) < 2:
        return 3 if not rest else 1
    inputs = [p for p in rest if p.kind is not p.KEYWORD_ONLY]
    if len(inputs) >= 3 and (_ROLES[1].match(inputs[1].name) or {_role(p.name) for p in inputs[:3]} == {0, 1, 2}):
        return 3
    required = [p for p in [*inputs, *_texts_by_name(rest)] if p.default is p.empty]
    return min(3, max(1, len(required)))


def _texts_by_name(rest: list[Parameter]) -> list[Parameter]:
    """The keyword-only arguments that take a text, query, key and value in this order."""
    by_name = [p for p in rest if p.kind is p.KEYWORD_ONLY]
    named_so = [p for pattern in (*_ROLES, _TEXT, _MEMORY, _SECOND) for p in by_name if pattern.match(p.name)]
    return list(dict.fromkeys(named_so)) or [p for p in by_name if len(by_name) == len(rest)][:1]


def _inputs(parameters: list[Parameter], rest: list[Parameter], is_function: bool) -> list[Parameter]:
    """The arguments that take query, key and value; none where the names cannot be known (*args)."""
    count = _count(parameters, rest, is_function)
    by_place = [p for p in rest if p.kind is not p.KEYWORD_ONLY]
    by_name = [p for p in _texts_by_name(rest) if p.default is p.empty]
    found = [*by_place, *by_name][:count]
    return found if len(found) == count else []


def _role(name: str) -> int | None:
    """0 query, 1 key, 2 value; None for another name."""
    return next((place for place, role in enumerate(_ROLES) if role.match(name)), None)


def _places(names: list[str], count: int) -> tuple[int, ...]:
    """Which of query, key and value each input is: by its name where all names say so, else by its place."""
    roles = [_role(name) for name in names]
    if count == 3 and set(roles) == {0, 1, 2}:
        return tuple(role for role in roles if role is not None)
    if len(names) == 2 and _MEMORY.match(names[0]) and not _MEMORY.match(names[1]):
        return (1, 0)
    return tuple(range(count))
