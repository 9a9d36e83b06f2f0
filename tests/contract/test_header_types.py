"""The payloads' headers: the types that JavaScript is held to are those of Python, and real payloads have them."""

from collections.abc import Sequence
from dataclasses import is_dataclass
from types import UnionType
from typing import Any, Literal, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

import pytest
import torch

import attnviz as av
from attnviz import views
from attnviz.explanation import chain
from attnviz.training.bundled_models import FOLDER
from attnviz.training.head_formation import head_formation
from attnviz.views.home import WAYS, home, standout
from attnviz.views.pack import unpack
from attnviz.views.panel import Chart, Curve, Fact, Facts, Map, Maps, Prose, Table
from scripts.make_header_types import declared, written


def test_the_types_of_javascript_are_up_to_date():
    for path, text in written().items():
        assert path.read_text(encoding="utf-8") == text, f"{path.name}: run: python scripts/make_header_types.py"


def misfits(value: Any, hint: Any, at: str) -> list[str]:
    """Where a value of a header is not what its class says."""
    origin, of = get_origin(hint), get_args(hint)
    if is_typeddict(hint) or is_dataclass(hint):
        hints = get_type_hints(hint, include_extras=True)
        needed = {name for name, it in hints.items() if get_origin(it) is not NotRequired}
        own = set(value) if isinstance(value, dict) else set()
        wrong = [f"{at}: {name}" for name in (needed - own) | (own - set(hints))]
        plain = get_type_hints(hint)
        return wrong + [it for name in own & set(hints) for it in misfits(value[name], plain[name], f"{at}.{name}")]
    if origin in (Union, UnionType):
        tried = [misfits(value, it, at) for it in of]
        return [] if [] in tried else min(tried, key=len)
    plain_type = (int, float) if hint is float else hint
    expected = {Literal: object, list: list, Sequence: list, tuple: list, dict: dict, None: plain_type}
    if not isinstance(value, expected[origin]) or (origin is Literal and value not in of):
        return [f"{at}: {value!r}"]
    if origin in (list, Sequence) or (origin is tuple and of[-1] is ...):
        return [it for one in value for it in misfits(one, of[0], f"{at}[]")]
    if origin is tuple:
        return [it for one, own in zip(value, of, strict=True) for it in misfits(one, own, f"{at}[]")]
    if origin is dict:
        return [it for name, one in value.items() for it in misfits(one, of[1], f"{at}.{name}")]
    return []


BLOCKS = (
    Prose("p"), Facts([Fact("f", "1")]), Table(["a"], [["1"]]),
    Maps([Map("M", torch.eye(2), ["1", "2"], ["1", "2"], "share")]),
    Chart("C", [1, 2], [Curve("c", [0.5, float("nan")])], "x"),
)  # fmt: skip
PAYLOADS = {
    "HeadsHeader": lambda trace: views.heads(trace).complete(),
    "ExactHeader": lambda trace: views.exact(trace, 0, 0),
    "WindowHeader": lambda trace: views.window(trace, 0, 0, (0, 2), (0, 3)),
    "NeuronsHeader": lambda trace: views.neurons(trace, 0, 0),
    "KindsHeader": lambda trace: views.kinds_waiting(trace, 10),
    "StepperHeader": lambda trace: views.stepper(chain(trace, "self", "encoder.0.self", head=1), trace).payload,
    "CompareHeader": lambda trace: views.compare(av.compare(trace, trace)).payload,
    "PairHeader": lambda trace: views.exact_pair(av.compare(trace, trace), views.Pair(0, 0, 0, 1)),
    "TrainingHeader": lambda trace: views.training([head_formation(FOLDER / "reverse", "k w p a 3 d")]).payload,
    "PanelHeader": lambda trace: views.panel(BLOCKS, title="M").payload,
    "HomeStory": lambda trace: views.home_story(trace, standout(trace)),
    "HomeHeader": lambda trace: home(trace, standout(trace), links=dict.fromkeys(WAYS, "/")).payload,
}


@pytest.mark.parametrize("name", PAYLOADS)
def test_a_payload_has_the_header_that_its_class_says(name):
    header, _ = unpack(PAYLOADS[name](av.load("reverse").trace("k a b c d")))
    own = {field: value for field, value in header.items() if field not in ("v", "arrays")}
    assert misfits(own, declared()[name], name) == []
