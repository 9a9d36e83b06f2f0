"""Strangers' code that raises, prints, lies or returns nonsense gets a sentence, and wrong arguments get an error."""

import math
import re
import sys
import threading
from typing import Any

import pytest
import torch
from torch import Tensor, nn

import attnviz as av
from attnviz.checking.read.parameter_roles import role_of
from attnviz.core.errors import InputError
from attnviz.models import MultiHeadAttention
from tests.unit.checking.layers import Right, broken, only, replaced, right


def leaves(*_: Any, **__: Any) -> Tensor:
    sys.exit("bye")


@pytest.mark.parametrize(("subject", "id", "words"), [
    (leaves, "raises", "SystemExit: bye"),
    (lambda q, k, v: None, "returns-no-tensor", "It returned None; expected"),
    (lambda q, k, v: q.detach().numpy(), "returns-no-tensor", "ndarray"),
    (lambda q, k, v: q.bool(), "returns-no-tensor", "expected a tensor of real numbers"),
    (lambda q, k, v: q * math.nan, "not-finite", "first at [0, 0, 0, 0]"),
    (lambda q, k, v: q[0], "wrong-shape", "expected [2, 3, 5, 10]"),
    (lambda q, k, v: torch.zeros(0), "wrong-shape", "has shape [0]"),
    (lambda q, k, v: torch.tensor(1.0), "wrong-shape", "has shape []"),
])  # fmt: skip
def test_a_stranger_gets_a_sentence_and_not_a_crash(subject: Any, id: str, words: str) -> None:
    only(subject, id, words)


def test_what_a_stranger_prints_or_seeds_stays_inside(capsys: pytest.CaptureFixture[str]) -> None:
    def forward(self: Right, x: Tensor, mask: Tensor | None = None) -> Any:
        print("hello", file=sys.stderr)
        torch.manual_seed(5)
        torch.set_grad_enabled(True)
        return Right.forward(self, x, mask)

    layer = broken(forward=forward)
    state = torch.get_rng_state()
    with torch.no_grad():
        only(layer, "reseeds")
        assert not torch.is_grad_enabled()
    assert torch.equal(state, torch.get_rng_state())
    assert capsys.readouterr() == ("", "")


class ItsOwnCopy(nn.MultiheadAttention):
    def __deepcopy__(self, memo: object) -> nn.Module:
        return self


@pytest.mark.parametrize("layer", [ItsOwnCopy(24, 3), replaced(lock=threading.Lock())], ids=["itself", "refused"])
def test_a_layer_that_cannot_be_copied_is_not_run_and_stays_as_it_was(layer: nn.Module) -> None:
    before = [parameter.detach().clone() for parameter in layer.parameters()]
    only(layer, "cannot-copy")
    assert layer.training and all(map(torch.equal, before, layer.parameters()))


def test_a_layer_that_needs_float32_is_asked_in_float32() -> None:
    assert "float32" in right(broken(scores=lambda s, q, k: q @ k.mT.float() / math.sqrt(8))).how


@pytest.mark.parametrize(("arguments", "words"), [
    ({"candidate": Right}, "Right is a class; expected a layer made from it. Pass Right(…)."),
    ({"candidate": 3}, "check_attention got int; expected a torch module"),
    ({"candidate": Right(), "mask_means": "x"}, "mask_means is 'x'; expected one of 'can attend'"),
    ({"candidate": Right(), "reference": len}, "expected a torch module, whose weights"),
    ({"candidate": Right(), "n_heads": 0}, "n_heads is 0; expected a whole number of at least 1"),
    ({"candidate": Right(), "n_heads": 5}, "n_heads=5 does not divide the 24 features"),
])  # fmt: skip
def test_wrong_arguments_are_refused_in_words(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=re.escape(words)):
        av.check_attention(**arguments)


@pytest.mark.parametrize(("names", "role"), [
    ("q q_proj query W_q Wq wq to_q linear_q q_linear query_layer w_qs W_Q queries q_lin toqueries fc_q", "q"),
    ("k k_proj key W_k Wk to_k linear_k w_ks W_K keys tokeys lin_k", "k"),
    ("v v_proj value W_v Wv to_v linear_v w_vs W_V values tovalues", "v"),
    ("o o_proj out out_proj W_o Wo to_out proj c_proj dense fc fc_out output unifyheads out_lin W_O", "o"),
    ("qkv c_attn in_proj Wqkv to_qkv query_key_value qkv_proj in_proj_weight", "qkv"),
    ("kv to_kv kv_proj", "kv"),
    ("norm ln_1 scale gate mlp up position embed dropout", None),
])  # fmt: skip
def test_matrices_are_known_by_their_usual_names(names: str, role: str | None) -> None:
    wrong = {name: role_of(name) for name in names.split() if role_of(name) != role}
    assert wrong == {}


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")
@pytest.mark.parametrize(("layer", "id", "words"), [
    (lambda: replaced(w_q=nn.LazyLinear(24)), "no-numbers", "holds no numbers"),
    (lambda: Right().to("meta"), "no-numbers", "holds no numbers"),
    (lambda: replaced(w_q=nn.utils.parametrizations.weight_norm(nn.Linear(24, 24))), "computed-matrices",
     "from other parameters"),
    (lambda: replaced(w_q=nn.utils.weight_norm(nn.Linear(24, 24))), "computed-matrices", "from other parameters"),
    (lambda: torch.jit.trace(Right().eval(), torch.randn(2, 5, 24)), "compiled", "was compiled by torch.jit"),
])  # fmt: skip
def test_a_layer_that_cannot_be_run_on_other_numbers_is_refused(layer: Any, id: str, words: str) -> None:
    only(layer(), id, words)
    assert str(av.check_attention(layer())).partition("\n")[0].endswith(": no verdict.")
    only(Right(), id, "The reference ", reference=layer())


def test_ctrl_c_is_obeyed() -> None:
    def ends(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        av.check_attention(ends)


def test_a_recording_in_which_a_check_stands_is_left_as_it_was() -> None:
    layer, x = MultiHeadAttention(24, 3), torch.randn(1, 4, 24)
    with av.record(edits=[av.Edit("*", lambda _, value: value * 2, "doubled")]) as run:
        layer(x)
        names = list(run.names)
        right(layer)  # no edit of the person's reaches it
        assert list(run.names) == names
        layer(x)
    assert len(run.names) == 2 * len(names)
