"""How a candidate wants to be called, read from its signature: which inputs, which masks, which switches."""

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Any

from torch import nn

from attnviz.checking.call.inputs import is_lengths

Parameter = inspect.Parameter

_ROLES = (  # names of the query, the key and the value
    re.compile(r"(?i)(x_?|src_?)?(q|query|queries|qry)(_in|_states|_input)?s?$"),
    re.compile(r"(?i)(x_?|src_?)?(k|key|keys)(_in|_states|_input)?s?$"),
    re.compile(r"(?i)(x_?|src_?)?(v|value|values|val)(_in|_states|_input)?s?$"),
)
_MEMORY = re.compile(r"(?i)(memory|context|kv|enc|encoder|src|source)(_?(out|output|outputs|states|hidden_states))?$")
_SECOND = re.compile(r"(?i)(key_value_states|x_?kv|cross_attention_states)$")
_MASKS = ("mask", "attn_mask", "attention_mask", "src_mask", "allowed")
_OTHER_MASK = re.compile(r"(?i)padding|head_mask|encoder_|is_|has_")
_PADDING = re.compile(r"(?i)^(?!is_|has_|encoder_).*pad(ding)?_?mask")
_WANTS_WEIGHTS = re.compile(r"(?i)(need|return|output|with|get)_?(attn|attention|attentions|weights|attn_weights|"
                            r"attention_weights|scores|attention_scores)$")  # fmt: skip
_POSITIONS = re.compile(r"(?i)position|rotary|rope|freqs|^cos$|^sin$")
_NO_INPUT = re.compile(rf"{_POSITIONS.pattern}|cache|past|bias|layer_idx|scal(e|ing)")
_NO_TENSOR = re.compile(r"\b(bool|int|float|str)\b")  # in an annotation


@dataclass(frozen=True)
class Signature:
    places: tuple[int, ...]  # what each input is, in order: 0 query (or x), 1 key (or memory), 2 value
    names: tuple[str, ...] = ()  # of the inputs, where they are known
    mask: str | None = None
    padding: str | None = None  # a second mask, of each text's keys
    required_masks: tuple[str, ...] = ()  # those of the two that have no default
    switches: tuple[tuple[str, bool], ...] = ()  # arguments that ask for the weights of every head
    missing: tuple[str, ...] = ()  # arguments without a default that nothing is known to fill
    untried: tuple[str, ...] = ()  # all arguments that are left at their defaults
    second: str | None = None  # a second text that may be left out, and is

    @property
    def n_inputs(self) -> int:
        """1: x; 2: x and memory; 3: query, key, value."""
        return len(self.places)

    @property
    def is_torchs(self) -> bool:
        """Whether it has the arguments of nn.MultiheadAttention, where True in a mask means cannot attend."""
        return (self.mask, self.padding) == ("attn_mask", "key_padding_mask") and "need_weights" in dict(self.switches)

    def needed(self, error: str) -> tuple[str, ...]:
        """The required arguments that the check cannot fill, judged by the error of a call."""
        if self.missing and self.names:
            return self.missing
        return tuple(name for name in self.untried if "NoneType" in error and _POSITIONS.search(name))

    def with_second(self) -> "Signature":
        """The signature with the optional second text passed."""
        assert self.second is not None  # asked before
        return replace(self, places=(0, 1), names=(*self.names, self.second), second=None)

    def in_every_order(self) -> "list[Signature]":
        """Every order of the inputs, the usual one first; only one where the names tell, or x is alone."""
        if self.n_inputs == 1 or (self.n_inputs == 3 and {_role(name) for name in self.names} == {0, 1, 2}):
            return [self]
        return [replace(self, places=places) for places in permutations(self.places)]

    @property
    def has_usual_order(self) -> bool:
        """Whether query, key and value come in this order, or in the one that all their names say."""
        return self.in_every_order() == [self] or self.places == tuple(range(self.n_inputs))

    @property
    def order(self) -> str:
        """ "memory (keys and values), x (queries)"."""
        made = ("queries", "keys and values") if self.n_inputs == 2 else ("queries", "keys", "values")
        names = self.names or tuple(f"argument {place}" for place in range(1, self.n_inputs + 1))
        return ", ".join(f"{name} ({made[place]})" for name, place in zip(names, self.places, strict=True))

    def call(self, is_function: bool) -> str:
        """ "layer(query, key, value, mask=…)"."""
        usual = {1: ("x",), 2: ("x", "memory"), 3: tuple("qkv") if is_function else ("query", "key", "value")}
        given = [*(self.names or usual[self.n_inputs]), *(f"{name}=…" for name in (self.mask, self.padding) if name)]
        return f"{'function' if is_function else 'layer'}({', '.join(given)})"


def signature_of(subject: Callable[..., Any], is_function: bool) -> Signature:
    try:
        target = subject.forward if isinstance(subject, nn.Module) else subject
        parameters = list(inspect.signature(target).parameters.values())
    except (TypeError, ValueError):  # written in C, such as F.scaled_dot_product_attention
        return Signature((0, 1, 2), mask="attn_mask")
    named = [p for p in parameters if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    mask, padding = _masks(named)
    rest = [p for p in named if p not in (mask, padding)]
    likely = [p for p in rest if not _NO_INPUT.search(p.name) and not _is_no_tensor(p)]
    count = 3 if is_function else _count(parameters, likely)
    inputs = _inputs(likely, count)
    others = [p for p in likely if p not in inputs and p.default is None and count == 1]
    second = next((p for p in others if any(one.match(p.name) for one in (_MEMORY, _SECOND, _ROLES[1]))), None)
    switches = [(p.name, True) for p in named if isinstance(p.default, bool) and _WANTS_WEIGHTS.search(p.name)]
    switches += [(p.name, False) for p in named if p.name == "average_attn_weights" and p.default is True]
    used = [*inputs, mask, padding, second, *(p for p in named if p.name in dict(switches))]
    return Signature(
        _places([p.name for p in inputs], count),
        tuple(p.name for p in inputs),
        _name(mask),
        _name(padding),
        tuple(p.name for p in (mask, padding) if p is not None and p.default is p.empty),
        tuple(switches),
        tuple(p.name for p in rest if p.default is p.empty and p not in inputs),
        tuple(p.name for p in named if p not in used and p.default is not p.empty),
        _name(second),
    )


def _name(parameter: Parameter | None) -> str | None:
    return None if parameter is None else parameter.name


def _is_no_tensor(parameter: Parameter) -> bool:
    """Whether its annotation says that it is a number, a word or a switch."""
    annotation = inspect.formatannotation(parameter.annotation)  # "int", "'int'", "int | None"
    return _NO_TENSOR.search(annotation) is not None and "Tensor" not in annotation


def _masks(named: list[Parameter]) -> tuple[Parameter | None, Parameter | None]:
    """The mask, and a second one of each text's keys; lengths of the texts count as a mask."""
    first = named[0].name if len(named) > 1 else ""
    others = named if first in _MASKS or _PADDING.search(first) or is_lengths(first) else named[1:]
    mask = next((p for name in _MASKS for p in others if p.name == name), None)
    mask = mask or next((p for p in others if "mask" in p.name.lower() and not _OTHER_MASK.search(p.name)), None)
    mask = mask or next((p for p in others if _PADDING.search(p.name)), None)
    lengths = next((p for p in others if is_lengths(p.name) and not _is_no_tensor(p)), None)
    if mask is None:
        return lengths, None
    return mask, next((p for p in others if p is not mask and _PADDING.search(p.name)), lengths)


def _count(parameters: list[Parameter], likely: list[Parameter]) -> int:
    if any(p.kind is p.VAR_POSITIONAL for p in parameters) and len(likely) < 2:
        return 3 if not likely else 1
    first = [_role(p.name) for p in likely[:3]]
    if len(first) == 3 and (first[1] == 1 or set(first) == {0, 1, 2}):
        return 3
    return min(3, max(1, sum(p.default is p.empty for p in likely)))


def _inputs(likely: list[Parameter], count: int) -> list[Parameter]:
    """The arguments that take query, key and value; none where the names are not known (*args)."""
    inputs = [p for p in likely if p.kind is not p.KEYWORD_ONLY or p.default is p.empty][:count]
    return inputs if len(inputs) == count else []


def _role(name: str) -> int | None:
    """0 query, 1 key, 2 value; None for another name."""
    return next((place for place, role in enumerate(_ROLES) if role.match(name)), None)


def _places(names: list[str], count: int) -> tuple[int, ...]:
    """Which of query, key and value each input is: by its name where all names say so, else by its place."""
    roles = [_role(name) for name in names]
    if count == 3 and set(roles) == {0, 1, 2}:
        return tuple(role for role in roles if role is not None)
    return tuple(range(count))
