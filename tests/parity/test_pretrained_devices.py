"""On a GPU: the same weights as on the processor, verified there, and everything kept there until it is shown."""

from copy import deepcopy

import pytest
import torch
from torch.testing import assert_close

from attnviz.core.errors import InputError
from attnviz.pretrained.loading.device import Placement, devices, placement
from tests.parity.tiny_models import eager_model, traceable, traced_model

FAMILIES = ("bert", "gpt2", "gemma2", "mistral", "gpt_oss", "t5", "marian", "deberta-v2", "bloom")


@pytest.mark.parametrize(
    "device", [pytest.param("cuda", marks=pytest.mark.gpu), pytest.param("mps", marks=pytest.mark.mps)]
)
@pytest.mark.parametrize("model_type", FAMILIES)
def test_a_gpu_gives_the_same_weights_and_keeps_them(model_type, device):
    model = traceable(deepcopy(eager_model(model_type)).to(device), model_type)
    target = "and back" if model.writer else None
    there, here = model.trace("there and here", target), traced_model(model_type).trace("there and here", target)

    assert there.verified.holds
    for key, record in here.records.items():
        assert there[key].source.v.device.type == device and there[key].weights().device.type == device
        assert_close(there[key].weights().cpu(), record.weights(), rtol=0, atol=1e-4)
        assert_close(there[key].preview(0, 4).cpu(), record.preview(0, 4), rtol=0, atol=1e-4)
    assert all(value.device.type == device for value in there.stream.values())
    for text, single in zip(("longer than the other", "short"), model.traces(["longer than the other", "short"]),
                            strict=True):  # fmt: skip
        assert single.tokens.source.source == text and single.verified.holds


def test_the_processor_is_always_there_and_is_what_is_used_unless_asked():
    assert devices()[0] == "cpu" and placement() == Placement(torch.device("cpu"), torch.float32)
    assert placement("auto").device == torch.device(devices()[-1])


@pytest.mark.parametrize(("device", "dtype", "id"), [("tpu", None, "bad-device"), (None, "int4", "bad-dtype")])
def test_what_this_machine_lacks_is_refused_by_name(device, dtype, id):
    with pytest.raises(InputError) as error:
        placement(device, dtype)
    assert error.value.id == id and (device or dtype) in str(error.value)
